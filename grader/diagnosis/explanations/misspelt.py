"""Explains names of numpy and torch that do not exist by the nearest ones that do.

A package is looked at only where this process has loaded it, as it has where the suite of an exercise uses it.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable

from grader.diagnosis.explanations.rule import Fields, Rule
from grader.sandbox.wire import ExceptionReport

NEAR = 0.75  # as difflib measures it
_PACKAGES = ("numpy", "torch", "math")
_WRITTEN = {"numpy": "np"}  # as students write them


def _of_module(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    """For a name that a module lacks, or that was to be imported from it."""
    module, name = match["module"], match["name"]
    if module.partition(".")[0] not in _PACKAGES:
        return None
    near = _nearest(name, dir(sys.modules.get(module)) if module in sys.modules else ())
    top, dot, rest = module.partition(".")
    written = f"{_WRITTEN.get(top, top)}{dot}{rest}"
    return {"name": f"{written}.{name}", "known": f"{written}.{near}"} if near else None


def _missing_module(match: re.Match[str], report: ExceptionReport) -> Fields | None:
    """For `import torch.nn.funtional`: the module is missing in the one above it."""
    above, dot, _name = match["module"].rpartition(".")
    inside = re.match(r"(?P<module>.*)\.(?P<name>.*)", match["module"])
    return _of_module(inside, report) if above and dot and inside else None


def _of_value(match: re.Match[str], _report: ExceptionReport) -> Fields | None:
    """For a name that an array, a tensor or a layer of torch lacks."""
    near = _nearest(match["name"], _names_of(match["kind"]))
    return {"name": match["name"], "known": near, "kind": match["kind"]} if near else None


def _names_of(kind: str) -> Iterable[str]:
    if kind == "numpy.ndarray":
        return dir(getattr(sys.modules.get("numpy"), "ndarray", None))
    if kind in ("Tensor", "Parameter"):
        return dir(getattr(sys.modules.get("torch"), "Tensor", None))
    layer = getattr(sys.modules.get("torch.nn"), kind, None)
    if not isinstance(layer, type):
        return ()
    made = getattr(vars(layer).get("__init__"), "__code__", None)  # parameters are no names of the class
    return {*dir(layer), *getattr(made, "co_names", ())}


def _nearest(name: str, known: Iterable[str]) -> str | None:
    public = [each for each in known if not each.startswith("_")]
    return next(iter(difflib.get_close_matches(name, public, n=1, cutoff=NEAR)), None)


_ATTRIBUTE = "AttributeError"

RULES = (
    Rule("similar", _ATTRIBUTE, "module '{module:name}' has no attribute '{name:quoted}'", _of_module),
    Rule("similar", "ImportError", "cannot import name '{name:quoted}' from '{module:name}'", _of_module),
    Rule("similar", "ImportError", "No module named '{module:name}'", _missing_module),
    Rule("similar_of_value", _ATTRIBUTE, "'{kind:name}' object has no attribute '{name:quoted}'", _of_value),
)
