"""`grade doctor`: the state of an installation."""

from collections.abc import Callable

import pytest
from small_course import ROOT

from grader.cli.doctor import installed_version
from grader.cli.main import run
from grader.sandbox.client import Sandbox


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """What `grade doctor` prints in a language."""

    def doctor(language: str) -> str:
        assert run(["doctor", "--lang", language]) == 0
        return capsys.readouterr().out

    return doctor


def test_versions_and_course_are_named(printed: Callable[[str], str]) -> None:
    """One line for each distribution that matters, for Python, for the platform and for the course."""
    lines = printed("en").splitlines()
    labels = [line[:18].strip() for line in lines[:7]]
    assert labels == ["manyheads", "numpy", "torch", "pytest", "Python", "platform", "course"]
    assert lines[1].endswith(f"  {installed_version('numpy')}")
    assert lines[6].endswith(f"  {ROOT}")


def test_every_layer_is_on_or_off_with_a_reason(printed: Callable[[str], str]) -> None:
    """Each layer of the sandbox is listed, and one that is off says why."""
    with Sandbox() as sandbox:
        isolation = sandbox.isolation
    lines = printed("en").splitlines()
    layers = [line for line in lines if line.startswith("  ")]
    assert [line.split()[0] for line in layers] == [
        layer.split()[0] for layer in (*isolation.layers, *(name for name, _ in isolation.missing))
    ]
    assert f"isolation         {isolation.level}: " in "\n".join(lines)
    for name, reason in isolation.missing:
        assert any(line.startswith(f"  {name}") and line.endswith(f"off: {reason}") for line in layers)


def test_a_submission_was_really_run(printed: Callable[[str], str]) -> None:
    """The last line says that a submission went through the sandbox, in the chosen language."""
    assert printed("en").endswith("A submission was run in the sandbox and answered as it should.\n")
    assert printed("zh").endswith("已在沙箱中运行一份作业，结果正确。\n")


def test_what_is_not_installed_is_said() -> None:
    """A distribution that is missing has no version."""
    assert installed_version("no-such-distribution") is None
