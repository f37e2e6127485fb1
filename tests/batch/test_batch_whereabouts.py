"""A folder of results keeps the gradebook that it has: another one is never begun in it by mistake."""

from collections.abc import Callable
from pathlib import Path

import pytest
from made_class import EXERCISE, RIGHT, WRONG, Ran, written
from made_results import filled

from grader.cli.batch import Options
from grader.cli.batch import batch as run_batch
from grader.cli.batch_grade import read_input
from grader.cli.quiz_items import _in_code
from grader.course import Course
from grader.errors import UsageError
from grader.gradebook.database import FILE, peek
from grader.gradebook.inputs.roster import Roster, kept_text
from grader.gradebook.whereabouts import MARK, led_to, refuse_another, remember
from grader.model import LANGUAGES

URL = "postgresql+psycopg://prof:secret@db.example:5433/grades?sslmode=require&password=secret&sslpassword=secret"
KEPT = "postgresql+psycopg://prof:***@db.example:5433/grades?sslmode=require"


def test_the_place_of_the_gradebook_is_kept_without_a_password(tmp_path: Path) -> None:
    """Wherever a URL may hold a password, it is not in the file; the same URL is taken, a file in its place refused."""
    remember(tmp_path, URL)
    assert (tmp_path / MARK).read_text(encoding="utf-8") == f"{KEPT}\n"
    refuse_another(tmp_path, URL)
    with pytest.raises(UsageError) as told:
        refuse_another(tmp_path, None)
    assert told.value.message.fields["option"] == f"--gradebook '{KEPT}'"
    remember(tmp_path, "postgresql+psycopg://prof@db.example/grades")
    with pytest.raises(UsageError, match=r"book_at_url .*'--gradebook postgresql\+psycopg://prof@db.example/grades'"):
        refuse_another(tmp_path, None)


def test_a_forgotten_gradebook_changes_nothing(batch: Callable[..., Ran], tmp_path: Path) -> None:
    """Neither a file nor a new gradebook is written; what is said names the gradebook and what to type."""
    folder = written(tmp_path / "in", {"bob/concat.py": WRONG})
    out = written(tmp_path / "out", {"grades.csv": "673 lines"})
    remember(out, URL)
    there = {path.name: path.read_bytes() for path in out.iterdir()}
    done = batch(folder)
    assert (done.code, done.out) == (2, "")
    assert f"out: the gradebook of this folder is at {KEPT}. Add --gradebook '{KEPT}', with the password" in done.err
    assert {path.name: path.read_bytes() for path in out.iterdir()} == there


@pytest.mark.parametrize(
    "asked",
    [
        {"override": ("bob", EXERCISE, "1"), "by": "Li Wei", "why": "so"},
        {"anonymous": True},
        {"export": ("moodle",)},
        {"missing": "zero"},
    ],
)
def test_without_submissions_it_is_refused_as_well(tmp_path: Path, asked: dict[str, object]) -> None:
    """An override, an export or a setting alone goes to the gradebook of the folder or nowhere."""
    remember(tmp_path, URL)
    with pytest.raises(UsageError, match=r"batch\.book_at_url"):
        run_batch(options(tmp_path, **asked))
    assert [path.name for path in tmp_path.iterdir()] == [MARK]


def test_a_folder_with_a_gradebook_takes_none_at_a_url(tmp_path: Path) -> None:
    """The server is not even asked, in either language of the sentence."""
    filled(tmp_path, []).close()
    for language in LANGUAGES:
        with pytest.raises(UsageError, match=rf"batch\.book_in_folder.*{FILE}"):
            run_batch(options(tmp_path, language=language, gradebook=URL, anonymous=True))
    assert not (tmp_path / MARK).exists()


def test_who_only_reads_a_folder_is_led_to_its_gradebook(tmp_path: Path) -> None:
    """Where no password is needed, the URL is gone to; else it is told what to type; a file in the folder is no URL."""
    remember(tmp_path, URL)
    with pytest.raises(UsageError, match=r"batch\.book_at_url_to_be_read") as told:
        _in_code(str(tmp_path))
    assert told.value.message.fields["option"] == f"--gradebook '{KEPT}'"
    (tmp_path / MARK).write_text("sqlite:///elsewhere\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"database\.other_driver"):  # it went there, and the driver was refused
        _in_code(str(tmp_path))
    (tmp_path / MARK).unlink()
    filled(tmp_path, []).close()
    assert led_to(tmp_path) is None
    assert _in_code(str(tmp_path)).attempted == {}


def test_a_setting_is_read_before_anything_is_made(tmp_path: Path) -> None:
    """Where no gradebook is, nothing is there to be read, and none is there afterwards."""
    assert peek(tmp_path, None, "keep") is None
    assert list(tmp_path.iterdir()) == []
    book = filled(tmp_path, [])
    assert peek(tmp_path, None, "keep") is None
    book.settle("keep", "best")
    book.close()
    assert peek(tmp_path, None, "keep") == "best"


def test_a_forgotten_class_list_changes_nobody(tmp_path: Path, course: Course) -> None:
    """The list given last says whose a file is, and this is said; `none` drops it, another one takes its place."""
    files = {"ada/concat.py": RIGHT, "Weiss Dora_48211_assignsubmission_file_/concat.py": WRONG}
    folder = written(tmp_path / "in", {**files, "leo/concat.py": WRONG})
    (tmp_path / "other.csv").write_text("id,name\ns7,Dora Weiss\n")
    book = filled(tmp_path, [])
    book.settle("roster", kept_text(Roster({"s2655": "Dora Weiß-Lang", "ada": "Ada"}, {"48211": "s2655"})))
    book.close()

    def students(typed: str | None) -> tuple[set[str], list[str], str | None]:
        asked = options(tmp_path, submissions=str(folder), roster=typed)
        with read_input(asked, course, [EXERCISE], tmp_path) as given:
            notes = [note.key for note in given.found.notes]
            return {row.student for row in given.found.rows}, notes, given.kept

    assert students(None)[:2] == ({"ada", "leo", "s2655"}, ["batch.roster_kept"])
    assert students("none") == ({"ada", "leo", "Weiss Dora_48211_assignsubmission_file_"}, [], "")
    assert students(str(tmp_path / "other.csv")) == ({"ada", "leo", "s7"}, [], '[{"s7": "Dora Weiss"}, {}]')


def options(out: Path, **asked: object) -> Options:
    """The command line with these options alone."""
    nothing = dict.fromkeys(Options.__dataclass_fields__)
    plain = {"language": "en", "spoken": False, "exercise": (), "export": (), "all": False, "anonymous": False}
    more = {"regrade": False, "allow_weak_isolation": False, "out": str(out)}
    return Options(**{**nothing, **plain, **more, **asked})
