"""`grade release DIR`: writes what an instructor hands out, exercises with sample checks and quizzes, nothing hidden.

course/exercises/04_concat/   README.md, README.zh.md, concat.py, test_concat.py  -->  DIR/exercises/04_concat/
course/quizzes/               *.toml, bank.lock.json                              -->  DIR/quizzes/
                              which modules, packages and titles                  -->  DIR/release.toml
                              how to get `grade`, and what it does there          -->  DIR/README.md, README.zh.md
course/solutions/, exercise.toml, mistakes.toml                                   stay: they name hidden tests
"""

from __future__ import annotations

import json
import shlex
from functools import partial
from pathlib import Path

import click

from grader.cli.candidates import exercise_folders, folders
from grader.cli.command import Command
from grader.cli.doctor import installed_version
from grader.cli.release_guard import refuse_what_is_hidden
from grader.cli.samples import MARK, PACKAGES
from grader.cli.start import refuse_the_course_itself, visible_files
from grader.cli.targets import chosen_course, exercise_name
from grader.course import Course, shown_path
from grader.errors import ContentError, UsageError
from grader.installing import NAME
from grader.model import LANGUAGES, Language, Message
from grader.report.visible import tell
from grader.state import write_bytes_whole
from grader.texts import say

TORCH = "2.13.0"  # as in constraints.txt, which an installed package does not have
COMMENTS = len("grade list              ")  # where they begin, beside the commands of the README
QUIZZES = ("*.toml", "*.json")
READMES: dict[Language, str] = {"en": "README.md", "zh": "README.zh.md"}


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--exercise"], metavar="EXERCISE", multiple=True, shell_complete=exercise_folders),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    folder = click.Argument(["folder"], required=False, metavar="DIR", shell_complete=folders)
    return Command("release", language, options, partial(release, language), arguments=[folder])


def release(language: Language, folder: str | None, exercise: tuple[str, ...], course: str | None) -> int:
    """Write the release into a new folder, all of it or nothing.

    Raises:
        UsageError: no folder was given, it is not empty, is part of the course, or cannot be written.
        ContentError: something hidden would travel; nothing is written.
    """
    if folder is None:
        raise UsageError(Message("samples.release_where"))
    chosen, target = chosen_course(course), Path(folder)
    names = list(dict.fromkeys(exercise_name(chosen, typed) for typed in exercise)) or list(chosen.names)
    refuse_the_course_itself(chosen, target)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(Message("samples.release_not_empty", {"path": shown_path(target)}))
    files = _files(chosen, names)
    refuse_what_is_hidden(chosen, files)
    try:
        for name, content in files.items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            write_bytes_whole(target / name, content)
    except OSError as error:
        fields = {"path": shown_path(Path(error.filename or target)), "reason": error.strerror or str(error)}
        raise UsageError(Message("cli.start_cannot_write", fields)) from error
    fields_done: dict[str, str | int] = {"path": shown_path(target), "count": len(names)}
    print(tell(Message("samples.release_done", fields_done), language))
    print(
        tell(Message("samples.release_next", {"command": f"cd {shlex.quote(shown_path(target))} && grade"}), language)
    )
    return 0


def _files(course: Course, names: list[str]) -> dict[Path, bytes]:
    """Everything that is written, by its path in the release; the mark comes last, so that half a release is none."""
    found: dict[Path, bytes] = {}
    for path in visible_files(course):
        relative = path.relative_to(course.root)
        if relative.parts[1] in names:
            found[relative] = path.read_bytes()
    for pattern in QUIZZES:
        for path in sorted((course.root / "quizzes").glob(pattern)):
            found[path.relative_to(course.root)] = path.read_bytes()
    for language, readme in READMES.items():
        found[Path(readme)] = _readme(course, names, language).encode()
    found[Path(MARK)] = _mark(course, names).encode()
    return found


def _readme(course: Course, names: list[str], language: Language) -> str:
    """What a student has to know who has nothing but the release: how to get `grade`, and what it does there."""
    with_torch = any("torch" in course.exercises[name].packages for name in names)
    wheel = f"./{NAME}-{installed_version(NAME) or 'VERSION'}-py3-none-any.whl{'[torch]' if with_torch else ''}"
    pinned = f" torch=={TORCH}" if with_torch else ""  # any newer one may bring gigabytes along, and is not tried
    about = say(Message("samples.readme_torch", {"torch": TORCH}), language) + "\n\n" if with_torch else ""
    fields = {"wheel": shlex.quote(wheel) + pinned, "about": about, "example": f"grade {names[0]}  ".ljust(COMMENTS)}
    return say(Message("samples.readme", fields), language) + "\n"


def _mark(course: Course, names: list[str]) -> str:
    """The file that makes a folder a release: JSON's texts and lists are TOML's as well."""
    lines = ["# A release of a course: `grade` runs the sample checks here.", "schema = 1"]
    for name in names:
        exercise = course.exercises[name]
        if not exercise.packages or not PACKAGES.issuperset(exercise.packages):
            raise ContentError(
                f"{exercise.folder / 'exercise.toml'}: packages: found {list(exercise.packages)}, expected some of "
                f"{', '.join(sorted(PACKAGES))}; `grade` takes no others in a release, which anybody may have changed."
            )
        lines += ["", f"[exercise.{json.dumps(name)}]", f"module = {json.dumps(exercise.module)}"]
        lines += [f"packages = {json.dumps(list(exercise.packages))}"]
        title = exercise.title
        lines += [f"title = {{ {', '.join(f'{each} = {_quoted(title.in_language(each))}' for each in LANGUAGES)} }}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # TOML has no pairs of surrogates
