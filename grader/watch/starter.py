"""Puts a starter back in place of what was written; what was written is kept beside it."""

from __future__ import annotations

import os
from pathlib import Path

from grader.state import write_bytes_whole


def put_back(file: Path, starter: bytes) -> Path | None:
    """Write the starter where `file` lies; where the old file is kept now, None where there was none.

    Raises:
        OSError: one of them cannot be written; the old file is where it was.
    """
    kept = _kept(file) if os.path.lexists(file) else None
    file.parent.mkdir(exist_ok=True)
    write_bytes_whole(file, starter)
    return kept


def _kept(file: Path) -> Path:
    """A second name for the file; never one that is taken."""
    count = 1
    while True:
        kept = file.with_name(f"{file.name}.old" if count == 1 else f"{file.name}.old-{count}")
        try:
            kept.hardlink_to(file)
        except FileExistsError:
            count += 1
        else:
            return kept
