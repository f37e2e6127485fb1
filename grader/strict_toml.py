"""Reads an author's TOML field by field, so that a missing, unknown or senseless field names itself and its fix."""

from __future__ import annotations

import math
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

from grader.errors import ContentError
from grader.model import LANGUAGES, Text

_TEXT_FIX = 'write {en = "…", zh = "…"}'


class Table:
    """One table of a TOML file; every field that is read is remembered, and `close` refuses the rest."""

    def __init__(self, path: Path, name: str, content: dict[str, Any]) -> None:
        self._path = path
        self._name = name
        self._content = content
        self._read: set[str] = set()

    def error(self, field: str, found: str, fix: str) -> ContentError:
        """The error for a field: file, field, what was found, what to do."""
        where = ".".join(part for part in (self._name, field) if part)
        return ContentError(f"{self._path}: {where}: found {found}; {fix}.")

    def called(self, name: str) -> None:
        """Have errors name this table, and those in it, by more than its place: question[3] (splitting.shape)."""
        self._name = f"{self._name} ({name})"

    def close(self) -> None:
        """Raises ContentError where the table holds a field that nothing has read."""
        unknown = [field for field in self._content if field not in self._read]
        if unknown:
            known = ", ".join(sorted(self._read))
            raise self.error(unknown[0], "an unknown field", f"remove it, or use one of: {known}")

    # --- one field ---------------------------------------------------------------------------------------------

    def _value(self, field: str, kind: type, fix: str) -> Any:
        self._read.add(field)
        if field not in self._content:
            raise self.error(field, "nothing", fix)
        value = self._content[field]
        if type(value) is not kind:
            raise self.error(field, repr(value), fix)
        return value

    def has(self, field: str) -> bool:
        """Whether the table holds this field; asking does not count as reading it."""
        return field in self._content

    def string(self, field: str) -> str:
        """A text that is not empty."""
        value: str = self._value(field, str, 'write a text, "…"')
        if not value.strip():
            raise self.error(field, repr(value), "write a text that is not empty")
        return value

    def optional_string(self, field: str) -> str | None:
        """A text that is not empty, None where there is none."""
        self._read.add(field)
        return self.string(field) if field in self._content else None

    def text(self, field: str) -> Text:
        """A sentence in every language: {en = "…", zh = "…"}."""
        return self._table(field, _TEXT_FIX).whole_text()

    def whole_text(self) -> Text:
        """This table itself as a sentence in every language."""
        text = Text(**{language: self.string(language) for language in LANGUAGES})
        self.close()
        return text

    def identifier(self, field: str) -> str:
        """A Python name."""
        return self._name_of_python(field, self.string(field))

    def strings(self, field: str) -> tuple[str, ...]:
        """A list of texts, each once."""
        values = self._value(field, list, 'write a list of texts, ["…"]')
        if not all(type(value) is str and value for value in values) or len(set(values)) != len(values):
            raise self.error(field, repr(values), "write a list of texts that are not empty, each of them once")
        return tuple(values)

    def optional_strings(self, field: str) -> tuple[str, ...]:
        """A list of texts, each once; none where there is no such field."""
        self._read.add(field)
        return self.strings(field) if field in self._content else ()

    def string_lists(self, field: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of texts, each of them at least two."""
        fix = 'write a list of lists of texts, [["…", "…"]]'
        found = self._value(field, list, fix)
        for values in found:
            well = isinstance(values, list) and all(type(value) is str and value for value in values)
            if not (well and len(set(values)) == len(values) > 1):
                raise self.error(field, repr(values), fix)
        return tuple(map(tuple, found))

    def identifiers(self, field: str) -> tuple[str, ...]:
        """A list of Python names, at least one."""
        names = tuple(self._name_of_python(field, value) for value in self.strings(field))
        if not names:
            raise self.error(field, "[]", "name at least one function or class")
        return names

    def _name_of_python(self, field: str, value: str) -> str:
        if not (value.isidentifier() and value.isascii()):
            raise self.error(field, repr(value), "write a Python name: letters, digits and _, not a digit first")
        return value

    def numbers(self, field: str) -> tuple[float, ...]:
        """A list of finite numbers, at least two, each larger than the one before."""
        fix = "write a list of at least two numbers, each larger than the one before"
        values = self._value(field, list, fix)
        plain = all(type(value) in (int, float) and math.isfinite(value) for value in values)
        if not plain or len(values) < 2 or not all(a < b for a, b in pairwise(values)):
            raise self.error(field, repr(values), fix)
        return tuple(values)

    def one_of(self, field: str, choices: tuple[str, ...]) -> str:
        """One of these texts."""
        value = self.string(field)
        if value not in choices:
            raise self.error(field, repr(value), f"write one of: {', '.join(choices)}")
        return value

    def number(self, field: str, default: float, least: float, most: float) -> float:
        """A number from `least` to `most`, a whole one where the default is; the default where there is none."""
        self._read.add(field)
        value = self._content.get(field, default)
        whole = type(default) is int
        kinds = (int,) if whole else (int, float)
        fix = f"write a {'whole ' if whole else ''}number from {least:g} to {most:g}"
        if type(value) not in kinds or not math.isfinite(value) or not least <= value <= most:
            raise self.error(field, repr(value), fix)
        number: float = value
        return number

    # --- tables in the table -----------------------------------------------------------------------------------

    def _inner(self, name: str, content: object, fix: str) -> Table:
        if not isinstance(content, dict):
            raise self.error(name, repr(content), fix)
        return Table(self._path, ".".join(part for part in (self._name, name) if part), content)

    def _table(self, field: str, fix: str) -> Table:
        return self._inner(field, self._value(field, dict, fix), fix)

    def table(self, field: str) -> Table | None:
        """The table under `field`, None where there is none."""
        self._read.add(field)
        return self._table(field, f"write it as [{field}]") if field in self._content else None

    def tables(self, field: str, *, optional: bool = False) -> list[tuple[str, Table]]:
        """The tables [field.NAME] with their names, in the order of the file; at least one unless `optional`."""
        fix = f"write tables [{field}.NAME]"
        self._read.add(field)
        if optional and field not in self._content:
            return []
        found = self._value(field, dict, fix)
        if not found and not optional:
            raise self.error(field, "no table", fix)
        return [(name, self._inner(f"{field}.{name}", content, fix)) for name, content in found.items()]

    def array(self, field: str, *, optional: bool = False) -> list[Table]:
        """The tables [[field]] in the order of the file; at least one unless `optional`."""
        fix = f"write at least one [[{field}]]"
        self._read.add(field)
        if optional and field not in self._content:
            return []
        items = self._value(field, list, fix)
        if not items:
            raise self.error(field, "[]", fix)
        return [self._inner(f"{field}[{i}]", item, fix) for i, item in enumerate(items, start=1)]


def read_table(path: Path) -> Table:
    """The whole file as a table; raises ContentError where it is missing, no UTF-8 or no TOML."""
    try:
        return Table(path, "", tomllib.loads(path.read_bytes().decode("utf-8")))
    except FileNotFoundError:
        raise ContentError(f"{path}: found no such file; write it (see AUTHORING.md).") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ContentError(f"{path}: found no valid TOML in UTF-8: {error}; mend it.") from error
