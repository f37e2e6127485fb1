"""`grade quiz serve`: the same questions on a web page of this machine, until Ctrl-C."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

from grader.cli.quiz import check_topic
from grader.cli.quiz_clock import clock
from grader.cli.quiz_open import FILE, open_log, read_bank
from grader.errors import UsageError
from grader.installing import not_installed
from grader.model import Message
from grader.quiz.log import data_folder
from grader.report.visible import tell

if TYPE_CHECKING:
    from grader.cli.quiz import Options


def serve(options: Options) -> int:
    """Print the address and answer requests until Ctrl-C, with which every command ends in the same way.

    Raises:
        UsageError: the port is taken, there is no such topic, the log cannot be used, or Flask or fsrs is missing.
    """
    if options.json:
        raise UsageError(Message("schedule.option_elsewhere", {"option": "--json", "command": "grade quiz"}))
    try:
        import fsrs  # noqa: F401, PLC0415 - an extra: missed before the first question, not after it

        from grader.quizpage.app import make_app  # noqa: PLC0415 - flask, of the same extra
        from grader.quizpage.server import listening, server  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("grader"):
            raise
        raise not_installed(error.name, "quiz") from error
    from grader.quizpage.guard import Guard  # noqa: PLC0415
    from grader.quizpage.sitting import Sitting  # noqa: PLC0415

    course, bank = read_bank(options)
    check_topic(options.topic, [record["topic"] for record in bank.records])
    open_log(options).close()  # what is wrong with it is said here, not on the first page
    path, (_, zone) = data_folder(os.environ) / FILE, clock(options)
    sitting = Sitting(bank, path, lambda: clock(options)[0], zone, options.topic, options.minutes, options.new)
    with closing(listening(options.port or 0)) as sock:
        guard = Guard(sock.getsockname()[1])
        app = make_app(course, sitting, guard, options.language)
        print(tell(Message("quiz_page.address"), options.language))
        print(f"  {guard.address}")  # on a line of its own: a terminal of 80 columns does not break it
        print(tell(Message("quiz_page.stop"), options.language), flush=True)
        running = server(sock, app)
        try:
            running.serve_forever()  # until Ctrl-C, which it keeps to itself
        finally:
            running.server_close()
    raise KeyboardInterrupt
