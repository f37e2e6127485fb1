"""Keeps a folder to stand in: the working directory may be removed while somebody works."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


class Ground:
    """Remembers where it began."""

    def __init__(self) -> None:
        self._begun = Path.cwd()

    def keep(self) -> None:
        """Where the working directory is gone, stand in one of that name, else in the nearest one that is left."""
        with contextlib.suppress(FileNotFoundError):
            os.getcwd()  # noqa: PTH109 - asked, not used
            return
        for place in (self._begun, *self._begun.parents):
            with contextlib.suppress(OSError):
                os.chdir(place)
                return
