"""The state folder `.manyheads/` beside the exercises: where it lies, and files in it that are never half written.

course/exercises/04_concat/concat.py   the file that was graded
course/.manyheads/reports/04_concat.html
course/.manyheads/progress.json        what was reached so far
course/.manyheads/progress.lock        held while progress.json is changed
course/.manyheads/.gitignore           keeps the folder out of a student's commits

The folder may lie in a stranger's repository: links in it are not followed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

STATE = ".manyheads"
LOCK_WAIT_S = 2.0  # a change takes milliseconds; whoever holds the lock for longer has been stopped
LOCK_RETRY_S = 0.01


def state_folder(file: Path, exercise: str) -> Path:
    """The folder `.manyheads` beside the exercises folder that `file` lies in, else beside the file's own folder."""
    folder = Path(os.path.abspath(file)).parent  # noqa: PTH100 - where the student sees it, not where a link leads
    if folder.name == exercise:
        folder = folder.parent
        if folder.name == "exercises":
            folder = folder.parent
    return folder / STATE


def prepare_state_folder(folder: Path) -> None:
    """Make the state folder, or a folder in it, ignored by git. Raises OSError."""
    state = folder if folder.name == STATE else folder.parent
    for each in dict.fromkeys((state, folder)):
        if each.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(each))
        each.mkdir(exist_ok=True)
    ignore = state / ".gitignore"
    if not ignore.exists():
        write_whole(ignore, "*\n")


# --- writing -----------------------------------------------------------------------------------------------------


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that a reader finds the old one or the new one, never half of it. Raises OSError."""
    write_bytes_whole(path, text.encode("utf-8", "replace"))


def write_bytes_whole(path: Path, content: bytes) -> None:
    """Write a file as `write_whole` does. Raises OSError."""
    write_pieces_whole(path, [content])


def write_named(path: Path, content: bytes) -> None:
    """Write a file that a user named, as `write_whole` does; a device or a pipe is written to. Raises OSError."""
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(content)  # /dev/null must stay what it is
    else:
        write_bytes_whole(path, content)


def write_pieces_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file as `write_whole` does, of pieces that together need not fit into memory. Raises OSError."""
    _replace(path, path.with_name(f".{path.name}.{os.getpid()}.partial"), pieces, durable=False)


def write_durably(path: Path, text: str) -> None:
    """Write a text file whole, and return only when it would survive a power cut. Raises OSError.

    The caller holds a lock. So the unfinished file has one name, and a crash leaves one at most, until the next write.
    """
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    _replace(path, partial, [text.encode()], durable=True)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)  # the new name, too
    finally:
        os.close(folder)


def _replace(path: Path, partial: Path, pieces: Iterable[bytes], *, durable: bool) -> None:
    try:
        with partial.open("xb") as file:
            file.writelines(pieces)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise


# --- reading and locking -----------------------------------------------------------------------------------------


def read_regular(path: Path, most: int) -> bytes:
    """The first `most` bytes of an ordinary file.

    Raises:
        OSError: no such file, a link, no ordinary file, not readable.
    """
    # without O_NONBLOCK, opening a FIFO would wait for somebody to write to it
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def locked(path: Path, wait_s: float = LOCK_WAIT_S) -> Iterator[None]:
    """Hold a lock file; its end, however it comes about, gives the lock back.

    Raises:
        OSError: the file cannot be opened, or somebody else has held the lock for longer than `wait_s`.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o666)
    try:
        _wait_for(descriptor, time.monotonic() + wait_s)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(LOCK_RETRY_S)
        else:
            return
