"""Proofs on the files of an exercise: each in its place and nothing besides, every text there and in both languages."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from grader.audit.bench import Bench
from grader.audit.proof import Proof
from grader.diagnosis import choice
from grader.model import Exercise, Text
from grader.quiz import lock

LEAST_HINTS = 3
LEAST_ACCEPTED = 3
# Files of a solution that not every exercise needs.
OPTIONAL = ("stages.py", "figures.py", "pipeline.py", "oracle.py", "equivalents.toml", "confusion.toml", choice.NAME)
_IGNORED = re.compile(r"\.|__pycache__$")  # what tools leave behind; git ignores it too
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_TODO = re.compile(r"\bTODO\b")
# A call that could be copied: `x.reshape(…)` in backticks, or a telling method anywhere.
_CODE = re.compile(r"`[^`]*\w\([^`]*`|\.(reshape|transpose|concatenate|where|tril|triu)\(")


# --- files -------------------------------------------------------------------------------------------------------


def prove_files(bench: Bench, proof: Proof) -> None:
    """Every file that an exercise needs lies where it belongs, no other does, and no TODO was left in any of them."""
    exercise = bench.exercise
    needed = [*_of_students(exercise), *_of_authors(exercise)]
    allowed = {*needed, *(exercise.solution / name for name in OPTIONAL), *bench.accepted}
    found = set(_files(exercise.folder)) | set(_files(exercise.solution))
    for path in needed:
        if path not in found:
            proof.find("file_missing", file=bench.shown(path))
    for path in sorted(found - allowed):
        proof.find("file_stray", file=bench.shown(path))
    if len(bench.accepted) < LEAST_ACCEPTED:
        folder = bench.shown(exercise.solution / "accepted")
        proof.find("accepted_too_few", folder=folder, found=len(bench.accepted), least=LEAST_ACCEPTED)
    for path in sorted(found & allowed - {exercise.starter}):
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        left = [str(number) for number, line in enumerate(lines, start=1) if _TODO.search(line)]
        if left:
            proof.find("todo_left", file=bench.shown(path), lines=", ".join(left))
    proof.counts["files"] = len(found)


def _of_students(exercise: Exercise) -> list[Path]:
    names = (exercise.filename, f"test_{exercise.module}.py", "README.md", "README.zh.md", "exercise.toml")
    return [exercise.folder / name for name in names]


def _of_authors(exercise: Exercise) -> list[Path]:
    return [exercise.reference, exercise.suite, exercise.solution / "mistakes.py"]


def _files(folder: Path) -> Iterator[Path]:
    """Every file below, without what tools leave behind."""
    for path in folder.rglob("*"):
        hidden = any(_IGNORED.match(part) for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden:
            yield path


# --- texts -------------------------------------------------------------------------------------------------------


def prove_texts(bench: Bench, proof: Proof) -> None:
    """Hints, rules, cards and tasks are there in both languages, and none of them gives the code away."""
    exercise = bench.exercise
    slugs = tuple(bench.known.models.mistakes)
    if len(exercise.hints) < LEAST_HINTS:
        proof.find("hints_too_few", found=len(exercise.hints), least=LEAST_HINTS)
    for place, text in _texts(bench, slugs):
        if not _CHINESE.search(text.zh):
            proof.find("text_not_chinese", place=place, text=text.zh)
        if _CHINESE.search(text.en):
            proof.find("text_not_english", place=place, text=text.en)
        for written in (text.en, text.zh):
            if place.startswith("mistake.") and _TODO.search(written):
                proof.find("text_todo", place=place, text=written)
            if not place.startswith("check.") and (code := _CODE.search(written)):
                proof.find("text_with_code", place=place, text=code.group())
    for name in ("README.md", "README.zh.md"):
        _prove_task(bench, proof, exercise.folder / name)
    proof.counts |= {"hints": len(exercise.hints), "rules": len(exercise.rules), "cards": len(slugs)}
    proof.counts["questions"] = _questions(bench, proof, slugs)


def _questions(bench: Bench, proof: Proof, slugs: Collection[str]) -> int:
    """How many questions of the quiz link to it, or become due when one of its mistakes is found; none is a finding."""
    if not (bench.course.root / lock.PATH).is_file():
        return 0  # a course without quizzes
    items = lock.read_lock(bench.course.root).items.values()
    of_it = [
        item
        for item in items
        if item.exercise == bench.exercise.name or any(wrong.mistake in slugs for wrong in item.wrong)
    ]
    if not of_it:
        proof.find("quiz_silent")
    return len(of_it)


def _texts(bench: Bench, slugs: tuple[str, ...]) -> Iterator[tuple[str, Text]]:
    """Every text of exercise.toml and of the cards of its mistakes, with its place."""
    exercise = bench.exercise
    yield "title", exercise.title
    for number, hint in enumerate(exercise.hints, start=1):
        yield f"hint {number}", hint
    for name, rule in exercise.rules.items():
        yield f"check.{name}", rule
    for slug in slugs:
        card = bench.course.mistakes[slug]
        for field in ("title", "belief", "seen", "question", "place"):
            yield f"mistake.{slug}.{field}", getattr(card, field)


def _prove_task(bench: Bench, proof: Proof, path: Path) -> None:
    if not path.is_file():
        return  # told under `files`
    text = path.read_text(encoding="utf-8")
    for asked in (*bench.exercise.defines, bench.exercise.filename):
        if f"`{asked}" not in text:
            proof.find("task_silent", file=bench.shown(path), name=asked)
    if bool(_CHINESE.search(text)) is not path.name.endswith(".zh.md"):
        proof.find("task_language", file=bench.shown(path))
