"""The commands `grade audit` and `grade new`: what they print and write, and how they end."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tiny_course import EXERCISE, NAME, SOLUTION, Tiny

from grader.audit.proof import ExerciseAudit, Figure, Proof, figures
from grader.audit.run import PROOFS, audit_exercise
from grader.audit.skeleton import MARK
from grader.cli.main import run
from grader.course import load_course
from grader.errors import GraderError
from grader.sandbox.client import Sandbox

TOML = f"{EXERCISE}/exercise.toml"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment asks for English."""
    monkeypatch.setenv("MANYHEADS_LANG", "en")


# --- audit -------------------------------------------------------------------------------------------------------


def test_a_good_course_ends_with_0(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where everything holds there is a ✓ for every proof, the figures, and exit code 0."""
    assert run(["audit", "--course", str(good)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == NAME
    assert [line.split()[:2] for line in lines if line.startswith("  ✓")] == [["✓", proof] for proof in PROOFS]
    assert "Everything holds. Exercises: 1." in lines
    assert "  mistakes named as themselves: 3 of 3" in lines
    assert any(re.fullmatch(r"  mutants killed: (\d+) of \1", line) for line in lines)


def test_findings_end_with_1(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    """A finding stands below its ✗, the other proofs are tried all the same, and the exit code is 1."""
    tiny.write(f"{SOLUTION}/notes.txt", "by the way")
    assert run(["audit", NAME, "--course", str(tiny.root)]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("  ✗ files"))
    assert lines[at + 1].strip().startswith(f"{SOLUTION}/notes.txt: does not belong here.")
    assert sum(line.startswith("  ✓") for line in lines) == len(PROOFS) - 1
    assert "Findings: 1, in exercises: 1." in lines


def test_too_few_pairs_named_end_with_1() -> None:
    """A figure is held to its least share over all exercises together: 95 % of the pairs, and all of the rest."""

    def audited(*counts: tuple[str, int, int]) -> list[bool]:
        proofs = [Proof("pairs", counts={"named": named, "diagnosed": distinct}) for _, named, distinct in counts]
        audits = [ExerciseAudit(name, (proof,)) for (name, *_), proof in zip(counts, proofs, strict=True)]
        return [figure.holds for figure in figures(audits)]

    assert audited(("a", 8, 10), ("b", 90, 90)) == [True]
    assert audited(("a", 8, 10), ("b", 49, 51)) == [False]
    assert audited(("a", 0, 0)) == [True]
    assert not Figure("mutants_killed", 99, 100, 1.0).holds


def test_speaks_chinese(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    """In Chinese the table names its proofs and its findings in Chinese."""
    tiny.edit(TOML, 'module = "centre"', "module = 7")
    assert run(["audit", "--lang", "zh", "--course", str(tiny.root)]) == 1
    out = capsys.readouterr().out
    assert "✗ 文件" in out
    assert "发现 1 处问题，涉及 1 个练习。" in out


def test_an_unreadable_exercise_is_one_finding(tiny: Tiny) -> None:
    """Where exercise.toml cannot be read, that is said once and nothing else is tried."""
    tiny.edit(TOML, 'module = "centre"', "module = 7")
    (proof,) = tiny.audit().proofs
    (finding,) = proof.findings
    assert "exercise.toml: module: found 7" in str(finding.fields["text"])


def test_what_a_file_of_the_author_raises_is_a_finding(tiny: Tiny) -> None:
    """An error that comes out of mistakes.py is told with its line; it is no fault of the grader."""
    tiny.edit(f"{SOLUTION}/mistakes.py", "    size = 2 + rng", "    size = np.no_such_thing + rng")
    (proof,) = tiny.audit("mistakes").proofs
    (finding,) = proof.findings
    assert re.search(r"mistakes\.py, line \d+: found AttributeError: .*no_such_thing", str(finding.fields["text"]))


def test_a_fault_of_ours_comes_out(tiny: Tiny) -> None:
    """An error that no file of the course has raised is not taken for a finding."""

    def broken(_packages: tuple[str, ...]) -> Sandbox:
        raise GraderError("no sandbox today")

    with pytest.raises(GraderError, match="no sandbox today"):
        audit_exercise(load_course(tiny.root), NAME, broken)


def test_json_holds_what_the_table_says(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    """--json writes proofs, counts, findings with all of their fields in both languages, and nothing else to stdout."""
    tiny.write(f"{SOLUTION}/notes.txt", "by the way")
    assert run(["audit", NAME, "--json", "-", "--course", str(tiny.root)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["full"], told["holds"]) == (1, False, False)
    (exercise,) = told["exercises"]
    proofs = {proof["proof"]: proof for proof in exercise["proofs"]}
    assert list(proofs) == list(PROOFS)
    (finding,) = proofs["files"]["findings"]
    assert finding["finding"] == "audit.file_stray"
    assert finding["fields"] == {"file": f"{SOLUTION}/notes.txt"}
    assert "不应放在这里" in finding["zh"]
    assert proofs["mistakes"]["counts"] == {"total": 3, "caught": 3, "named": 3, "styles": 1}
    assert told["figures"]["mistakes_named"] == {"reached": 3, "total": 3}


def test_an_exercise_may_be_a_path(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    """A path to the folder of an exercise names it; what names none is refused with those that there are."""
    tiny.edit(TOML, 'module = "centre"', "module = 7")
    course = ["--course", str(tiny.root)]
    assert run(["audit", "elsewhere/16_other", *course]) == 2
    assert "There is no exercise elsewhere/16_other. The exercises are: 17_centre." in capsys.readouterr().err
    assert run(["audit", f"{tiny.root / EXERCISE}/", *course]) == 1
    assert capsys.readouterr().out.startswith(f"{NAME}\n")


# --- new ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A course without exercises."""
    for part in ("exercises", "solutions"):
        (tmp_path / part).mkdir()
    return tmp_path


def test_new_writes_an_exercise(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`grade new` writes both folders and the cards, named after the topic, and says what comes next."""
    assert run(["new", "21_row_means", "--course", str(empty)]) == 0
    out = capsys.readouterr().out
    assert f"grade audit 21_row_means --course {empty}" in out
    assert "def row_means(x" in (empty / "solutions/21_row_means/row_means.py").read_text()
    assert (empty / "exercises/21_row_means/test_row_means.py").is_file()
    assert (empty / "solutions/21_row_means/test_row_means_hidden.py").is_file()
    assert "[mistake.row-means-in-place]" in (empty / "exercises/mistakes.toml").read_text()


def test_new_keeps_the_cards_that_are_there(empty: Path) -> None:
    """The cards of a new exercise stand behind those of the others, which stay as they are."""
    catalogue = empty / "exercises/mistakes.toml"
    catalogue.write_text("# ours\n", encoding="utf-8")
    assert run(["new", "21_row_means", "--course", str(empty)]) == 0
    assert run(["new", "22_column_means", "--course", str(empty)]) == 0
    text = catalogue.read_text(encoding="utf-8")
    assert text.startswith("# ours\n")
    assert text.count("[mistake.") == 6


def test_what_is_new_still_has_to_be_filled(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An audit of a skeleton names every file with a TODO, and finds nothing else to complain about."""
    run(["new", NAME, "--course", str(empty)])
    capsys.readouterr()
    assert run(["audit", "--json", "-", "--course", str(empty)]) == 1
    told = json.loads(capsys.readouterr().out)
    found = {finding["finding"] for proof in told["exercises"][0]["proofs"] for finding in proof["findings"]}
    assert found == {"audit.todo_left", "audit.text_todo"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Which exercise? Type its number and topic, for example: grade new 17_topic"),
        (["topic"], "topic: expected two digits and a topic in lower case, such as 17_topic."),
        (["17_../../x"], "17_../../x: expected two digits"),
        (["17_centre", "more"], "more is one argument too many"),
    ],
)
def test_new_refuses_a_senseless_name(
    empty: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    """A name that is none ends with exit code 2, and nothing is written."""
    assert run(["new", *arguments, "--course", str(empty)]) == 2
    assert sentence in capsys.readouterr().err
    assert list(empty.rglob("*.*")) == []


def test_new_refuses_a_name_that_is_taken(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is there already is never overwritten."""
    (empty / SOLUTION).mkdir(parents=True)
    assert run(["new", NAME, "--course", str(empty)]) == 2
    assert f"{SOLUTION} is there already. Choose another number or topic." in capsys.readouterr().err
    assert not (empty / EXERCISE).exists()


def test_new_says_what_cannot_be_written(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the course cannot be written to, path and reason are said."""
    (empty / "exercises/mistakes.toml").mkdir()
    assert run(["new", NAME, "--course", str(empty)]) == 2
    assert f"{empty}: cannot be written: Is a directory." in capsys.readouterr().err


def test_every_template_says_where_to_begin(empty: Path) -> None:
    """Every Python, Markdown and TOML file of a skeleton has a TODO, so that none of them is overlooked."""
    run(["new", NAME, "--course", str(empty)])
    without = [path.name for path in empty.rglob("*.*") if path.is_file() and not MARK.search(path.read_text())]
    assert without == []
