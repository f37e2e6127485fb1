"""The progress bar: for a person who waits, and for nobody else."""

import io
import threading

import pytest
from rich.console import Console

from grader.cli.screen import DelayedBar, Screen


def test_nothing_moves_where_nobody_looks() -> None:
    """Without a terminal there is no bar, however long it takes."""
    out = io.StringIO()
    before = threading.active_count()
    with DelayedBar(3, "Grading", Console(file=out), patience_s=0) as bar:
        assert threading.active_count() == before
        bar.advance()
    assert out.getvalue() == ""


def test_a_short_run_shows_no_bar() -> None:
    """A run that ends within the time of patience prints nothing, and leaves no thread behind."""
    out = io.StringIO()
    before = threading.active_count()
    with DelayedBar(3, "Grading", Console(file=out, force_terminal=True), patience_s=3600) as bar:
        bar.advance()
    assert out.getvalue() == ""
    assert threading.active_count() == before


def test_a_long_run_shows_how_many_are_done() -> None:
    """After the time of patience the bar counts, including what was done before it appeared."""
    out = io.StringIO()
    with DelayedBar(3, "Grading", Console(file=out, force_terminal=True, width=80), patience_s=0) as bar:
        bar.advance()
        bar._timer.join()
        bar.advance()
    assert "Grading" in out.getvalue()
    assert "2/3" in out.getvalue()


def test_a_closed_pipe_is_left_to_the_caller() -> None:
    """A reader that has gone raises BrokenPipeError, where rich alone would exit with code 1."""

    class Closed(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Screen(file=Closed()).print("anything")
