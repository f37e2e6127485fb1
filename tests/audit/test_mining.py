"""Behaviours that no mistake explains are kept without a word of the source, and put together for the author."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.audit.mining import mine
from grader.cli.main import run
from grader.course import load_course
from grader.errors import UsageError

ROOT = Path(__file__).parents[2]
EXERCISE = str(ROOT / "exercises" / "04_concat")
HEAD = "import numpy as np\nclass SecretError(KeyError):\n    pass\ndef concat_heads(heads):\n    "
SCALED = HEAD + "return np.concatenate(list(heads), axis=-1) * np.arange(heads.shape[1])[:, None]\n"
SCALED_TOO = SCALED.replace("heads):", "heads):\n    secret = 'secret'", 1)
RAISES = HEAD + "raise SecretError('secret')\n"
NAMED = HEAD + "return heads.reshape(heads.shape[1], -1)\n"


def _collected(folder: Path, *sources: str) -> Path:
    """The file that grading these sources one after the other leaves behind."""
    file = folder / "unexplained.jsonl"
    for source in sources:
        (folder / "student.py").write_text(source)
        wanted = ["--file", str(folder / "student.py"), "--no-report", "--lang", "en", "--collect", str(file)]
        assert run([EXERCISE, *wanted]) == 1
    return file


def test_the_same_behaviour_is_one_group(tmp_path: Path) -> None:
    """Sources that differ and behave alike are one group, the largest stands first, and a named mistake is not kept."""
    file = _collected(tmp_path, RAISES, SCALED, SCALED_TOO, NAMED)
    (found,) = mine(load_course(ROOT), [file])
    assert (found.exercise, found.signatures, found.outdated) == ("04_concat", 3, 0)
    assert [group.size for group in found.groups] == [2, 1]
    assert [symptom.message.key for symptom in found.groups[0].symptoms] == ["audit.mine_values"]
    (symptom,) = found.groups[1].symptoms
    assert symptom.message.fields == {"type": "KeyError"}
    assert symptom.probes[:3] == (0, 1, 2)


def test_nothing_of_the_source_is_kept(tmp_path: Path) -> None:
    """Neither names nor texts of a student get into the file."""
    written = _collected(tmp_path, RAISES, SCALED_TOO).read_text().lower()
    assert "secret" not in written
    assert "student" not in written


def test_other_probes_are_only_counted(tmp_path: Path) -> None:
    """A signature that was made with other probes is in no group."""
    file = _collected(tmp_path, SCALED)
    told = json.loads(file.read_text())
    file.write_text(json.dumps(told | {"probes": "0"}) + "\n")
    (found,) = mine(load_course(ROOT), [file])
    assert (found.signatures, found.outdated, found.groups) == (1, 1, [])


@pytest.mark.parametrize("content", ["no json\n", "[]\n", '{"schema": 1}\n', "[" * 100_000])
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    """A line that `--collect` did not write is told by file and number."""
    file = tmp_path / "other.jsonl"
    file.write_text(content)
    with pytest.raises(UsageError) as refused:
        mine(load_course(ROOT), [file])
    assert refused.value.message.key == "audit.mine_not_a_signature"


def test_the_groups_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`grade audit --mine` prints how often a behaviour was met, and on which probes it shows."""
    file = _collected(tmp_path, SCALED, SCALED)
    capsys.readouterr()
    assert run(["audit", "--mine", str(file), "--lang", "en"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "1. met 2 x" in lines
    assert any(line.startswith("other numbers: probes 0, ") for line in lines)


def test_mine_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a file there is nothing to group."""
    assert run(["audit", "--mine", "--lang", "en"]) == 2
    assert "--mine needs at least one file" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The submission is graded all the same, and the exit code says that an option could not be done."""
    (tmp_path / "student.py").write_text(SCALED)
    wanted = ["--file", str(tmp_path / "student.py"), "--no-report", "--lang", "en", "--collect", str(tmp_path)]
    assert run([EXERCISE, *wanted]) == 2
    told = capsys.readouterr()
    assert "concat_heads" in told.out
    assert "--collect" in told.err
