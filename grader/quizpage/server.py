"""The web server: on the loopback address alone, one thread for each request, silent about what it serves."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from typing import Any

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from grader.errors import UsageError
from grader.model import Message
from grader.quizpage.guard import ADDRESS

_IDLE_S = 30  # a browser may open a connection ahead of time and say nothing


class _Quiet(WSGIRequestHandler):
    """Answers without a line of log for each request: the printed address has to stay in sight."""

    timeout = _IDLE_S
    server_version = "manyheads"
    sys_version = ""

    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - the name that it has above
        """Say nothing."""


def listening(port: int) -> socket.socket:
    """A socket that listens on this port of the loopback address; 0 is any free one.

    Raises:
        UsageError: another program has the port, or it is not for everybody.
    """
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((ADDRESS, port))
        sock.listen()
    except OSError as error:
        sock.close()
        key = "port_taken" if error.errno == errno.EADDRINUSE else "port_refused"
        raise UsageError(Message(f"quiz_page.{key}", {"port": port, "reason": error.strerror or ""})) from error
    return sock


def server(sock: socket.socket, app: Callable[..., Any]) -> BaseWSGIServer:
    """A server for the app on that socket; `serve_forever` runs it, `server_close` ends it."""
    made = make_server(
        ADDRESS,
        sock.getsockname()[1],
        app,
        threaded=True,  # an idle connection must not keep the next request waiting
        request_handler=_Quiet,
        fd=sock.fileno(),
    )
    made.daemon_threads = True  # type: ignore[attr-defined]
    return made
