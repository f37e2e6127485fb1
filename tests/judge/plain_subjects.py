"""What the grader's loop and a plain pytest process are both run on; for the latter it is a plugin.

    PLAIN_RESULTS=out.json python -m pytest -p plain_subjects solutions/04_concat/test_concat_hidden.py ...

writes the outcome of each case as JSON: [[exercise, subject, test, passed], ...].
"""

import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from grader.course import installed_course, load_course, load_module
from grader.sandbox.client import LocalSubject, Subject

COURSE = load_course(installed_course())
MOST_MISTAKES = 4


@cache
def namespaces(name: str) -> dict[str, object]:
    """Right solutions and some of the mistakes of an exercise, by a name for each."""
    exercise = COURSE.exercises[name]
    models = load_module(exercise.solution / "mistakes.py")
    slugs = sorted(models.MISTAKES)
    right = [exercise.reference, *sorted((exercise.solution / "accepted").glob("*.py"))[:1]]
    wrong = {slug: dict([models.MISTAKES[slug]]) for slug in slugs[:: -(-len(slugs) // MOST_MISTAKES)]}
    made = {slug: models.build(**options) for slug, options in wrong.items()}
    return {**{str(path.relative_to(exercise.solution)): load_module(path) for path in right}, **made}


class Outcomes:
    """The plugin: lends suites their fixtures, once for each subject, and writes down what pytest makes of it."""

    def __init__(self) -> None:
        self._failed: set[str] = set()
        self._ran: dict[str, tuple[str, str, str]] = {}

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        metafunc.parametrize("submission", list(namespaces(metafunc.definition.path.parent.name)), indirect=True)

    @pytest.fixture
    def submission(self, request: pytest.FixtureRequest) -> Subject:
        return LocalSubject(namespaces(request.path.parent.name)[request.param])

    @pytest.fixture
    def reference(self, request: pytest.FixtureRequest) -> Subject:
        return LocalSubject(load_module(COURSE.exercises[request.path.parent.name].reference))

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        assert isinstance(item, pytest.Function)
        self._ran[item.nodeid] = (item.path.parent.name, item.callspec.params["submission"], item.originalname)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        found = [[*names, nodeid not in self._failed] for nodeid, names in self._ran.items()]
        Path(os.environ["PLAIN_RESULTS"]).write_text(json.dumps(found))


def pytest_configure(config: pytest.Config) -> None:
    """Take part where outcomes are asked for."""
    config.addinivalue_line("markers", "points(number): what a check is worth")
    if "PLAIN_RESULTS" in os.environ:
        np.seterr(all="ignore")
        config.pluginmanager.register(Outcomes())
