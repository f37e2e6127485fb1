"""Puts a starter back in place of what was written; what was written is kept beside it.

    starter --> unfinished file            concat.py --> concat.py.old            unfinished file --> concat.py

What an editor saves between two of these steps stays where it was saved.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path


def put_back(file: Path, starter: bytes) -> Path | None:
    """Put the starter where `file` lies, whatever that is; where that is kept now, None where there was nothing.

    Raises:
        OSError: one of them cannot be written, and the old file is where it was; or another one was saved just now,
            which stays.
    """
    file.parent.mkdir(exist_ok=True)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}.partial")
    try:
        unfinished.write_bytes(starter)
        kept = _kept(file)
        try:
            _name(unfinished, file)
        except OSError:
            if kept is not None and not os.path.lexists(file):
                kept.rename(file)
            raise
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink()
    return kept


def _kept(file: Path) -> Path | None:
    """Give what lies there another name, which was free; None where nothing does."""
    count = 1
    while True:
        kept = file.with_name(f"{file.name}.old" if count == 1 else f"{file.name}.old-{count}")
        count += 1
        if os.path.lexists(kept):
            continue
        try:
            file.rename(kept)
        except FileNotFoundError:
            return None
        return kept


def _name(unfinished: Path, file: Path) -> None:
    """Give it the name of the file; raises FileExistsError where there is one again."""
    try:
        file.hardlink_to(unfinished)
    except OSError as error:
        if os.path.lexists(file):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file)) from error
        unfinished.rename(file)  # a file system without second names
