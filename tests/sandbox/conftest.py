"""One warm sandbox for all tests of this folder."""

from collections.abc import Callable, Iterator

import pytest

from grader.model import Limits
from grader.sandbox.client import Sandbox, Subject

ROOMY = Limits(wall_s=60.0, memory_mib=256)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Every layer that this machine allows."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def torch_sandbox() -> Iterator[Sandbox]:
    """A sandbox whose submissions may use numpy and torch."""
    with Sandbox(packages=("numpy", "torch")) as sandbox:
        yield sandbox


@pytest.fixture
def opened(torch_sandbox: Sandbox) -> Iterator[Callable[[str], Subject]]:
    """Opens a submission that may use torch, and closes it after the test; a file on numpy alone has one of its own."""
    subjects = []

    def opened(source: str) -> Subject:
        subjects.append(torch_sandbox.open(source.encode(), "a.py", ROOMY))
        return subjects[-1]

    yield opened
    for subject in subjects:
        subject.close()
