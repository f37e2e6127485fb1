"""One ground and one sandbox for all attacks: what hurts them is seen by the attacks that follow."""

from collections.abc import Iterator

import pytest
from ground import Ground
from trial import Trial

from grader.sandbox.client import Sandbox


@pytest.fixture(scope="session")
def ground() -> Iterator[Ground]:
    """Secrets, folders and listeners."""
    with Ground() as ground:
        yield ground


@pytest.fixture(scope="session")
def trial(ground: Ground) -> Iterator[Trial]:
    """A sandbox with every layer that this machine allows; attacks are graded as in the middle of a class."""
    trial = Trial(ground, Sandbox, before=2)
    yield trial
    trial.close()
