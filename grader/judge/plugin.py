"""The only module that knows pytest from inside: a hidden suite, collected once and run for any number of subjects.

    with_suite(exercise, use)
        pytest.main --- collects the suite --- run-test loop, ours: use(suite)
                                                   suite.run(case, subject)   setup, call, teardown of one item,
                                                                              as often as there are subjects

A case that needs nothing but its parameters and the two fixtures of ours is called as pytest would call it, without the
round through setup and teardown that has nothing to do: that round took longer than the sandbox itself.

pytest runs with our own configuration only: no conftest, no plugin but those it cannot do without, no PYTEST_* from
outside, nothing written. It formats no failure: the text of a hidden suite goes nowhere near a report.
"""

from __future__ import annotations

import inspect
import math
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest.python import get_direct_param_fixture_func

from grader.course import load_module
from grader.errors import ContentError, GraderError, SubmissionError
from grader.model import Exercise
from grader.sandbox.client import LocalSubject, Subject

# Parts of pytest that only cost time here: they print, capture, cache, or look for other kinds of tests.
_LEFT_OUT = (
    *("assertion", "cacheprovider", "capture", "debugging", "doctest", "faulthandler", "junitxml", "legacypath"),
    *("logging", "monkeypatch", "pastebin", "recwarn", "setuponly", "setupplan", "skipping", "stepwise", "subtests"),
    *("terminal", "threadexception", "tmpdir", "unittest", "unraisableexception", "warnings"),
)
_SKIPPING_MARKS = ("skip", "skipif", "xfail")

MOST_REMEMBERED, MOST_BYTES = 256, 2**16  # answers of a reference, and how much was asked for one


@dataclass(frozen=True)
class Case:
    """One set of parameters of a check."""

    label: str  # "h=3, L=5, d=6", "" where the check has one case
    item: pytest.Function
    is_plain: bool  # it needs nothing but its parameters and the fixtures `submission` and `reference`


@dataclass(frozen=True)
class Check:
    """One test function of a hidden suite."""

    name: str
    points: float
    cases: tuple[Case, ...]


class Reference(LocalSubject):
    """The reference solution, which may be asked like a submission.

    A suite asks it the same for every submission: what its functions answered is remembered. While an object of its own
    is there nothing is, since an answer may depend on what was done with the object before.
    """

    def __init__(self, namespace: object) -> None:
        super().__init__(namespace)
        self._remembered: dict[bytes, bytes] = {}

    def forget_objects(self) -> None:
        """Let go of the objects that a case made; the next one makes its own."""
        self._served.forget()
        self.number_objects_from(0)

    def _reply(self, payload: bytes) -> bytes:
        known = None if self._served.made else self._remembered.get(payload)
        if known is not None:
            return known
        reply = super()._reply(payload)
        if not self._served.made and len(payload) <= MOST_BYTES and len(self._remembered) < MOST_REMEMBERED:
            self._remembered[payload] = reply
        return reply

    def ask(self, do: str, on: int | None, name: str, **fields: object) -> Any:
        """As for any subject, but where it does not answer, the course is at fault and no submission."""
        try:
            return super().ask(do, on, name, **fields)
        except SubmissionError as error:
            raise ContentError(f"the reference gives no answer to {name}: {error}; mend it or the suite") from error


class Suite:
    """A collected hidden suite; also the pytest plugin that collects it and lends it its fixtures.

    Attributes:
        checks: the test functions in the order of the file.
    """

    def __init__(self, exercise: Exercise, use: Callable[[Suite], None]) -> None:
        self.checks: tuple[Check, ...] = ()
        self.used = False
        self.failure: BaseException | None = None
        self._exercise = exercise
        self._use = use
        self._reference = Reference(load_module(exercise.reference))
        self._subject: Subject | None = None
        self._raised: BaseException | None = None
        self._returned = False
        self._broken: list[str] = []

    def run(self, case: Case, subject: Subject) -> BaseException | None:
        """Run one case against a subject; the exception that ended it, None where it passed.

        Raises:
            ContentError: the case skips or expects to fail.
        """
        self._subject, self._raised, self._returned = subject, None, False
        self._reference.forget_objects()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if case.is_plain:
                self._call(case.item, subject)
            else:  # without a next item everything is torn down, so that no case finds what an earlier one left
                case.item.ihook.pytest_runtest_protocol(item=case.item, nextitem=None)
        if isinstance(self._raised, pytest.skip.Exception | pytest.xfail.Exception):
            raise _skipped(self._exercise, case.item)
        if isinstance(self._raised, pytest.fail.Exception):
            return AssertionError()
        if self._raised is None and not self._returned:
            return GraderError(f"pytest did not run {case.item.name}")
        return self._raised

    def _call(self, item: pytest.Function, subject: Subject) -> None:
        """What pytest does with a plain case."""
        given = {"submission": subject, "reference": self._reference, **_parameters(item)}
        try:
            item.obj(**{name: given[name] for name in item.fixturenames})
            self._returned = True
        except (KeyboardInterrupt, pytest.exit.Exception):
            raise
        except BaseException as error:  # noqa: BLE001 - as pytest: whatever a case raises is its result
            self._raised = error

    def _assert_collected(self) -> None:
        if self._broken:
            raise ContentError(f"{self._exercise.suite}: cannot be collected; mend it:\n{self._broken[0]}")

    # --- fixtures ----------------------------------------------------------------------------------------------

    @pytest.fixture
    def submission(self) -> Subject:
        """The submission that is being graded."""
        assert self._subject is not None  # noqa: S101 - `run` has set it
        return self._subject

    @pytest.fixture
    def reference(self) -> Subject:
        """The reference solution of this exercise."""
        return self._reference

    # --- hooks -------------------------------------------------------------------------------------------------

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if not report.passed:
            self._broken.append(str(report.longrepr))

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.failure = self.failure or excinfo.value

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Runs the caller's loop in place of pytest's; what it raises is kept, pytest would swallow or print it."""
        try:
            self._assert_collected()
            self.checks = _checks(self._exercise, session.items)
            self.used = True
            self._use(self)
        except BaseException as error:  # noqa: BLE001 - KeyboardInterrupt too; with_suite raises it again
            self.failure = error
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Keeps the first exception of an item; pytest's own report would format the hidden source for a traceback."""
        if call.excinfo is not None:
            self._raised = self._raised or call.excinfo.value
        elif call.when == "call":
            self._returned = True
        outcome: Any = "passed" if call.excinfo is None else "failed"
        when: Any = call.when
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, when)


def with_suite(exercise: Exercise, use: Callable[[Suite], None]) -> None:
    """Collect the hidden suite of an exercise once and hand it to `use`; what `use` raises comes out of here.

    Raises:
        ContentError: the suite or the reference is missing or broken, a check has no points, a test is skipped, or
            the checks are not those of exercise.toml.
        GraderError: pytest did not get as far as running.
    """
    if not exercise.suite.is_file():
        raise ContentError(f"{exercise.suite}: found no such file; write it (see AUTHORING.md).")
    suite = Suite(exercise, use)
    arguments = [
        f"--config-file={Path(__file__).with_name('pytest.ini')}",
        f"--rootdir={exercise.solution}",
        "--noconftest",
        "--strict-markers",
        "--import-mode=importlib",
        *(f"-pno:{name}" for name in _LEFT_OUT),
        str(exercise.suite),
    ]
    code: object = None
    with _surroundings(exercise.solution):
        try:
            code = pytest.main(arguments, plugins=[suite])
        except OSError:  # at its end it goes back to the working directory, which is gone or has another name by now
            if not suite.used:
                raise
    if suite.failure is not None:
        raise suite.failure
    if not suite.used:
        raise GraderError(f"pytest ended with {code!r} before the suite {exercise.suite} could run")


@contextmanager
def _surroundings(folder: Path) -> Iterator[None]:
    """The environment and interpreter as pytest shall find them, put back afterwards."""
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    wrote_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    _forget_modules(folder)
    try:
        yield
    finally:
        _forget_modules(folder)
        sys.dont_write_bytecode = wrote_bytecode
        for name in [name for name in os.environ if name.startswith("PYTEST_")]:
            del os.environ[name]
        os.environ.update(kept)


def _forget_modules(folder: Path) -> None:
    """Pytest takes a suite of the same name from sys.modules, whatever course it came from."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(f"{folder}{os.sep}"):
            del sys.modules[name]


# --- what was collected ------------------------------------------------------------------------------------------


def _checks(exercise: Exercise, items: list[pytest.Item]) -> tuple[Check, ...]:
    """The collected items by test function, held against the manifest of exercise.toml."""
    grouped: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function):
            grouped.setdefault(item.originalname, []).append(item)
    _assert_manifest(exercise, tuple(grouped))
    checks = tuple(
        Check(name, _points(exercise, items[0]), tuple(Case(_label(item), item, _is_plain(item)) for item in items))
        for name, items in grouped.items()
    )
    for item in items:
        _assert_fair(exercise, item)
    if not any(check.points for check in checks):
        raise _content_error(exercise.suite, "points", "no check that gives any", "give at least one check points")
    return checks


def _assert_manifest(exercise: Exercise, found: tuple[str, ...]) -> None:
    expected = tuple(exercise.rules)
    if not found:
        raise _content_error(exercise.suite, "test functions", "none", f"write {_listed(expected)}")
    if found == expected:
        return
    suite_only = [name for name in found if name not in expected]
    rules_only = [name for name in expected if name not in found]
    difference = f"only in the suite: {_listed(suite_only)}, only in [check.*]: {_listed(rules_only)}"
    if not suite_only and not rules_only:
        difference = f"another order than in the suite: {_listed(found)}"
    toml = exercise.folder / "exercise.toml"
    raise _content_error(toml, "check", difference, "write one [check.NAME] for each test function, in the same order")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _points(exercise: Exercise, item: pytest.Function) -> float:
    marks = [mark for mark in getattr(item.function, "pytestmark", []) if mark.name == "points"]
    fix = "write one @pytest.mark.points(2) on the function"
    if len(marks) != 1:
        raise _content_error(exercise.suite, item.originalname, f"{len(marks)} marks for points", fix)
    arguments = (*marks[0].args, *marks[0].kwargs.values())
    points: Any = arguments[0] if len(arguments) == 1 else None
    if type(points) not in (int, float) or not math.isfinite(points) or points < 0:
        raise _content_error(exercise.suite, item.originalname, f"points{arguments!r}", f"{fix}: a number, 0 or more")
    return float(points)


def _assert_fair(exercise: Exercise, item: pytest.Item) -> None:
    """Every case asks the submission, counts, and is worth what its function says."""
    callspec = getattr(item, "callspec", None)
    if callspec is not None and any(mark.name == "points" for mark in callspec.marks):
        fix = "put the points on the function: they are all or nothing for its cases"
        raise _content_error(exercise.suite, item.name, "points on a parameter", fix)
    if any(item.get_closest_marker(name) for name in _SKIPPING_MARKS):
        raise _skipped(exercise, item)
    if "submission" not in getattr(item, "fixturenames", ()):
        raise _content_error(exercise.suite, item.name, "no use of the fixture submission", "ask the submission")


def _skipped(exercise: Exercise, item: pytest.Item) -> ContentError:
    found, fix = "a case that is skipped or expected to fail", "let it run: a check that does not run proves nothing"
    return _content_error(exercise.suite, item.name, found, fix)


def _content_error(path: Path, field: str, found: str, fix: str) -> ContentError:
    return ContentError(f"{path}: {field}: found {found}; {fix}.")


def _is_plain(item: pytest.Function) -> bool:
    """Whether pytest, too, would only call the function: no fixture of the suite's own, no setup, nothing awaited."""
    if inspect.iscoroutinefunction(item.obj) or inspect.isasyncgenfunction(item.obj):
        return False
    found: Any = item._fixtureinfo.name2fixturedefs  # noqa: SLF001 - what pytest itself would set up
    parameters = _parameters(item)
    return all(
        found[name][-1].func is get_direct_param_fixture_func
        if name in parameters
        else name in ("submission", "reference") and len(found[name]) == 1
        for name in item.fixturenames
    )


def _parameters(item: pytest.Function) -> dict[str, object]:
    return item.callspec.params if hasattr(item, "callspec") else {}


def _label(item: pytest.Function) -> str:
    """The parameters of a case as a person would write them; a named tuple counts as several of them.

    What has no plain form is left out: no id of pytest reaches a report.
    """
    named: dict[str, object] = {}
    for name, value in _parameters(item).items():
        named.update(value._asdict() if hasattr(value, "_asdict") else {name: value})
    written = {name: _written(value) for name, value in named.items()}
    return ", ".join(f"{name}={text}" for name, text in written.items() if text is not None)


def _written(value: object) -> str | None:
    """A plain value, several of them, or a dtype, as text; None for anything else."""
    if type(value) in (list, tuple):
        parts = list(map(_written, value))  # type: ignore[call-overload]  # it is one of the two
        return None if None in parts else str(value)
    if value is None or type(value) in (bool, int, float, str):
        return str(value)
    return str(value).removeprefix("torch.") if type(value).__name__.lower().endswith("dtype") else None
