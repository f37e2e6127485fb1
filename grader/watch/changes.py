"""Tells by a descriptor that files in some folders may have changed.

A thread listens with watchfiles and gathers what comes in quick succession: an editor that saves by renaming, or in
several pieces, makes one change. A folder that is replaced by another one of its name is followed.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Self

STEP_MS = 15  # a change is told once nothing followed it for so long
MOST_MS = 200  # or at the latest after this
LOOK_MS = 100  # how often to look whether the folders are still the same


class Changes:
    """Listens while it is used as a context manager.

    Args:
        folders: the files in them count; one need not be there yet.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._reading, self._writing = os.pipe()
        for end in (self._reading, self._writing):
            os.set_blocking(end, False)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Self:
        from watchfiles import watch  # noqa: PLC0415 - an extra, and slow to import

        self._watch = watch
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self._reading)
        os.close(self._writing)

    def fileno(self) -> int:
        """Readable where something may have changed since the last `taken`; at first, once the listening has begun."""
        return self._reading

    def taken(self) -> None:
        """Take note of it: what is read from now on is new enough."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._reading, 4096)

    # --- in the thread -----------------------------------------------------------------------------------------

    def _listen(self) -> None:
        while not self._stop.is_set():
            with contextlib.suppress(OSError):  # a folder went away meanwhile
                self._follow()
            self._stop.wait(LOOK_MS / 1000)

    def _follow(self) -> None:
        """Tell of changes until one of the folders is there no longer, or anew."""
        before = self._identities()
        listening = False
        for changes in self._watch(
            *(folder for folder, found in zip(self._folders, before, strict=True) if found),
            watch_filter=None,
            debounce=MOST_MS,
            step=STEP_MS,
            stop_event=self._stop,
            rust_timeout=LOOK_MS,
            yield_on_timeout=True,
            recursive=False,
            ignore_permission_denied=True,
        ):
            if changes or not listening:
                self._tell()
            listening = True
            if self._identities() != before:
                return

    def _tell(self) -> None:
        with contextlib.suppress(BlockingIOError):  # enough is waiting already
            os.write(self._writing, b".")

    def _identities(self) -> list[tuple[int, int] | None]:
        return [_identity(folder) for folder in self._folders]


def _identity(folder: Path) -> tuple[int, int] | None:
    """Which folder it is, None where there is none."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
