"""Walks the folder that an instructor names; links are reported and never followed, no hidden folder is entered."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from grader.gradebook.inputs.downloads import REPOSITORY
from grader.gradebook.inputs.found import MAX_DEPTH, Entry
from grader.gradebook.inputs.names import is_ignored, text_of
from grader.model import Message
from grader.state import read_regular


def folder_entries(root: Path, leave_out: Path) -> Iterator[Entry]:
    """Every entry below `root`, in the order of their names.

    Args:
        leave_out: a folder that is not entered: where the results go.

    Raises:
        OSError: the folder itself cannot be read.
    """
    avoided = leave_out.stat() if leave_out.exists() else None
    yield from _walk(os.fspath(root), (), avoided)


def _walk(folder: str, parts: tuple[str, ...], avoided: os.stat_result | None) -> Iterator[Entry]:
    with os.scandir(folder) as found:
        children = sorted(found, key=lambda child: child.name)
    for child in children:
        inner = (*parts, text_of(os.fsencode(child.name)))
        if child.name == REPOSITORY:  # not entered; that it is there says that this is a student's repository
            yield Entry(inner, "folder", 0, _nothing)
        if is_ignored(inner):
            continue
        if child.is_symlink():
            yield Entry(inner, "link", 0, _nothing)
        elif child.is_dir(follow_symlinks=False):
            if avoided is None or not os.path.samestat(child.stat(follow_symlinks=False), avoided):
                yield from _inside(child, inner, avoided)
        elif child.is_file(follow_symlinks=False):
            size = child.stat(follow_symlinks=False).st_size
            yield Entry(inner, "file", size, partial(read_regular, Path(child.path)))
        else:
            yield Entry(inner, "special", 0, _nothing)


def _inside(child: os.DirEntry[str], parts: tuple[str, ...], avoided: os.stat_result | None) -> Iterator[Entry]:
    problem = None
    if len(parts) >= MAX_DEPTH:
        problem = Message("batch.too_deep", {"most": MAX_DEPTH})
    else:
        try:
            yield from _walk(child.path, parts, avoided)
        except OSError as error:
            problem = Message("batch.file_unreadable", {"reason": error.strerror or str(error)})
    yield Entry(parts, "folder", 0, _nothing, problem)


def _nothing(_most: int) -> bytes:
    return b""
