"""Points that a person or a policy changed: what pages, tables and the screen show of them, also under pseudonyms."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from made_class import EXERCISE, WRONG, Ran, written
from made_results import filled, made_report, refused_a_socket

from grader.cli.batch_screen import Page
from grader.course import Course
from grader.gradebook.attention import for_a_person
from grader.gradebook.exports import noted
from grader.gradebook.files import export_anonymously
from grader.gradebook.inputs.collect import Row
from grader.model import Message, Verdict
from grader.report.json import json_line

HALF, NONE = [True] * 3 + [False] * 3, [False] * 6


@pytest.mark.parametrize(
    ("language", "title", "beside"),
    [("en", "04_concat: 5.5 of 6 points", "(graded: 3)"), ("zh", "04_concat: 5.5 / 6 分", "（评分结果：3 分）")],
)
def test_a_page_leads_with_the_points_that_count(
    course: Course, tmp_path: Path, language: str, title: str, beside: str
) -> None:
    """Title and large figure are the points that count, the graded ones stand beside; taken back, all is as before."""
    book = filled(tmp_path, [made_report(course, "bob", HALF)])

    def page(*, pages: bool = False) -> str:
        place = export_anonymously(book, course, tmp_path, language, "full", pages=pages)
        (path,) = place.glob("reports/*/04_concat.html")
        return path.read_text(encoding="utf-8")

    before = page(pages=True)
    book.override("bob", EXERCISE, 5.5, "Li Wei", "Bob explained it")
    after = page()
    assert f"<title>{title} · Manyheads</title>" in after
    assert re.search(rf'<span class="points">5.5</span>[^<]*<span class="graded">{re.escape(beside)}</span></p>', after)
    assert page() == after == page(pages=True)
    book.override("bob", EXERCISE, None, "Li Wei", "a mistake")
    assert page() == before


def test_who_can_be_told_by_a_hash_or_an_override_stays_out_of_the_anonymous_files(
    course: Course, tmp_path: Path
) -> None:
    """The points of an override travel, its reason and its author do not; nor does the hash of a file."""
    report = made_report(course, "bob", HALF)
    sha256 = "5e1f" * 16
    made = replace(report, provenance=replace(report.provenance, submission_sha256=sha256))
    book = filled(tmp_path, [made])
    book.take_in(1, [Row("bob", EXERCISE, "read", "bob/concat.py", sha256=sha256)])
    book.override("bob", EXERCISE, 5.5, "Li Wei", "王小明 helped")
    place = export_anonymously(book, course, tmp_path, "en", "full")
    texts = [path.read_text("utf-8") for path in place.rglob("*") if path.is_file()]
    assert not [text for text in texts if "王小明" in text or "Li Wei" in text or sha256 in text]
    assert ",5.5,6,3,…,…," in (place / "grades.csv").read_text("utf-8-sig")
    (page,) = place.glob("reports/*/04_concat.html")
    assert "5.5 points, given by hand" in page.read_text("utf-8")
    assert sha256 in json_line(made)


def test_what_needs_a_person_is_grouped_on_the_screen_as_on_the_page(
    course: Course, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each reason is a heading with its number, the most urgent first; grades.csv says it in the row."""
    reports = [
        made_report(course, "ann", NONE, verdict=Verdict.CRASHED),
        made_report(course, "net", NONE, failure=refused_a_socket()),
    ]
    book = filled(tmp_path, reports, [Row("zip", EXERCISE, "unreadable", reason=Message("batch.link"))])
    Page("en")._put_to_look_at(for_a_person(book.standings()))
    told = capsys.readouterr().out
    order = ["Needs a person: 3", "could not be read (1)", "zip 04_concat", "Reached for a file", "04_concat: net"]
    order += ["ended its process (1)", "04_concat: ann"]
    places = [" ".join(told.split()).index(text) for text in order]
    assert places == sorted(places)
    (net,) = [one for one in book.standings() if one.student == "net"]
    assert noted(net, "en", heading=False).startswith("Reached for a file, a program or the network, and was refused")
    assert not noted(net, "en").startswith("Reached")


def test_points_for_nothing_are_no_graded_file(
    course: Course, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who handed in nothing and got points by hand, or zero, has no result of the grader; the columns add up."""
    missing = Row("eve", EXERCISE, "missing", reason=Message("batch.nothing_handed_in"))
    book = filled(tmp_path, [made_report(course, "bob", HALF)], [missing])
    book.override("eve", EXERCISE, 5, "Li Wei", "oral exam")
    Page("en")._put_scores(book.standings())
    row = capsys.readouterr().out.splitlines()[-1].split()
    assert row[1:6] == ["1", "0", "1", "0", "1"]  # graded: full, some, none; no result
    book.settle("missing", "zero")
    book.override("eve", EXERCISE, None, "Li Wei", "another Eve")
    Page("en")._put_scores(book.standings())
    assert capsys.readouterr().out.splitlines()[-1].split()[1:6] == row[1:6]
    book.override("eve", EXERCISE, 5, "Li Wei", "oral exam")
    (eve,) = [one for one in book.standings() if one.student == "eve"]
    assert (eve.points, eve.max_points, eve.graded_points) == (5, 6, None)  # the most is that of the others


def test_chinese_lists_have_their_comma(capsys: pytest.CaptureFixture[str]) -> None:
    """Names are joined by the mark that Chinese has for lists."""
    Page("zh")._put_names("missing", {EXERCISE: ["Doe, Jane", "王芳"]})
    assert "Doe, Jane、王芳" in capsys.readouterr().out


def test_a_package_that_is_not_installed_is_one_line(batch: Callable[..., Ran], own_course: Path) -> None:
    """An exercise whose package is missing is left out with the command to install it; no traceback, no fault."""
    told = own_course / "exercises" / EXERCISE / "exercise.toml"
    text = re.sub(r"(?m)^packages = .*\n", "", told.read_text("utf-8"))
    told.write_text(f'packages = ["numpy", "no_such_package"]\n{text}', encoding="utf-8")
    done = batch(written(own_course / "in", {"bob/concat.py": WRONG}), "--course", own_course)
    assert (done.code, done.rows["bob"]["points"]) == (2, "")
    assert "Not graded, because no_such_package is not installed: 04_concat. To install it: " in done.err
    assert "Traceback" not in done.err
