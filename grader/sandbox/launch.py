"""Starts the process of a zygote and tells it what to be, before our side has imported anything slow.

What is imported here decides how soon the zygote can begin to warm up beside us: neither numpy nor the wire.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import NamedTuple

from grader.errors import GraderError

ALL_LAYERS = frozenset({"uid", "namespaces", "landlock", "seccomp"})
UID = 64321  # owns no file and runs nothing else

_BOOT = (
    "import sys; sys.path += sys.argv[2:]; from grader.sandbox.zygote import main; "
    "sys.path.remove(sys.argv[2]); main(int(sys.argv[1]))"
)


class Launched(NamedTuple):
    """A zygote that is warming up; without a process where it is another process's child (see process.share)."""

    process: subprocess.Popen[bytes] | None
    control: socket.socket


def launch(packages: tuple[str, ...], layers: frozenset[str] = ALL_LAYERS, *, many: bool = False) -> Launched:
    """Start a zygote without waiting for it; raises GraderError where a package is not installed.

    Args:
        many: it starts more slowly, and then forks and serves hundreds of workers faster (see warm.py).
    """
    folders = [_folder_of(package) for package in packages]
    root = str(Path(__file__).parents[2])
    config = {
        "layers": sorted(layers),
        "uid": UID,
        "uid_refused": _uid_refused([root, *folders]),
        "preload": packages,
        "many": many,
    }
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT, str(theirs.fileno()), root, *folders]
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter on our own file
            command,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C reaches us alone; we end it
            cwd="/",
        )
    control.send(json.dumps(config).encode())
    return Launched(process, control)


def is_installed(package: str) -> bool:
    """Whether a package could be imported here, found out without doing so."""
    return _spec_of(package) is not None


def first_missing(packages: Iterable[str]) -> str | None:
    """The first of some packages that is not installed, None where all are; nothing is imported for it."""
    return next((package for package in packages if not is_installed(package)), None)


def _folder_of(package: str) -> str:
    """The folder on the import path that holds a package; raises GraderError where it is not installed."""
    spec = _spec_of(package)
    if spec is None or spec.origin is None:
        raise GraderError(f"{package} is not installed: pip install {package}")
    origin = Path(spec.origin)
    return str(origin.parents[1] if spec.submodule_search_locations else origin.parent)


def _spec_of(package: str) -> ModuleSpec | None:
    """Where a package is installed; what lies in the working directory, such as a student's numpy.py, is no package."""
    here = os.path.realpath(os.curdir)
    return PathFinder.find_spec(package, [entry for entry in sys.path if os.path.realpath(entry) != here])


def _environment() -> dict[str, str]:
    """Nothing of ours but one thread for each library, and what the operator set to help OpenBLAS on odd processors."""
    kept = {name: value for name, value in os.environ.items() if name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    one = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "MALLOC_ARENA_MAX")
    return {**kept, **dict.fromkeys(one, "1")}


def _uid_refused(folders: list[str]) -> str:
    """Why the zygote cannot become another user, "" where it can."""
    if os.geteuid() != 0:
        return "not root: it runs as you"
    if (why := _unmapped()) != "":
        return why
    for path in (os.path.realpath(sys.executable), os.__file__, *folders):
        for place in (Path(path), *Path(path).parents):
            mode = place.stat().st_mode
            if not mode & (stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH):
                return f"{place} is closed to other users"
    return ""


def _unmapped() -> str:
    """Why a root of a user namespace cannot become another user, "" where it can."""
    try:
        groups = Path("/proc/self/setgroups").read_text("ascii").strip()
        rows = Path("/proc/self/uid_map").read_text("ascii").splitlines()
    except OSError:  # no Linux
        return ""
    if groups == "deny":
        return "the groups of this user namespace are fixed"
    mapped = [[int(number) for number in row.split()] for row in rows]
    if not any(first <= UID < first + count for first, _outside, count in mapped):
        return f"this user namespace has no uid {UID}"
    return ""
