"""The web server: on the loopback address alone, one thread for each request, silent about what it serves."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from threading import BoundedSemaphore
from typing import Any

from werkzeug.serving import BaseWSGIServer, ThreadedWSGIServer, WSGIRequestHandler

from grader.errors import UsageError
from grader.model import Message
from grader.quizpage.guard import ADDRESS

_IDLE_S = 30  # a browser may open a connection ahead of time and say nothing
MOST_CONNECTIONS = 64  # at a time; a browser opens six


class _Quiet(WSGIRequestHandler):
    """Answers without a line of log for each request: the printed address has to stay in sight."""

    timeout = _IDLE_S
    server_version = "manyheads"
    sys_version = ""

    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - the name that it has above
        """Say nothing."""


class _Bounded(ThreadedWSGIServer):
    """A thread for each connection, and no more of them than one learner's browser needs."""

    daemon_threads = True  # an idle connection keeps neither the next request nor the end waiting

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._free = BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__(*args, **kwargs)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()


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
    return _Bounded(ADDRESS, sock.getsockname()[1], app, handler=_Quiet, fd=sock.fileno())
