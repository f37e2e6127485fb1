"""Which packages an exercise needs and this machine has not."""

from __future__ import annotations

from collections.abc import Iterable

from grader.sandbox.launch import is_installed


def first_missing(packages: Iterable[str]) -> str | None:
    """The first of some packages that is not installed, None where all are; nothing is imported for it."""
    return next((package for package in packages if not is_installed(package)), None)
