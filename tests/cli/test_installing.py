"""The command that installs a missing extra fits the way in which this program was installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.installing import install_command, not_installed, package_command
from grader.texts import say

ROOT = Path(__file__).parents[2]
CLONE, RELEASE = "pip install -e ", "pip install 'manyheads[quiz]'"


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        ({"url": "file:///home/me/manyheads", "dir_info": {"editable": True}}, CLONE),
        ({"url": "file:///home/me/manyheads-0.1.0-py3-none-any.whl", "archive_info": {}}, RELEASE),
        ({"url": "file:///home/me/manyheads", "dir_info": {}}, RELEASE),
        (None, RELEASE),
    ],
)
def test_the_command_fits_the_installation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, origin: dict[str, object] | None, command: str
) -> None:
    """An editable installation is a clone; a wheel, a copied folder and a release from an index are not."""
    about = tmp_path / "manyheads-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: manyheads\nVersion: 0.1.0\n")
    if origin is not None:
        (about / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.syspath_prepend(str(tmp_path))
    assert install_command("quiz").startswith(command)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with a blank in its name that holds a copy of the package, without the file of the project."""
    folder = tmp_path / "my course"
    leave_out = shutil.ignore_patterns("__pycache__", "templates")
    shutil.copytree(ROOT / "grader", folder / "grader", ignore=leave_out)
    return folder


def _told(root: Path, stands_in: Path) -> str:
    """The command as a program that lies in `root`, and is installed nowhere, gives it to somebody."""
    code = "from grader.installing import install_command; print(install_command('quiz'))"
    run = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(root)!r}); {code}"]
    return subprocess.run(run, cwd=stands_in, capture_output=True, text=True, check=True).stdout.strip()


def test_what_is_not_installed_at_all_is_a_clone_where_its_project_lies_beside_it(copied: Path) -> None:
    """On the import path alone, the file of the project tells a clone from a copy of the package."""
    assert _told(copied, copied) == RELEASE
    (copied / "pyproject.toml").touch()
    assert _told(copied, copied).startswith(CLONE)


def test_a_clone_is_named_by_its_folder_where_nobody_stands_in_it(copied: Path) -> None:
    """The command works as it is typed: "." in the folder of the project, else its path, quoted for a shell."""
    (copied / "pyproject.toml").touch()
    assert _told(copied, copied) == "pip install -e '.[quiz]'"
    assert _told(copied, copied.parent) == f"pip install -e '{copied}[quiz]'"


def test_a_package_that_no_extra_brings_is_named_itself() -> None:
    """An extra is named where there is one of that name."""
    assert package_command("einops", frozenset({"torch"})) == "pip install einops"
    assert package_command("torch", frozenset({"torch"})) == install_command("torch")


def test_an_extra_that_is_missing_is_one_sentence_with_its_command() -> None:
    """The package is named as a user knows it, and the command installs the extra that brings it."""
    error = not_installed("SQLAlchemy", "batch")
    assert say(error.message, "en") == f"SQLAlchemy is not installed. To install it: {install_command('batch')}"
