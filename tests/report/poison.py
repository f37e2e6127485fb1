"""Texts as a hostile student would write them, and a way to put one into every string of a report."""

import dataclasses
import typing
from collections.abc import Mapping
from enum import Enum

import grader.model
from grader.model import Message

ATTACKS = {
    "script": "<script>alert(1)</script>",
    "attribute": "\"'><img src=x onerror=alert(1)>",
    "style": "</style><style>*{display:none}</style>",
    "comment": "<!-- ]]> --><![CDATA[",
    "template": "{{7*7}}{% raise %}{# x #}${7*7}",
    "format": "{0.__class__}{view}%s",
    "markup": "[bold red]x[/] [link=https://example.org]y[/link] :smile:",
    "ansi": "\x1b[31m\x1b]0;title\x07\x1b]8;;https://example.org\x1b\\\x9b2J",
    "control": "a\x00b\x08\x08\x7f\x85\r\n\x0b\x0c",
    "bidi": "\u202e\u2066\u200f\u061c\u2028\ufeff\U000e0041",
    "surrogates": "\ud800\udfff\ufffe\uffff",
    "entity": "&lt;script&gt;&#60;&amp;",
    "backquotes": "`<b>`` `",
    "long": "x" * 100_000,
    "long_wide": "中" * 100_000,
    "long_controls": "\x1b" * 100_000,
    "tower": "e" + "\u0301" * 10_000,
}


def poisoned(value, text):
    """The same value with every string in it replaced, but words of a closed list and keys of sentences."""
    if isinstance(value, Enum):
        return value
    if dataclasses.is_dataclass(value):
        hints = typing.get_type_hints(type(value), vars(grader.model))
        changes = {
            field.name: poisoned(getattr(value, field.name), text)
            for field in dataclasses.fields(value)
            if typing.get_origin(hints[field.name]) is not typing.Literal
            and not (isinstance(value, Message) and field.name == "key")
        }
        return dataclasses.replace(value, **changes)
    if isinstance(value, str):
        return text
    if isinstance(value, Mapping):
        return {key: poisoned(item, text) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(poisoned(item, text) for item in value)
    return value
