"""One warm sandbox for all tests of this folder."""

from collections.abc import Iterator

import pytest

from grader.sandbox.client import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Every layer that this machine allows."""
    with Sandbox() as sandbox:
        yield sandbox
