"""Reads formulas as people type them, with a parser of its own: no eval, no algebra system.

    "4d^2" --tokens--> 4 d ^ 2 --parser--> (* 4 (^ d 2))

Where a spelling has two readings (1/2d, √d/h, x^1/2) both are kept, and the learner is asked if they differ in verdict.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

from grader.quiz.folding import UnreadableError

# A number is ("number", Fraction), a name ("name", str); all else is (operator, Tree, Tree) or, with "neg", "root" or
# "floor", (operator, Tree).
Tree = tuple[object, ...]

MOST_TOKENS, MOST_DEPTH = 120, 24
MOST_POWER = 64  # of a number; of a name 8 is more than anything here needs


# Spellings of each name, without capitals; d_v is d_k throughout, as in both lessons.
SPELLINGS = {
    "d": ("d_model", "dmodel", "d-model", "d_m", "dm", "d", "e", "embed_dim", "embedding_dim", "dim", "d_embed"),
    "h": ("h", "num_heads", "n_heads", "nhead", "n_head", "num_head", "heads", "nh"),
    "k": ("d_k", "dk", "d_head", "head_dim", "dhead", "head_size", "hs", "k"),
    "v": ("d_v", "dv"),
    "L": ("l", "seq_len", "seqlen", "seq", "length", "t", "len"),
    "S": ("s", "src_len", "key_len"),
    "B": ("b", "batch", "batch_size", "bsz"),
}
NAMES = {spelling: name for name, spellings in SPELLINGS.items() for spelling in spellings}
_NAME = re.compile("|".join(re.escape(each) for each in sorted(NAMES, key=len, reverse=True)))
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+(?![\d.]))?")
_DIGITS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
_WORDS = (
    (r"(?:math|np|numpy|torch|cmath)\s*\.\s*", ""),
    (r"(?<=[\w\s)\]])x(?=[\s\w(\[])", "*"),  # no name has an x
    *((rf"\b{word}\b", str(i)) for i, word in enumerate(_DIGITS, start=2)),
    *(
        (rf"(?<=根号){sign}|{sign}(?=\s*(?:倍|个|乘|[a-z]))", str(i))
        for i, sign in enumerate("二三四五六七八九", start=2)
    ),
    (r"square\s*\(([^()]*)\)", r"((\1)^2)"),
    (r"([a-z0-9_.]+|\([^()]*\))分之([a-z0-9_.]+|\([^()]*\))", r"((\2)/(\1))"),
    (r"\bd[ -]model(?![a-z])", "d_model"),
    (r"\b(?:math\.)?(?:floor|int)\s*(?=\()", " floor "),
    ("⌊", " floor ("),
    (r"([a-z0-9_.]+|\([^()]*\))\s*(?:的(?:算术)?平方根|的?开(?:根号|平方|方))", r"sqrt(\1)"),
    (r"\bsets?\s+of\b|(?<=[a-z\d])\s*[套组份](?:的|\s*(?=[\d(]))", "*"),
    (r"\bhalf\s+of\s+([a-z0-9_.]+)$", r"(\1)/2"),
    (r"^([a-z0-9_.]+)\s*的一半", r"(\1)/2"),
    (
        r"(?:the )?square\s*root\s*(?:of)?|(?<![a-z_])root\s+of|sqrt\s+of|平方根|根号下?|√|(?<![a-z_])root(?![a-z_])",
        " sqrt ",
    ),
    (r"\bto the (?:power of\s*)?|\braised to\b", "^"),
    (r"\bsquared\b|的平方|平方|的二次方|的2次方", "^2"),
    (r"((?:[a-z0-9_.]+|\([^()]*\))(?:\^2)?)\s*的\s*(\d+)\s*倍", r"(\2)*(\1)"),
    (r"\bdivided\s+by\b|\bover\b|除以", "/"),
    (r"\btimes\b|\bmultiplied\s+by\b|乘以|乘|倍的|倍", "*"),
    (r"\bplus\b|加上|加", "+"),
    (r"\bminus\b|减去|减", "-"),
)


def readings(plain: str, *, names: bool) -> list[Tree]:
    """Every reading of a folded text; the first is the usual one.

    Args:
        names: whether letters may occur, or numbers alone.

    Raises:
        UnreadableError: something in it means nothing here.
    """
    tokens = _tokens(plain, names=names)
    found: list[Tree] = []
    for tight, wide_root, wide_power in product((True, False), (False, True), (False, True)):
        tree = _Parser(tokens, tight=tight, wide_root=wide_root, wide_power=wide_power).whole()
        if tree not in found:
            found.append(tree)
    return found


# --- tokens --------------------------------------------------------------------------------------------------------


def _tokens(text: str, *, names: bool) -> list[tuple[str, object]]:
    for pattern, sign in _WORDS:
        text = re.sub(pattern, sign, text)
    text = text.replace("**", "^")
    tokens: list[tuple[str, object]] = []
    at = 0
    while at < len(text):
        if text[at] == " ":
            at += 1
            continue
        kind, value, at = _token(text, at, names=names)
        tokens.append((kind, value))
        if len(tokens) > MOST_TOKENS:
            raise UnreadableError("too_long", most=str(MOST_TOKENS))
    if not tokens:
        raise UnreadableError("empty")
    return tokens


def _token(text: str, at: int, *, names: bool) -> tuple[str, object, int]:
    if number := _NUMBER.match(text, at):
        return "number", _fraction(number[0]), number.end()
    if text.startswith("//", at):
        return "//", "//", at + 2
    for function in ("sqrt", "pow", "floor"):
        if text.startswith(function, at):
            return function, None, at + len(function)
    if names and (name := _NAME.match(text, at)):
        return "name", NAMES[name[0]], name.end()
    sign = {"×": "*", "·": "*", "[": "(", "{": "(", "]": ")", "}": ")", "⌋": ")"}.get(text[at], text[at])
    if sign in {"+", "-", "*", "/", "^", "(", ")", ","}:
        return sign, text[at], at + 1
    word = re.match(r"[^\W\d]+|.", text[at:])
    raise UnreadableError("unknown_word", word=word[0] if word else text[at])


def _fraction(text: str) -> Fraction:
    mantissa, _, exponent = text.partition("e")
    if exponent and abs(int(exponent)) > MOST_POWER:
        raise UnreadableError("power_too_large")
    return Fraction(mantissa.replace(",", "").rstrip(".") or "0") * Fraction(10) ** int(exponent or 0)


# --- parser --------------------------------------------------------------------------------------------------------


class _Parser:
    """Recursive descent over the tokens, with one choice for each of the three ambiguities."""

    def __init__(self, tokens: list[tuple[str, object]], *, tight: bool, wide_root: bool, wide_power: bool) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._tight = tight  # 1/2d is 1/(2d), not (1/2)·d
        self._wide_root = wide_root  # √d/h is √(d/h), not (√d)/h
        self._wide_power = wide_power  # x^1/2 is x^(1/2), not (x^1)/2
        self._under_root = False  # a wide root ends before the next one: √d/√h is (√d)/(√h)

    def whole(self) -> Tree:
        tree = self._sum()
        if self._next == ")":
            raise UnreadableError("brackets")
        if self._next:
            raise UnreadableError("unknown_word", word=str(self._tokens[self._at][1]))
        return tree

    @property
    def _next(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _take(self, *kinds: str) -> str:
        if self._next in kinds:
            self._at += 1
            return self._tokens[self._at - 1][0]
        return ""

    def _sum(self) -> Tree:
        tree = self._product()
        while sign := self._take("+", "-"):
            tree = (sign, tree, self._product())
        return tree

    def _product(self) -> Tree:
        tree = self._side_by_side()
        while True:
            if self._under_root and self._tokens[self._at + 1 : self._at + 2] == [("sqrt", None)]:
                return tree
            if sign := self._take("*", "/", "//"):
                tree = (sign, tree, self._side_by_side())
            elif self._starts_factor():
                tree = ("*", tree, self._power())
            else:
                return tree

    def _side_by_side(self) -> Tree:
        """A factor, and in the tight reading all that stand right behind it without a sign."""
        tree = self._signed()
        while self._tight and self._starts_factor():
            tree = ("*", tree, self._power())
        return tree

    def _starts_factor(self) -> bool:
        if self._next == "number":  # 4d2 may be meant as a power: nobody guesses
            raise UnreadableError("number_behind", number=str(self._tokens[self._at][1]))
        return self._next in {"name", "(", "sqrt", "pow", "floor"}

    def _signed(self) -> Tree:
        if self._take("-"):
            return ("neg", self._signed())
        if self._take("+"):
            return self._signed()
        return self._power()

    def _power(self) -> Tree:
        base = self._atom()
        if not self._take("^"):
            return base
        exponent = self._exponent()
        return ("^", base, exponent)

    def _exponent(self) -> Tree:
        minus = bool(self._take("-"))
        self._take("+")
        tree = self._power()
        if self._wide_power and tree == ("number", Fraction(1)) and self._next == "/":
            following = self._tokens[self._at + 1 : self._at + 2]
            if following and following[0][0] == "number":
                self._at += 2
                tree = ("/", tree, ("number", following[0][1]))
        return ("neg", tree) if minus else tree

    def _atom(self) -> Tree:
        kind = self._next
        if kind in {"number", "name"}:
            self._at += 1
            return (kind, self._tokens[self._at - 1][1])
        if self._take("sqrt"):
            if self._next == "(" or not self._wide_root:
                return ("root", self._power() if self._next != "(" else self._bracket())
            outer, self._under_root = self._under_root, True
            inside = self._product()
            self._under_root = outer
            return ("root", inside)
        if self._take("pow"):
            return self._pow()
        if self._take("floor"):
            return ("floor", self._bracket())
        if kind == "(":
            return self._bracket()
        if kind:
            raise UnreadableError("formula_sign", sign=kind)
        raise UnreadableError("formula_ends")

    def _bracket(self) -> Tree:
        if not self._take("("):
            raise UnreadableError("brackets")
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise UnreadableError("too_long", most=str(MOST_DEPTH))
        tree = self._sum()
        if not self._take(")"):
            raise UnreadableError("brackets")
        self._depth -= 1
        return tree

    def _pow(self) -> Tree:
        if not self._take("("):
            raise UnreadableError("brackets")
        base = self._sum()
        if not self._take(","):
            raise UnreadableError("brackets")
        exponent = self._sum()
        if not self._take(")"):
            raise UnreadableError("brackets")
        return ("^", base, exponent)
