"""A session of `grade watch` without a terminal: what is graded, recorded and shown, step by step."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from small_course import RIGHT, WRONG, write_answer

from grader.cli.targets import find_targets
from grader.cli.watch_pages import View
from grader.cli.watch_session import Session
from grader.course import load_course
from grader.model import Message
from grader.watch.changes import Changes
from grader.watch.events import Events


class Script:
    """A page on which each view is answered by the next step of a script; after the last one, the session is over."""

    def __init__(self, *steps: Callable[[], object]) -> None:
        self.views: list[View] = []
        self.session: Session | None = None
        self._steps = list(steps)

    def show(self, view: View) -> None:
        """Keep the view; a verdict is answered."""
        if view.report is None and view.trouble is None:
            return
        self.views.append(view)
        if self._steps:
            self._steps.pop(0)()
        else:
            self.session.over = True

    def note(self, message: Message) -> None:
        """Nothing is noted here."""
        raise AssertionError(message)

    def busy(self) -> None:
        """Nobody waits here."""


def play(course: Path, home: Path, *steps: Callable[[], object]) -> tuple[Session, list[tuple[str, float]]]:
    """The session after the script, and what was shown: exercise and points."""
    loaded = load_course(course)
    targets = find_targets(loaded, [str(home / "exercises")], None)
    page = Script(*steps)
    with (
        Changes([target.file.parent for target in targets]) as changes,
        Session(loaded, targets, "en", page, Events(changes, None)) as session,
    ):
        page.session = session
        session.run()
    return session, [(view.exercise.name, view.report.points if view.report else -1.0) for view in page.views]


def test_what_is_saved_while_a_verdict_is_shown_is_not_missed(course: Path, home: Path) -> None:
    """An answer that is there before anybody was told of it is graded at once, and no news when it is told later."""
    session, shown = play(
        course,
        home,
        lambda: write_answer(home, "01_double", WRONG),
        lambda: write_answer(home, "01_double", RIGHT),
    )
    assert shown == [("01_double", 0.0), ("01_double", 1.0), ("02_negate", 0.0)]
    session._look_elsewhere()
    assert session.current == "02_negate"


def test_a_right_answer_that_lies_there_is_no_reason_to_go_on(course: Path, home: Path) -> None:
    """Only an answer that becomes right leads to the next exercise; one that was so before stays in sight."""
    write_answer(home, "01_double", RIGHT)
    session, shown = play(course, home, lambda: write_answer(home, "01_double", f"{RIGHT}# the same\n"))
    assert shown == [("01_double", 3.0), ("01_double", 3.0)]
    assert session.current == "01_double"


def test_an_answer_that_was_away_meanwhile_leads_on_all_the_same(course: Path, home: Path) -> None:
    """A file that is missing for a while, as while some editors save, does not make the right answer an old one."""
    session, shown = play(
        course,
        home,
        lambda: write_answer(home, "01_double", WRONG),
        (home / "exercises" / "01_double" / "double.py").unlink,
        lambda: write_answer(home, "01_double", RIGHT),
    )
    assert shown == [("01_double", 0.0), ("01_double", 1.0), ("01_double", -1.0), ("02_negate", 0.0)]
    assert session.current == "02_negate"


def test_how_many_are_complete_is_told_as_it_is_now(course: Path, home: Path) -> None:
    """An exercise that was looked at before another one was completed does not show the count of that time."""
    loaded = load_course(course)
    targets = find_targets(loaded, [str(home / "exercises")], None)
    page = Script()
    with (
        Changes([targets[0].file.parent]) as changes,
        Session(loaded, targets, "en", page, Events(changes, None)) as it,
    ):
        page.session = it
        old = replace(it._view("02_negate"), trouble=Message("watch.opening"))
        play(
            course, home, lambda: write_answer(home, "01_double", WRONG), lambda: write_answer(home, "01_double", RIGHT)
        )
        it.show(old)
    assert (old.complete, page.views[-1].complete) == (0, 1)


def test_a_package_that_was_installed_meanwhile_is_found(
    course: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a package no save is said to be graded, but how to install it; once it is there, all goes on."""
    mine = shutil.copytree(course, tmp_path / "course")
    manifest = mine / "exercises" / "01_double" / "exercise.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace('["numpy"]', '["numpy", "drawing"]'), encoding="utf-8")
    (tmp_path / "site" / "drawing").mkdir(parents=True)
    (tmp_path / "site" / "drawing" / "__init__.py").touch()
    (tmp_path / "site" / "drawing-1.dist-info").mkdir()
    (tmp_path / "site" / "drawing-1.dist-info" / "METADATA").write_text("Name: drawing\nVersion: 1\n")

    def install() -> None:
        monkeypatch.syspath_prepend(tmp_path / "site")
        write_answer(home, "01_double", RIGHT)

    session, shown = play(mine, home, install)
    assert shown == [("01_double", -1.0), ("01_double", 3.0)]
    first, second = session._page.views
    assert (first.trouble.key, first.graded, second.graded) == ("cli.extra_missing", False, True)


def test_it_begins_with_what_comes_next(course: Path, home: Path) -> None:
    """A session after one that completed 01 begins with 02, as `grade list` says."""
    play(course, home, lambda: write_answer(home, "01_double", WRONG), lambda: write_answer(home, "01_double", RIGHT))
    session, shown = play(course, home)
    assert (session.current, shown) == ("02_negate", [("02_negate", 0.0)])
