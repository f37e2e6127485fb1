"""`grade audit --choose EXERCISE`: chooses the probes of an exercise and writes which they are beside its solution."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

from grader.cli.files import write_asked
from grader.course import Course, load_exercise, shown_path, typed
from grader.model import Language, Message
from grader.report.visible import tell

if TYPE_CHECKING:
    from rich.console import Console


def choose_probes(course: Course, names: Iterable[str], language: Language, console: Console) -> None:
    """Choose for one exercise after the other, and print what was chosen.

    Raises:
        ContentError: a file of an exercise is not well written.
        UsageError: the choice cannot be written.
        GraderError: the sandbox failed.
    """
    # numpy, after what can be said without it
    from grader.audit.bench import Bench  # noqa: PLC0415
    from grader.audit.choosing import choose  # noqa: PLC0415
    from grader.audit.process import sandboxes  # noqa: PLC0415
    from grader.diagnosis.choice import NAME  # noqa: PLC0415

    with sandboxes() as sandbox:
        for name in names:
            exercise = load_exercise(course, name)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # overflow and 0/0 are what some mistakes are about
                made = choose(Bench(course, exercise, sandbox(exercise.packages), full=True, choosing=True))
            path = exercise.solution / NAME
            write_asked(path, made.text, "--choose")
            fields: dict[str, str | int] = {"file": shown_path(path), "probes": len(made.chosen), "alike": made.alike}
            fields |= {"candidates": made.candidates, "ways": made.behaviours, "mutants": made.mutants}
            said = tell(Message("audit.chosen", fields), language)
            console.print(said, markup=False, soft_wrap=True)
            then = {"command": typed(f"grade audit {name}", course)}
            console.print(f"  {tell(Message('audit.chosen_next', then), language)}", markup=False, soft_wrap=True)
