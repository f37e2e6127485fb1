"""What a hidden suite must be like, and what its author is told where it is not."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from grader.errors import ContentError
from grader.judge.plugin import Reference, Suite, with_suite
from grader.model import Verdict

if TYPE_CHECKING:
    from conftest import Bench

RIGHT = "def concat_heads(x):\n    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)\n"


def complaint(bench: Bench) -> str:
    with pytest.raises(ContentError) as caught:
        bench.grade(RIGHT)
    text = str(caught.value)
    assert str(bench.root) in text, "an author is told which file"
    return text


def suite_of(decorators: str = "@pytest.mark.points(1)", arguments: str = "submission", body: str = "pass") -> str:
    return f"import pytest\n\n{decorators}\ndef test_one({arguments}):\n    {body}\n"


@pytest.mark.parametrize(
    ("suite", "part"),
    [
        (suite_of(""), "test_one: found 0 marks for points; write one @pytest.mark.points(2) on the function"),
        (suite_of("@pytest.mark.points(1)\n@pytest.mark.points(2)"), "test_one: found 2 marks for points"),
        (suite_of("@pytest.mark.points()"), "test_one: found points()"),
        (suite_of("@pytest.mark.points(-1)"), "test_one: found points(-1,)"),
        (suite_of("@pytest.mark.points(True)"), "test_one: found points(True,)"),
        (suite_of("@pytest.mark.points(float('nan'))"), "test_one: found points(nan,)"),
        (suite_of("@pytest.mark.points(0)"), "points: found no check that gives any; give at least one check points"),
        (
            suite_of(
                "@pytest.mark.points(1)\n@pytest.mark.parametrize('h', [pytest.param(1, marks=pytest.mark.points(2))])",
                "submission, h",
            ),
            "test_one[1]: found points on a parameter; put the points on the function",
        ),
        (
            suite_of("@pytest.mark.points(1)\n@pytest.mark.skip"),
            "test_one: found a case that is skipped or expected to fail; let it run",
        ),
        (
            suite_of("@pytest.mark.points(1)\n@pytest.mark.xfail"),
            "test_one: found a case that is skipped or expected to fail; let it run",
        ),
        (
            suite_of(body="pytest.skip('not today')"),
            "test_one: found a case that is skipped or expected to fail; let it run",
        ),
        (suite_of(body="pytest.xfail()"), "test_one: found a case that is skipped or expected to fail; let it run"),
        (suite_of(arguments=""), "test_one: found no use of the fixture submission; ask the submission"),
        (suite_of("@pytest.mark.point(1)"), "cannot be collected; mend it"),
        ("import no_such_module\n\ndef test_one(submission): pass\n", "No module named 'no_such_module'"),
        (
            "import pytest\npytest.importorskip('no_such_module')\n\ndef test_one(submission): pass\n",
            "cannot be collected",
        ),
        ("def test_one(:\n", "cannot be collected"),
    ],
)
def test_a_suite_that_proves_nothing_is_refused(bench: Bench, suite: str, part: str) -> None:
    """A check without points, a skipped one, one that asks nothing and a broken file are refused before any report."""
    bench.write_suite(suite)
    assert part in complaint(bench)


def test_an_empty_suite_is_refused(bench: Bench) -> None:
    """Nothing collected is an error, never a pass; a class or a misnamed function is not collected."""
    bench.write_suite(suite_of())
    (bench.root / "solutions/04_concat/test_concat_hidden.py").write_text(
        "class TestOne:\n    def test_one(self, submission): pass\n\ndef check_one(submission): pass\n"
    )
    assert "test functions: found none; write test_one." in complaint(bench)


def test_the_suite_is_held_against_the_manifest(bench: Bench) -> None:
    """The checks of exercise.toml and the test functions are the same, in the same order."""
    bench.write_suite(suite_of())
    bench.write_toml('[check.test_one]\nen = "a"\nzh = "b"\n[check.test_two]\nen = "a"\nzh = "b"')
    assert "check: found only in the suite: none, only in [check.*]: test_two; write one [check.NAME]" in complaint(
        bench
    )
    bench.write_toml('[check.test_two]\nen = "a"\nzh = "b"')
    assert "found only in the suite: test_one, only in [check.*]: test_two;" in complaint(bench)
    bench.write_suite(suite_of() + suite_of().replace("test_one", "test_two"))
    bench.write_toml('[check.test_two]\nen = "a"\nzh = "b"\n[check.test_one]\nen = "a"\nzh = "b"')
    assert "found another order than in the suite: test_one, test_two;" in complaint(bench)


@pytest.mark.parametrize("name", ["test_concat_hidden.py", "concat.py"])
def test_a_missing_file_of_the_solution_is_named(bench: Bench, name: str) -> None:
    """Without a suite or a reference nothing is graded."""
    (bench.root / "solutions/04_concat" / name).unlink()
    assert f"{name}: found no such file; write it" in complaint(bench)


def test_a_reference_that_cannot_be_run_is_named(bench: Bench) -> None:
    """A reference that raises while it is loaded is the author's matter."""
    (bench.root / "solutions/04_concat/concat.py").write_text("1 / 0\n")
    assert "concat.py: found ZeroDivisionError while it is run: division by zero; mend it." in complaint(bench)


def test_a_conftest_beside_the_suite_is_not_read(bench: Bench) -> None:
    """Only our own configuration counts: no conftest, no pytest.ini of the folder, no fixture from there."""
    folder = bench.root / "solutions/04_concat"
    (folder / "conftest.py").write_text("raise RuntimeError('read')\n")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    assert bench.grade(RIGHT).verdict is Verdict.ACCEPTED


def test_two_courses_with_suites_of_one_name_do_not_meet(bench: Bench) -> None:
    """A suite is read anew for each grading, and leaves no module, no bytecode and no cache behind."""
    assert bench.grade(RIGHT).verdict is Verdict.ACCEPTED
    bench.write_suite(
        "import pytest\n\n@pytest.mark.points(1)\ndef test_other(submission):\n    assert submission.other()\n"
    )
    report = bench.grade(RIGHT)
    assert [check.name for check in report.checks] == ["test_other"]
    assert sorted(path.name for path in (bench.root / "solutions/04_concat").iterdir()) == [
        "concat.py",
        "test_concat_hidden.py",
    ]
    assert not any(str(bench.root) in str(getattr(module, "__file__", "")) for module in sys.modules.values())


def test_a_fixture_of_the_suite_starts_anew_for_each_case(bench: Bench) -> None:
    """What one case leaves in a fixture of any scope, the next one does not find."""
    bench.write_suite(
        "import pytest\n\n@pytest.fixture(scope='module')\ndef seen():\n    return []\n\n"
        "@pytest.mark.points(1)\n@pytest.mark.parametrize('i', [1, 2])\n"
        "def test_one(submission, seen, i):\n    seen.append(submission.concat_heads(i))\n    assert seen == [i]\n"
    )
    assert bench.grade("def concat_heads(x):\n    return x\n").verdict is Verdict.ACCEPTED


def test_cases_are_called_by_their_parameters(bench: Bench) -> None:
    """A case is shown as h=3, L=5, whatever plain values it has; anything else is left out, with pytest's id for it."""
    bench.write_suite(
        "from typing import NamedTuple\n\nimport numpy as np\nimport pytest\n\n"
        "class Size(NamedTuple):\n    h: int\n    L: int\n\n"
        "@pytest.mark.points(1)\n@pytest.mark.parametrize(('h', 'given'), [(3, 'float32'), (2, None), (4, (5, 6)), "
        "(5, [1]), (6, object())])\n"
        "def test_one(submission, h, given):\n    pass\n\n"
        "@pytest.mark.points(1)\n@pytest.mark.parametrize('dtype', [np.dtype('float32')])\n"
        "@pytest.mark.parametrize('size', [Size(3, 5)])\n"
        "def test_two(submission, size, dtype):\n    pass\n"
    )
    labels: list[str] = []

    def use(suite: Suite) -> None:
        labels.extend(case.label for check in suite.checks for case in check.cases)

    with_suite(bench.exercise, use)
    assert labels == [
        "h=3, given=float32",
        "h=2, given=None",
        "h=4, given=(5, 6)",
        "h=5, given=[1]",
        "h=6",
        "h=3, L=5, dtype=float32",
    ]


def test_a_reference_is_asked_the_same_only_once() -> None:
    """What its functions answered is remembered, and each answer is another array: nobody can spoil the next one."""
    asked = []

    def double(x: np.ndarray) -> np.ndarray:
        asked.append(x.shape)
        return 2 * x

    reference = Reference(SimpleNamespace(double=double))
    for _ in range(3):
        answer = reference.double(np.ones(2))
        assert answer.tolist() == [2.0, 2.0]
        answer[:] = 0
    assert reference.double(np.ones(3)).shape == (3,)
    assert asked == [(2,), (3,)]


def test_objects_of_a_reference_are_asked_anew_and_kept_for_one_case() -> None:
    """An object changes with what is done to it, so that nothing is remembered beside one; no case finds an old one."""

    class Counter:
        def __init__(self) -> None:
            self.count = 0

        def step(self) -> int:
            self.count += 1
            return self.count

    counters: list[Counter] = []
    namespace = SimpleNamespace(Counter=Counter, known=lambda: len(counters))
    reference = Reference(namespace)
    assert reference.known() == 0
    for _ in range(2):
        counter = reference.make("Counter")
        assert [counter.call("step"), counter.call("step")] == [1, 2]
        counters.append(Counter())
        assert reference.known() == len(counters)
        reference.forget_objects()
        with pytest.raises(ContentError):
            counter.call("step")
