"""Of a notebook that answers several exercises: the statements that one of them needs.

    import numpy as np             for 04_concat    import numpy as np
    import torch                       -->
    def concat_heads(heads): ...                    def concat_heads(heads): ...
    class Attention(nn.Module): ...

Only where the notebook imports a package that the exercise may not use is anything left out, and only while nothing
that the exercise needs names that package. Needed is what defines a name that the exercise asks for, and what defines a
name that stands in something needed; what uses such a package, or at once what only such statements define, belongs to
another exercise. Lines keep their numbers. As everywhere here, patterns are looked for, and nothing is parsed.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from grader.model import Exercise
from grader.report.places import LINES_OF_A_CELL

MOST_IMPORTED = 5000  # characters of a statement that imports; of a longer one looking takes long

_NO_CODE = re.compile(
    r"""(?P<f>(?<!\w)(?:[fF][rR]?|[rR][fF]))?(?:(?P<long>'''|\""")|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?)|\#[^\n]*"""
)
_NOT_LINE_END = re.compile(r"[^\n]")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_FROM = re.compile(r"from\s+(?P<module>\w[\w.]*)\s+import\s*(?P<names>\([^()]*\)|[^;()]*)")
_IMPORT = re.compile(r"import\s+(?P<modules>[^;()]*)")
_BLOCK = re.compile(r"(?:async\s+)?(?:def|(?P<is_class>class))\s+(?P<name>[A-Za-z_]\w*)")
_GOES_ON = re.compile(r"(?:\s|[)\]}]|(?:else|elif|except|finally)\b)")
_OWN = re.compile(r"[(,*]\s*[A-Za-z_]\w*(?=\s*[,=:)])|\bfor\s[^:()\n]{0,200}?\bin\b|\bas\s+\w+")
_OF_BLOCK = re.compile(r"^\s*(?:if|for|while|with|else|elif|try|except|finally)\b[^:]*:")
_USED = re.compile(r"^\s*([A-Za-z_]\w*)\s*\.")
_COMPARED = re.compile(r"[=!<>]=")


class Needed(NamedTuple):
    """The part of a notebook that one exercise needs, and the packages of others that it does without."""

    source: bytes
    without: tuple[str, ...]


class _Imported(NamedTuple):
    """One name that a statement imports, and how that is written; "" where it cannot be written alone."""

    package: str
    name: str
    alone: str


@dataclass
class _Statement:
    """One statement outside of any other.

    Attributes:
        first, last: its lines, counted from 0.
        names: whatever it names, without what it imports of foreign packages.
        within: of these, what it gives a value itself: parameters and local names.
        at_once: of these, what it names when it is run, not only when a function is called.
        binds: the names that it defines.
        used: the names whose methods it calls, which may change them: parts.append(x).
        foreign: what it imports of packages that the exercise may not use.
        own: what else it imports.
    """

    first: int
    last: int
    names: set[str] = field(default_factory=set)
    within: set[str] = field(default_factory=set)
    at_once: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    foreign: tuple[_Imported, ...] = ()
    own: tuple[_Imported, ...] = ()


class _Unclear(Exception):
    """A statement that these patterns do not understand; the notebook is taken whole."""


def needed_of(source: bytes, exercise: Exercise) -> Needed | None:
    """The part of a notebook's code that an exercise needs; None where all is taken."""
    lines = source.decode("utf-8", "replace").split("\n")
    try:
        statements = [
            each for cell in range(0, len(lines), LINES_OF_A_CELL) for each in _of_cell(lines, cell, exercise)
        ]
    except _Unclear:
        return None
    foreign = {one.name for each in statements for one in each.foreign}
    wanted = {at for at, each in enumerate(statements) if each.binds & {*exercise.defines, "*"}}
    if not foreign or not any(statements[at].binds & set(exercise.defines) for at in wanted):
        return None
    others = _of_others(statements, wanted, foreign)
    needed = _closure(statements, wanted, others)
    theirs = {name for at in others for name in statements[at].binds}
    theirs -= {name for at, each in enumerate(statements) if at not in others for name in each.binds}
    if any(statements[at].names & foreign or (statements[at].names - statements[at].within) & theirs for at in needed):
        return None  # it does use the package, and its student is told so
    kept = [""] * len(lines)
    for each in (statements[at] for at in sorted(needed)):
        kept[each.first : each.last + 1] = _without_foreign(each, lines)
    without = dict.fromkeys(one.package for each in statements for one in each.foreign)
    text = "\n".join(kept).rstrip()
    return Needed(f"{text}\n".encode(), tuple(without))


def _of_others(statements: Sequence[_Statement], wanted: Collection[int], foreign: set[str]) -> set[int]:
    """The statements that name a foreign package, or use at once what only such statements define."""
    users: dict[str, list[int]] = defaultdict(list)
    makers = Counter(name for each in statements for name in each.binds)
    others: set[int] = set()
    for at, each in enumerate(statements):
        for name in each.at_once if at not in wanted else ():
            users[name].append(at)
    new = [at for at, each in enumerate(statements) if at not in wanted and each.names & foreign]
    while new:
        if (at := new.pop()) in others:
            continue
        others.add(at)
        makers.subtract(statements[at].binds)
        new += [user for name in statements[at].binds if not makers[name] for user in users[name]]
    return others


def _closure(statements: Sequence[_Statement], wanted: Collection[int], others: Collection[int]) -> set[int]:
    """The wanted statements, and all that define what these name, as far as they belong to no other exercise."""
    imported = {one.name for each in statements for one in each.own}
    makers: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(statements):
        for name in each.binds | (each.used - imported) if at not in others else ():
            makers[name].append(at)
    mentioned: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(statements):
        for name in each.at_once - makers.keys() if at not in others else ():
            mentioned[name].append(at)
    needed, new = set(wanted), set(wanted)
    while new:
        named = {name for at in new for name in statements[at].names}
        new = {at for name in named for at in makers.pop(name, []) or mentioned.pop(name, [])} - needed
        needed |= new
    return needed


def _without_foreign(each: _Statement, lines: Sequence[str]) -> list[str]:
    """The lines of a statement, which may import what the exercise may use beside what it may not."""
    if not each.foreign:
        return list(lines[each.first : each.last + 1])
    alone = f"import {', '.join(one.alone for one in each.own)}" if each.own else ""
    return [alone, *[""] * (each.last - each.first)]


# --- statements --------------------------------------------------------------------------------------------------


def _of_cell(lines: Sequence[str], start: int, exercise: Exercise) -> Iterator[_Statement]:
    """The statements of the cell whose first line is `start`."""
    code = _code_of("\n".join(lines[start : start + LINES_OF_A_CELL])).split("\n")
    first, depth = 0, 0
    goes_on = True
    for at, line in enumerate(code):
        if line.strip() and not goes_on and depth <= 0 and not _GOES_ON.match(line):
            yield _statement(code[first:at], start + first, exercise)
            first, depth = at, 0
        if line.strip():
            depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            goes_on = line.endswith("\\") or line.startswith("@")
    if not goes_on or first:
        yield _statement(code[first:], start + first, exercise)


def _code_of(text: str) -> str:
    """A text with blanks in place of comments and strings; those of f-strings stay, which name what they show."""
    parts, at = [], 0
    while (found := _NO_CODE.search(text, at)) is not None:
        end = found.end()
        if found["long"]:
            close = text.find(found["long"], end)
            end = len(text) if close < 0 else close + 3
        inner = text[found.start() : end]
        shown = inner.replace("\n", "\n ") if found["f"] else _NOT_LINE_END.sub(" ", inner)
        parts += [text[at : found.start()], shown]
        at = end
    return "".join([*parts, text[at:]])


def _statement(code: Sequence[str], first: int, exercise: Exercise) -> _Statement:
    text = "\n".join(code).strip()
    made = _Statement(first, first + len(code) - 1)
    if text.startswith(("import ", "from ")):
        imported = _imported(text)
        allowed = {*sys.stdlib_module_names, *exercise.packages}
        made.foreign = tuple(one for one in imported if one.package not in allowed)
        made.own = tuple(one for one in imported if one.package in allowed)
        if any(one.name == "*" for one in made.foreign):
            raise _Unclear
        made.binds = {"*" if one.package == "__future__" else one.name for one in made.own}
        return made
    made.names = set(_NAME.findall(text))
    head = next((at for at, line in enumerate(code) if _BLOCK.match(line)), len(code))
    if head < len(code) and (block := _BLOCK.match(code[head])) is not None:
        made.binds.add(block["name"])
        head += block["is_class"] is not None
    made.within = {name for found in _OWN.finditer(text) for name in _NAME.findall(found[0])}
    for line in code[head:]:
        made.within.update(*(_targets(piece) for piece in line.split(";")))
    depth = 0
    for line in code[:head]:
        made.at_once.update(_NAME.findall(line))
        if depth <= 0:
            for piece in _OF_BLOCK.sub(";", line, count=1).split(";"):
                made.binds.update(_targets(piece))
                made.used.update(_USED.findall(piece))
            made.binds.update(_targets(line))
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
    for piece in code[:head]:
        if nested := _BLOCK.match(piece.strip()):
            made.binds.add(nested["name"])
    return made


def _imported(text: str) -> tuple[_Imported, ...]:
    """What an import statement imports; raises _Unclear where it is written in an unusual way."""
    if len(text) > MOST_IMPORTED:
        raise _Unclear
    if (found := _FROM.fullmatch(text)) is not None:
        package = found["module"].partition(".")[0]
        items = [item.split() for item in found["names"].strip("()").split(",") if item.strip()]
        return tuple(_Imported(package, words[-1], "") for words in items)
    if (found := _IMPORT.fullmatch(text)) is None or "\\" in text:
        raise _Unclear
    items = [item.split() for item in found["modules"].split(",") if item.strip()]
    packages = [words[0].partition(".")[0] for words in items]
    names = [words[-1] if len(words) > 1 else package for words, package in zip(items, packages, strict=True)]
    return tuple(map(_Imported, packages, names, map(" ".join, items)))


def _targets(piece: str) -> Iterator[str]:
    """The names that a line gives a value."""
    words = piece.split()
    if words[:1] == ["for"] and "in" in words:
        yield from _NAME.findall(" ".join(words[1 : words.index("in")]))
    if words[:1] == ["with"] and "as" in words:
        yield from _NAME.findall(" ".join(words[words.index("as") + 1 :]))
    for head in _COMPARED.sub("  ", piece).split("=")[:-1]:
        if "(" in head.strip(" \t("):
            return
        yield from _NAME.findall(head.partition(":")[0])
