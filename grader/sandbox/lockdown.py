"""Takes rights away from a process, for good: uid, namespaces, limits, capabilities, Landlock, seccomp (Linux only).

The zygote calls the first three once, its workers call the rest, in this order, each before a submission's first byte:

    drop_uid -> enter_namespaces -> (fork) ..... zygote
    own_pid_namespace -> (fork) ................ zygote, for each worker
    limit_resources -> drop_capabilities -> Landlock.restrict -> install_seccomp .... worker

Imports nothing of ours: it shares an interpreter with untrusted code. Numbers are those of linux/{landlock,seccomp}.h.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import resource
import struct
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = (
    0x00020000,
    0x04000000,
    0x08000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
CLONE_THREAD = 0x00010000
SYS_LANDLOCK_CREATE, SYS_LANDLOCK_ADD_RULE, SYS_LANDLOCK_RESTRICT = 444, 445, 446  # the same on every architecture


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, argument: int = 0) -> None:
    """Change one attribute of this process; raises OSError."""
    _check(_libc.prctl(option, ctypes.c_ulong(argument), 0, 0, 0), f"prctl {option}")


def die_with_parent() -> None:
    """SIGKILL for this process when the thread that started it ends."""
    prctl(PR_SET_PDEATHSIG, 9)


ANY_CORE = -1
_cores_before: set[int] = set()  # that this process was allowed before it stayed on one


def stay_on(core: int) -> None:
    """Run on one core alone from now on, with all that is forked; as before where it is ANY_CORE, or gone by now."""
    if core != ANY_CORE:
        with contextlib.suppress(OSError):
            _cores_before.update(os.sched_getaffinity(0))
            os.sched_setaffinity(0, {core})


def let_go(pid: int) -> None:
    """Let another process run on every core that this one was allowed before it stayed on one; it may have ended."""
    if _cores_before:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                os.sched_setaffinity(int(thread.name), _cores_before)


# --- uid and namespaces ------------------------------------------------------------------------------------------


def drop_uid(uid: int) -> None:
    """Become an ordinary user that owns nothing; only root can. Raises OSError."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    prctl(PR_SET_DUMPABLE, 1)  # a changed uid clears it, and then /proc/self/uid_map belongs to root


def enter_namespaces() -> None:
    """Leave the network, IPC, mounts, host name and users of this machine; raises OSError where that is not allowed.

    The caller must fork next: only its children live in the new pid namespace.
    """
    uid, gid = os.geteuid(), os.getegid()
    flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWPID
    _check(_libc.unshare(flags), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        Path(f"/proc/self/{name}").write_text(text, encoding="ascii")


def in_own_pid_namespace(home: int, fork: Callable[[], int]) -> int:
    """fork(), with the child as the first process of a pid namespace of its own, so that its end ends all it started.

    Args:
        home: descriptor of the caller's pid namespace, to which its later children return.
    """
    _check(_libc.unshare(CLONE_NEWPID), "unshare pid")
    pid = fork()
    if pid:
        _check(_libc.setns(home, CLONE_NEWPID), "setns pid")
    return pid


# --- limits and capabilities -------------------------------------------------------------------------------------


def limit_resources(*, address_space: int, cpu_s: int) -> None:
    """Upper bounds for this process: bytes of address space, whole seconds of CPU, no file written, no core dumped."""
    for kind, value in (
        (resource.RLIMIT_AS, address_space),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 32),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        resource.setrlimit(kind, (value, value))


def drop_capabilities() -> None:
    """Keep none, effective, permitted or inheritable; raises OSError."""
    header = struct.pack("<Ii", 0x20080522, 0)
    _check(_libc.capset(header, bytes(24)), "capset")


# --- Landlock ----------------------------------------------------------------------------------------------------

READ_FILE, READ_DIR = 1 << 2, 1 << 3
_FS_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15}  # how many of the file rights a kernel knows; 16 from ABI 5 on


def landlock_abi() -> int:
    """Version of Landlock in this kernel; 0 where there is none."""
    return max(0, int(_libc.syscall(SYS_LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)))


class Landlock:
    """A ruleset that allows reading what it is told and nothing else: built once, applied by every worker.

    From ABI 4 on it also forbids TCP, from ABI 6 on signals and abstract sockets that leave the worker.
    """

    def __init__(self, readable: Iterable[str]) -> None:
        abi = landlock_abi()
        if not abi:
            raise OSError("this kernel has no Landlock, or it is switched off")
        files = (1 << _FS_RIGHTS_BY_ABI.get(abi, 16)) - 1
        attributes = struct.pack("<QQQ", files, 0b11 if abi >= 4 else 0, 0b11 if abi >= 6 else 0)
        size = 24 if abi >= 6 else 16 if abi >= 4 else 8
        self.abi = abi
        self.descriptor = _check(
            _libc.syscall(SYS_LANDLOCK_CREATE, attributes, ctypes.c_size_t(size), 0), "landlock ruleset"
        )
        for path in readable:
            self._allow_reading(path)

    def _allow_reading(self, path: str) -> None:
        try:
            target = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            rights = READ_FILE | READ_DIR if Path(path).is_dir() else READ_FILE
            rule = struct.pack("<Qi", rights, target)
            _check(_libc.syscall(SYS_LANDLOCK_ADD_RULE, self.descriptor, 1, rule, 0), f"landlock rule for {path}")
        finally:
            os.close(target)

    def restrict(self) -> None:
        """Apply to the calling thread and all it starts; needs no_new_privs. Raises OSError."""
        _check(_libc.syscall(SYS_LANDLOCK_RESTRICT, self.descriptor, 0), "landlock restrict")
        os.close(self.descriptor)


# --- seccomp -----------------------------------------------------------------------------------------------------

# name: (x86-64, aarch64); None where the architecture has no such call
_ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "poll": (7, None),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "access": (21, None),
    "select": (23, None),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "dup": (32, 23),
    "dup2": (33, None),
    "pause": (34, None),
    "nanosleep": (35, 101),
    "getitimer": (36, 102),
    "alarm": (37, None),
    "setitimer": (38, 103),
    "getpid": (39, 172),
    "exit": (60, 93),
    "uname": (63, 160),
    "getcwd": (79, 17),
    "readlink": (89, None),
    "gettimeofday": (96, 169),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "times": (100, 153),
    "getuid": (102, 174),
    "getgid": (104, 176),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "getppid": (110, 173),
    "getpgrp": (111, None),
    "sigaltstack": (131, 132),
    "arch_prctl": (158, None),
    "gettid": (186, 178),
    "time": (201, None),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "getdents64": (217, 61),
    "set_tid_address": (218, 96),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "newfstatat": (262, 79),
    "readlinkat": (267, 78),
    "faccessat": (269, 48),
    "pselect6": (270, 72),
    "ppoll": (271, 73),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "dup3": (292, 24),
    "getcpu": (309, 168),
    "getrandom": (318, 278),
    "membarrier": (324, 283),
    "statx": (332, 291),
    "rseq": (334, 293),
    "faccessat2": (439, 439),
}
_OPEN, _OPENAT, _IOCTL, _FCNTL, _CLONE, _KILL, _TGKILL, _PRLIMIT, _CLONE3 = (
    (2, None),
    (257, 56),
    (16, 29),
    (72, 25),
    (56, 220),
    (62, 129),
    (234, 131),
    (302, 261),
    (435, 435),
)
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_WRITING = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC | getattr(os, "O_TMPFILE", 0) & ~os.O_DIRECTORY
_IOCTLS = (0x5401, 0x5413, 0x5421, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX
_FCNTLS = (0, 1, 2, 3, 4, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC

_ALLOW, _KILL_PROCESS, _EPERM, _ENOSYS = 0x7FFF0000, 0x80000000, 0x00050000 | 1, 0x00050000 | 38
_NUMBER, _ARCH = 0, 4  # offsets in struct seccomp_data; argument n follows at 16 + 8 * n


def _load(offset: int) -> bytes:
    return struct.pack("<HBBI", 0x20, 0, 0, offset)


def _jump_equal(value: int, yes: int, no: int) -> bytes:
    return struct.pack("<HBBI", 0x15, yes, no, value)


def _jump_any_bit(mask: int, yes: int, no: int) -> bytes:
    return struct.pack("<HBBI", 0x45, yes, no, mask)


def _return(action: int) -> bytes:
    return struct.pack("<HBBI", 0x06, 0, 0, action)


def _argument(index: int) -> bytes:
    return _load(16 + 8 * index)


def _one_of(index: int, values: Iterable[int]) -> list[bytes]:
    tests = [step for value in values for step in (_jump_equal(value, 0, 1), _return(_ALLOW))]
    return [_argument(index), *tests, _return(_EPERM)]


def _no_bit_of(index: int, mask: int) -> list[bytes]:
    return [_argument(index), _jump_any_bit(mask, 0, 1), _return(_EPERM), _return(_ALLOW)]


@cache
def seccomp_filter(pid: int, *, files: bool) -> bytes:
    """The BPF program of one worker: an allow-list, everything else answers EPERM.

    Kept once built: in a pid namespace of its own every worker is process 1, and finds what the zygote has built.

    Args:
        pid: the only process the worker may signal, itself, as it sees its own pid.
        files: whether existing files may be opened for reading (Landlock says which); False closes all of them.
    """
    machine = platform.machine()
    if machine not in _AUDIT_ARCH:
        raise OSError(f"no seccomp rules for {machine}")
    column = 0 if machine == "x86_64" else 1
    program = [_load(_ARCH), _jump_equal(_AUDIT_ARCH[machine], 1, 0), _return(_KILL_PROCESS), _load(_NUMBER)]
    if column == 0:  # the x32 calls share an architecture with x86-64 under other numbers
        program += [_jump_any_bit(_X32_BIT, 0, 1), _return(_EPERM)]
    for numbers in _ALLOWED.values():
        number = numbers[column]
        if number is not None:
            program += [_jump_equal(number, 0, 1), _return(_ALLOW)]
    guarded: list[tuple[tuple[int | None, int | None], list[bytes]]] = [
        (_OPEN, _no_bit_of(1, _WRITING) if files else [_return(_EPERM)]),
        (_OPENAT, _no_bit_of(2, _WRITING) if files else [_return(_EPERM)]),
        (_IOCTL, _one_of(1, _IOCTLS)),
        (_FCNTL, _one_of(1, _FCNTLS)),
        (_CLONE, [_argument(0), _jump_any_bit(CLONE_THREAD, 1, 0), _return(_EPERM), _return(_ALLOW)]),
        (_KILL, _one_of(0, [pid])),
        (_TGKILL, _one_of(0, [pid])),
        # reading limits only: the pointer to new ones, both halves of it, must be null
        (_PRLIMIT, [_load(16 + 8 * 2 + 4), _jump_equal(0, 1, 0), _return(_EPERM), *_one_of(2, [0])]),
        (_CLONE3, [_return(_ENOSYS)]),  # its flags lie where a filter cannot look; ENOSYS makes libc fall back to clone
    ]
    for numbers, steps in guarded:
        number = numbers[column]
        if number is not None:
            program += [_jump_equal(number, 0, len(steps)), *steps]
    return b"".join([*program, _return(_EPERM)])


def install_seccomp(program: bytes) -> None:
    """Apply a BPF program to the calling thread and all it starts; needs no_new_privs. Raises OSError."""
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HxxxxxxQ", len(program) // 8, ctypes.addressof(code))
    _check(_libc.prctl(PR_SET_SECCOMP, ctypes.c_ulong(2), header, 0, 0), "seccomp")
