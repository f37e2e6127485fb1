"""Remembers in a folder of results that its gradebook is at a URL, so that no other one is begun there by mistake.

a run with --gradebook URL --> DIR/gradebook.url, without the password --> a run without it is refused
                                                                       --> who only reads DIR is led there
"""

from __future__ import annotations

import shlex
from pathlib import Path

from grader.course import shown_path
from grader.errors import UsageError
from grader.gradebook.database import FILE, shown_url
from grader.model import Message
from grader.state import read_regular, write_whole

MARK = "gradebook.url"
MOST_BYTES = 4096  # of a URL
HIDDEN = ":***@"  # in place of a password


def refuse_another(folder: Path, url: str | None) -> None:
    """See to it that a folder of results keeps the gradebook that it has.

    Args:
        url: of the gradebook that is asked for, None for the file in the folder.

    Raises:
        UsageError: the gradebook of this folder is elsewhere.
    """
    kept, shown = _kept(folder), shown_path(folder)
    if url is None and kept:
        key = "batch.book_at_url_with_password" if HIDDEN in kept else "batch.book_at_url"
        raise UsageError(Message(key, {"path": shown, "url": kept, "option": f"--gradebook {shlex.quote(kept)}"}))
    if url is not None and not kept and (folder / FILE).is_file():
        raise UsageError(Message("batch.book_in_folder", {"path": shown, "file": FILE}))


def remember(folder: Path, url: str) -> None:
    """Keep that the gradebook of this folder is at a URL; raises OSError."""
    if _kept(folder) != shown_url(url):
        write_whole(folder / MARK, f"{shown_url(url)}\n")


def led_to(folder: Path) -> str | None:
    """The URL of the gradebook of a folder that is only read, None where it is a file in the folder.

    Raises:
        UsageError: the URL has a password in its place before the host, which is not kept.
    """
    kept = _kept(folder)
    if HIDDEN in kept:
        fields = {"path": shown_path(folder), "url": kept, "option": f"--gradebook {shlex.quote(kept)}"}
        raise UsageError(Message("batch.book_at_url_to_be_read", fields))
    return kept or None


def _kept(folder: Path) -> str:
    """The URL that is remembered, "" where there is none."""
    try:
        return read_regular(folder / MARK, MOST_BYTES).decode("utf-8", "replace").strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError) as error:
        fields = {"path": shown_path(folder / MARK), "reason": getattr(error, "strerror", None) or str(error)}
        raise UsageError(Message("batch.input_unreadable", fields)) from error
