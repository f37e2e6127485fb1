"""Names as they arrive: bytes of any encoding become text, copies lose their number, what tools made is ignored."""

from __future__ import annotations

import re
import unicodedata

# Folders that tools make; nobody writes an answer there.
_TOOLS = frozenset({"__macosx", "__pycache__", "node_modules", "site-packages", "venv", "env.bak", "$recycle.bin"})
_TOOL_FILES = frozenset({"thumbs.db", "desktop.ini", "conftest.py", "setup.py", "__init__.py"})

MAX_NAME = 255  # characters of one name in a path; no file system of today takes longer ones

# "concat (1)", "concat(2)", "concat-2", "concat - Copy", "concat copy 2": the same file, saved or sent once more
_COPY = re.compile(
    r"(?:(?<!\s)\s*\((?P<a>\d{1,4})\)|-(?P<b>\d{1,4})|(?:(?<!\s)\s*-)?[\s_](?:copy|kopie|副本)(?:[\s_]?\(?(?P<c>\d{1,4})\)?)?)$",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?:\.pyw?|\.txt|\.ipynb)+$", re.IGNORECASE)
_HIGH = re.compile(rb"[\x80-\xff]+")
_DRIVE = re.compile(r"^[A-Za-z]:$")


def text_of(raw: bytes) -> str:
    """A file name as text: UTF-8 where it is, Chinese (GBK) where the bytes look like it, else the old DOS table.

    Every byte string becomes a text, and different ones become different texts.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = _chinese(raw) or raw.decode("cp437")
    return unicodedata.normalize("NFC", text)


def _chinese(raw: bytes) -> str:
    """The bytes read as GBK, "" where that would turn accented letters into Chinese characters nobody uses."""
    if any(len(run) % 2 for run in _HIGH.findall(raw)):
        return ""
    try:
        text = raw.decode("gbk")
    except UnicodeDecodeError:
        return ""
    wide = [character for character in text if not character.isascii()]
    common = sum(_is_common(character) for character in wide)
    return text if all("\u4e00" <= character <= "\u9fff" for character in wide) and 2 * common >= len(wide) else ""


def _is_common(character: str) -> bool:
    try:
        return len(character.encode("gb2312")) == 2
    except UnicodeEncodeError:
        return False


def parts_of(name: str) -> tuple[str, ...]:
    """The components of a path in an archive, whichever slash it is written with; "." is dropped."""
    return tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def shortened(name: str) -> str:
    """A name of at most MAX_NAME characters: of a longer one the start and the end."""
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 21]}…{name[-20:]}"


def leaves_its_place(name: str) -> bool:
    """Whether a path in an archive is absolute or climbs out; nothing is ever written there, and it is told."""
    parts = name.replace("\\", "/").split("/")
    return name.startswith(("/", "\\")) or ".." in parts or bool(parts and _DRIVE.match(parts[0]))


def is_ignored(parts: tuple[str, ...]) -> bool:
    """Whether a path is hidden, or made by a tool."""
    hidden = (part.startswith((".", "~$")) and part != ".." for part in parts)
    if any(hidden) or any(part.casefold() in _TOOLS for part in parts):
        return True
    last = parts[-1].casefold() if parts else ""
    return last in _TOOL_FILES or last.startswith("test_")


def stem_of(filename: str) -> str:
    """The file name without ".py", ".txt" or both, or without ".ipynb"."""
    return _SUFFIX.sub("", filename)


def without_copy_mark(stem: str) -> tuple[str, int]:
    """The stem without "(1)", "-2" or "copy", and which copy it is; 0 for the first."""
    copy = 0
    while (found := _COPY.search(stem)) is not None and found.start() > 0:
        copy += int(found["a"] or found["b"] or found["c"] or 1)
        stem = stem[: found.start()]
    return stem, copy
