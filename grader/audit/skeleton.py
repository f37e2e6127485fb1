"""The skeleton of a new exercise: a small one that works, with a TODO at every place that is to become the author's.

Its texts and files are templates in the folder `skeleton`, with the names of the exercise left open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from string import Template

NAME = re.compile(r"(\d\d)_([a-z][a-z0-9]*(?:_[a-z0-9]+)*)")
MARK = re.compile(r"TODO: ?")
_FOLDER = Path(__file__).with_name("skeleton")
_SUFFIX = ".template"
# Files that are named after the exercise.
_NAMED = {
    "starter.py": "{module}.py",
    "samples.py": "test_{module}.py",
    "reference.py": "{module}.py",
    "suite.py": "test_{module}_hidden.py",
}


def skeleton(name: str) -> dict[PurePosixPath, str]:
    """Every file of a new exercise, seen from the root of its course.

    Args:
        name: two digits and a topic, "17_topic"; see NAME.
    """
    fields = _fields(name)
    found = {}
    for part, parent in (("exercise", "exercises"), ("solution", "solutions")):
        for path in sorted((_FOLDER / part).rglob(f"*{_SUFFIX}")):
            inside = PurePosixPath(path.relative_to(_FOLDER / part).as_posix().removesuffix(_SUFFIX))
            named = _NAMED.get(inside.name, inside.name).format(module=fields["module"])
            found[PurePosixPath(parent, name, inside.parent, named)] = _filled(path, fields)
    return found


def cards(name: str) -> str:
    """The cards of its mistakes, to be added to exercises/mistakes.toml."""
    return _filled(_FOLDER / f"cards.toml{_SUFFIX}", _fields(name))


def _fields(name: str) -> Mapping[str, str]:
    found = NAME.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} is no name of an exercise")
    number, module = found.groups()
    return {"name": name, "number": number, "module": module, "slug": module.replace("_", "-")}


def _filled(path: Path, fields: Mapping[str, str]) -> str:
    return Template(path.read_text(encoding="utf-8")).substitute(fields)
