"""`grade audit --choose`: few probes that tell apart, catch and show what all the candidates do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tiny_course import NAME, SOLUTION, Tiny

from grader.audit.classes import MARGIN, classes_of
from grader.cli.main import run
from grader.course import load_course, load_exercise
from grader.diagnosis import choice
from grader.diagnosis.behaviour import behaviours
from grader.diagnosis.models import load_models
from grader.diagnosis.observation import Observation, distance

ROOT = Path(__file__).parents[2]
SLUGS = frozenset(f"centre-{which}" for which in ("over-positions", "over-everything", "in-place"))


def test_what_is_chosen_is_enough(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes fewer probes than the author did, says so in one sentence, and every proof still holds."""
    assert run(["--lang", "en", "audit", NAME, "--choose", "--course", str(tiny.root)]) == 0
    said = capsys.readouterr().out.splitlines()
    told = json.loads((tiny.root / SOLUTION / choice.NAME).read_text(encoding="utf-8"))
    count = len(told["probes"])
    assert f"{choice.NAME}: probes: {count} of {choice.CANDIDATES}." in said[0]
    assert said[1].startswith("  Now try the proofs: grade audit 17_centre")
    assert 2 <= count < 9
    assert all({"asks", "hash"} < set(probe) for probe in told["probes"])
    assert tiny.found("files", "probes", "mistakes", "pairs", full=True) == set()


def test_choosing_again_chooses_the_same(tiny: Tiny) -> None:
    """A choice depends on nothing but the files of the exercise, not on what was chosen before."""
    texts = []
    for _ in range(2):
        assert run(["audit", NAME, "--choose", "--course", str(tiny.root)]) == 0
        texts.append((tiny.root / SOLUTION / choice.NAME).read_text(encoding="utf-8"))
    assert texts[0] == texts[1]


@pytest.mark.parametrize("text", ['{"format": 1, "probes": [', "<<<<<<< HEAD\n{}", '{"format": 99}'])
def test_a_damaged_choice_is_written_anew(tiny: Tiny, text: str) -> None:
    """What is left of an old choice, cut off or with the marks of a merge, hinders no new one."""
    tiny.write(f"{SOLUTION}/{choice.NAME}", text)
    models = load_models(tiny.root / SOLUTION / "mistakes.py", SLUGS, ("centre",), choosing=True)
    assert models.probes == models.written


@pytest.mark.parametrize("name", ["02_scaled_scores", "04_concat"])
def test_different_classes_are_clearly_apart(name: str) -> None:
    """Two answers are put into different classes only where they differ by the margin, or in kind."""
    course = load_course(ROOT)
    exercise = load_exercise(course, name)
    known = behaviours(exercise.solution / "mistakes.py", frozenset(course.mistakes), exercise.defines)
    for index in range(3):
        answers: list[Observation] = [known.right.at(index), *(each.at(index) for each in known.mistaken)]
        classes = classes_of(answers)
        assert len(set(classes.tolist())) > 3
        for one, other in np.argwhere(classes[:, None] < classes[None, :]):
            assert distance(answers[one], answers[other]) >= MARGIN
