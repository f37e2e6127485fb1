"""The chosen probes: read from their file, held against their hashes, and left aside where one is another now."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from grader.course import load_course, load_exercise
from grader.diagnosis import choice
from grader.diagnosis.choice import Candidate, candidates, hash_of, written_choice
from grader.diagnosis.engine import diagnose
from grader.diagnosis.models import MistakeModels, load_models
from grader.errors import ContentError
from grader.model import Diagnosis, DiagnosisKind
from grader.sandbox.client import LocalSubject
from grader.sandbox.wire import Build

MODELS = """
from types import SimpleNamespace

STAGES = {"way": ("plain", "doubled")}
MISTAKES = {"doubles": ("way", "doubled")}
CALL = "same(x)"
AXES = {}

def build(way="plain"):
    return SimpleNamespace(same=lambda x: x if way == "plain" else 2 * x)

def probes():
    return [{"x": 1.0}, {"x": 2.0}, {"x": 3.0}]

def fresh_probe(rng):
    return {"x": rng.standard_normal()}

def small_probes():
    yield {"x": 1.0}

def observe(subject, probe):
    return subject.same(probe["x"])
"""


def load(folder: Path, models: str = MODELS) -> MistakeModels:
    """The models of an exercise whose choice, if there is one, lies beside them."""
    path = folder / "mistakes.py"
    path.write_text(models)
    load_models.cache_clear()
    return load_models(path, frozenset({"doubles"}), ("same",))


def choose(folder: Path, *which: int) -> list[Candidate]:
    """Choose these candidates."""
    found = load(folder)
    everything = candidates(found.written, found.fresh_probe)
    chosen = [everything[index] for index in which]
    (folder / choice.NAME).write_text(written_choice(chosen, [""] * len(chosen)))
    return chosen


def test_the_chosen_ones_are_asked_in_their_order(tmp_path: Path) -> None:
    """Written and drawn ones are found again as they were; the other written ones are the rest."""
    chosen = choose(tmp_path, 5, 1)
    models = load(tmp_path)
    assert models.probes == tuple(each.probe for each in chosen)
    assert chosen[0].origin == "drawn"
    assert models.rest == ({"x": 1.0}, {"x": 3.0})


def test_without_a_choice_all_written_ones_are_asked(tmp_path: Path) -> None:
    """Nothing is left for the rest."""
    models = load(tmp_path)
    assert models.probes == models.written
    assert models.rest == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [("{'x': 2.0}", "{'x': 2.5}"), (", {'x': 2.0}, {'x': 3.0}", ""), ("rng.standard_normal()", "rng.normal() + 1")],
)
def test_a_choice_of_other_probes_does_not_count(tmp_path: Path, old: str, new: str) -> None:
    """Where a written probe has changed or gone, or a seed draws another one, all written ones are asked."""
    choose(tmp_path, 5, 1)
    changed = MODELS.replace(old.replace("'", '"'), new.replace("'", '"'))
    assert changed != MODELS
    models = load(tmp_path, changed)
    assert models.probes == models.written
    assert models.rest == ()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1, "probes": []}', '{"format": 1, "probes": [{}]}', "x"])
def test_a_file_that_holds_no_choice_is_refused(tmp_path: Path, text: str) -> None:
    """What `--choose` has not written is the author's to mend, and told with the command that does."""
    (tmp_path / choice.NAME).write_text(text)
    with pytest.raises(ContentError, match=r"probes\.lock\.json: found no choice of probes; run `grade audit --choose"):
        load(tmp_path)


def test_candidates_are_more_than_a_hundred_and_always_the_same(tmp_path: Path) -> None:
    """The author's own come first; none of the draws is one that a diagnosis draws for its seed."""
    models = load(tmp_path)
    once, again = (candidates(models.written, models.fresh_probe) for _ in range(2))
    assert once == again
    assert 100 <= len(once) <= 200
    assert [each.probe for each in once[:3]] == list(models.written)
    fresh = {float(np.random.default_rng(seed).standard_normal()) for seed in range(1000)}
    assert not fresh & {each.probe["x"] for each in once[3:]}


def test_a_hash_tells_what_matters() -> None:
    """Every part of a probe counts, its names, kinds, sizes and numbers; the last bits of a number do not."""
    probes: list[dict[str, object]] = [
        {"x": np.arange(6.0)},
        {"y": np.arange(6.0)},
        {"x": np.arange(6.0).reshape(2, 3)},
        {"x": np.arange(6)},
        {"x": np.arange(6.0), "kind": "a"},
        {"x": np.arange(6.0), "kind": "b"},
        {"x": np.arange(6.0), "kind": None},
        {"x": [0.0, 1.0]},
        {"x": 1},
        {"x": 1.0},
        {"x": Build("numpy.eye", {"N": 2})},
        {"x": Build("numpy.eye", {"N": 3})},
    ]
    assert len({hash_of(probe) for probe in probes}) == len(probes)
    third = np.full(3, 1 / 3)
    assert hash_of({"x": third}) == hash_of({"x": np.nextafter(third, 1.0)})
    assert hash_of({"x": np.array([0.0])}) == hash_of({"x": np.array([-0.0])})
    assert json.loads(written_choice([Candidate("drawn", 3, {"x": 1.0})], ["f(x)"]))["probes"][0]["drawn"] == 3


# --- what a diagnosis makes of it ----------------------------------------------------------------------------------


@pytest.fixture
def chosen(tmp_path: Path) -> Callable[..., tuple[Diagnosis, LocalSubject]]:
    """What is said of a subject of a course in which two of six probes were chosen, the subject asked."""
    shutil.copytree(Path(__file__).parent / "course", tmp_path, dirs_exist_ok=True)
    course = load_course(tmp_path)
    exercise = load_exercise(course, "01_rows")
    path = exercise.solution / "mistakes.py"
    written = load_models(path, frozenset(course.mistakes), exercise.defines).written
    picks = [Candidate("written", index, written[index]) for index in (4, 1)]
    path.with_name(choice.NAME).write_text(written_choice(picks, ["", ""]))
    load_models.cache_clear()

    def chosen(centred: Callable[..., Any]) -> tuple[Diagnosis, LocalSubject]:
        subject = LocalSubject(SimpleNamespace(row_sums=lambda x: x.sum(axis=1), centred=centred))
        return diagnose(course, exercise, subject, seed=0), subject

    return chosen


def test_a_known_mistake_is_named_with_the_chosen_ones_alone(chosen: Callable[..., Any]) -> None:
    """Two chosen probes, forwards and backwards, twelve fresh ones and a small one are all that is asked."""
    said, subject = chosen(lambda x: x - x.mean())
    assert [finding.mistake.slug for finding in said.findings] == ["centre-over-everything"]
    assert said.findings[0].probes_matched == 2 + 12
    assert subject.answers == 2 * 2 + 12 + 1


def test_what_nothing_explains_is_asked_the_others_too(chosen: Callable[..., Any]) -> None:
    """A submission that is wrong on a probe that was not chosen alone is found to be wrong there."""
    said, _subject = chosen(lambda x: x + 1 if x.shape == (2, 6) else x - x.mean(axis=1)[:, None])
    assert said.kind in {DiagnosisKind.LOCATED, DiagnosisKind.UNKNOWN}
    assert said.counterexample is not None
    assert dict(said.counterexample.inputs)["x"].shape == (2, 6)
