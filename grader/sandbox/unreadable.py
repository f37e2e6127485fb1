"""Says of a file that could not be loaded which line, and where in it, stands in the way: for what Python words badly.

An indentation is told in numbers, a full-width character with the one to type in its place, and an error in a function
with the line outside of it that made the call. All of it is read from the source on our side; the worker's report may
say anything.
"""

from __future__ import annotations

import re

from grader.model import CaseFailure, Message
from grader.sandbox.values import MAX_CODE, source_lines
from grader.sandbox.wire import ExceptionReport

_CODE_POINT = re.compile(r"U\+([0-9A-F]{4,6})")
_OPENED = re.compile(r"on line (\d{1,9})$")
_FROM_MODULE = re.compile(r'^File "[^\n]{1,300}", line (\d{1,9}), in <module>$', re.MULTILINE)
_QUOTED = re.compile(r""""[^"]*"|'[^']*'|#.*""")
_CURLY = "“”‘’"
# What a keyboard set to Chinese types, and what is meant; the rest of the full-width forms follow one rule.
_MEANT = {**dict(zip("“”‘’、。【】《》×−—", "\"\"'',.[]<>*--", strict=True)), "\u3000": " ", "\u00a0": " "}
_FULL_WIDTH = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_ASCII = {**_FULL_WIDTH, **_MEANT}


def load_failure(report: ExceptionReport, message: Message, source: bytes) -> CaseFailure:
    """The failure of a file that could not be loaded, with the sentence that says most.

    Args:
        message: the sentence for its kind of exception, where nothing better is known.
    """
    if message.key != "sandbox.syntax":
        outside = Message("diagnosis.outside") if "OSError" in report.types else None
        explanation = outside or _called_from(report, source)
        return CaseFailure("", message, report.line, report.code, explanation, report.traceback)
    lines = _lines(source)
    if report.line is None or not 0 < report.line <= len(lines):
        return CaseFailure("", message, report.line, report.code, traceback=report.traceback)
    code = lines[report.line - 1].rstrip()[:MAX_CODE]
    column, better = _wide_character(report, code) or _indentation(report, lines) or (None, message)
    return CaseFailure("", better, report.line, code, traceback=report.traceback, column=column)


def _lines(source: bytes) -> list[str]:
    return source_lines(source.decode("utf-8-sig", "replace"))


# --- characters ----------------------------------------------------------------------------------------------------


def _wide_character(report: ExceptionReport, code: str) -> tuple[int, Message] | None:
    """The column and the sentence for a character of a Chinese keyboard, on the line that Python complains about."""
    bare = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), code)  # inside quotes and comments they are right
    named = _CODE_POINT.search(report.text)
    if named:
        start = bare.find(chr(min(int(named[1], 16), 0x10FFFF)))
    elif report.text.startswith("unterminated string literal"):
        start = next((i for i, character in enumerate(code) if character in _CURLY), -1)
        bare = code
    else:
        return None
    wrong = [(i, c) for i, c in enumerate(bare) if i >= start >= 0 and c in _ASCII]
    if not wrong or wrong[0][0] != start:
        return None
    character = bare[start]
    fields: dict[str, str | int | float] = {
        "line": report.line or 0,
        "column": start + 1,
        "character": character,
        "meant": _ASCII[character],
    }
    if not character.isprintable() or character.isspace():
        return start + 1, Message("sandbox.wide_space", fields | {"character": f"U+{ord(character):04X}"})
    others = " · ".join(dict.fromkeys(f"{c} → {_ASCII[c]}" for _, c in wrong[1:] if c != character and c.isprintable()))
    if others:
        return start + 1, Message("sandbox.wide_characters", fields | {"others": others})
    return start + 1, Message("sandbox.wide_character", fields)


# --- indentation ---------------------------------------------------------------------------------------------------


def _indentation(report: ExceptionReport, lines: list[str]) -> tuple[int, Message] | None:
    """The column where the line begins, and the sentence on its indentation."""
    number = report.line or 0
    code = lines[number - 1]
    got = _indent(code)
    if "TabError" in report.types:
        return len(got) + 1, Message("sandbox.indent_tabs", {"line": number})
    if "IndentationError" not in report.types:
        return None
    before = _indent(next((line for line in reversed(lines[: number - 1]) if _holds_code(line)), ""))
    fields = {"line": number, "got": len(got), "before": len(before)}
    opened = _OPENED.search(report.text)
    if opened:
        return len(got) + 1, Message("sandbox.indent_missing", {"line": number, "opened": int(opened[1])})
    key = "indent_unexpected" if report.text.startswith("unexpected indent") else "indent_no_block"
    if "\t" in got + before or (key == "indent_unexpected") != (len(got) > len(before)):
        return len(got) + 1, Message("sandbox.syntax", {"text": report.text})
    return len(got) + 1, Message(f"sandbox.{key}", fields)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _holds_code(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


# --- calls while the file is loaded ----------------------------------------------------------------------------------


def _called_from(report: ExceptionReport, source: bytes) -> Message | None:
    """The line outside of every function that led to an exception inside one; None where there is none."""
    found = _FROM_MODULE.search(report.traceback)
    if found is None or report.function in ("", "<module>"):
        return None
    number, lines = int(found[1]), _lines(source)
    if not 0 < number <= len(lines):
        return None
    return Message("sandbox.called_from", {"line": number, "code": lines[number - 1].strip()[:MAX_CODE]})
