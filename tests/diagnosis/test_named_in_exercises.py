"""On the real exercises every mistake is named as itself, and right code is never accused; pairs are the audit's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grader.audit.graded import OF_DIGITS
from grader.course import load_course, load_exercise, load_module
from grader.diagnosis.behaviour import Behaviours, behaviours
from grader.diagnosis.engine import diagnose
from grader.diagnosis.models import probe_size
from grader.diagnosis.observation import distance, same
from grader.model import DiagnosisKind, Exercise
from grader.sandbox.client import LocalSubject

COURSE = load_course(Path(__file__).parents[2])
MODELLED = [name for name in COURSE.names if (COURSE.root / "solutions" / name / "mistakes.py").is_file()]
ACCEPTED = sorted(path for name in MODELLED for path in (COURSE.root / "solutions" / name).glob("accepted/*.py"))
SEPARATED = 1e-2  # relative distance between a mistake and right code on a probe that is to show it

SMALL = 16  # numbers of a counterexample, at most, without torch

WRONG = {
    "03_masked_softmax": [
        "def masked_softmax(scores, allowed=None):\n    return np.full(scores.shape, 1 / scores.shape[-1])",
        "def masked_softmax(scores, allowed=None):\n    return right.masked_softmax(0.7 * scores, allowed)",
        "def masked_softmax(scores, allowed=None):\n    return right.masked_softmax(scores, allowed) + 0.01",
        "def causal_allowed(length):\n    return np.eye(length, dtype=bool)",
    ],
    "04_concat": [
        "def concat_heads(heads):\n    return 2 * right.concat_heads(heads)",
        "def concat_heads(heads):\n    return right.concat_heads(heads)[::-1]",
        "def concat_heads(heads):\n    return right.concat_heads(heads[:, :, ::-1])",
        "def concat_heads(heads):\n    return heads @ heads",
    ],
}


def _known(exercise: Exercise) -> Behaviours:
    return behaviours(exercise.solution / "mistakes.py", frozenset(COURSE.mistakes), exercise.defines)


def _slugs() -> list[tuple[str, str]]:
    modules = {name: load_module(COURSE.root / "solutions" / name / "mistakes.py") for name in MODELLED}
    return [(name, slug) for name, module in modules.items() for slug in module.MISTAKES]


@pytest.mark.parametrize(("name", "slug"), _slugs())
def test_a_mistake_is_named_as_itself(name: str, slug: str) -> None:
    """Each model is diagnosed as its own mistake alone, with an input that shows it; other styles are the audit's."""
    exercise = load_exercise(COURSE, name)
    models = _known(exercise).models
    subject = LocalSubject(models.build(**dict(next(models.ways())), **models.options([slug])))
    with np.errstate(all="ignore"):  # overflow and 0/0 are what some mistakes are about
        diagnosis = diagnose(COURSE, exercise, subject, seed=7)
    assert diagnosis.kind is DiagnosisKind.NAMED
    assert [finding.mistake.slug for finding in diagnosis.findings] == [slug]
    example = diagnosis.findings[0].counterexample
    assert example is not None
    assert example.call
    assert example.expected != example.actual


@pytest.mark.parametrize("name", MODELLED)
def test_mistakes_are_far_from_right_code_or_equal(name: str) -> None:
    """No probe is ambiguous: a mistake differs clearly from right code or not at all, and on one probe at least."""
    known = _known(load_exercise(COURSE, name))
    for mistaken in known.mistaken:
        found = [distance(known.right.at(i), mistaken.at(i)) for i in range(len(known.models.probes))]
        assert not [d for d in found if 1e-9 < d < SEPARATED], mistaken.slugs
        assert any(d >= SEPARATED for d in found), mistaken.slugs


@pytest.mark.parametrize("name", MODELLED)
def test_right_code_is_right_in_every_style(name: str) -> None:
    """Styles, and the right option of each stage given by name, change nothing that can be seen."""
    known = _known(load_exercise(COURSE, name))
    models = known.models
    for style in models.ways():
        rights = {stage: options[0] for stage, options in models.stages.items()} | dict(style)
        subject = LocalSubject(models.build(**rights))
        diagnosis = diagnose(COURSE, load_exercise(COURSE, name), subject, seed=3)
        assert (diagnosis.kind, diagnosis.counterexample) == (DiagnosisKind.UNKNOWN, None)


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_an_accepted_variant_is_not_accused(path: Path) -> None:
    """Right but unusual code differs from right code on no input, and nothing is named."""
    exercise = load_exercise(COURSE, path.parts[-3])
    diagnosis = diagnose(COURSE, exercise, LocalSubject(load_module(path)), seed=1)
    assert diagnosis.kind is DiagnosisKind.UNKNOWN or diagnosis.located.key in OF_DIGITS
    assert diagnosis.findings == ()
    assert diagnosis.counterexample is None


@pytest.mark.parametrize(("name", "source"), [(name, source) for name in WRONG for source in WRONG[name]])
def test_another_wrong_answer_gets_no_name(name: str, source: str) -> None:
    """Wrong code that makes none of the known mistakes gets no name, but an input that fails."""
    exercise = load_exercise(COURSE, name)
    right = _known(exercise).models.build()
    exec(source, vars(right) | {"np": np, "right": _known(exercise).models.build()}, vars(right))  # noqa: S102
    diagnosis = diagnose(COURSE, exercise, LocalSubject(right), seed=5)
    assert diagnosis.kind in (DiagnosisKind.UNKNOWN, DiagnosisKind.LOCATED)
    assert diagnosis.findings == ()
    assert diagnosis.counterexample is not None


@pytest.mark.parametrize("name", [name for name in MODELLED if "torch" not in load_exercise(COURSE, name).packages])
def test_every_mistake_shows_on_a_small_probe(name: str) -> None:
    """Every mistake shows on few numbers, and right code answers each of these inputs."""
    known = _known(load_exercise(COURSE, name))
    small = list(known.models.small_probes())
    assert all(known.right.on(probe).raised is None for probe in small)
    for mistaken in known.mistaken:
        shows = [probe for probe in small if not same(known.right.on(probe), mistaken.on(probe))]
        assert min(map(probe_size, shows)) <= SMALL, mistaken.slugs
