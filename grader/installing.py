"""Says how a package is installed that one part of the program needs: from a clone, or beside an installed release."""

from __future__ import annotations

import json
import shlex
from importlib import metadata
from pathlib import Path

from grader.errors import UsageError
from grader.model import Message

NAME = "manyheads"
_PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def install_command(extra: str) -> str:
    """The command that installs an extra: `pip install -e …` of a clone, else `pip install 'manyheads[quiz]'`.

    The clone is named by its folder where the user does not stand in it.
    """
    if not _is_clone():
        return f"pip install {shlex.quote(f'{NAME}[{extra}]')}"
    folder = "." if _stands_in(_PROJECT.parent) else str(_PROJECT.parent)
    return f"pip install -e {shlex.quote(f'{folder}[{extra}]')}"


def package_command(package: str, extras: frozenset[str]) -> str:
    """The command that installs a package, by the extra of its name where there is one."""
    return install_command(package) if package in extras else f"pip install {package}"


def not_installed(package: str, extra: str) -> UsageError:
    """What to raise where a package is missing that an extra brings."""
    return UsageError(Message("cli.extra_missing", {"package": package, "command": install_command(extra)}))


def _stands_in(folder: Path) -> bool:
    try:
        return Path.cwd() == folder
    except FileNotFoundError:  # the working directory is gone
        return False


def _is_clone() -> bool:
    """Whether this program runs from the folder that it is developed in."""
    try:
        origin = json.loads(metadata.distribution(NAME).read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        return _PROJECT.is_file()  # not installed at all: found on the import path
    except (OSError, ValueError):
        return False
    return bool(origin.get("dir_info", {}).get("editable"))
