"""Tells by a descriptor that files in some folders may have changed.

A thread listens with watchfiles and gathers what comes in quick succession: an editor that saves by renaming, or in
several pieces, makes one change. A folder that is replaced by another one of its name is followed. Where nobody may
listen, since others listen to so much already or the folder is closed, the thread looks itself, ten times a second.
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
LOOKS = 100  # how often to look, where nobody can listen, before that is tried again
LOOK_MS = 100  # how often to look whether the folders are still the same, or, where nobody listens, what is in them


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
            try:
                self._follow()
            except FileNotFoundError:
                pass  # a folder went away meanwhile
            except (OSError, RuntimeError):  # watchfiles has a RuntimeError of its own for what it cannot name
                self._look()
            self._stop.wait(LOOK_MS / 1000)

    def _look(self) -> None:
        """Tell of changes for a while without listening; then that may be tried again."""
        before, changed = None, False
        for _time in range(LOOKS):
            if self._stop.is_set():
                return
            now = [_content(folder) for folder in self._folders]
            if changed or now != before:  # once more: two saves within a tick of the clock look like one
                self._tell()
            before, changed = now, now != before
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
            ignore_permission_denied=False,  # else a folder that nobody may listen to any more would be passed over
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


def _content(folder: Path) -> list[tuple[str, int, int, int]]:
    """What can be seen of the files in a folder without reading them, nothing where there is none."""
    try:
        with os.scandir(folder) as entries:
            return sorted(map(_look_of, entries))
    except OSError:
        return []


def _look_of(entry: os.DirEntry[str]) -> tuple[str, int, int, int]:
    try:
        found = entry.stat()
    except OSError:  # a link to nowhere, or it went away just now
        return entry.name, 0, 0, 0
    return entry.name, found.st_ino, found.st_size, found.st_ctime_ns


def _identity(folder: Path) -> tuple[int, int] | None:
    """Which folder it is, None where there is none."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
