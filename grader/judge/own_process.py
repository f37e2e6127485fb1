"""Starts a process of our own, which shares nothing with this one but a socket."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

_ROOT = str(Path(__file__).parents[2])
_BOOT = "import sys; sys.path.append(sys.argv[3]); __import__(sys.argv[1], fromlist=['main']).main(int(sys.argv[2]))"
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # each core has a process of its own


def own_process(module: str) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Run `main` of one of our modules in a fresh interpreter; it is told the number of its end of the socket."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter on our own module
            [sys.executable, "-P", "-c", _BOOT, module, str(theirs.fileno()), _ROOT],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C reaches the coordinator alone
        )
    return process, ours
