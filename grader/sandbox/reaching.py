"""Notes what a submission reaches for outside of the sandbox, though it swallows the refusal."""

from __future__ import annotations

from typing import Any

# Python tells of these before the lockdown refuses them; code may go on as if nothing had been.
_EVENTS = {
    **dict.fromkeys(("socket.__new__", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"), "network"),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn"), "program"),
}
_LOCAL_SOCKET = 1  # AF_UNIX
_reached: list[str] = []  # and not yet told
_known_to_reach: set[str] = set()


def note(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: it stays whatever a submission does, though code that means harm can get past it."""
    what = _EVENTS.get(event)
    if what is None or what in _known_to_reach or (event == "socket.__new__" and arguments[1] == _LOCAL_SOCKET):
        return
    _known_to_reach.add(what)
    _reached.append(what)


def newly_reached() -> tuple[str, ...]:
    """What was reached for and not told before, as of values.REACHES."""
    new = tuple(_reached)
    _reached.clear()
    return new
