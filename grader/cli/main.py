"""The command `grade`: finds the command that is meant, runs it, and turns every ending into an exit code.

0 done, all points   1 not all points, or not attempted   2 usage, a path, or output that cannot be written
3 our own or the course's fault   130 Ctrl-C   141 whoever read our output has gone
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TextIO

from grader.cli.command import COMMANDS, COMPLETE, DEFAULT, split
from grader.cli.language import environment_language, option_language
from grader.errors import SubmissionError, UsageError
from grader.model import Language, Message
from grader.report.visible import tell

UNGRADED = {"quiz", "audit", "new", "release"}  # command words: for a learner without points, or for authors
USAGE, OURS, INTERRUPTED, PIPE_CLOSED = 2, 3, 130, 141


def main() -> None:
    """Entry point of the script; exits with the code of the command."""
    _open_closed_streams()
    sys.stdout = _Output(sys.stdout)
    # read by torch and BLAS as they are loaded: over a few numbers, threads wait for each other more than they work
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, _Unwritable):  # `run` said so, as far as it could
            stream.flush()
    # everything is closed and flushed; taking numpy and pytest apart would cost a tenth of the whole run
    os._exit(code)


def _open_closed_streams() -> None:
    """Whatever opened us may have closed standard input or output; a file that takes its number would be written to."""
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(descriptor, "w" if descriptor else "r", encoding="utf-8", closefd=False))


class _Unwritable(Exception):
    """Standard output takes nothing more: a full disk, a terminal that has gone."""


class _Output(io.TextIOWrapper):
    """Standard output, whose own errors are told apart from those of every other file.

    The file below stays Python's: Ctrl-C between its write and the note of what is written would write twice.
    """

    def __init__(self, out: TextIO) -> None:
        self._before = out  # its end would close the file below
        lines, at_once = (bool(getattr(out, name, False)) for name in ("line_buffering", "write_through"))
        super().__init__(out.buffer, out.encoding, out.errors, line_buffering=lines, write_through=at_once)

    def write(self, text: str, /) -> int:
        with _refused():
            return super().write(text)

    def flush(self) -> None:
        with _refused():
            super().flush()


@contextlib.contextmanager
def _refused() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _Unwritable(error.strerror or str(error)) from error


def run(argv: Sequence[str]) -> int:
    """Run one command line; the exit code. Nothing but the code leaves this function, whatever happens inside."""
    language = environment_language(os.environ)
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal may lack a character
        language = option_language(argv) or language
        _assert_somewhere()
        code = _execute(argv, language)
        sys.stdout.flush()
    except SubmissionError as error:
        _say_error(error.message, language)
        return USAGE
    except KeyboardInterrupt:
        _say_error(Message("cli.interrupted"), language)
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    except _Unwritable as error:
        _say_error(Message("cli.cannot_print", {"reason": str(error)}), language)
        return USAGE
    except Exception as error:  # noqa: BLE001 - the last resort: whatever gets here is no fault of the student's
        _say_fault(error, language, graded=split(argv)[0] not in UNGRADED)
        return OURS
    return code


def _say_fault(error: Exception, language: Language, *, graded: bool) -> None:
    """One line for what the author of the course must mend, also where it was met while grading; else a traceback."""
    from grader.cli.fault import told  # noqa: PLC0415 - only for this

    text, message = told(error, graded=graded)
    with contextlib.suppress(OSError):
        print(text, end="", file=sys.stderr)
    _say_error(message, language)


def _assert_somewhere() -> None:
    try:
        os.getcwd()  # noqa: PTH109 - asked, not used
    except FileNotFoundError as error:
        raise UsageError(Message("cli.folder_gone")) from error


def _execute(argv: Sequence[str], language: Language) -> int:
    if COMPLETE in os.environ:
        from grader.cli.completion import complete  # noqa: PLC0415 - only a shell asks for it

        return complete(os.environ[COMPLETE], language)
    word, args = split(argv)
    command = import_module(COMMANDS[word] if word else DEFAULT).command(language)
    return int(command.run(f"grade {word}" if word else "grade", args))


def _say_error(message: Message, language: Language) -> None:
    with contextlib.suppress(OSError):  # the terminal has gone; the exit code says it all the same
        print(tell(message, language), file=sys.stderr)
