"""The command that installs a missing extra fits the way in which this program was installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.installing import install_command, package_command

ROOT = Path(__file__).parents[2]
CLONE, RELEASE = "pip install -e '.[quiz]'", "pip install 'manyheads[quiz]'"


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
    assert install_command("quiz") == command


def test_what_is_not_installed_at_all_is_a_clone_where_its_project_lies_beside_it(tmp_path: Path) -> None:
    """On the import path alone, the file of the project tells a clone from a copy of the package."""
    told = "from grader.installing import install_command; print(install_command('quiz'))"
    shutil.copytree(ROOT / "grader", tmp_path / "grader", ignore=shutil.ignore_patterns("__pycache__", "templates"))
    for root, command in ((ROOT, CLONE), (tmp_path, RELEASE)):
        run = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(root)!r}); {told}"]
        assert subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip() == command


def test_a_package_that_no_extra_brings_is_named_itself() -> None:
    """An extra is named where there is one of that name."""
    assert package_command("einops", frozenset({"torch"})) == "pip install einops"
    assert package_command("torch", frozenset({"torch"})) == install_command("torch")
