"""What an instructor is told: why a file is worth nothing, who is missing, what a person gave, what did not change."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from made_class import EXERCISE, LOOP, RIGHT, WRONG, Ran, written

from grader.gradebook.pages import put_note

Batch = Callable[..., Ran]
OPEN = "import numpy as np\n\nx = (1, 2\n"
RAISES = "def concat_heads(heads):\n    return heads.nothing()\n"


def test_a_broken_file_has_its_reason_in_the_table_and_on_the_screen(batch: Batch, tmp_path: Path) -> None:
    """One line with the sentence of the report and the line of the file; in the language of the run that writes it."""
    files = {"dave/concat.py": OPEN, "eve/concat.py": LOOP, "hal/concat.py": RAISES, "bob/concat.py": WRONG}
    done = batch(written(tmp_path / "in", files))
    told = "line 3: Python cannot read the file: '(' was never closed."
    assert done.rows["dave"]["note"] == told
    assert f"  dave 04_concat: {told}\n" in done.out
    # the loop was stopped in one of its two lines
    assert done.rows["eve"]["note"].partition(":")[0] in ("line 2", "line 3")
    assert done.rows["eve"]["note"].endswith(" s of computing.")  # the student is asked about a loop
    assert done.rows["hal"]["note"].startswith("line 2: the code raised AttributeError: ")
    assert done.rows["bob"]["note"] == ""
    chinese = batch("in", "--lang", "zh")
    assert "dave 04_concat：第 3 行：Python 读不懂这个文件" in chinese.out
    assert chinese.rows["dave"]["note"].startswith("第 3 行：")


def test_notes_are_in_the_language_of_the_run(batch: Batch, tmp_path: Path) -> None:
    """An English run after a Chinese one leaves no Chinese note, nor the other way round."""
    files = {"alice/concat.py": RIGHT, "carol/notes.md": "x", "bob/concat.py": RIGHT, "bob/x.zip": "junk"}
    written(tmp_path / "in", files)
    (tmp_path / "class.csv").write_text("id,name\nalice,A\nzed,Z\n")
    chinese = batch("in", "--roster", "class.csv", "--lang", "zh").rows
    assert chinese["zed"]["note"] == "没有交。"
    english = batch("in", "--lang", "en").rows
    assert english["zed"]["note"] == "Nothing handed in."
    assert english["bob"]["note"] == "Handed in as well, and could not be read: bob/x.zip"
    assert all(row["note"].isascii() for row in english.values())
    assert batch("in", "--lang", "zh").rows == chinese


def test_what_is_written_keeps_the_language_it_was_graded_in(batch: Batch, tmp_path: Path) -> None:
    """Pages, table and class report stay Chinese after an override without --lang; with it, they follow and stay so."""
    written(tmp_path / "in", {"bob/concat.py": OPEN})
    graded = batch("in", "--lang", "zh")
    override = ("--override", "bob", EXERCISE, "7.5", "--by", "Li", "--why", "x")
    done = batch(*override, exercise=False)
    page, report = graded.folder / graded.rows["bob"]["report"], graded.folder / "index.html"
    assert "改为 7.5 分，改分人 Li" in page.read_text(encoding="utf-8")
    assert '<html lang="zh' in report.read_text(encoding="utf-8")
    assert done.rows["bob"]["note"].startswith("第 3 行：")
    assert "7.5 points count from now on" in done.out  # the screen speaks to whoever sits there
    for spoken in (("--lang", "en"), ()):
        english = batch(*override, *spoken, exercise=False, LC_ALL="zh_CN.UTF-8")
        assert "7.5 points, by Li" in page.read_text(encoding="utf-8")
        assert english.rows["bob"]["note"].startswith("line 3: ")


def test_who_handed_in_something_else_is_not_among_those_without_anything(batch: Batch, tmp_path: Path) -> None:
    """A PDF in place of the answer is listed by itself; names of a class list stand before the ids."""
    (tmp_path / "class.csv").write_text('id,name\nalice,"Doe, Jane"\nbob,"Poe, Kim"\ncarol,Carol\nzed,Zed\n')
    files = {"alice/concat.py": OPEN, "bob/essay.pdf": "x", "carol/essay.pdf": "x"}
    told = batch(written(tmp_path / "in", files), "--roster", "class.csv").out
    assert "  Doe, Jane (alice) 04_concat: line 3: " in told
    assert "Nothing handed in: 1\n  04_concat: Zed (zed)\n" in told
    heading = "Other files handed in, but none for the exercise: 2\n"
    assert f"{heading}  04_concat: Poe, Kim (bob); Carol (carol)\n" in told


def test_names_share_a_line(batch: Batch, tmp_path: Path) -> None:
    """A class list of many gives a list of names, wrapped, not a line for each."""
    missing = [f"student{number:02}" for number in range(50)]
    lines = ["id,name", "alice,Alice", *(f"{student},x" for student in missing)]
    (tmp_path / "class.csv").write_text("\n".join(lines))
    files = {"alice/concat.py": RIGHT, "mallory/concat.py": RIGHT, "trent/concat.py": RIGHT}
    done = batch(written(tmp_path / "in", files), "--roster", "class.csv")
    heads = [line for line in done.out.splitlines() if line.startswith(("Nothing", "Not in", "  04", "  mallory"))]
    assert heads[0] == "Nothing handed in: 50"
    assert heads[1].startswith("  04_concat: x (student00), x (student01), ")
    assert heads[2:] == ["Not in the class list, graded all the same: 2", "  mallory, trent"]
    assert "(student39), and 10 more, see" in " ".join(done.out.split())
    assert max(map(len, done.out.splitlines()[:-2])) <= 100


def test_who_vanished_from_the_input_is_told_and_stays(batch: Batch, tmp_path: Path) -> None:
    """A submission of an earlier run that is no longer there counts on, and one line says so."""
    written(tmp_path / "in", {f"{student}/concat.py": RIGHT for student in ("alice", "bob", "carol")})
    assert "Not in this input" not in batch("in").out
    shutil.rmtree(tmp_path / "in" / "bob")
    (tmp_path / "in" / "carol" / "concat.py").unlink()
    done = batch("in")
    assert "Not in this input; what an earlier run found stays: 2\n  04_concat: bob, carol\n" in done.out
    assert "Nothing handed in" not in done.out
    assert {row["points"] for row in done.rows.values()} == {"10"}


def test_a_regrade_that_changes_nothing_says_so(batch: Batch, tmp_path: Path) -> None:
    """Silence would look like a command that did nothing."""
    written(tmp_path / "in", {"alice/concat.py": RIGHT})
    assert "No score changed." not in batch("in").out
    assert "No score changed.\nGraded in this run: 1." in batch("in", "--regrade").out
    assert "分数没有变化。" in batch("in", "--regrade", "--lang", "zh").out


# --- overrides -------------------------------------------------------------------------------------------------------


def test_an_override_is_on_the_page_until_it_is_taken_back(batch: Batch, tmp_path: Path) -> None:
    """The student sees who gave which points and why, also after a regrade; markup in it is text."""
    written(tmp_path / "in", {"bob/concat.py": WRONG, "eve/concat.py": WRONG})
    first = batch("in")
    pages = {student: first.folder / first.rows[student]["report"] for student in ("bob", "eve")}

    def override(points: str, why: str) -> str:
        done = batch("--override", "bob", EXERCISE, points, "--by", "Li Wei", "--why", why, exercise=False)
        assert done.code == 0, done.err
        return pages["bob"].read_text(encoding="utf-8")

    assert "7.5 points, by Li Wei: explained it in person<" in override("7.5", "explained it in person")
    page = override("8", "</header><script>x</script>")
    assert (page.count('class="override"'), "<script" in page) == (1, False)
    assert "8 points, by Li Wei: &lt;/header&gt;&lt;script&gt;" in page
    batch("in", "--regrade")
    assert "8 points, by Li Wei" in pages["bob"].read_text(encoding="utf-8")
    assert 'class="override"' not in override("none", "a mistake")
    assert 'class="override"' not in pages["eve"].read_text(encoding="utf-8")


def test_a_page_that_shows_the_override_already_is_not_written(tmp_path: Path) -> None:
    """The end of a run touches only what changes; a page that is not there is not made."""
    page = tmp_path / "page.html"
    put_note(page, "改为 7.5 分")
    assert not page.exists()
    page.write_text("<header>\n</header>\n<p>&lt;/header&gt;</p>\n", encoding="utf-8")
    whole = page.read_bytes()
    put_note(page, "改为 7.5 分")
    assert "改为 7.5 分" in page.read_text(encoding="utf-8")
    number = page.stat().st_ino
    put_note(page, "改为 7.5 分")
    assert page.stat().st_ino == number
    put_note(page, "")
    assert page.read_bytes() == whole


@pytest.mark.parametrize("points", ["11", "10.5"])
def test_more_than_all_points_are_refused(batch: Batch, tmp_path: Path, points: str) -> None:
    """A slip of the finger is told with what would be right, and changes nothing."""
    written(tmp_path / "in", {"bob/concat.py": WRONG})
    batch("in")
    told = batch("--override", "bob", EXERCISE, points, "--by", "a", "--why", "b", exercise=False)
    assert told.code == 2
    assert f"04_concat has 10 points: expected 0 to 10, or the word none; found {points}." in told.err
    assert batch("in").rows["bob"]["override_by"] == ""
    assert batch("--override", "bob", EXERCISE, "10", "--by", "a", "--why", "b", exercise=False).code == 0


def test_the_help_says_what_an_override_needs(batch: Batch) -> None:
    """--by and --why are needed, also to take an override back."""
    text = " ".join(batch("--help").out.split())
    assert "Who overrides; --override needs it, also with none." in text
    assert "Why it is overridden; --override needs it, also with none." in text
