"""A warm, empty interpreter that forks one locked-down worker for each submission.

    our side                     zygote (fresh exec, -I -S, empty environment)        worker
    --------                     ---------------------------------------------        ------
    start  --- config -------->  drop uid, namespaces, fork; import packages;
           <-- ready ----------  build Landlock rules; freeze
    spawn  --- fds, limits --->  fork ---------------------------------------------->  limits, Landlock, seccomp
           <-- pid, pidfd -----                                                        load, answer, answer, ...
    kill by pidfd                reap
           <-- status, cpu ----
    share  --- a control socket  fork --------> a further zygote, as warm, for another process of ours

It runs no code of a submission, and ends when the control socket does. Imports nothing of ours but the modules that
its children run, and what warms it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib.metadata
import importlib.util
import json
import os
import re
import select
import signal
import socket
import struct
import sys
from typing import Any, NoReturn

from grader.sandbox import lockdown, warm, worker

SPAWN = struct.Struct("<QQQ")  # address space above the zygote in bytes, CPU in seconds, request number
SPAWNED = struct.Struct("<cQ")  # b"W", request number; the pidfd comes along
ENDED = struct.Struct("<cQiddQ")  # b"X", request number, wait status, user s, system s, peak resident KiB
SHARE = struct.Struct("<i")  # core or ANY_CORE: asks for a further zygote; its control socket comes along
PASSED = 3  # descriptors that come with a spawn request: reply socket, output pipe, trace pipe
TRACE_SIGNAL = signal.SIGUSR1  # our side sends it before a kill: the worker writes which line it is at
MAX_CONFIG = 2**16
OURS = frozenset({"__main__", "__mp_main__", "grader"})


class Zygote:
    """The state of the server: its control socket and the workers that have not been reaped."""

    def __init__(self, control: socket.socket, config: dict[str, Any], layers: dict[str, str]) -> None:
        self.control = control
        self.open_files = "open files" in config["layers"]  # asked for by tests that show what Landlock is for
        self.layers = layers  # layer -> "" where it is on, else why it is off
        self.workers: dict[int, tuple[int, int]] = {}  # pidfd -> (pid, request number)
        self.ready = b""  # what our side is told when the imports are done
        self.landlock: lockdown.Landlock | None = None
        self.home = os.open("/proc/self/ns/pid", os.O_RDONLY) if not layers["namespaces"] else None
        self.address_space = _address_space()

    @property
    def files(self) -> bool:
        """Whether workers may open files: without Landlock to say which, none at all."""
        return self.landlock is not None or self.open_files

    def serve(self) -> NoReturn:
        """Fork workers on request and report those that ended, until our side closes."""
        self.control.send(self.ready)
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        while True:
            for descriptor, _event in poll.poll():
                if descriptor == self.control.fileno():
                    request, passed, _flags, _address = socket.recv_fds(self.control, SPAWN.size, PASSED)
                    if len(request) == SHARE.size and len(passed) == 1:
                        self.share(passed[0], *SHARE.unpack(request))
                    else:
                        poll.register(self.spawn(request, passed), select.POLLIN)
                else:
                    poll.unregister(descriptor)
                    self.reap(descriptor)

    def share(self, control: int, core: int) -> None:
        """Fork a further zygote, for one core or any; it shares the memory of what was imported, and no worker."""
        if os.fork():
            os.close(control)
            return
        lockdown.die_with_parent()
        lockdown.stay_on(core)
        for pidfd in self.workers:
            os.close(pidfd)
        self.workers = {}
        self.control.close()
        self.control = socket.socket(fileno=control)
        self.serve()

    def spawn(self, request: bytes, passed: list[int]) -> int:
        """Fork one worker and hand its pidfd to our side; the descriptor to watch for its end."""
        if len(request) != SPAWN.size or len(passed) != PASSED:
            self.end()
        address_space, cpu_s, number = SPAWN.unpack(request)
        pid = lockdown.in_own_pid_namespace(self.home, os.fork) if self.home is not None else os.fork()
        if not pid:
            self.become_worker(passed, self.address_space + address_space, cpu_s)
        for descriptor in passed:
            os.close(descriptor)
        pidfd = os.pidfd_open(pid)
        self.workers[pidfd] = (pid, number)
        with contextlib.suppress(BrokenPipeError):  # our side has closed: the next poll says so
            socket.send_fds(self.control, [SPAWNED.pack(b"W", number)], [pidfd])
        return pidfd

    def reap(self, pidfd: int) -> None:
        pid, number = self.workers.pop(pidfd)
        _pid, status, usage = os.wait4(pid, 0)
        os.close(pidfd)
        with contextlib.suppress(BrokenPipeError):
            self.control.send(ENDED.pack(b"X", number, status, usage.ru_utime, usage.ru_stime, usage.ru_maxrss))

    def end(self) -> NoReturn:
        for pidfd in self.workers:
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        os._exit(0)

    def become_worker(self, passed: list[int], address_space: int, cpu_s: int) -> NoReturn:
        """In the child: keep three descriptors, give up every right, and serve. Never returns."""
        try:
            os.setpgid(0, 0)
            lockdown.die_with_parent()
            reply, output, trace = _only(passed, keep=self.landlock)
            os.dup2(output, 1)
            os.dup2(output, 2)
            faulthandler.register(TRACE_SIGNAL, file=trace, all_threads=False)
            self.lock(address_space, cpu_s)
            worker.serve(reply)
        except SystemExit:
            os._exit(0)
        except BaseException as error:  # noqa: BLE001 - nothing may return into the zygote's loop
            with contextlib.suppress(OSError):
                os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
        os._exit(70)

    def lock(self, address_space: int, cpu_s: int) -> None:
        lockdown.limit_resources(address_space=address_space, cpu_s=cpu_s)
        if sys.platform != "linux":
            return
        lockdown.drop_capabilities()
        lockdown.prctl(lockdown.PR_SET_NO_NEW_PRIVS, 1)
        if self.landlock is not None:
            self.landlock.restrict()
        if not self.layers["seccomp"]:
            lockdown.install_seccomp(lockdown.seccomp_filter(os.getpid(), files=self.files))


def _only(passed: list[int], keep: lockdown.Landlock | None) -> tuple[int, int, int]:
    """Close every descriptor but those passed in (and the Landlock ruleset, closed when it is applied)."""
    needed = sorted({0, *passed, *([keep.descriptor] if keep is not None else [])})
    for low, high in zip(needed, [*needed[1:], 2**16], strict=True):
        os.closerange(low + 1, high)
    reply, output, trace = passed
    return reply, output, trace


def _address_space() -> int:
    """Bytes of address space this process takes now: what a worker starts with."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _enter(config: dict[str, Any]) -> dict[str, str]:
    """Change uid and namespaces; layer -> why it is off, "" where it is on. Returns in the process that will serve."""
    wanted = config["layers"]
    layers = {name: "" if name in wanted else "switched off" for name in ("uid", "namespaces", "landlock", "seccomp")}
    if layers["uid"] == "":
        if config["uid_refused"]:
            layers["uid"] = config["uid_refused"]
        else:
            lockdown.drop_uid(config["uid"])
    if layers["namespaces"] == "":
        try:
            lockdown.enter_namespaces()
        except OSError as error:
            layers["namespaces"] = str(error)
        else:
            _serve_in_child()
    return layers


def _serve_in_child() -> None:
    """Fork the first process of the new pid namespace; this one waits for it and ends as it did."""
    pid = os.fork()
    if pid:
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        _pid, status = os.waitpid(pid, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0x7F)
    lockdown.die_with_parent()


def _packages(asked: tuple[str, ...]) -> dict[str, str]:
    """Top-level name -> folder or file of the packages asked for and of all they need, loaded by now or only later."""
    loaded = {name for name in sys.modules if "." not in name}
    found = {}
    for name in sorted(loaded | _needed_later(asked)):
        if name in sys.stdlib_module_names | OURS or (name in sys.modules and sys.modules[name].__spec__ is None):
            continue  # what compiled code makes up, such as _cython_3_2_4, has no spec and comes from no file
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin not in (None, "built-in", "frozen"):
            found[name] = os.path.dirname(spec.origin) if spec.submodule_search_locations else spec.origin
    return found


def _needed_later(asked: tuple[str, ...]) -> set[str]:
    """Top-level names of what these distributions require by their own metadata: torch imports some of it late."""
    names: set[str] = set()
    left, seen = list(asked), set(asked)
    while left:
        distribution = importlib.metadata.distribution(left.pop())
        names.update(_top_levels(distribution))
        for requirement in distribution.requires or ():
            needed = re.match(r"[\w.-]+", requirement)
            if needed and "extra ==" not in requirement and needed[0] not in seen and _is_installed(needed[0]):
                seen.add(needed[0])
                left.append(needed[0])
    return {name for name in names if name.isidentifier()}


def _top_levels(distribution: importlib.metadata.Distribution) -> set[str]:
    """First parts of the paths of its files; its record is read as text, as objects it takes ten times as long."""
    record = distribution.read_text("RECORD")
    paths = record.splitlines() if record else map(str, distribution.files or ())
    return {path.partition(",")[0].partition("/")[0].removesuffix(".py") for path in paths}


def _is_installed(distribution: str) -> bool:
    try:
        importlib.metadata.distribution(distribution)
    except importlib.metadata.PackageNotFoundError:
        return False  # a requirement for another platform
    return True


def _readable(packages: dict[str, str]) -> list[str]:
    """What a worker may read: the standard library (not the site-packages inside it), the packages, their libraries."""
    standard = os.path.dirname(os.__file__)
    paths = [entry.path for entry in os.scandir(standard) if entry.name not in ("site-packages", "dist-packages")]
    for name, folder in packages.items():
        paths += [folder, os.path.join(os.path.dirname(folder), f"{name}.libs")]
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        mapped = {line.split(maxsplit=5)[5].strip() for line in maps if ".so" in line}
    libraries = {os.path.dirname(path) for path in mapped if not path.startswith((standard, *packages.values()))}
    return [*paths, *sorted(libraries - set(sys.path)), "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"]


def main(control: int) -> NoReturn:
    """Serve on an inherited SEQPACKET socket. A failure goes to stderr, which our side reads, with exit code 70."""
    peer = socket.socket(fileno=control)
    config = json.loads(peer.recv(MAX_CONFIG))
    layers = _enter(config)
    warm.warm(config["preload"], many=config["many"])
    packages = _packages(config["preload"])
    zygote = Zygote(peer, config, layers)
    if not layers["landlock"]:
        try:
            zygote.landlock = lockdown.Landlock(_readable(packages))
        except OSError as error:
            layers["landlock"] = str(error)
    if not layers["seccomp"]:
        try:
            lockdown.seccomp_filter(1, files=zygote.files)
        except OSError as error:
            layers["seccomp"] = str(error)
    importable = sys.stdlib_module_names
    if not zygote.files:
        # without files only what is loaded already can be imported, and a refusal says so better than a PermissionError
        warm.load_all(numpy="numpy" in packages)
        importable &= {name.partition(".")[0] for name in sys.modules}
    worker.prepare(importable | packages.keys())
    worker.rehearse(packages)
    gc.freeze()
    gc.enable()
    if config["many"] and "torch" in packages:
        warm.collapse()
    lockdown.prctl(lockdown.PR_SET_DUMPABLE, 0)
    abi = zygote.landlock.abi if zygote.landlock is not None else 0
    zygote.ready = json.dumps({"layers": layers, "landlock_abi": abi, "open_files": zygote.open_files}).encode()
    zygote.serve()
