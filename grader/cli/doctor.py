"""`grade doctor`: what is installed, where the course lies, what the sandbox has, and whether it really works."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib import metadata
from typing import TYPE_CHECKING

import click

from grader.cli.command import Command
from grader.course import installed_course, shown_path
from grader.errors import GraderError
from grader.model import Isolation, Language, Limits, Message
from grader.report.visible import tell

if TYPE_CHECKING:
    from grader.sandbox.client import Sandbox

DISTRIBUTIONS = ("manyheads", "numpy", "torch", "pytest")
LABEL_WIDTH = 16  # columns
PROBE = b"def double(x):\n    return 2 * x\n"


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options: list[click.Option] = []
    return Command("doctor", language, options, lambda: doctor(language))


def doctor(language: Language) -> int:
    """Print the state of this installation; 0 where a submission can be graded.

    Raises:
        GraderError: there is no course, or the sandbox does not start or answers wrongly.
    """
    for label, value in _versions(language):
        _print_row(label, value)
    _print_row(tell(Message("cli.doctor_course"), language), shown_path(installed_course()))

    from grader.sandbox.client import Sandbox  # noqa: PLC0415 - numpy, after what can be said without it

    with Sandbox() as sandbox:
        for label, value in _layers(sandbox.isolation, language):
            _print_row(label, value)
        _run_probe(sandbox)
    print(tell(Message("cli.doctor_works"), language))
    return 0


def installed_version(distribution: str) -> str | None:
    """Its version, None where it is not installed; imports nothing of it."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _versions(language: Language) -> Iterator[tuple[str, str]]:
    for name in DISTRIBUTIONS:
        yield name, installed_version(name) or tell(Message("cli.not_installed"), language)
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()})"
    yield tell(Message("cli.doctor_platform"), language), platform.platform()


def _layers(isolation: Isolation, language: Language) -> Iterator[tuple[str, str]]:
    level = tell(Message(f"cli.doctor_level_{isolation.level}"), language)
    yield tell(Message("cli.doctor_isolation"), language), level
    for layer in isolation.layers:
        yield f"  {layer}", tell(Message("cli.doctor_on"), language)
    for layer, reason in isolation.missing:
        yield f"  {layer}", tell(Message("cli.doctor_off", {"reason": reason}), language)


def _run_probe(sandbox: Sandbox) -> None:
    """Send a submission of three tokens through the whole sandbox."""
    subject = sandbox.open(PROBE, "probe.py", Limits())
    try:
        answer = subject.call("double", 21)
    finally:
        subject.close()
    if answer != 42:
        raise GraderError(f"the sandbox answered {answer!r} to double(21); expected 42")


def _print_row(label: str, value: str) -> None:
    from rich.cells import cell_len  # noqa: PLC0415 - Chinese labels are twice as wide

    print(f"{label}{' ' * (LABEL_WIDTH - cell_len(label))}  {value}")
