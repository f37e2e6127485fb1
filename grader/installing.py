"""Says how a package is installed that one part of the program needs: from a clone, or beside an installed release."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

NAME = "manyheads"
_PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def install_command(extra: str) -> str:
    """The command that installs an extra: `pip install -e …` in a clone, else `pip install 'manyheads[quiz]'`."""
    return f"pip install -e '.[{extra}]'" if _is_clone() else f"pip install '{NAME}[{extra}]'"


def package_command(package: str, extras: frozenset[str]) -> str:
    """The command that installs a package, by the extra of its name where there is one."""
    return install_command(package) if package in extras else f"pip install {package}"


def _is_clone() -> bool:
    """Whether this program runs from the folder that it is developed in."""
    try:
        origin = json.loads(metadata.distribution(NAME).read_text("direct_url.json") or "{}")
    except metadata.PackageNotFoundError:
        return _PROJECT.is_file()  # not installed at all: found on the import path
    except (OSError, ValueError):
        return False
    return bool(origin.get("dir_info", {}).get("editable"))
