"""Several files of one student: which one counts; and what counts where there is none."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from made_class import EXERCISE, RIGHT, WRONG, Ran, written

Batch = Callable[..., Ran]
BROKEN = "def concat_heads(heads):\n    return undefined\n"


def results(folder: Path) -> int:
    """How many results the gradebook holds, the earlier ones too."""
    with sqlite3.connect(folder / "gradebook.db") as connection:
        return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])


def test_the_best_of_several_files_counts(batch: Batch, tmp_path: Path) -> None:
    """Situation C140: with --keep best one file counts whole, with its page; it is graded once and then left alone."""
    files = {"alice/concat.py": RIGHT, "alice/concat (1).py": WRONG, "alice/concat (2).py": BROKEN}
    written(tmp_path / "in", {**files, "bob/concat.py": WRONG, "bob/concat-2.py": WRONG})
    latest = batch("in")
    assert (latest.rows["alice"]["file"], latest.rows["alice"]["points"]) == ("alice/concat (2).py", "0")
    best = batch("in", "--keep", "best")
    row = best.rows["alice"]
    assert (row["verdict"], row["file"]) == ("accepted", "alice/concat.py")
    assert row["note"] == (
        "For 04_concat, alice/concat.py counts, the best of these: "
        "alice/concat (2).py, alice/concat (1).py, alice/concat.py"
    )
    assert "alice: for 04_concat, alice/concat.py counts, the best of these: " in " ".join(best.out.split())
    assert "0 -> 10" in best.out
    pages = sorted(path.name for path in (best.folder / "reports" / "alice").iterdir())
    assert pages == [f"{EXERCISE}.html"]
    page = (best.folder / "reports" / "alice" / pages[0]).read_text(encoding="utf-8")
    assert "10 of 10" in page or "10/10" in page or "10 / 10" in page
    held = results(best.folder)
    again = batch("in")  # it holds until another is given
    assert "Graded in this run: 0." in again.out
    assert (again.rows["alice"]["file"], results(best.folder)) == ("alice/concat.py", held)
    written(tmp_path / "in", {"alice/concat (3).py": f"{RIGHT}# better style\n"})
    assert batch("in", "--keep", "best").rows["alice"]["file"] == "alice/concat (3).py"  # the later one of equals


def test_who_handed_in_nothing_gets_zero_where_that_is_asked_for(batch: Batch, tmp_path: Path) -> None:
    """--missing zero holds in every later run and export, until it is taken back; what is unreadable stays blank."""
    written(tmp_path / "in", {"alice/concat.py": RIGHT, "carol/concat.py": b"#" * (2**20 + 1)})
    (tmp_path / "class.csv").write_text("id,name\nalice,A\nbob,B\ncarol,C\n")

    def points(*arguments: str) -> list[str]:
        done = batch("in", "--roster", "class.csv", *arguments)
        return [done.rows[student]["points"] for student in ("alice", "bob", "carol")]

    assert points() == ["10", "", ""]
    assert points("--missing", "zero") == ["10", "0", ""]
    assert points() == ["10", "0", ""]
    override = ("--override", "bob", EXERCISE, "4", "--by", "x", "--why", "ill")
    assert batch(*override, exercise=False).rows["bob"]["points"] == "4"
    assert batch(*override[:3], "none", *override[4:], exercise=False).rows["bob"]["points"] == "0"
    assert points("--missing", "blank") == ["10", "", ""]


def test_what_is_not_known_is_told(batch: Batch, tmp_path: Path) -> None:
    """A slip in a value grades nothing."""
    written(tmp_path / "in", {"alice/concat.py": RIGHT})
    for option, value in (("--keep", "first"), ("--missing", "none")):
        told = batch("in", option, value)
        assert (told.code, f"{option} takes " in told.err, f"found {value}." in told.err) == (2, True, True)
    assert not (tmp_path / "out").exists()
