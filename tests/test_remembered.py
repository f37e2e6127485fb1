"""What was met last is remembered."""

from __future__ import annotations

import pytest

from grader.remembered import Remembered


def test_what_was_met_longest_ago_is_let_go() -> None:
    """There is room for so many, and asking for one counts as meeting it."""
    known: Remembered[int] = Remembered(2)
    known[b"a"], known[b"b"] = 1, 2
    assert known[b"a"] == 1
    known[b"c"] = 3
    assert [b"a" in known, b"b" in known, b"c" in known] == [True, False, True]
    with pytest.raises(KeyError):
        known[b"b"]
