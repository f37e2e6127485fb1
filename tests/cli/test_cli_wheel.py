"""The installed wheel: it carries its course, and nothing that it does not need."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from small_course import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without the network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel was installed, far from any checkout."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command away from any course."""
    return subprocess.run(
        [sys.executable, "-m", "grader.cli", *arguments],
        cwd=installed.parent,
        env={**environment, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_holds_the_course_and_no_tests(wheel: Path) -> None:
    """Package and course are in the wheel; our tests, caches and a student's reports are not."""
    names = zipfile.ZipFile(wheel).namelist()
    assert "grader/packaged/exercises/04_concat/concat.py" in names
    assert "grader/packaged/solutions/04_concat/test_concat_hidden.py" in names
    assert "grader/report/templates/report.html" in names
    assert {name.split("/")[0] for name in names} == {"grader", "manyheads-0.1.0.dist-info"}
    assert not [name for name in names if "__pycache__" in name or ".manyheads" in name]


def test_the_installed_command_grades_with_its_own_course(
    installed: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """Without a checkout, the course inside the package decides; a student's folder needs nothing but the file."""
    reference = (installed / "grader" / "packaged" / "solutions" / "04_concat" / "concat.py").read_text()
    folder = tmp_path / "04_concat"
    folder.mkdir()
    (folder / "concat.py").write_text(reference)
    done = run(installed, environment, str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / ".manyheads" / "reports" / "04_concat.html").is_file()


def test_the_installed_doctor_names_its_course(installed: Path, environment: dict[str, str]) -> None:
    """`grade doctor` shows the version of the wheel and the course inside the package."""
    done = run(installed, environment, "doctor")
    assert done.returncode == 0, done.stderr
    assert "manyheads         0.1.0\n" in done.stdout
    assert f"course            {installed / 'grader' / 'course'}\n" in done.stdout
