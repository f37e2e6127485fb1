"""A zygote that a further one is forked from: each serves its own side, and none of them serves worse."""

from collections.abc import Iterator

import pytest

from grader.errors import GraderError
from grader.model import Limits
from grader.sandbox.client import Sandbox
from grader.sandbox.launch import Launched, launch
from grader.sandbox.process import share

SOURCE = b"import os\n\n\ndef pid():\n    return os.getpid()\n\n\ndef read():\n    return open('/etc/passwd').read()\n"


@pytest.fixture
def first() -> Iterator[tuple[Sandbox, Launched]]:
    """A sandbox, and what it was launched as."""
    launched = launch(("numpy",))
    with Sandbox(launched=launched) as sandbox:
        yield sandbox, launched


def asked(sandbox: Sandbox, name: str) -> object:
    """What a fresh submission answers there."""
    subject = sandbox.open(SOURCE, "source.py", Limits())
    try:
        return subject.call(name)
    finally:
        subject.close()


def test_further_zygotes_serve_each_for_itself(first: tuple[Sandbox, Launched]) -> None:
    """They are as isolated as the first one, asked for before it is warm or after; the end of one ends no other."""
    sandbox, launched = first
    early = Sandbox(launched=share(launched))
    assert asked(sandbox, "pid") == asked(early, "pid")  # the first process of a namespace of its own, each time
    late = Sandbox(launched=share(launched))
    assert early.isolation == late.isolation == sandbox.isolation
    for each in (sandbox, early, late):
        with pytest.raises(Exception, match="PermissionError"):
            asked(each, "read")
    early.close()
    assert asked(late, "pid") == asked(sandbox, "pid")
    late.close()
    assert asked(sandbox, "pid")


def test_it_ends_with_the_first() -> None:
    """Where the first zygote has gone, a further one is told to be gone, and nothing waits for it."""
    launched = launch(("numpy",))
    with Sandbox(launched=launched) as sandbox:
        assert sandbox.isolation
        shared = Sandbox(launched=share(launched))
        assert asked(shared, "pid")
    with pytest.raises(GraderError, match="the sandbox"):
        asked(shared, "pid")
    shared.close()
