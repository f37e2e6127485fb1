"""`grade gradescope EXERCISE... --out autograder.zip`: writes a zip with which Gradescope grades by itself.

setup.sh          installs Python, the wheel, and what it needs in the versions of this machine
run_autograder    grades /autograder/submission into /autograder/results/results.json, with this very command
unfinished.json   what stands there until that is done, and where it never is
course/           the exercises that are graded, with their hidden suites
"""

from __future__ import annotations

import shlex
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import click

from grader.cli.candidates import exercise_folders, files, folders
from grader.cli.command import Command
from grader.cli.targets import chosen_course, exercise_name
from grader.course import Course, load_exercise, shown_path
from grader.errors import UsageError
from grader.judge.grading import version_of
from grader.model import Language, Message
from grader.report.visible import tell
from grader.state import write_named

PACKAGE = Path(__file__).parents[1]
SKIPPED = frozenset({"__pycache__", "accepted"})  # of an exercise's folders: grading does without
PLAIN, EXECUTABLE = 0o100644, 0o100755
EARLIEST = (1980, 1, 1, 0, 0, 0)  # the same content is the same zip
BUILD = "pip wheel -q --no-deps -w dist ."

SETUP = """\
#!/usr/bin/env bash
# Run by Gradescope once, as root, when the image of the autograder is built.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
base=${{AUTOGRADER:-/autograder}}
new_enough() {{ "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; }}
fail() {{
    echo "$1 Choose Ubuntu 22.04 or newer as the base image (Configure Autograder), and build again." >&2
    exit 1
}}
command -v apt-get > /dev/null || fail "There is no apt-get here."
apt-get update -q
apt-get install -yq --no-install-recommends python3 python3-venv
python=python3
if ! new_enough python3; then # Ubuntu 22.04 has two
    python=python3.11
    apt-get install -yq --no-install-recommends python3.11 python3.11-venv || fail "There is no Python 3.11 here."
fi
"$python" -m venv "$base/venv"
"$base/venv/bin/pip" install -q --no-cache-dir -c "$base/source/constraints.txt" "$base/source/"{wheel}
chmod 700 "$base/source" # the hidden checks, whatever else may fail to keep a submission from them
"$base/venv/bin/grade" doctor || true # for the log: how well submissions can be locked away here
"""
RUN = """\
#!/usr/bin/env bash
# Run by Gradescope for each submission; whatever happens, there is a results.json in the end.
base=${{AUTOGRADER:-/autograder}}
python=${{PYTHON:-$base/venv/bin/python}}
mkdir -p "$base/results"
cp "$base/source/unfinished.json" "$base/results/results.json"
"$python" -P -m grader.cli gradescope --submission "$base/submission" --results "$base/results/results.json" \\
    --course "$base/source/course" {options}
exit 0
"""


@dataclass(frozen=True)
class Options:
    """What was asked on the command line, still as text."""

    language: Language
    exercises: tuple[str, ...]
    out: str | None
    wheel: str | None
    feedback: str | None
    submission: str | None
    results: str | None
    allow_weak_isolation: bool
    course: str | None


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--out"], metavar="FILE.zip", shell_complete=files),
        click.Option(["--wheel"], metavar="FILE.whl", shell_complete=files),
        click.Option(["--feedback"], metavar="full|summary|names"),
        click.Option(["--allow-weak-isolation"], is_flag=True),
        click.Option(["--submission"], metavar="DIR", shell_complete=folders),
        click.Option(["--results"], metavar="FILE", shell_complete=files),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    exercises = click.Argument(["exercises"], nargs=-1, metavar="EXERCISE...", shell_complete=exercise_folders)

    def callback(**given: object) -> int:
        return gradescope(Options(language=language, **given))  # type: ignore[arg-type]

    return Command("gradescope", language, options, callback, arguments=[exercises])


def gradescope(options: Options) -> int:
    """Write the autograder, or be it; 0 where that is done.

    Raises:
        UsageError: what was asked means nothing, or a file cannot be read or written.
        GraderError: what was graded met a fault of ours; its results say so.
    """
    from grader.report.feedback import FEEDBACKS  # noqa: PLC0415

    asked = options.feedback or "full"
    feedback = next((known for known in FEEDBACKS if known == asked), None)
    if feedback is None:
        raise UsageError(Message("batch.no_such_feedback", {"value": asked, "known": ", ".join(FEEDBACKS)}))
    course = chosen_course(options.course)
    names = list(dict.fromkeys(exercise_name(course, typed) for typed in options.exercises))
    if not names:
        raise UsageError(Message("gradescope.no_exercise"))
    if options.submission is not None and options.results is not None:
        from grader.cli.gradescope_run import grade_upload  # noqa: PLC0415

        upload, results = Path(options.submission), Path(options.results)
        return grade_upload(
            *(course, names, upload, results, options.language), feedback=feedback, weak=options.allow_weak_isolation
        )
    if options.out is None or options.submission is not None or options.results is not None:
        raise UsageError(Message("gradescope.no_out"))
    return _write(options, course, names, Path(options.out))


def _write(options: Options, course: Course, names: Sequence[str], out: Path) -> int:
    wheel = _wheel(options.wheel)
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text, mode in _scripts(options, course, names, wheel):
            _put(archive, name, text.encode(), mode)
        _put(archive, wheel.name, wheel.read_bytes())
        for path in _course_files(course, names):
            _put(archive, f"course/{path.relative_to(course.root).as_posix()}", path.read_bytes())
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        write_named(out, content.getvalue())
    except OSError as error:
        fields = {"option": "--out", "path": shown_path(out), "reason": error.strerror or str(error)}
        raise UsageError(Message("cli.cannot_write", fields)) from error
    fields = {"path": shown_path(out), "exercises": ", ".join(names)}
    print(tell(Message("gradescope.written", fields), options.language))
    print(tell(Message("gradescope.next"), options.language))
    return 0


def _put(archive: zipfile.ZipFile, name: str, content: bytes, mode: int = PLAIN) -> None:
    entry = zipfile.ZipInfo(name, EARLIEST)
    entry.external_attr, entry.compress_type = mode << 16, zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


# --- what travels ------------------------------------------------------------------------------------------------


def _scripts(options: Options, course: Course, names: Sequence[str], wheel: Path) -> Iterator[tuple[str, str, int]]:
    from grader.report.gradescope import gradescope_failure  # noqa: PLC0415

    packages = sorted({package for name in names for package in course.exercises[name].packages})
    extras = "[batch,torch]" if "torch" in packages else "[batch]"
    yield "setup.sh", SETUP.format(wheel=shlex.quote(wheel.name + extras)), EXECUTABLE
    settings = ["--lang", options.language, "--feedback", options.feedback or "full"]
    settings += ["--allow-weak-isolation"] if options.allow_weak_isolation else []
    yield "run_autograder", RUN.format(options=shlex.join([*settings, *names])), EXECUTABLE
    # what decides about points is what has been tried here
    versions = {name: version_of(name).partition("+")[0] for name in ("pytest", *packages)}
    held = [f"{name}=={version}" for name, version in versions.items() if version[:1].isdigit()]
    yield "constraints.txt", "\n".join(held) + "\n", PLAIN
    unfinished = gradescope_failure(Message("gradescope.unfinished"), options.language)
    yield "unfinished.json", unfinished, PLAIN


def _course_files(course: Course, names: Sequence[str]) -> Iterator[Path]:
    yield course.root / "exercises" / "mistakes.toml"
    for name in names:
        exercise = load_exercise(course, name)
        for folder in (exercise.folder, exercise.solution):
            for path in sorted(folder.rglob("*")):
                parts = path.relative_to(folder).parts
                if path.is_file() and not any(part in SKIPPED or part.startswith(".") for part in parts):
                    yield path


def _wheel(asked: str | None) -> Path:
    """The wheel that is named, else the one that lies in dist/; it has to be of this very grader.

    Raises:
        UsageError: there is none, or another one.
    """
    built = sorted(Path("dist").glob("manyheads-*.whl"), key=lambda one: one.stat().st_mtime)
    path = Path(asked) if asked else built[-1] if built else Path("dist/manyheads-*.whl")
    try:
        with zipfile.ZipFile(path) as wheel:
            held = {name: wheel.read(name) for name in wheel.namelist() if name.endswith(".py")}
    except (OSError, zipfile.BadZipFile) as error:
        fields = {"path": shown_path(path), "command": BUILD}
        raise UsageError(Message("gradescope.no_wheel", fields)) from error
    ours = {f"grader/{one.relative_to(PACKAGE).as_posix()}": one for one in sorted(PACKAGE.rglob("*.py"))}
    ours = {name: one for name, one in ours.items() if not name.startswith("grader/packaged/")}
    other = next((name for name, one in ours.items() if held.get(name) != one.read_bytes()), None)
    if other is not None:
        raise UsageError(Message("gradescope.other_wheel", {"path": shown_path(path), "file": other, "command": BUILD}))
    return path
