"""The engine names a mistake only where the submission behaves exactly as its model, and says so where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from grader.course import Course, load_course, load_exercise
from grader.diagnosis.engine import diagnose
from grader.diagnosis.fresh import ENOUGH
from grader.model import Diagnosis, DiagnosisKind, Exercise, Message
from grader.sandbox.client import LocalSubject, RemoteSubject

Diagnosed = Callable[..., Diagnosis]
Remote = Callable[..., RemoteSubject]

PROBES = 6  # of the exercise of these tests

AS_STUDENTS_WRITE = {
    "sums-keep-axis": "def row_sums(x):\n    return np.array([[row.sum()] for row in x])",
    "sums-square-only": "def row_sums(a):\n    n = len(a[0])\n    return np.reshape(a, (n, n)) @ np.ones(n)",
    "centre-in-place": "def centred(x):\n    for row in x:\n        row -= row.sum() / len(row)\n    return x",
    "centre-over-everything": "def centred(x):\n    return x - x.sum() / x.size",
}


def _slugs(diagnosis: Diagnosis) -> list[str]:
    return [finding.mistake.slug for finding in diagnosis.findings]


@pytest.mark.parametrize(("slug", "source"), AS_STUDENTS_WRITE.items(), ids=AS_STUDENTS_WRITE)
def test_a_mistake_written_otherwise_is_named(diagnosed: Diagnosed, slug: str, source: str) -> None:
    """What counts is the behaviour: other code with the same mistake is named, with all the evidence."""
    for seed in (0, 1, 2**70):
        diagnosis = diagnosed(source, seed)
        assert diagnosis.kind is DiagnosisKind.NAMED
        assert _slugs(diagnosis) == [slug]
        finding = diagnosis.findings[0]
        assert finding.probes_matched == finding.probes_total >= PROBES + ENOUGH
        assert finding.counterexample is not None


def test_a_mistake_is_named_in_the_sandbox_too(course: Course, exercise: Exercise, remote: Remote) -> None:
    """A submission behind the sandbox gets the diagnosis that the same code gets in this process."""
    subject = remote(AS_STUDENTS_WRITE["centre-in-place"])
    assert _slugs(diagnose(course, exercise, subject, 0)) == ["centre-in-place"]


def test_mistakes_that_cannot_be_told_apart_are_a_family(diagnosed: Diagnosed) -> None:
    """Where several mistakes fit, all of them are given and none is picked."""
    diagnosis = diagnosed("def row_sums(x):\n    return sum(x)")
    assert diagnosis.kind is DiagnosisKind.FAMILY
    assert _slugs(diagnosis) == ["sums-columns", "sums-columns-too"]
    assert not any(finding.certain for finding in diagnosis.findings)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "def row_sums(x):\n    return np.array([sum(row) for row in x])",
        "def centred(x):\n    return x - x @ np.full((x.shape[1],) * 2, 1 / x.shape[1])",
    ],
)
def test_right_code_is_never_accused(diagnosed: Diagnosed, source: str) -> None:
    """Code that does what right code does, however written, gets no name and no counterexample."""
    diagnosis = diagnosed(source)
    assert diagnosis.kind is DiagnosisKind.UNKNOWN
    assert diagnosis.findings == ()
    assert diagnosis.counterexample is None


@pytest.mark.parametrize(
    "source",
    [
        "def row_sums(x):\n    return np.sin(x).sum(axis=1)",
        "def row_sums(x):\n    return None",
        "def row_sums(x):\n    return 'sums'",
        "def row_sums(x):\n    return [float(s) for s in x.sum(axis=1)]",
        "def row_sums(x):\n    return x.sum(axis=1) + 0j",
        "def row_sums(x):\n    return [[[]]] * 3000",
        "def row_sums(x):\n    return {1: {2: 3}, (4, float('nan')): b'5'}",
        "def row_sums(x):\n    return np.array([object()])",
        "def row_sums(x):\n    return object()",
    ],
)
def test_a_behaviour_that_no_model_has_stays_unknown(diagnosed: Diagnosed, source: str) -> None:
    """Nothing is guessed: the report gets the smallest input that fails, and no name."""
    diagnosis = diagnosed(source)
    assert diagnosis.kind is DiagnosisKind.UNKNOWN
    assert diagnosis.findings == ()
    assert diagnosis.located is None
    assert diagnosis.counterexample is not None
    assert diagnosis.counterexample.call == "row_sums(x)"
    assert len(diagnosis.possible) == 6


def test_a_wrong_property_is_located(diagnosed: Diagnosed) -> None:
    """Where no mistake explains a submission, what is wrong is said as far as it was observed, with an example."""
    diagnosis = diagnosed("def row_sums(x):\n    return x.mean(axis=1)")
    assert diagnosis.kind is DiagnosisKind.LOCATED
    assert diagnosis.findings == ()
    assert diagnosis.located == Message("located.factor", {"where": "row_sums(x)", "factor": "1/d"})
    assert diagnosis.counterexample is not None


def test_a_match_on_the_fixed_probes_alone_is_not_enough(diagnosed: Diagnosed) -> None:
    """A submission that makes the mistake on the authors' inputs only is refuted by fresh ones."""
    source = """
def centred(x):
    return x - x.mean() if x.shape in ((3, 5), (4, 2), (2, 6)) else x - x.mean(axis=1, keepdims=True)
"""
    diagnosis = diagnosed(source)
    assert diagnosis.findings == ()
    assert diagnosis.counterexample is not None


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_two_mistakes_at_once_are_both_named(diagnosed: Diagnosed, first: int, second: int) -> None:
    """A submission that behaves as two mistakes of different stages together is given both, in their order."""
    sums = ("sums-keep-axis", "sums-square-only")[first]
    centred = ("centre-in-place", "centre-over-everything")[second]
    diagnosis = diagnosed("\n".join([AS_STUDENTS_WRITE[centred], AS_STUDENTS_WRITE[sums]]))
    assert diagnosis.kind is DiagnosisKind.NAMED
    assert _slugs(diagnosis) == [sums, centred]
    assert all(finding.certain for finding in diagnosis.findings)
    assert diagnosis.findings[0].counterexample is not None


def test_each_part_of_a_pair_shows_on_a_fresh_probe(diagnosed: Diagnosed) -> None:
    """One of two mistakes that is made on the authors' inputs only is not named beside the other."""
    source = """
def row_sums(x):
    return x.sum(axis=1, keepdims=True)

def centred(x):
    return x - x.mean() if x.shape in ((3, 5), (4, 2), (2, 6)) else x - x.mean(axis=1, keepdims=True)
"""
    assert diagnosed(source).findings == ()


def test_what_is_certain_of_several_explanations_comes_first(diagnosed: Diagnosed) -> None:
    """Where one part of a pair is one of several, the other part is certain, and the several are not."""
    diagnosis = diagnosed(f"def row_sums(x):\n    return sum(x)\n{AS_STUDENTS_WRITE['centre-in-place']}")
    assert diagnosis.kind is DiagnosisKind.FAMILY
    assert [(finding.mistake.slug, finding.certain) for finding in diagnosis.findings] == [
        ("centre-in-place", True),
        ("sums-columns", False),
        ("sums-columns-too", False),
    ]


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ("def row_sums(x):\n    return x.astype(np.float32).sum(1)", "rounded"),
        ("def row_sums(x):\n    raise KeyError(x)", "raised"),
        ("def row_sums(x):\n    return x.sums(axis=1)", "raised"),
    ],
)
def test_what_can_be_said_without_a_name_is_said(diagnosed: Diagnosed, source: str, key: str) -> None:
    """Digits that are lost, and an exception in place of every answer, are told where no mistake is known."""
    diagnosis = diagnosed(source)
    assert diagnosis.kind is DiagnosisKind.LOCATED
    assert diagnosis.findings == ()
    assert diagnosis.located is not None
    assert diagnosis.located.key == f"located.{key}"


def test_exceptions_alone_are_evidence_only_with_their_texts(diagnosed: Diagnosed) -> None:
    """Where a mistake shows as an exception, one of the same type with another text does not name it."""
    source = "def row_sums(x):\n    if len(x) != len(x.T):\n        raise ValueError('{}')\n    return x.sum(axis=1)"
    assert diagnosed(source.format("not square")).kind is DiagnosisKind.LOCATED
    said = "raise ValueError('{}')".format("cannot reshape array of size %d into shape (%d,%d)' % (x.size, n, n)) #")
    source = source.replace("raise ValueError('{}')", f"n = x.shape[1]; {said}")
    assert _slugs(diagnosed(source)) == ["sums-square-only"]


@pytest.mark.parametrize("left", ["def centred(x):\n    raise NotImplementedError", "del centred"])
def test_what_is_not_written_yet_is_left_out(course: Course, exercise: Exercise, remote: Remote, left: str) -> None:
    """A function that is missing or still the starter's does not hide the mistake in another one."""
    subject = remote(f"{AS_STUDENTS_WRITE['sums-keep-axis']}\n{left}")
    diagnosis = diagnose(course, exercise, subject, 0)
    assert _slugs(diagnosis) == ["sums-keep-axis"]
    assert diagnosis.findings[0].probes_total == PROBES // 2 + ENOUGH


def test_nothing_written_is_nothing_to_diagnose(course: Course, exercise: Exercise, remote: Remote) -> None:
    """A starter gets no diagnosis, not even unknown."""
    stub = "def row_sums(x):\n    raise NotImplementedError\ndef centred(x):\n    raise NotImplementedError"
    assert diagnose(course, exercise, remote(stub), 0).kind is DiagnosisKind.NOT_RUN


@pytest.mark.parametrize(
    "source",
    [
        "def row_sums(x):\n    return x.sum(axis=1) + np.random.default_rng().random()",
        "seen = []\ndef row_sums(x):\n    seen.append(x)\n    return x.sum(axis=1) * len(seen)",
        "last = [0]\ndef row_sums(x):\n    last.append(len(x))\n    return x.sum(axis=1) + (last[-2] > last[-1])",
    ],
)
def test_answers_that_differ_are_not_repeatable(diagnosed: Diagnosed, source: str) -> None:
    """Random answers, and answers that depend on earlier calls or their order, are never matched."""
    assert diagnosed(source).kind is DiagnosisKind.NOT_REPEATABLE


def test_what_is_kept_from_the_first_call_is_not_repeatable(course: Course, exercise: Exercise, remote: Remote) -> None:
    """What is wrong only since something was asked before is told, and no mistake named that does the same."""
    kept = "first = []\ndef row_sums(x):\n    first.append(x.shape[1])\n    return x[:, : first[0]].sum(axis=1)"
    assert diagnose(course, exercise, remote(kept), 0).kind is DiagnosisKind.NOT_REPEATABLE
    always = "def row_sums(x):\n    return x[:, :2].sum(axis=1)"
    assert diagnose(course, exercise, remote(always), 0).kind is DiagnosisKind.LOCATED


@pytest.mark.parametrize(
    ("first", "later", "kind"),
    [
        ("x.sum(axis=1)", "x.sum(axis=0)", DiagnosisKind.NOT_REPEATABLE),
        ("x.sum(axis=0)", "x.sum(axis=0)", DiagnosisKind.FAMILY),
        ("x.sum(axis=1)", "x.sum(axis=1, keepdims=True)", DiagnosisKind.NOT_REPEATABLE),
        ("x.sum(axis=0)", "x.sum(axis=1, keepdims=True)", DiagnosisKind.NOT_REPEATABLE),
        ("x.sum(axis=1, keepdims=True)", "x.sum(axis=1, keepdims=True)", DiagnosisKind.NAMED),
    ],
)
def test_the_first_call_has_to_show_the_mistake_as_well(
    course: Course, exercise: Exercise, remote: Remote, first: str, later: str, kind: DiagnosisKind
) -> None:
    """What is a known mistake from the second call on is that mistake only where the first call was one too."""
    source = f"calls = []\ndef row_sums(x):\n    calls.append(1)\n    return {later} if calls[1:] else {first}"
    assert diagnose(course, exercise, remote(source), 0).kind is kind


@pytest.mark.parametrize(
    "split_heads",
    [
        lambda x, _num_heads: np.reshape(x, (7, 11, 13)),
        lambda x, num_heads: np.stack(np.split(x, num_heads, axis=5)),
        lambda x, _num_heads: x.shape[9],
    ],
    ids=["reshape", "split", "shape"],
)
def test_what_always_raises_is_not_named_by_what_it_refuses(split_heads: Callable[..., object]) -> None:
    """An exception where a refusal is due is no evidence for a mistake that raises another where an answer is due."""
    course = load_course(Path(__file__).parents[2])
    submission = LocalSubject(SimpleNamespace(split_heads=split_heads))
    diagnosis = diagnose(course, load_exercise(course, "01_split_heads"), submission, 0)
    assert diagnosis.kind in {DiagnosisKind.LOCATED, DiagnosisKind.UNKNOWN}


@pytest.mark.parametrize("loss", ["import os; os._exit(0)", "while True: pass", "bytearray(10**12)"])
def test_a_lost_worker_ends_the_diagnosis_calmly(course: Course, exercise: Exercise, remote: Remote, loss: str) -> None:
    """A submission that ends, hangs or eats its memory while it is diagnosed gets `not_run`, and nothing breaks."""
    subject = remote(f"def row_sums(x):\n    {loss}", wall_s=0.3)
    assert diagnose(course, exercise, subject, 0).kind is DiagnosisKind.NOT_RUN


def test_a_file_that_no_longer_loads_is_not_diagnosed(course: Course, exercise: Exercise, remote: Remote) -> None:
    """A submission that cannot be loaded gets `not_run`."""
    assert diagnose(course, exercise, remote("raise SystemExit"), 0).kind is DiagnosisKind.NOT_RUN


def test_a_worker_lost_at_the_counterexample_keeps_the_name(course: Course, exercise: Exercise, remote: Remote) -> None:
    """What was confirmed before the worker was lost still holds; only the counterexample is missing."""
    subject = remote("def centred(x):\n    if x.size < 4: import os; os._exit(0)\n    return x - x.mean()")
    diagnosis = diagnose(course, exercise, subject, 0)
    assert _slugs(diagnosis) == ["centre-over-everything"]
    assert diagnosis.findings[0].counterexample is None


def test_slow_code_has_the_time_of_a_check_for_each_part(course: Course, exercise: Exercise, remote: Remote) -> None:
    """The diagnosis does not use up what an earlier check left over: it has time limits of its own."""
    subject = remote("def spend():\n    while True: pass\n" + AS_STUDENTS_WRITE["sums-keep-axis"], wall_s=0.5)
    with pytest.raises(Exception, match="time_limit"):
        subject.call("spend")
    assert _slugs(diagnose(course, exercise, subject, 0)) == ["sums-keep-axis"]


def test_an_exercise_without_models_names_nothing(course: Course, exercise: Exercise, tmp_path: Path) -> None:
    """An exercise that has no mistakes.py yet can be graded; its wrong answers are unknown."""
    bare = replace(exercise, solution=tmp_path)
    subject = object.__new__(RemoteSubject)  # never asked
    assert diagnose(course, bare, subject, 0) == Diagnosis(DiagnosisKind.UNKNOWN)
