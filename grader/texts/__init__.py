"""Every sentence the program says, English and 中文 side by side, in one TOML file for each area."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from grader.model import Language, Message

_FOLDER = Path(__file__).parent


@cache
def area(name: str) -> dict[str, dict[str, str]]:
    """Sentences of one area: key -> language -> template with named braces."""
    with (_FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def say(message: Message, language: Language) -> str:
    """The message as one sentence; raises KeyError where key, language or field is missing (a test proves none is)."""
    name, key = message.key.split(".", 1)
    return area(name)[key][language].format(**message.fields)
