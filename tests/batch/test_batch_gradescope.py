"""`grade gradescope`: the zip that Gradescope is given, and what its run_autograder leaves for each upload."""

import importlib.util
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from made_class import EXERCISE, LOOP, RIGHT, ROOT, STARTER, WRONG, written, zipped

from grader.cli.main import run

BOTH = (EXERCISE, "03_masked_softmax")


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """The source of the grader as a wheel has it; the rest of a wheel is pip's matter (test_cli_wheel.py)."""
    sources = {f"grader/{path.relative_to(ROOT / 'grader')}": path.read_bytes() for path in grader_files()}
    return zipped(tmp_path / "manyheads-0.1.0-py3-none-any.whl", sources)


def grader_files() -> list[Path]:
    """Every module of the grader."""
    return sorted((ROOT / "grader").rglob("*.py"))


@pytest.fixture
def base(wheel: Path, tmp_path: Path) -> Path:
    """A folder like /autograder, with the zip unpacked as Gradescope does, for both exercises."""
    out = tmp_path / "autograder.zip"
    assert run(["gradescope", *BOTH, "--out", str(out), "--wheel", str(wheel)]) == 0
    with zipfile.ZipFile(out) as archive:
        archive.extractall(tmp_path / "autograder" / "source")
    return tmp_path / "autograder"


def test_the_zip_holds_what_is_needed_and_nothing_else(base: Path) -> None:
    """Two scripts that bash can read, the wheel, and of the course the exercises that are graded, suites included."""
    found = {path.relative_to(base / "source").as_posix() for path in (base / "source").rglob("*") if path.is_file()}
    names = {"setup.sh", "run_autograder", "constraints.txt", "unfinished.json", "manyheads-0.1.0-py3-none-any.whl"}
    assert {name for name in found if not name.startswith("course/")} == names
    assert f"course/solutions/{EXERCISE}/test_concat_hidden.py" in found
    assert {name.split("/")[2] for name in found if name.startswith("course/")} == {"mistakes.toml", *BOTH}
    for script in ("setup.sh", "run_autograder"):
        subprocess.run(["/bin/bash", "-n", base / "source" / script], check=True)
    constraints = (base / "source" / "constraints.txt").read_text().split()
    assert [line.partition("==")[0] for line in constraints] == ["pytest", "numpy"]
    assert "[batch]" in (base / "source" / "setup.sh").read_text()


def test_torch_comes_along_where_an_exercise_needs_it(wheel: Path, tmp_path: Path) -> None:
    """The extra, held to the version of this machine."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("without torch there is no version to hold it to")
    out = tmp_path / "a.zip"
    assert run(["gradescope", "08_batched_heads", "--out", str(out), "--wheel", str(wheel)]) == 0
    with zipfile.ZipFile(out) as archive:
        setup, constraints = archive.read("setup.sh").decode(), archive.read("constraints.txt").decode()
    assert "[batch,torch]" in setup
    subprocess.run(["/bin/bash", "-n"], input=setup.encode(), check=True)
    assert "torch==" in constraints
    assert "+" not in constraints


def test_the_same_content_is_the_same_zip(wheel: Path, tmp_path: Path) -> None:
    """No time and no order of a folder is in it; both scripts may be executed."""
    for name in ("a.zip", "b.zip"):
        assert run(["gradescope", EXERCISE, "--out", str(tmp_path / name), "--wheel", str(wheel)]) == 0
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        modes = {one.filename: one.external_attr >> 16 & 0o777 for one in archive.infolist()}
    assert (modes["setup.sh"], modes["run_autograder"], modes["constraints.txt"]) == (0o755, 0o755, 0o644)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "Which exercise?"),
        (["4"], "Add --out autograder.zip"),
        (["4", "--submission", "."], "belong together"),
        (["99", "--out", "a.zip"], "There is no exercise 99."),
        (["4", "--out", "a.zip", "--feedback", "all"], "full, summary, names; found all"),
        (["4", "--out", "a.zip", "--wheel", "nowhere.whl"], "nowhere.whl: expected the wheel"),
    ],
)
def test_a_senseless_command_is_told(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    """Exit code 2 and a sentence with the next step; nothing is written."""
    assert run(["gradescope", *arguments, "--lang", "en"]) == 2
    assert says in capsys.readouterr().err
    assert not Path("a.zip").exists()


def test_a_wheel_of_another_version_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An autograder grades as this program does: a wheel with another source has to be built again."""
    sources = {f"grader/{path.relative_to(ROOT / 'grader')}": path.read_bytes() for path in grader_files()}
    old = zipped(tmp_path / "old.whl", {**sources, "grader/checks.py": "# of last year\n"})
    assert run(["gradescope", "4", "--out", str(tmp_path / "a.zip"), "--wheel", str(old), "--lang", "en"]) == 2
    assert "(grader/checks.py differs). Build it again" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("programs", "says", "asked"),
    [
        ({}, "There is no apt-get here. Choose Ubuntu 22.04 or newer", []),
        (
            {"apt-get": "", "python3": "exit 1"},
            "There is no Python 3.11 here. Choose Ubuntu",
            ["python3", "python3.11"],
        ),
        ({"apt-get": "", "python3": 'test "$1" != -m'}, "", ["python3"]),
    ],
    ids=["another-system", "too-old", "venv-fails"],
)
def test_an_image_that_cannot_grade_is_not_built(
    base: Path, tmp_path: Path, programs: Mapping[str, str], says: str, asked: list[str]
) -> None:
    """Gradescope's own log says which image to choose; nothing goes on after a step that failed."""
    for name, does in programs.items():
        told = f'case "$*" in *install*python3.11*) status=100;; esac\necho "$@" >> {tmp_path}/asked\n'
        script = tmp_path / "bin" / name
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"#!/bin/bash\nstatus=0\n{told if name == 'apt-get' else ''}{does or 'exit $status'}\n")
        script.chmod(0o755)
    environment = {"PATH": str(tmp_path / "bin"), "AUTOGRADER": str(base)}
    command = ["/bin/bash", base / "source" / "setup.sh"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, says in done.stderr) == (1, True), done.stderr
    installs = [line for line in (tmp_path / "asked").read_text().splitlines() if "install" in line] if asked else []
    assert [line.split()[-2] for line in installs] == asked
    assert not (base / "venv").exists()


# --- what Gradescope runs ----------------------------------------------------------------------------------------


@pytest.fixture
def uploaded(base: Path, environment: dict[str, str]) -> Callable[..., dict]:
    """Runs run_autograder on an upload, None for none at all; the results, which are valid in any case."""

    def graded(files: Mapping[str, str | bytes] | None, **variables: str) -> dict:
        if files is not None:
            (base / "submission").mkdir()
            written(base / "submission", files)
        paths = {"AUTOGRADER": str(base), "PYTHON": sys.executable}
        done = subprocess.run(
            ["/bin/bash", base / "source" / "run_autograder"],
            env={**environment, **paths, **variables},
            cwd=base,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0
        result = json.loads((base / "results" / "results.json").read_text(encoding="utf-8"))
        assert isinstance(result["score"], float)
        for test in result["tests"]:
            assert test["status"] in {"passed", "failed"}
            assert 0 <= test["score"] <= test["max_score"]
        return {**result, "log": done.stderr}

    return graded


@pytest.mark.slow
def test_an_upload_is_graded_as_in_a_batch(uploaded: Callable[..., dict]) -> None:
    """Files are found whatever they are called; an exercise without a file has all its checks and no point."""
    result = uploaded({"concat (1).py": WRONG, "notes.txt": "hello"})
    assert result["score"] == 2
    assert "04_concat: 2 / 10" in result["output"]
    assert "Heads are merged by reshape alone" in result["output"]
    assert result["output"].endswith("\nNo file for this exercise among: notes.txt")  # and nothing about a starter
    assert [each["verdict"] for each in result["extra_data"]["exercises"]] == ["partly", "not_attempted"]
    numbers = [test["number"] for test in result["tests"]]
    assert numbers[:2] == ["04.1", "04.2"]
    assert {number[:2] for number in numbers} == {"04", "03"}
    assert sum(test["max_score"] for test in result["tests"]) == 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "score", "says"),
    [
        (None, 0, "No Python file for this exercise."),
        ({}, 0, "No Python file for this exercise."),
        ({"concat.py": b"\xff\xfe\x00"}, 0, "not saved as UTF-8"),
        ({"concat.py": "x" * 3_000_000}, 0, "up to 1 MiB is read"),
        ({"work/hw.zip": b"PK\x03\x04 broken"}, 0, "damaged or cut off"),
        ({"concat.py": STARTER}, 0, "Not attempted yet"),
        ({"concat.py": LOOP}, 0, "Stopped at the time limit\nNo answer after 2 s"),
        ({"concat.py": "import os\nos._exit(0)\n"}, 0, "ended"),
        ({"alice/concat.py": RIGHT, "results.json": '{"score": 100}'}, 10, "All checks pass"),
    ],
    ids=["none", "empty", "no-text", "too-large", "broken-archive", "starter", "loop", "ends-itself", "right"],
)
def test_every_upload_has_results(
    uploaded: Callable[..., dict], files: Mapping[str, str | bytes] | None, score: float, says: str
) -> None:
    """Whatever is uploaded, or nothing, there are valid results with all checks and a sentence for the student."""
    result = uploaded(files)
    assert (result["score"], says in result["output"]) == (score, True), result["output"]
    assert len(result["tests"]) > 6


@pytest.mark.slow
def test_what_does_not_end_leaves_results_too(uploaded: Callable[..., dict], base: Path) -> None:
    """Situation C024: the program is not there, or is stopped: what was written first says that nothing was graded."""
    result = uploaded({"concat.py": RIGHT}, PYTHON="/bin/false")
    assert (result["score"], result["tests"]) == (0, [])
    assert "Hand in again" in result["output"]


@pytest.mark.slow
def test_a_fault_of_the_course_is_not_the_students(uploaded: Callable[..., dict], base: Path) -> None:
    """A broken suite is told as such, with what the instructor needs; the log has the rest."""
    (base / "source" / "course" / "solutions" / EXERCISE / "test_concat_hidden.py").write_text(
        "import nothing_like_it\n"
    )
    result = uploaded({"concat.py": RIGHT})
    assert (result["score"], result["tests"]) == (0, [])
    assert "not because of your code" in result["output"]
    assert "The course has a fault" in result["log"]
