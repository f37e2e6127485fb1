"""The numbers of the lockdown are those of the kernel, and what it takes away is gone."""

import os
import platform
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.model import Limits
from grader.sandbox import lockdown
from grader.sandbox.client import Sandbox, SubmissionError

HEADER = Path(f"/usr/include/{platform.machine()}-linux-gnu/asm/unistd_64.h")


def _numbers() -> dict[str, int]:
    found = re.findall(r"#define __NR_(\w+)\s+(\d+)", HEADER.read_text(encoding="ascii"))
    return {name: int(number) for name, number in found}


def test_call_numbers_are_those_of_the_kernel_headers() -> None:
    """Each number in the allow-list belongs to the name beside it (needs Debian's linux-libc-dev)."""
    assert platform.machine() == "x86_64", "the headers name x86-64 numbers; run this test there"
    theirs = _numbers()
    ours = {name: numbers[0] for name, numbers in lockdown._ALLOWED.items() if numbers[0] is not None}
    assert ours == {name: theirs[name] for name in ours}


FORBIDDEN = {
    "fork": "os.fork()",
    "exec": "os.execv('/bin/true', ['true'])",
    "spawn": "import subprocess; subprocess.run(['/bin/true'])",
    "socket": "import socket; socket.socket()",
    "socketpair": "import socket; socket.socketpair()",
    "memfd": "os.memfd_create('x')",
    "pipe": "os.pipe()",
    "write a file": "open('/tmp/manyheads-was-here', 'w')",
    "make a folder": "os.mkdir('/tmp/manyheads-was-here')",
    "remove": "os.remove('/etc/hostname')",
    "read passwords": "open('/etc/passwd').read()",
    "list the root": "os.listdir('/')",
    "read /proc": "open('/proc/self/maps').read()",
    "signal the parent": "os.kill(os.getppid(), 0)",
    "signal all": "os.kill(-1, 0)",
    "raise limits": "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "chmod": "os.chmod('/tmp', 0o777)",
    "chdir": "os.chdir('/tmp')",
    "setuid": "os.setuid(0)",
    "truncating open": "os.open('/etc/hostname', os.O_RDONLY | os.O_TRUNC)",
}


@pytest.mark.parametrize("act", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_what_a_submission_must_not_do_is_refused(sandbox: Sandbox, act: str) -> None:
    """Each of these calls ends in an error of the operating system inside the submission."""
    subject = sandbox.open(f"import os\ndef f():\n    {act}\n".encode(), "a.py", Limits())
    with pytest.raises(SubmissionError) as caught:
        subject.f()
    subject.close()
    assert "PermissionError" in str(caught.value) or "Errno" in str(caught.value) or "not allowed" in str(caught.value)


@pytest.mark.parametrize(
    "call",
    ["ptrace(0, 0, 0, 0)", "unshare(0x10000000)", "mount(0, 0, 0, 0, 0)", "syscall(425, 1, 0)", "syscall(435, 0, 0)"],
)
def test_raw_calls_are_refused(sandbox: Sandbox, call: str) -> None:
    """Calls that Python does not offer fail through ctypes as well (425 is io_uring_setup, 435 clone3)."""
    body = f"libc = ctypes.CDLL(None, use_errno=True)\n    return libc.{call}, ctypes.get_errno()"
    source = f"import ctypes\ndef f():\n    {body}"
    subject = sandbox.open(source.encode(), "a.py", Limits())
    result, error = subject.f()
    subject.close()
    assert result == -1
    assert error in (1, 38)


ALLOWED: dict[str, Callable[[object], bool]] = {
    "os.getpid()": lambda got: got == 1 or got != os.getpid(),
    "__import__('threading').active_count()": lambda got: got == 1,
    "__import__('random').random()": lambda got: isinstance(got, float),
    "__import__('time').time()": lambda got: isinstance(got, float),
    "__import__('sqlite3').sqlite_version": lambda got: isinstance(got, str),
    "dict(os.environ)": lambda got: got == {},
}


@pytest.mark.parametrize(("expression", "holds"), ALLOWED.items(), ids=ALLOWED.keys())
def test_ordinary_code_works(sandbox: Sandbox, expression: str, holds: Callable[[object], bool]) -> None:
    """The standard library stays usable, and the environment is empty."""
    subject = sandbox.open(f"import os\ndef f():\n    return {expression}\n".encode(), "a.py", Limits())
    assert holds(subject.f())
    subject.close()
