"""What a diagnosis names must not hang on the tolerance of its comparisons."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.audit.bench import Bench
from grader.audit.proof import Proof
from grader.audit.tolerances import unsteady
from grader.course import load_course, load_exercise
from grader.diagnosis import behaviour
from grader.sandbox.client import Sandbox

MODELS = """from types import SimpleNamespace
import numpy as np
STAGES = {{"step": ("right", "off", "far")}}
MISTAKES = {{"divides-by-d-k": ("step", "off"), "far-off": ("step", "far")}}
CALL, AXES = "scale(x)", {{"x": "L", "result": "L"}}
def build(step="right"):
    return SimpleNamespace(scale=lambda x: x + {{"right": 0.0, "off": {off}, "far": 1.0}}[step])
def probes():
    return [{{"x": np.arange(3.0)}}]
def fresh_probe(rng):
    return {{"x": rng.normal(size=3)}}
def small_probes():
    yield from probes()
def observe(subject, probe):
    return subject.scale(**probe)
"""


@pytest.mark.parametrize(("off", "found"), [(1e-12, 0), (1e-6, 1), (1e-4, 1), (0.1, 0)])
def test_behaviours_that_are_nearly_alike_are_found(off: float, found: int, tmp_path: Path, sandbox: Sandbox) -> None:
    """A difference between the smallest and the largest tolerance is a finding; none, and a clear one, are not."""
    (tmp_path / "mistakes.py").write_text(MODELS.format(off=off))
    course = load_course(Path(__file__).parents[2])
    bench = Bench(course, load_exercise(course, "04_concat"), sandbox, full=True)
    slugs = frozenset(["divides-by-d-k", "far-off"])
    bench.__dict__["known"] = behaviour.behaviours(tmp_path / "mistakes.py", slugs, ("scale",))
    proof = Proof("mistakes")
    hanging = unsteady(bench, proof, bench.known.mistaken, (bench.known.right, *bench.known.mistaken))
    assert [finding.key for finding in proof.findings] == ["audit.nearly_alike"] * found
    assert [behaviour.slugs for behaviour in hanging] == [("divides-by-d-k",)] * found
