"""`grade quiz build` freezes the bank, `grade quiz check` says whether the frozen one is what a build would write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.cli.targets import chosen_course
from grader.course import Course, shown_path
from grader.errors import GraderError
from grader.model import Language, Message
from grader.quiz.lock import PATH
from grader.report.visible import tell
from grader.state import write_whole

if TYPE_CHECKING:
    from grader.cli.quiz import Options

CURRENT, STALE = 0, 1


def build(options: Options) -> int:
    """`grade quiz build`; raises as `build_bank` does."""
    return build_bank(chosen_course(options.course), options.language, check=False)


def check(options: Options) -> int:
    """`grade quiz check`; raises as `build_bank` does."""
    return build_bank(chosen_course(options.course), options.language, check=True)


def build_bank(course: Course, language: Language, *, check: bool) -> int:
    """Run the whole bank and write `quizzes/bank.lock.json`, or with `check` only compare.

    Raises:
        ContentError: the first thing that is wrong with the bank.
        GraderError: a question needs a package that is not installed.
    """
    from grader.quiz.build import build as built_bank  # noqa: PLC0415 - numpy, and torch where a question needs it

    try:
        built = built_bank(course)
    except ModuleNotFoundError as error:
        raise GraderError(f"{error.name} is not installed, and the bank needs it: see `grade doctor`") from error
    path = course.root / PATH
    fields: dict[str, str | int | float] = {
        "items": built.items,
        "templates": built.templates,
        "variants": built.variants,
    }
    fields["path"] = shown_path(path)
    same = path.is_file() and path.read_text(encoding="utf-8") == built.text
    if check and not same:
        print(tell(Message("quiz.lock_stale", fields), language))
        return STALE
    if not same:
        write_whole(path, built.text)
    print(tell(Message("quiz.lock_current" if same else "quiz.lock_written", fields), language))
    return CURRENT
