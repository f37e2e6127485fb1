"""Imports and runs, before the first fork, what every worker would else have to import and run for itself.

    for any run        what submissions often import, the packages of the exercise, and one small computation by torch
    for many           the parts of torch that it imports only when they are used, and memory in huge pages

One thread does it all: a fork copies no other. Imports nothing of ours: it shares an interpreter with untrusted code.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import sys
import tempfile
from collections.abc import Iterator

OFTEN_IMPORTED = "collections.abc copy dataclasses functools itertools math operator random sys time typing warnings"
# Without files (level "sealed") only what is loaded before the lockdown can be imported; else a worker that imports one
# of these finds its file, and all others are forked with less memory to copy.
SELDOM_IMPORTED = (
    "abc argparse array ast base64 binascii bisect calendar cmath contextlib csv datetime decimal encodings.ascii "
    "encodings.latin_1 encodings.utf_8_sig enum fractions hashlib heapq inspect io json logging numbers pprint re "
    "secrets statistics string struct textwrap threading timeit traceback types unittest uuid weakref zlib"
)
PARTS_OF_NUMPY = "numpy.fft numpy.linalg numpy.ma numpy.polynomial numpy.random numpy.testing"

MADV_COLLAPSE = 25
HUGE_PAGE = 2**21  # bytes


def warm(packages: list[str], *, many: bool) -> None:
    """Import what submissions may use; raises RuntimeError where that has started a thread.

    Args:
        many: for hundreds of workers, so that a slower start pays.
    """
    gc.disable()  # what is imported stays; looking through it for garbage takes an eighth of the time of torch
    for name in (*OFTEN_IMPORTED.split(), *packages):
        importlib.import_module(name)
    with contextlib.suppress(ImportError):  # so that every finder has read its folders, which a worker cannot list
        importlib.import_module("a name that no folder has")
    tempfile.tempdir = "/tmp"  # noqa: S108 - only named, by torch as it loads: looking for one that works finds none
    os.environ.clear()
    if "torch" in packages:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = "/"  # it makes a folder as it loads, unless that is there already
        _compute()
        if many:
            _load_late_parts()
    sys.argv = [""]
    if len(os.listdir("/proc/self/task")) != 1:
        raise RuntimeError("a package started threads while it was imported; a fork would lose them")


def load_all(*, numpy: bool) -> None:
    """Import also what is imported seldom."""
    for name in (*SELDOM_IMPORTED.split(), *(PARTS_OF_NUMPY.split() if numpy else ())):
        importlib.import_module(name)


def _compute() -> None:
    """Have torch look at the processor while it can: where /proc is closed it complains, in the student's output."""
    import torch  # noqa: PLC0415 - not for a numpy exercise

    torch.set_num_threads(1)
    x = torch.ones(2, 3, 4, requires_grad=True)
    attention = torch.nn.MultiheadAttention(4, 2, batch_first=True)
    out = torch.nn.functional.linear(attention(x, x, x)[0], torch.ones(4, 4), torch.ones(4))
    torch.autograd.grad(out.sum(), x)
    attention.eval()
    with torch.no_grad():
        attention(x, x, x)


def _load_late_parts() -> None:
    """Use what drags hundreds of modules along: padding masks, optimizers, function transforms, the test functions."""
    import torch  # noqa: PLC0415

    x = torch.ones(1, 2, 4)
    attention = torch.nn.MultiheadAttention(4, 2, batch_first=True)
    attention(x, x, x, key_padding_mask=torch.zeros(1, 2, dtype=torch.bool))
    torch.optim.Adam(attention.parameters()).step()
    torch.func.grad(torch.sum)(x)
    torch.testing.assert_close(x, x)
    repr(x)


def collapse() -> int:
    """Put private memory into huge pages, of which a fork copies a five-hundredth of the entries; how many there are.

    A kernel without MADV_COLLAPSE (Linux 6.1) refuses it, and everything goes on as before.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    done = 0
    for start, end in list(_private_memory()):
        for place in range(-(-start // HUGE_PAGE) * HUGE_PAGE, end - HUGE_PAGE + 1, HUGE_PAGE):
            done += not libc.madvise(ctypes.c_void_p(place), ctypes.c_size_t(HUGE_PAGE), MADV_COLLAPSE)
    return done


def _private_memory() -> Iterator[tuple[int, int]]:
    """First and last address of each writable mapping that is no file's."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            addresses, rights, _offset, _device, inode, *path = line.split(maxsplit=5)
            if rights == "rw-p" and inode == "0" and (not path or path[0].strip() == "[heap]"):
                start, end = addresses.split("-")
                yield int(start, 16), int(end, 16)
