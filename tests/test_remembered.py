"""What was met last is remembered."""

from __future__ import annotations

import pytest

from grader.remembered import Remembered


def test_what_was_met_longest_ago_is_let_go() -> None:
    """There is room for so many, and asking for one counts as meeting it."""
    known: Remembered[str, int] = Remembered(2)
    known["a"], known["b"] = 1, 2
    assert known["a"] == 1
    known["c"] = 3
    assert ["a" in known, "b" in known, "c" in known] == [True, False, True]
    with pytest.raises(KeyError):
        known["b"]


def test_what_is_known_is_not_concluded_again() -> None:
    """A conclusion is drawn once, None too."""
    known: Remembered[str, None] = Remembered(2)
    drawn: list[str] = []
    for evidence in ("a", "b", "a", "b"):
        assert known.of(evidence, lambda evidence=evidence: drawn.append(evidence)) is None  # type: ignore[misc]
    assert drawn == ["a", "b"]
