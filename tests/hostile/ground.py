"""The ground on which attacks are tried: secrets to steal, folders to write in, doors to knock at, and their traces.

    bait                                  trace of a success
    ----                                  ------------------
    a token in each secret file           the token in any form of the report
    folders that anybody may write in     a file that was not there, or is not as it was
    listeners on this machine             a connection, a datagram
    the grader's own process              a signal, a process left behind

Everything lies in one new folder below /tmp that other users may read: what keeps a worker out of it is the sandbox.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import select
import shutil
import signal
import site
import socket
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import numpy as np

from grader.course import installed_course, load_course
from grader.model import Exercise

EXERCISE = "04_concat"
PATIENCE_S = 5.0  # for a process that is about to end
PR_SET_CHILD_SUBREAPER = 36


def token() -> str:
    """A secret that no text contains by chance."""
    return f"mh-secret-{secrets.token_hex(16)}"


class Ground:
    """Built once for many attacks; `traces` says what the last one left behind and takes it away."""

    def __init__(self) -> None:
        self.mark = f"manyheads-hostile-{secrets.token_hex(8)}"
        self.folder = Path(tempfile.mkdtemp(prefix=f"{self.mark}-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.secrets = {name: token() for name in ("solution", "suite", "classmate", "home", "environment", "memory")}
        self.course = load_course(self._course())
        self.exercise: Exercise = self.course.exercises[EXERCISE]
        self.student = self._open_folder("class/mallory")
        self._writable = [self.student, self._open_folder("home"), self._open_folder("tmp"), self.folder / "course"]
        self._secret_files = self._bait()
        os.environ["MANYHEADS_HOSTILE_SECRET"] = self.secrets["environment"]
        self._doors = Doors(self.mark, self.folder / "door")
        self._received: list[int] = []
        self._handlers = {n: signal.signal(n, self._receive) for n in (signal.SIGUSR1, signal.SIGCONT)}
        # whoever loses its parent becomes a child of this process, so that none gets away unseen
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.settle()

    def _open_folder(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(parents=True)
        folder.chmod(0o777)
        return folder

    def _course(self) -> Path:
        """A copy of the real course whose reference and suite also hold a secret."""
        root = self.folder / "course"
        for part in ("exercises", "solutions"):
            shutil.copytree(installed_course() / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        solution = root / "solutions" / EXERCISE
        for name, secret in (("concat.py", "solution"), ("test_concat_hidden.py", "suite")):
            with (solution / name).open("a", encoding="utf-8") as file:
                file.write(f'\nSECRET = "{self.secrets[secret]}"\n')
        return root

    def _bait(self) -> list[Path]:
        solution = self.exercise.solution
        files = [solution / "concat.py", solution / "test_concat_hidden.py"]
        for secret, place in (("classmate", "class/alice/concat.py"), ("home", "home/notes.txt")):
            path = self.folder / place
            path.parent.mkdir(exist_ok=True)
            path.write_text(f'SECRET = "{self.secrets[secret]}"\n', encoding="utf-8")
            files.append(path)
        closed = self.folder / "closed"
        closed.write_text("for its owner alone\n", encoding="utf-8")
        closed.chmod(0o600)
        return files

    def _receive(self, number: int, _frame: object) -> None:
        self._received.append(number)

    @property
    def places(self) -> dict[str, str]:
        """What the names in an attack stand for."""
        return {
            "@@GRADER_PID@@": str(os.getpid()),
            "@@READ@@": "\n".join(map(str, self._secret_files)),
            "@@FOLDERS@@": "\n".join(map(str, [self.student.parent, self.exercise.solution, self.folder])),
            "@@CLOSED@@": str(self.folder / "closed"),
            "@@WRITE@@": "\n".join(map(str, [*self._writable, *_outside()])),
            "@@MARK@@": self.mark,
            "@@TCP@@": str(self._doors.tcp_port),
            "@@UDP@@": str(self._doors.udp_port),
            "@@UNIX@@": self.mark,
            "@@UNIX_PATH@@": str(self.folder / "door"),
        }

    # --- traces ---------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Take the present state as the one that an attack must leave unchanged."""
        self._files = self._snapshot()
        self._processes = descendants()
        self._received.clear()

    def hand_in(self, filename: str, source: bytes) -> Path:
        """Put a file into the student's folder, in place of the last one."""
        shutil.rmtree(self.student)
        self._open_folder("class/mallory")
        path = self.student / filename
        path.write_bytes(source)
        return path

    def traces(self) -> list[str]:
        """What is not as it was when the ground was settled: one sentence for each, and each is removed."""
        found = [*self._doors.knocks(), *self._leftover_files(), *_leftover_processes(self._processes)]
        found += [f"the grader received {signal.Signals(number).name}" for number in self._received]
        self._received.clear()
        return found

    def leaks(self, shown: str) -> list[str]:
        """The secrets that a report, in any form, tells."""
        return [
            f"the report tells the secret of the {name}" for name, secret in self.secrets.items() if secret in shown
        ]

    def _snapshot(self) -> dict[Path, tuple[int, int, int]]:
        """Every file and folder of the ground -> mode, size and time of its last change (0 for a folder)."""
        paths = [path for path in self.folder.rglob("*") if "__pycache__" not in path.parts]
        known = {path: path.lstat() for path in paths}
        return {path: (s.st_mode, s.st_size, 0 if path.is_dir() else s.st_mtime_ns) for path, s in known.items()}

    def _leftover_files(self) -> list[str]:
        now = self._snapshot()
        changed = {path for path in self._files.keys() | now.keys() if self._files.get(path) != now.get(path)}
        found = [f"{path.relative_to(self.folder)} is not as it was" for path in sorted(changed)]
        for folder in (self.folder, *self._writable, *_outside(), *_importable()):
            for path in folder.glob(f"*{self.mark}*") if folder != Path("/tmp") else folder.glob(f"{self.mark}*"):  # noqa: S108
                if path != self.folder:
                    path.unlink()
                    found.append(f"{path} was left behind")
        self._files = self._snapshot()
        return found

    def close(self) -> None:
        """Undo everything."""
        self._doors.close()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        os.environ.pop("MANYHEADS_HOSTILE_SECRET", None)
        shutil.rmtree(self.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


class Doors:
    """Listeners on this machine, by TCP, UDP and Unix sockets, at which nobody may knock."""

    def __init__(self, name: str, path: Path) -> None:
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self._abstract, self._path = (socket.socket(socket.AF_UNIX) for _ in range(2))
        self._abstract.bind(f"\0{name}")
        self._path.bind(str(path))
        path.chmod(0o777)
        self._abstract.listen()
        self._path.listen()
        for door in self._all:
            door.setblocking(False)
        self.tcp_port: int = self._tcp.getsockname()[1]
        self.udp_port: int = self._udp.getsockname()[1]

    @property
    def _all(self) -> tuple[socket.socket, ...]:
        return self._tcp, self._udp, self._abstract, self._path

    def knocks(self) -> list[str]:
        """Who knocked since the last time."""
        found = []
        with contextlib.suppress(BlockingIOError):
            while self._udp.recv(100):
                found.append("a datagram arrived")
        for name, door in (("TCP", self._tcp), ("abstract Unix", self._abstract), ("Unix", self._path)):
            with contextlib.suppress(BlockingIOError):
                while True:
                    door.accept()[0].close()
                    found.append(f"a connection arrived by {name} socket")
        return found

    def close(self) -> None:
        for door in self._all:
            door.close()


def _outside() -> list[Path]:
    """Folders of this machine in which an attack tries to write."""
    folders = [Path(name) for name in ("/tmp", "/var/tmp", "/dev/shm")]  # noqa: S108 - named as an attacker would
    return [*folders, Path.home(), Path.cwd()]


def _importable() -> list[Path]:
    """Folders from which Python programs of this machine import."""
    names = {*sysconfig.get_paths().values(), *site.getsitepackages(), *sys.path, str(Path(np.__file__).parent)}
    return [path for path in map(Path, sorted(names)) if path.is_dir()]


# --- processes ---------------------------------------------------------------------------------------------------


def descendants() -> set[int]:
    """Every process that this one started, directly or not."""
    parents = dict(_parents())
    found: set[int] = set()
    while new := {pid for pid, parent in parents.items() if parent in {os.getpid(), *found}} - found:
        found |= new
    return found


def _parents() -> Iterator[tuple[int, int]]:
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            yield int(folder.name), int(state[1])


def _leftover_processes(before: set[int]) -> list[str]:
    """Processes that were not there and do not end by themselves at once; they are killed, by their numbers."""
    found = []
    for pid in sorted(descendants() - before):
        with contextlib.suppress(ProcessLookupError):
            descriptor = os.pidfd_open(pid)
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            if not poll.poll(PATIENCE_S * 1000):
                found.append(f"process {pid} was left behind")
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            os.close(descriptor)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)
    return found
