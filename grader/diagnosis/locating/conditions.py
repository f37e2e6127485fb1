"""What the failing inputs have in common, and those that are answered rightly have not: a mask, several heads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from grader.diagnosis.leaves import Numbers, leaf_of
from grader.diagnosis.locating.evidence import Case, Evidence
from grader.model import Message
from grader.sandbox.wire import Build

ENOUGH = 2  # inputs on either side, to speak of what they have in common
LARGE = 100.0

Feature = tuple[str, str]  # key of the sentence, what it is about


def given(evidence: Evidence) -> Iterator[Message]:
    """Wrong only where an optional input is given, or only where it is not."""
    for name in _optional(evidence):
        yield from _only(evidence, ("only_with", name), {"name": name})
        yield from _only(evidence, ("only_without", name), {"name": name})


def kinds(evidence: Evidence) -> Iterator[Message]:
    """Wrong only for inputs of one kind: whole or large numbers, a flag that is set, a mask for each head."""
    for name in dict.fromkeys(name for case in evidence.cases for name in case.inputs):
        for key in ("only_whole", "only_large", "only_true", "only_more_axes"):
            yield from _only(evidence, (key, name), {"name": name})
        for option in dict.fromkeys(option for case in evidence.cases for option in _options(case.inputs.get(name))):
            yield from _only(evidence, ("only_option", f"{name} {option}"), {"name": name, "option": option})


def sizes(evidence: Evidence) -> Iterator[Message]:
    """Wrong only for some sizes: an axis longer than 1 or of length 1, two that are equal or are not."""
    names = _common_sizes(evidence)
    for name in names:
        for key in ("only_longer", "only_of_one", "only_one"):
            yield from _only(evidence, (key, name), {"axis": name})
    for one, other in combinations(names, 2):
        for key in ("only_equal", "only_different"):
            yield from _only(evidence, (key, f"{one}|{other}"), {"one": one, "other": other})


def _only(evidence: Evidence, feature: Feature, fields: dict[str, str]) -> Iterator[Message]:
    """The sentence, where all inputs with the feature fail, and no others."""
    have = [_has(case, feature) for case in evidence.cases]
    wrong = [case.wrong for case in evidence.cases]
    if have == wrong and min(sum(wrong), len(wrong) - sum(wrong)) >= ENOUGH:
        yield evidence.message(feature[0], **fields)


def _optional(evidence: Evidence) -> list[str]:
    names = dict.fromkeys(name for case in evidence.cases for name in case.inputs)
    return [name for name in names if any(case.inputs.get(name) is None for case in evidence.cases)]


def _common_sizes(evidence: Evidence) -> list[str]:
    first = evidence.cases[0].sizes
    return [name for name in first if all(name in case.sizes for case in evidence.cases)]


def _has(case: Case, feature: Feature) -> bool:
    """Whether an input has it; an input that is not given has nothing."""
    key, about = feature
    if key in ("only_longer", "only_of_one"):
        return (case.sizes[about] > 1) == (key == "only_longer")
    if key == "only_one":
        return case.sizes[about] == 1
    if key in ("only_equal", "only_different"):
        one, other = about.split("|")
        return (case.sizes[one] == case.sizes[other]) == (key == "only_equal")
    if key == "only_option":
        name, option = about.split()
        return option in _options(case.inputs.get(name))
    value = case.inputs.get(about)
    if key in ("only_with", "only_without"):
        return (value is not None) == (key == "only_with")
    return _value_has(value, key)


def _options(value: object) -> tuple[str, ...]:
    """How a module was made that is among the inputs: flags it was given, its mode, widths other than the usual one."""
    if not isinstance(value, Build):
        return ()
    flags = {name: given for name, given in value.arguments.items() if isinstance(given, bool)}
    told = [f"{name}={given}" for name, given in (flags | {"training": value.training}).items()]
    usual = value.arguments.get("embed_dim")
    return (*told, *(f"{name}≠embed_dim" for name in ("kdim", "vdim") if value.arguments.get(name, usual) != usual))


def _value_has(value: object, key: str) -> bool:
    if key == "only_true":
        return value is True
    if key == "only_large":
        return is_large(value)
    leaf = leaf_of(value)
    if not isinstance(leaf, Numbers):
        return False
    return leaf.values.dtype.kind in "iu" if key == "only_whole" else leaf.values.ndim > 2


def is_large(value: object) -> bool:
    """Whether an input holds numbers beyond what is ordinary."""
    leaf = leaf_of(value)
    numbers = leaf.values if isinstance(leaf, Numbers) and leaf.values.dtype.kind in "iuf" else np.zeros(1)
    return bool((np.abs(numbers) > LARGE).any())
