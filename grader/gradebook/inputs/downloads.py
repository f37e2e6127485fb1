"""Recognises what a platform's bulk download looks like, and what its names say of a file: whose it is, and which.

canvas       doejane_LATE_12345_67890_concat-1.py       name, late or not, id of the user, number of the upload
moodle       Jane Doe_1234_assignsubmission_file_/      name, number of the participant; flat files begin so, too
gradescope   submission_metadata.yml, submission_98765/ names and ids are in the metadata
classroom    hw4-submissions/hw4-jane/.git              a repository for each student
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Layout = Literal["canvas", "moodle", "gradescope", "classroom", "folders", "files"]
LAYOUTS: tuple[Layout, ...] = ("canvas", "moodle", "gradescope", "classroom", "folders", "files")
METADATA = "submission_metadata.yml"
REPOSITORY = ".git"

_CANVAS = re.compile(
    r"(?P<name>.+?)(?P<late>_LATE)?"
    r"_(?P<user>\d{1,20}|(?:(?<=^anon_)|(?<=^anon_LATE_))[A-Za-z0-9]{5})"  # five characters where names are hidden
    r"_(?P<upload>\d{1,20})_(?P<file>.+)",
    re.DOTALL,
)
_MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<participant>\d{1,20})_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)", re.DOTALL
)
_GRADESCOPE = re.compile(r"submission_\d+")
_SUBMISSIONS = "-submissions"  # what GitHub's own command calls the folder around the repositories


class Whose(NamedTuple):
    """What a name of a download says.

    Attributes:
        ids: as the platform writes them; without a class list the first one is the student's.
        name: of the student, "" where there is none.
        path: of the file in what the student handed in, without what the platform wrote before it.
        late: whether the platform says so; None where it says nothing about that.
        submitted_at: ISO 8601 with its zone, "" where it is not told.
    """

    ids: tuple[str, ...]
    name: str
    path: tuple[str, ...]
    late: bool | None = None
    submitted_at: str = ""


@dataclass(frozen=True)
class Uploaded:
    """One entry of Gradescope's metadata: who handed it in together, and when."""

    people: tuple[tuple[tuple[str, ...], str], ...]  # ids, name
    submitted_at: str


@dataclass(frozen=True)
class Top:
    """The first level of an input, below a wrapping folder.

    Attributes:
        wrapper: that folder's name.
        names: of folders and files.
        repositories: those of the folders that are a repository.
    """

    wrapper: str
    names: Sequence[str]
    repositories: frozenset[str]


def recognised(top: Top) -> Layout | None:
    """The platform whose names most of an input has; None where it is a plain folder of folders or files."""
    if METADATA in top.names and any(_GRADESCOPE.fullmatch(name) for name in top.names):
        return "gradescope"
    platforms: tuple[tuple[Layout, Callable[[str], object]], ...] = (
        ("moodle", _MOODLE.fullmatch),
        ("canvas", _CANVAS.fullmatch),
        ("classroom", top.repositories.__contains__),
    )
    for layout, fits in platforms:
        if 2 * sum(bool(fits(name)) for name in top.names) > len(top.names):
            return layout
    return None


def names_a_student(name: str) -> bool:
    """Whether a folder's name is one that a platform makes for one student."""
    return any(pattern.fullmatch(name) for pattern in (_MOODLE, _CANVAS, _GRADESCOPE))


def whose(layout: Layout, parts: tuple[str, ...], prefix: str, uploaded: Mapping[str, Uploaded]) -> tuple[Whose, ...]:
    """What the path of a file or folder says by the rules of a platform; nobody where it does not follow them.

    Args:
        prefix: what stands before each student's name, of `repository_prefix`.
        uploaded: Gradescope's metadata, by folder.
    """
    first, rest = parts[0], parts[1:]
    if layout == "canvas" and (found := _CANVAS.fullmatch(first)):
        return (Whose((found["user"],), found["name"], (found["file"], *rest), late=found["late"] is not None),)
    if layout == "moodle" and (found := _MOODLE.fullmatch(first)):
        ids = (f"Participant {found['participant']}", found["participant"])
        return (Whose(ids, found["name"], (*((found["file"],) if found["file"] else ()), *rest)),)
    if layout == "gradescope" and (entry := uploaded.get(first)):
        return tuple(Whose(ids, name, rest, submitted_at=entry.submitted_at) for ids, name in entry.people)
    if layout == "gradescope" and _GRADESCOPE.fullmatch(first):
        return (Whose((first,), "", rest),)
    if layout == "classroom" and first.startswith(prefix) and first != prefix:
        return (Whose((first.removeprefix(prefix), first), "", rest),)
    return ()


def named_as_by(parts: tuple[str, ...]) -> tuple[Layout, Whose] | None:
    """The platform that gives a single file or folder such a name, and what the name says there; None where none does.

    A file of an input that is none of its downloads may have been put in by hand, or have such a name by chance.
    """
    platforms: tuple[Layout, ...] = ("moodle", "canvas")
    told = ((layout, whose(layout, parts, "", {})) for layout in platforms)
    return next(((layout, found[0]) for layout, found in told if found), None)


def repository_prefix(top: Top) -> str:
    """What all repositories of an assignment begin with: "hw4-" of hw4-jane and hw4-bob.

    The folder around them names the assignment, where it is the one that GitHub's command makes; else it is what all
    of them share, up to a hyphen.
    """
    named = top.wrapper.removesuffix(_SUBMISSIONS)
    folders = sorted(top.repositories or top.names)
    if named != top.wrapper and all(folder.startswith(f"{named}-") for folder in folders):
        return f"{named}-"
    if len(folders) < 2:
        return ""
    first, last = folders[0], folders[-1]  # in order: what these two share, all of them share
    same = next((i for i, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[: first.rfind("-", 0, same) + 1]


def read_metadata(text: bytes) -> dict[str, Uploaded]:
    """Gradescope's metadata, by folder.

    Raises:
        ValueError: it is no such file; says what is wrong.
    """
    import yaml  # noqa: PLC0415 - only where there is such a file

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar stays the text that it is
    try:
        document = yaml.load(text, Loader=loader)  # noqa: S506 - a base loader makes texts, lists and tables alone
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error).partition("\n")[0] or type(error).__name__) from error
    if not isinstance(document, dict):
        raise ValueError("no table of submissions")  # noqa: TRY004 - what is wrong is the text
    return {str(folder): _uploaded(entry) for folder, entry in document.items()}


def _uploaded(entry: object) -> Uploaded:
    told = entry if isinstance(entry, dict) else {}
    submitters = told.get(":submitters")
    people = tuple(_person(each) for each in (submitters if isinstance(submitters, list) else ()))
    submitted_at = told.get(":created_at")
    return Uploaded(
        tuple(each for each in people if each[0]), _instant(submitted_at if isinstance(submitted_at, str) else "")
    )


def _person(submitter: object) -> tuple[tuple[str, ...], str]:
    told = submitter if isinstance(submitter, dict) else {}
    fields = {name: value.strip() for name, value in told.items() if isinstance(value, str)}
    name = fields.get(":name", "")
    ids: Iterable[str] = (fields.get(":sid", ""), fields.get(":email", ""), name)
    return tuple(dict.fromkeys(one for one in ids if one)), name


def _instant(text: str) -> str:
    """A time such as "2026-03-01 18:39:44.873 Z" in ISO 8601; "" for what is no time with its zone."""
    found = re.fullmatch(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d)", text.strip())
    return f"{found[1]}T{found[2]}{'+00:00' if found[3] == 'Z' else found[3]}" if found else ""
