"""Bulk downloads as Canvas, Moodle, Gradescope and GitHub Classroom make them: whose each file is, and which."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from made_class import RIGHT, WRONG, Ran, read, written, zipped

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook.inputs.roster import Roster, read_roster

Batch = Callable[..., Ran]

CANVAS = {
    "doejane_4711_90001_concat.py": RIGHT,
    "roebob_LATE_4712_90002_concat-2.py": WRONG,
    "lina_4713_90003_my_answer_1_2.py": RIGHT,
    "vandenbergeva_4714_90004_text.html": "<p>later</p>",
}
MOODLE = {
    "Jane Doe_83001_assignsubmission_file_/concat.py": RIGHT,
    "Bob van Roe_83002_assignsubmission_file/04_concat/concat (1).py": WRONG,
    "李娜_83003_assignsubmission_onlinetext_/onlinetext.html": "<p>later</p>",
}
METADATA = """---
submission_55501:
  :submitters:
  - :name: Jane Doe
    :sid: '0047'
    :email: jane@example.edu
  - :name: 'O''Hara, Bob'
    :sid: s2
    :email: bob@example.edu
  :created_at: 2026-03-01 18:39:44.873712000 Z
  :score: 10.0
  :results:
    tests:
    - name: "1) test"
submission_55502:
  :submitters:
  - :name: Eva
    :email: eva@example.edu
  :created_at: 2026-03-02 08:00:00 +0100
submission_55503:
  :submitters:
  - :name: Kim
    :sid: s4
"""
GRADESCOPE = {
    "assignment_77_export/submission_metadata.yml": METADATA,
    "assignment_77_export/submission_55501/concat.py": RIGHT,
    "assignment_77_export/submission_55502/concat.py": WRONG,
}
CLASSROOM = {
    "hw4-submissions/hw4-jane-doe/exercises/04_concat/concat.py": RIGHT,
    "hw4-submissions/hw4-jane-doe/.git/HEAD": "ref: refs/heads/main",
    "hw4-submissions/hw4-bob/concat.py": WRONG,
    "hw4-submissions/hw4-bob/.git/HEAD": "ref: refs/heads/main",
}


def test_canvas(tmp_path: Path, course: Course) -> None:
    """Students go by Canvas' own number; its marks are taken off the file's name, and LATE is kept."""
    found = read(written(tmp_path / "in", CANVAS), course)
    assert (found.notes, found.doubts) == (["looks_like_canvas"], ["by_definition"])
    assert found.sources == {"4711": RIGHT, "4712": WRONG, "4713": RIGHT}
    assert found.names == {"4711": "doejane", "4712": "roebob", "4713": "lina", "4714": "vandenbergeva"}
    assert [found.rows[student].filename for student in found.sources] == [
        "concat.py",
        "concat-2.py",
        "my_answer_1_2.py",
    ]
    assert {student: row.late for student, row in found.rows.items() if row.source} == {
        "4711": False,
        "4712": True,
        "4713": False,
    }
    assert (found.rows["4714"].state, found.reason("4714")) == ("missing", "no_file_for_it")


def test_canvas_with_hidden_names(tmp_path: Path, course: Course) -> None:
    """Where grading is anonymous, five letters and digits stand for a student."""
    files = {"anon_Ab1cD_9001_concat.py": RIGHT, "anon_LATE_xY2z0_9002_concat.py": WRONG}
    found = read(written(tmp_path / "in", files), course)
    assert found.sources == {"Ab1cD": RIGHT, "xY2z0": WRONG}
    assert found.rows["xY2z0"].late


def test_canvas_archives(tmp_path: Path, course: Course) -> None:
    """A zip that a student uploaded to Canvas is that student's, whatever lies in it."""
    inner = zipped(tmp_path / "hw.zip", {"hw/concat.py": RIGHT}).read_bytes()
    files = {"doejane_4711_90001_hw.zip": inner, "roebob_4712_90002_concat.py": WRONG}
    found = read(zipped(tmp_path / "submissions.zip", files), course)
    assert found.sources == {"4711": RIGHT, "4712": WRONG}


def test_late_and_unreadable_are_both_kept(tmp_path: Path, course: Course) -> None:
    """A late upload that cannot be read is a row with its reason and late; so is a broken archive beside an answer."""
    broken = zipped(tmp_path / "hw.zip", {"concat.py": RIGHT}).read_bytes()[:-30]
    files = {
        "doejane_LATE_4711_90001_hw.zip": broken,
        "roebob_LATE_4712_90002_concat.py": b"#" * (2**20 + 1),
        "lina_LATE_4713_90003_concat.py": RIGHT,
        "lina_LATE_4713_90004_hw.zip": broken,
        "evakim_4714_90005_hw.zip": broken,
    }
    found = read(written(tmp_path / "in", files), course)
    assert [(found.rows[who].state, found.rows[who].late) for who in ("4711", "4712", "4713", "4714")] == [
        ("unreadable", True),
        ("unreadable", True),
        ("read", True),
        ("unreadable", False),
    ]
    reasons = [found.reason(who) for who in ("4711", "4712", "4713")]
    assert reasons == ["damaged", "file_too_large", "note_unread_beside"]


def test_a_name_of_a_platform_among_folders_is_a_doubt(tmp_path: Path, course: Course) -> None:
    """It may be a download put in by hand: it is listed with the option to read it; a class list says whose it is."""
    stray = {"doejane_4711_90001_concat.py": RIGHT, "李娜_83003_assignsubmission_file_/04_concat/concat.py": RIGHT}
    files = {"alice/concat.py": WRONG, "bob/concat.py": WRONG, "eve_concat.py": WRONG, **stray}
    folder = written(tmp_path / "in", files)
    found = read(folder, course)
    assert (found.doubts, found.notes) == (["odd_download"] * 2, [])
    assert len(found.rows) == len(files)
    known = read(folder, course, roster=Roster({"4711": "Jane Doe", "n1": "李娜", "alice": "", "bob": "", "eve": ""}))
    assert known.sources == {"alice": WRONG, "bob": WRONG, "eve": WRONG, "4711": RIGHT, "n1": RIGHT}
    assert known.doubts == ["odd_name"] * 2
    start = read(folder, course, roster=Roster({"doejane": "", "4711": "", "n1": "李娜"}))
    assert start.sources["doejane"] == RIGHT  # an id at the start of a name says more than a number in it
    assert read(folder, course, layout="folders").doubts == ["nobodys"] * 2
    assert "4711" in read(folder, course, layout="canvas").rows
    one = read(written(tmp_path / "in", {"bob/04_concat/concat (1).py": RIGHT}), course)
    assert one.doubts.count("odd_download") == 2  # once for each name, however much lies below


def test_canvas_with_its_gradebook_as_the_class_list(tmp_path: Path, course: Course) -> None:
    """The gradebook that Canvas exports is a class list: its ids are those of the files, its second row is nobody."""
    (tmp_path / "gradebook.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
        '"Doe, Jane",4711,s1,jane,A\n"Roe, Bob",4712,s2,bob,A\n"Nobody, Nora",4799,s9,nora,A\n'
    )
    files = {name: content for name, content in CANVAS.items() if "471" in name and "lina" not in name}
    found = read(written(tmp_path / "in", files), course, roster=read_roster(tmp_path / "gradebook.csv"))
    assert found.sources == {"4711": RIGHT, "4712": WRONG}
    assert (found.reason("4799"), found.doubts) == ("nothing_handed_in", ["not_in_roster"])


def test_a_class_list_that_knows_names_alone(tmp_path: Path, course: Course) -> None:
    """Names are compared however they are written, and never guessed where two students have one."""
    roster = Roster({"s1": "Jane Doe", "s2": "Roe, Bob", "s3": "Li Na", "s4": "Na Li"})
    found = read(written(tmp_path / "in", CANVAS), course, roster=roster)
    assert sorted(found.sources) == ["4713", "s1", "s2"]


def test_moodle(tmp_path: Path, course: Course) -> None:
    """Students go by the identifier of Moodle's grading worksheet; old and new spellings of the folder are read."""
    found = read(written(tmp_path / "in", MOODLE), course)
    assert (found.notes, found.doubts) == (["looks_like_moodle"], [])
    assert found.sources == {"Participant 83001": RIGHT, "Participant 83002": WRONG}
    assert found.names["Participant 83003"] == "李娜"
    assert found.reason("Participant 83003") == "no_file_for_it"


def test_moodle_without_folders(tmp_path: Path, course: Course) -> None:
    """Moodle may put no folders around the files."""
    files = {"Jane Doe_83001_assignsubmission_file_concat.py": RIGHT}
    found = read(zipped(tmp_path / "in.zip", files), course)
    assert found.sources == {"Participant 83001": RIGHT}
    assert found.rows["Participant 83001"].filename == "concat.py"


def test_a_single_moodle_folder_is_no_wrapping_folder(tmp_path: Path, course: Course) -> None:
    """The folder of the only student is not taken for one around the class."""
    files = {"Jane Doe_83001_assignsubmission_file_/src/concat.py": RIGHT}
    assert list(read(written(tmp_path / "in", files), course).sources) == ["Participant 83001"]


def test_gradescope(tmp_path: Path, course: Course) -> None:
    """Names and ids come from the metadata; each of a group gets the result; whose folder is missing is a row."""
    found = read(zipped(tmp_path / "in.zip", GRADESCOPE), course)
    assert (found.notes, found.doubts) == (["wrapper", "looks_like_gradescope"], [])
    assert found.sources == {"0047": RIGHT, "s2": RIGHT, "eva@example.edu": WRONG}
    assert found.names["s2"] == "O'Hara, Bob"
    assert found.rows["0047"].submitted_at == "2026-03-01T18:39:44+00:00"
    assert found.rows["eva@example.edu"].submitted_at == "2026-03-02T08:00:00+0100"
    assert (found.rows["s4"].state, found.reason("s4")) == ("missing", "nothing_for_it")


def test_of_two_gradescope_submissions_the_later_one_counts(tmp_path: Path, course: Course) -> None:
    """Situation C140: by the time in the metadata, not by the number or the name of the folder."""
    metadata = "".join(
        f"submission_{number}:\n  :submitters:\n  - :sid: s1\n  :created_at: 2026-03-0{day} 08:00:00 Z\n"
        for number, day in ((1, 2), (2, 3), (3, 1))
    )
    files = {f"submission_{number}/concat.py": f"{RIGHT}# {number}\n" for number in (1, 2, 3)}
    found = read(written(tmp_path / "in", {**files, "submission_metadata.yml": metadata}), course)
    assert found.rows["s1"].place == "submission_2/concat.py"
    assert found.doubts == ["several_files"]


@pytest.mark.parametrize("metadata", ["[", "- a\n- b\n", "a: &a [*a]\n\tb", "\x00"])
def test_metadata_that_cannot_be_read_is_told(tmp_path: Path, course: Course, metadata: str) -> None:
    """A broken submission_metadata.yml ends the run before anybody is graded under a wrong name."""
    files = {"submission_metadata.yml": metadata, "submission_1/concat.py": RIGHT}
    with pytest.raises(UsageError, match=r"batch\.metadata_unreadable"):
        read(written(tmp_path / "in", files), course)


def test_metadata_that_leaves_out_a_folder(tmp_path: Path, course: Course) -> None:
    """A submission that the metadata does not know keeps the name of its folder."""
    files = {**GRADESCOPE, "assignment_77_export/submission_9/concat.py": WRONG}
    found = read(written(tmp_path / "in", files), course)
    assert found.sources["submission_9"] == WRONG


def test_classroom(tmp_path: Path, course: Course) -> None:
    """The assignment's name is taken off the repository's; what lies in .git is not looked at."""
    found = read(written(tmp_path / "in", CLASSROOM), course)
    assert (found.notes, found.doubts) == (["wrapper", "looks_like_classroom"], [])
    assert found.sources == {"jane-doe": RIGHT, "bob": WRONG}


def test_classroom_with_its_class_list(tmp_path: Path, course: Course) -> None:
    """The list that Classroom exports knows students by their GitHub name; the row has the instructor's id."""
    (tmp_path / "roster.csv").write_text(
        '"identifier","github_username","github_id","name"\n"s1","Jane-Doe","1","J"\n"s2","bob","2","B"\n"s3","","",""\n'
    )
    files = {name.removeprefix("hw4-submissions/"): content for name, content in CLASSROOM.items()}
    found = read(written(tmp_path / "in", files), course, roster=read_roster(tmp_path / "roster.csv"))
    assert (found.sources, found.doubts) == ({"s1": RIGHT, "s2": WRONG}, [])
    assert found.reason("s3") == "nothing_handed_in"


def test_a_plain_class_is_no_download(tmp_path: Path, course: Course) -> None:
    """Ids with digits and underscores alone are not taken apart."""
    files = {f"s_{number}/concat.py": RIGHT for number in (1, 2, 3)}
    found = read(written(tmp_path / "in", files), course)
    assert (sorted(found.sources), found.notes) == (["s_1", "s_2", "s_3"], [])


def test_what_is_named_otherwise_in_a_download_is_told(tmp_path: Path, course: Course) -> None:
    """A file that somebody put beside the download is graded, and listed; what is no answer is nobody's."""
    files = {**CANVAS, "sam_concat.py": RIGHT, "grades.xlsx": "x"}
    found = read(written(tmp_path / "in", files), course)
    assert found.sources["sam"] == RIGHT
    assert found.doubts == ["odd_name", "nobodys", "by_definition"]
    assert "grades" not in found.rows


@pytest.mark.parametrize(
    ("layout", "files", "students"),
    [
        ("folders", {"a_1_2_x/concat.py": RIGHT, "b_1_2_x/concat.py": RIGHT}, ["a_1_2_x", "b_1_2_x"]),
        ("files", {"monday/alice_concat.py": RIGHT, "tuesday/bob_concat.py": RIGHT}, ["alice", "bob"]),
        ("canvas", {"a_1_2_concat.py": RIGHT, "bob/concat.py": RIGHT, "carol/concat.py": RIGHT}, ["1", "bob", "carol"]),
        ("classroom", {"hw-al/concat.py": RIGHT, "hw-bo/concat.py": RIGHT}, ["al", "bo"]),
    ],
)
def test_the_layout_can_be_said(
    tmp_path: Path, course: Course, layout: str, files: Mapping[str, str], students: list[str]
) -> None:
    """What the instructor says counts, whatever the names look like."""
    found = read(written(tmp_path / "in", files), course, layout=layout)
    assert (sorted(found.sources), found.notes) == (students, ["read_as"])


def test_a_layout_that_does_not_fit_is_told(tmp_path: Path, course: Course, batch: Batch) -> None:
    """Nothing is graded under a guessed name where no name is as it was said; nor is an unknown layout taken."""
    folder = written(tmp_path / "in", {"alice/concat.py": RIGHT})
    with pytest.raises(UsageError, match=r"batch\.not_such_download"):
        read(folder, course, layout="moodle")
    told = batch("in", "--from", "blackboard")
    assert told.code == 2
    assert "canvas, moodle, gradescope, classroom, folders, files; found blackboard" in told.err


def test_a_download_on_the_screen_and_in_the_files(batch: Batch, tmp_path: Path) -> None:
    """How the input was understood is said first; names go with the ids, and a later class list corrects them."""
    written(tmp_path / "in", CANVAS)
    done = batch("in")
    assert "It looks like a download of Canvas (doejane_4711_90001_concat.py)." in done.out
    assert done.rows["4712"]["note"] == "The download marks it as late."
    assert {student: row["name"] for student, row in done.rows.items()}["4711"] == "doejane"
    assert done.rows["4713"]["note"] == (
        "lina_4713_90003_my_answer_1_2.py was taken for 04_concat because of what it defines."
    )
    (tmp_path / "class.csv").write_text("id,name\n4711,Jane Doe\n")
    assert batch("in", "--roster", "class.csv").rows["4711"]["name"] == "Jane Doe"
    assert batch("in").rows["4711"]["name"] == "Jane Doe"
