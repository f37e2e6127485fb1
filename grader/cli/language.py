"""Which language to speak, known before any option is parsed because the help is spoken in it too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.errors import UsageError
from grader.model import LANGUAGES, Language, Message

OPTION = "--lang"
VARIABLE = "MANYHEADS_LANG"


def environment_language(environ: Mapping[str, str]) -> Language:
    """The language of the first variable that is set: MANYHEADS_LANG, then the locale as POSIX orders it."""
    for variable in (VARIABLE, "LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(variable, "")
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def option_language(argv: Sequence[str]) -> Language | None:
    """The language that `--lang` asks for, None where it does not occur.

    Raises:
        UsageError: it asks for a language that is not spoken here.
    """
    asked = None
    for i, word in enumerate(argv):
        if word == "--":
            break
        if word == OPTION and i + 1 < len(argv):
            asked = argv[i + 1]
        elif word.startswith(f"{OPTION}="):
            asked = word.removeprefix(f"{OPTION}=")
    if asked is not None and asked not in LANGUAGES:
        raise UsageError(Message("cli.unknown_language", {"value": asked, "languages": ", ".join(LANGUAGES)}))
    return asked
