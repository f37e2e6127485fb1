"""A class of more than two hundred submissions of every kind, the same each time it is made."""

import itertools
import random
import re
from collections.abc import Iterator
from pathlib import Path

from made_class import ROOT, STARTER, written

from grader.audit.mutants import mutants_of
from grader.course import Course, load_exercise

ATTACKS = sorted((ROOT / "tests" / "hostile" / "attacks").glob("*.py"))
HOSTILE = {
    "wrong": 24,
    "accepted": 8,
    "crashed": 6,
    "invalid": 6,
    "time_limit": 3,
    "memory_limit": 1,
    "output_limit": 1,
}
EXERCISES = (
    "01_split_heads",
    "02_scaled_scores",
    "03_masked_softmax",
    "05_output_projection",
    "07_multi_head_attention",
)
STUDENTS = 24
# What cannot be read, or says nothing; each of them in turn.
UNREADABLE = (b"", b"\xff\xfe\x00\x00", b"def f(:\n", b"\n# nothing yet\n", b"x = 1\n" * 300_000, b"import scipy\n")


def made_trial(folder: Path, course: Course) -> int:
    """Write the class; how many files there are."""
    files = dict(itertools.chain(_of_the_course(course), _hostile()))
    written(folder, files)
    return len(files)


def _of_the_course(course: Course) -> Iterator[tuple[str, bytes]]:
    """Right in unusual ways, wrong by one token, untouched, unreadable: each student something of everything."""
    rng = random.Random(6)  # noqa: S311 - the same class each time
    for name in EXERCISES:
        exercise = load_exercise(course, name)
        accepted = sorted((exercise.solution / "accepted").glob("*.py"))
        mutants = [mutant.source for mutant in mutants_of(exercise.reference, exercise.filename)]
        for student in range(STUDENTS):
            kind = (student + int(name[:2])) % 6
            if kind < 2:
                source = rng.choice(accepted).read_bytes()
            elif kind < 5:
                source = rng.choice(mutants)
            elif student % 2:
                source = UNREADABLE[student // 2 % len(UNREADABLE)]
            else:
                source = (exercise.folder / exercise.filename).read_bytes()
            yield f"student-{student:02}/{name}/{exercise.filename}", source + f"\n# {student}\n".encode()


def _hostile() -> Iterator[tuple[str, bytes]]:
    """Answers to 04_concat that attack the grader, of which one verdict alone is right; and those of careful people."""
    left = dict(HOSTILE)
    for path in ATTACKS:
        told = re.search(r"^# verdict: (\w+)$", path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
        if told is not None and left.get(told.group(1), 0):
            left[told.group(1)] -= 1
            yield f"hostile-{path.stem}/concat.py", path.read_bytes()
    for place, path in enumerate(sorted((ROOT / "solutions" / "04_concat" / "accepted").glob("*.py")) * 5):
        yield f"careful-{place:02}/concat (1).py", path.read_bytes() + f"# {place}\n".encode()
    for place, source in enumerate((STARTER.encode(), *UNREADABLE)):
        yield f"early-{place}/concat.py", source
