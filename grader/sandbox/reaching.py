"""Notes what a submission reaches for outside of the sandbox, though it swallows the refusal."""

from __future__ import annotations

import errno
import os
import stat
import sys
from types import FrameType
from typing import Any

# Python tells of these before the lockdown refuses them; code may go on as if nothing had been.
_EVENTS = {
    **dict.fromkeys(("socket.__new__", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"), "network"),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn"), "program"),
    "open": "file",
}
_LOCAL_SOCKET = 1  # AF_UNIX
_SUBMISSION = "submission"  # the module's name, as in answering.py
# Modules that open what their caller names, and nothing else.
_PATHS = frozenset({"pathlib", "pathlib._local", "pathlib._abc", "runpy"})
_IMPORTS = frozenset(
    {"importlib._bootstrap_external", "_frozen_importlib_external", "importlib._bootstrap", "_frozen_importlib"}
)
_reached: list[str] = []  # and not yet told
_known_to_reach: set[str] = set()
_open, _close, _stat = os.open, os.close, os.stat  # as they were before a submission could rebind them


def note(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: it stays whatever a submission does, though code that means harm can get past it."""
    what = _EVENTS.get(event)
    if what is None or what in _known_to_reach or (event == "socket.__new__" and arguments[1] == _LOCAL_SOCKET):
        return
    if what == "file" and not _is_closed_to(sys._getframe(1), arguments[0]):  # noqa: SLF001 - who opens it
        return
    _known_to_reach.add(what)
    _reached.append(what)


def newly_reached() -> tuple[str, ...]:
    """What was reached for and not told before, as of values.REACHES."""
    new = tuple(_reached)
    _reached.clear()
    return new


def _is_closed_to(frame: FrameType | None, path: object) -> bool:
    """Whether a line of the submission itself opens a file that is there and that it may not read.

    What libraries open of their own accord counts for nobody, nor does a file that is not there, nor a new one: code
    that keeps a log or looks for its own data has nothing in view that is another's.
    """
    imported = False
    while frame is not None and (module := frame.f_globals.get("__name__")) != _SUBMISSION:
        if module not in _PATHS and module not in _IMPORTS:
            return False
        imported = imported or module in _IMPORTS
        frame = frame.f_back
    return frame is not None and isinstance(path, (str, bytes)) and _is_refused(path, imported=imported)


def _is_refused(path: str | bytes, *, imported: bool) -> bool:
    """Whether there is such a file, no device or pipe, and it cannot be read."""
    try:
        regular = stat.S_ISREG(_stat(path).st_mode)
    except (OSError, ValueError):
        return False
    try:
        if regular:
            _close(_open(path, os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        # without Landlock no file at all can be opened (EPERM): then an import is refused what is open to it elsewhere
        return error.errno == errno.EACCES or (error.errno == errno.EPERM and not imported)
    return False
