"""`grade` in a release: runs the sample checks of that folder, keeps the progress, and says that these are all."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.cli.files import warn
from grader.cli.targets import goes_by
from grader.course import MAX_SOURCE, shown_path
from grader.errors import UsageError
from grader.model import LANGUAGES, Language, Message, Text
from grader.report.visible import code_line, line, tell
from grader.state import read_regular, state_folder

if TYPE_CHECKING:
    from grader.judge.sample_texts import Seen
    from grader.judge.samples import SampleResult

MARK = "release.toml"
DONE, NOT_ALL = 0, 1
INDENT = 4  # of what stands below a check; numpy's lines have 75 characters
LONG = 400  # characters of a line that a check wrote
_NAME = re.compile(r"[\w-]+")
PACKAGES = frozenset({"numpy", "torch"})  # what a release may ask for: they are imported before the lockdown


@dataclass(frozen=True)
class Released:
    """One exercise of a release."""

    folder: Path
    module: str
    packages: tuple[str, ...]
    title: Text


def release_around(paths: Sequence[str]) -> Path | None:
    """The release that a path, or else the working directory, lies in; None where it is none."""
    place = Path(os.path.abspath(paths[0] if paths else "."))  # noqa: PTH100 - where it is seen, not where a link leads
    for folder in (place, *place.parents):
        if (folder / MARK).is_file() and (folder / "exercises").is_dir():
            return folder
    return None


def run_release(root: Path, paths: Sequence[str], language: Language) -> int:
    """Run the sample checks of what the paths name; 0 where all of them pass.

    Raises:
        UsageError: a path is no exercise of the release, or a file cannot be read.
    """
    from grader.cli.screen import Screen  # noqa: PLC0415
    from grader.judge.samples import run_samples  # noqa: PLC0415
    from grader.sandbox.client import Sandbox  # noqa: PLC0415

    console, whole = Screen(highlight=False, emoji=False), True

    def put(key: str, style: str = "", indent: int = 2, **fields: str | int) -> None:
        for told in _wrapped(tell(Message(f"samples.{key}", fields), language), console.width - indent):
            console.print(" " * indent + told, style=style, markup=False, soft_wrap=True)

    for one in _wanted(released_exercises(root), root, paths):
        answer, checks = (_text(one.folder / f"{name}.py") for name in (one.module, f"test_{one.module}"))
        console.print(one.folder.name, style="bold", markup=False)
        with Sandbox(one.packages) as sandbox:
            results = run_samples(sandbox, one.module, answer, checks)
        for result in results:
            if result.trouble is None:
                put("passed", "green", name=result.name)
            elif result.not_written:
                put("not_written", name=result.name)
            else:
                put("failed", "red", name=result.name or "-")
                for each in _told(result, result.trouble, language, console.width - INDENT):
                    console.print(" " * INDENT + each, markup=False, soft_wrap=True)
        passed = sum(result.trouble is None for result in results)
        put("count", passed=passed, all=len(results))
        _record(one, results, language)
        whole = whole and passed == len(results) > 0
    put("only_these", "dim", indent=0)
    return DONE if whole else NOT_ALL


def _told(result: SampleResult, trouble: Seen, language: Language, width: int) -> Iterator[str]:
    """What a check that failed is about, and what it says, in lines."""
    if result.rule and language == "en":  # checks are written in English
        yield from _wrapped(line(result.rule), width)
    if trouble.told is not None:
        yield from _wrapped(tell(trouble.told, language), width)
    for label, lines in trouble.parts:
        if label is not None:
            yield tell(label, language)
        for each in lines:
            yield from _fitting(code_line(each, LONG), width)


def _fitting(text: str, width: int) -> list[str]:
    """A line as it is where it fits; numpy's lie below each other."""
    return [text] if len(text) <= width else _wrapped(text, width)


def _wrapped(text: str, width: int) -> list[str]:
    from grader.report.wrap import wrap  # noqa: PLC0415 - rich takes a while

    return wrap(text, width)


def _record(one: Released, results: Sequence[SampleResult], language: Language) -> None:
    """Keep what was reached, as for every other answer; an untouched starter leaves no trace."""
    from grader.progress import ProgressFile, now, with_samples  # noqa: PLC0415 - json takes a while

    if all(result.not_written for result in results):
        return
    state = state_folder(one.folder / f"{one.module}.py", one.folder.name)
    passed = sum(result.trouble is None for result in results)
    edit = partial(with_samples, exercise=one.folder.name, passed=passed, checks=len(results), when=now())
    say = warn(language)
    try:
        ProgressFile(state, say).change(edit)
    except OSError as error:
        fields = {"path": shown_path(Path(error.filename or state)), "reason": error.strerror or str(error)}
        say(Message("cli.progress_not_written", fields))
    except UsageError as error:
        say(error.message)


def released_exercises(root: Path) -> dict[str, Released]:
    """What the mark of a release says, by name; it may come from anybody.

    Raises:
        UsageError: it says nothing that could be understood, or that may not be.
    """
    try:
        table: dict[str, Any] = tomllib.loads(read_regular(root / MARK, MAX_SOURCE).decode())
        found = {
            name: Released(
                *(root / "exercises" / name, str(told["module"]), tuple(map(str, told["packages"]))),
                Text(**{language: str(told.get("title", {}).get(language, name)) for language in LANGUAGES}),
            )
            for name, told in table["exercise"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(Message("samples.broken_release", {"path": shown_path(root / MARK)})) from error
    for name, one in found.items():
        plain = _NAME.fullmatch(name) and one.module.isidentifier()
        if not plain or not one.packages or not PACKAGES.issuperset(one.packages):
            raise UsageError(Message("samples.broken_release", {"path": shown_path(root / MARK)}))
    return found


def _wanted(exercises: dict[str, Released], root: Path, paths: Sequence[str]) -> list[Released]:
    """The exercises that the paths name; all of them for the release itself, or for its folder of exercises."""
    wanted: dict[str, Released] = {}
    for text in paths or ["."]:
        place = Path(os.path.abspath(text))  # noqa: PTH100
        named = [one for name, one in exercises.items() if text == name or goes_by(name, text)]
        inside = [one for one in exercises.values() if place == one.folder or one.folder in place.parents]
        found = inside or named or (list(exercises.values()) if place in (root, root / "exercises") else [])
        if not found:
            fields = {"path": text, "exercises": ", ".join(exercises)}
            raise UsageError(Message("samples.no_exercise", fields))
        wanted |= {one.folder.name: one for one in found}
    return list(wanted.values())


def _text(path: Path) -> str:
    try:
        return read_regular(path, MAX_SOURCE).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(Message("samples.unreadable", {"path": shown_path(path), "reason": reason})) from error
