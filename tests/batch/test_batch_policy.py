"""Weights, being late, and pseudonyms: what a course makes of points, and who is shown to whom."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from made_class import EXERCISE, RIGHT, WRONG, Ran, written
from made_results import filled, made_report

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook.anonymous import Pseudonyms
from grader.gradebook.attention import Why, why_a_person
from grader.gradebook.exports import notes_of
from grader.gradebook.files import export, export_anonymously
from grader.gradebook.inputs.collect import Row
from grader.gradebook.policy import parse_policy, read_policy
from grader.model import CaseFailure, Message, Printed, Verdict
from grader.report.visible import tell

ALL, HALF = [True] * 6, [True] * 3 + [False] * 3
POLICY = """
time_zone = "Europe/Zurich"

[weights]
04_concat = 2

[late]
percent_per_day = 10
most_percent = 25
grace_minutes = 15

[due]
04_concat = 2026-03-27T12:00:00

[extensions.eve]
04_concat = 2026-04-30T12:00:00
"""


@pytest.mark.parametrize(
    ("submitted", "days"),
    [
        ("2026-03-27T11:00:00+00:00", 0),  # on the minute: noon in Zurich is 11:00 UTC in winter
        ("2026-03-27T11:15:00+00:00", 0),  # the last moment of the grace
        ("2026-03-27T11:15:01+00:00", 1),  # after it, days count from noon
        ("2026-03-28T11:00:00+00:00", 1),
        ("2026-03-28T19:00:01+08:00", 2),  # another zone, the same instant and one second
        ("2026-03-29T11:00:00+00:00", 2),  # the clocks went forward meanwhile: a day is 24 hours all the same
        ("2026-01-01T00:00:00+00:00", 0),
    ],
)
def test_days_count_from_the_time_that_was_due_in_its_zone(submitted: str, days: int) -> None:
    """Situations C158, C160: the submission carries its time; the zone is named, grace forgives, begun days count."""
    policy = parse_policy(POLICY)
    assert policy.days_late(policy.due[EXERCISE], datetime.fromisoformat(submitted)) == days


def test_late_without_a_time_costs_nothing_and_is_told(course: Course, tmp_path: Path) -> None:
    """Situation: Canvas marks a file as late and tells no time; a person decides, and is asked for it."""
    book = filled(tmp_path, [made_report(course, who, ALL) for who in ("ann", "bob")])
    marked = {"ann": True, "bob": None}
    book.take_in(1, [Row(who, EXERCISE, "read", f"{who}/concat.py", sha256="a", late=marked[who]) for who in marked])
    assert [why_a_person(one) for one in book.standings()] == [None, None]  # no policy: being late costs nothing
    book.settle("policy", POLICY)
    ann, bob = book.standings()
    assert (ann.points, why_a_person(ann), why_a_person(bob)) == (6, Why.LATE_BY_UNKNOWN, None)
    told = ["The download marks it as late.", "How late is not known, so nothing was taken off."]
    assert [note.partition(" To take")[0] for note in notes_of(ann, "en")] == told
    book.override("ann", EXERCISE, 5, "Li Wei", "a day late")
    assert why_a_person(book.standings()[0]) is None
    book.close()


def test_what_could_not_be_read_keeps_that_it_was_late_and_takes_nothing_off(course: Course, tmp_path: Path) -> None:
    """Situation: a late archive is broken; the reason and the lateness are told, earlier points stay."""
    book = filled(tmp_path, [made_report(course, who, ALL) for who in ("ann", "bob")])
    book.settle("policy", POLICY)
    broken = Message("batch.nested_too_deep")
    rows = [Row(who, EXERCISE, "unreadable", f"{who}.zip", reason=broken) for who in ("ann", "bob")]
    late = {"late": True, "submitted_at": ""}, {"submitted_at": "2026-03-29T00:00:00+00:00"}
    book.take_in(1, [replace(row, **how) for row, how in zip(rows, late, strict=True)])
    ann, bob = book.standings()
    assert tell(broken, "en") in notes_of(ann, "en")
    assert "The download marks it as late." in notes_of(ann, "en")
    assert (bob.late_days > 0, bob.points, why_a_person(ann), why_a_person(bob)) == (True, 6, *[Why.UNREADABLE] * 2)
    book.close()


def handed_in(who: str, at: str) -> Row:
    """A file of a student, and when it came."""
    return Row(who, EXERCISE, "read", f"{who}/concat.py", sha256="a", submitted_at=at)


def test_late_points_have_a_cap_an_extension_and_no_hold_on_an_override(course: Course, tmp_path: Path) -> None:
    """A tenth a day and a quarter at most; an extension is for one student; what a person gave counts as given."""
    book = filled(tmp_path, [made_report(course, who, ALL) for who in ("ann", "bob", "eve", "kim", "tom")])
    times = {"ann": "2026-03-27T10:00:00+00:00", "bob": "2026-03-28T10:00:00+00:00", "eve": "2026-04-20T10:00:00+00:00"}
    times |= {"kim": "2026-04-20T10:00:00+00:00"}
    book.take_in(1, [handed_in(who, at) for who, at in times.items()])
    book.settle("policy", POLICY)
    points = {one.student: (one.points, one.late_days) for one in book.standings()}
    assert points == {"ann": (6, 0), "bob": (5.4, 1), "eve": (6, 0), "kim": (4.5, 24), "tom": (6, 0)}
    book.override("kim", EXERCISE, 5.5, "Li Wei", "was ill")
    assert {one.student: one.points for one in book.standings()}["kim"] == 5.5
    export(book, course, tmp_path, "en")
    rows = {
        row["student"]: row for row in csv.DictReader(io.StringIO((tmp_path / "grades.csv").read_text("utf-8-sig")))
    }
    assert [rows["bob"][name] for name in ("points", "graded_points", "late_days", "late_percent", "weight")] == [
        *("5.4", "6", "1", "10", "2"),
    ]
    assert "Late by up to one day: 10% is taken off, 6 points become 5.4." in rows["bob"]["note"]
    assert "Late" not in rows["kim"]["note"]
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Due times are those of Europe/Zurich." in page
    assert "Totals are weighted: 04_concat × 2." in page
    pages = export_anonymously(book, course, tmp_path, "en", "names").glob("reports/*/04_concat.html")
    told = sorted(re.findall(r'class="override"><strong>([^<]*)', "".join(path.read_text("utf-8") for path in pages)))
    assert told == ["5.5 points, given by hand", "Late by up to one day: 10% is taken off, 6 points become 5.4."]


def test_a_total_counts_each_exercise_by_its_weight(course: Course, tmp_path: Path) -> None:
    """An exercise of weight two counts twice in totals and in the distribution, one of weight nothing not at all."""
    reports = [made_report(course, "ann", HALF), made_report(course, "ann", ALL, exercise="01_split_heads")]
    reports.append(made_report(course, "ann", HALF, exercise="05_output_projection"))
    book = filled(tmp_path, reports, [Row("bob", EXERCISE, "missing", reason=Message("batch.nothing_for_it"))])
    book.settle("policy", "[weights]\n04_concat = 2\n05_output_projection = 0\n")
    export(book, course, tmp_path, "en")
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert '<span class="id">ann</span></th><td>12</td>' in page
    assert re.findall('<span class="weight">(.*?)</span>', page) == ["×2", "×0"]  # above the columns
    assert "Students with a score: 1. Half of them have 67% of all points or more;" in page
    assert "Without any score, and not in the distribution: 1." in page


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("weight = 1", "weight: expected one of time_zone"),
        ("[weights]\n04_concat = -1", r"weights.04_concat: expected a number from 0 to 1e\+06, found -1"),
        ("[weights]\n04_concat = true", "found True"),
        ("[weights]\n04_concat = nan", "found nan"),
        ("[weights]\n4_concat = 1", "expected names of exercises, found 4_concat"),
        ("[late]\npercent_per_day = 101", "late.percent_per_day: expected a number from 0 to 100"),
        ("[due]\n04_concat = 2026-03-01T12:00:00Z", "due needs late.percent_per_day"),
        ("[late]\npercent_per_day = 1\n[due]\n04_concat = 2026-03-01T12:00:00", "expected time_zone to be named"),
        ("[late]\npercent_per_day = 1\n[due]\n04_concat = 2026-03-01", "found a day without a time"),
        ('time_zone = "Middle/Earth"', "time_zone: expected a name such as Europe/Zurich"),
        ('time_zone = "../etc"', "time_zone: expected a name such as Europe/Zurich"),
        ("[late\n", "Expected"),
        ("weights = 3", "weights: expected a table, found 3"),
    ],
)
def test_a_policy_that_means_nothing_is_refused(course: Course, tmp_path: Path, text: str, says: str) -> None:
    """Situation C157, a time without a zone, among them: each wrong field is named, with what was expected."""
    (tmp_path / "policy.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=says):
        read_policy(tmp_path / "policy.toml", course)


def test_pages_under_pseudonyms_lead_to_no_exercise_that_was_not_set(course: Course, tmp_path: Path) -> None:
    """As on the pages with names: the next exercise is the next one of this gradebook, and behind the last is none."""
    names = [EXERCISE, "09_scaled_dot_product"]
    for most, told in ((1, []), (2, [names[1]])):
        folder = tmp_path / str(most)
        reports = [made_report(course, "bob", [True] * 7, exercise=name) for name in names[:most]]
        place = export_anonymously(filled(folder, reports), course, folder, "en", "full")
        pages = [path.read_text("utf-8") for path in sorted(place.glob("reports/*/*.html"))]
        assert re.findall(r'id="next".*?The exercise (\w+)', pages[0], re.DOTALL) == told
        assert 'id="next"' not in pages[-1]


def test_pseudonyms_are_stable_secret_and_everywhere(course: Course, tmp_path: Path) -> None:
    """No id, name or file name of a student is left in any file or path; the same student is the same in each run."""
    told = Message("checks.wrong_shape", {"got": "alice_concat.py", "expected": "(2, 3)"})
    warned = Printed("alice_concat.py:10: RuntimeWarning\n", 36)
    alice = made_report(course, "alice", HALF, failure=CaseFailure("", told, explanation=told))
    reports = [
        replace(alice, filename="alice_concat.py", printed=warned),
        made_report(course, "bob", [False] * 6, verdict=Verdict.CRASHED),
    ]
    unread = Row(
        "carol", EXERCISE, "unreadable", "carol/x.zip", reason=Message("batch.no_file_for_it", {"files": "carol.txt"})
    )
    book = filled(tmp_path, reports, [unread])
    book.know({"alice": "Alice Wang"})
    place = export_anonymously(book, course, tmp_path, "en", "full")
    first = {path.relative_to(place): path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert len([path for path in first if path.suffix == ".html"]) == 3
    for path, content in first.items():
        everything = f"{path} {content.decode()}"
        assert not re.search("alice|Alice|Wang|bob|carol", everything), path
    export_anonymously(book, course, tmp_path, "en", "full")
    again = {path.relative_to(place) for path in place.rglob("*") if path.is_file()}
    assert again == set(first)
    assert json.loads(first[Path("results.jsonl")].splitlines()[0])["filename"] == "concat.py"
    assert Pseudonyms.of(book)("alice") != Pseudonyms(b"another")("alice")
    rows = list(csv.DictReader(io.StringIO(first[Path("grades.csv")].decode("utf-8-sig"))))
    assert all((place / row["report"]).is_file() for row in rows if row["report"])


def test_policy_and_pseudonyms_on_the_command_line(batch: Callable[..., Ran], tmp_path: Path) -> None:
    """--policy holds in later runs too; --anonymous writes a second set of files; a wrong policy changes nothing."""
    folder = written(tmp_path / "in", {"alice/concat.py": RIGHT, "bob/concat.py": WRONG})
    written(tmp_path, {"policy.toml": POLICY, "wrong.toml": "x = 1"})
    done = batch(folder, "--policy", "policy.toml")
    assert (done.code, done.rows["alice"]["weight"]) == (0, "2")
    assert "extensions: the gradebook knows no eve." in done.err
    alone = batch("--policy", "policy.toml", exercise=False)
    assert "It holds from now on" in alone.out
    told = batch("--policy", "wrong.toml", exercise=False)
    assert (told.code, "wrong.toml: x: expected one of time_zone" in told.err) == (2, True)
    later = batch("--anonymous", exercise=False)
    assert (later.code, later.rows["alice"]["weight"]) == (0, "2")
    assert "Written under pseudonyms: out/anonymous." in later.out
    assert len(list((done.folder / "anonymous" / "reports").glob("student-*/04_concat.html"))) == 2
    by_hand = batch("--override", "bob", EXERCISE, "7.5", "--by", "Li Wei", "--why", "Bob said", exercise=False)
    assert "Written under pseudonyms: out/anonymous." in by_hand.out
    assert ",7.5,10,2,…,…," in (done.folder / "anonymous" / "grades.csv").read_text("utf-8-sig")


@pytest.mark.parametrize("readme", ["README.md", "README.zh.md"])
def test_the_policy_of_the_readme_is_one(course: Course, readme: str) -> None:
    """What an instructor copies from there is read, with all that it says."""
    text = (course.root / readme).read_text(encoding="utf-8")
    block = re.search(r"^    time_zone.*?(?=^\S)", text, re.MULTILINE | re.DOTALL)
    policy = parse_policy("\n".join(line.removeprefix("    ") for line in block[0].splitlines()), course.names)
    assert (policy.weights, policy.percent_per_day, policy.grace_minutes) == ({EXERCISE: 2}, 10, 15)
    assert set(policy.extensions["alice"]) == set(policy.due) == {EXERCISE}
