"""Mistake models that are not well written are refused with file, field, what was found, and the fix."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.diagnosis.behaviour import Behaviours
from grader.diagnosis.models import MistakeModels, load_models
from grader.errors import ContentError

GOOD = """
from types import SimpleNamespace

STAGES = {"way": ("plain", "doubled"), "style": ("short", "long")}
STYLES = ("style",)
MISTAKES = {"doubles": ("way", "doubled")}
CALL = "same(x)"
AXES = {"x": "L d", "result": "L d"}

def build(way="plain", style="short"):
    return SimpleNamespace(same=lambda x: x if way == "plain" else 2 * x)

def probes():
    return [{"x": 1}, {"x": 2}]

def fresh_probe(rng):
    return {"x": int(rng.integers(9))}

def small_probes():
    yield {"x": 1}

def observe(subject, probe):
    return subject.same(probe["x"])
"""


def _load(folder: Path, source: str) -> MistakeModels:
    path = folder / "mistakes.py"
    path.write_text(source)
    return load_models(path, frozenset({"doubles", "halves"}), ("same",))


def test_a_well_written_file_is_read(tmp_path: Path) -> None:
    """Everything an author may write arrives, and switches are made from slugs and styles."""
    models = _load(tmp_path, GOOD)
    assert models.options(["doubles"]) == {"way": "doubled"}
    assert list(models.ways()) == [(("style", "short"),), (("style", "long"),)]
    assert models.call_of({"x": 1}) == "same(x)"
    assert models.axes_of("nothing", "result") == ("L", "d")
    behaviours = Behaviours(models)
    assert [behaviour.slugs for behaviour in behaviours.mistaken] == [("doubles",), ("doubles",)]


def test_a_file_may_define_a_dataclass(tmp_path: Path) -> None:
    """The module can be looked up by its name while it runs, as dataclasses do with annotations that are texts."""
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass Size:\n    L: int\n"
    )
    assert _load(tmp_path, source + GOOD).mistakes == {"doubles": ("way", "doubled")}


def test_kinds_of_probes_have_calls_of_their_own(tmp_path: Path) -> None:
    """With several calls, a text in the probe or the name of an input tells which one is made."""
    models = _load(tmp_path, GOOD.replace('CALL = "same(x)"', 'CALLS = {"a": "first(x)", "x": "same(x)"}'))
    assert models.call_of({"kind": "a", "x": 1}) == "first(x)"
    assert models.call_of({"x": 1}) == "same(x)"
    assert models.call_of({"y": 1}) == ""
    assert models.inputs_of({"kind": "a", "x": 1}) == {"x": 1}


BAD = {
    "syntax": ("STAGES = {", "STAGES = {{", "mistakes.py: found SyntaxError: .* while loading it; mend it."),
    "no stages": ("STAGES", "STAGE", r"STAGES: found nothing; write {"),
    "empty stages": (r"STAGES = {.*}", "STAGES = {}", r"STAGES: found \{\}; write {"),
    "one option": (
        r'\("plain", "doubled"\)',
        '("plain",)',
        r"STAGES\['way'\]: found \('plain',\); write a tuple of at",
    ),
    "a list": (r'\("plain", "doubled"\)', '["plain", "doubled"]', r"STAGES\['way'\]: found \['plain', 'doubled'\]"),
    "an option twice": (
        r'\("plain", "doubled"\)',
        '("plain", "plain")',
        r"STAGES\['way'\]: found \('plain', 'plain'\)",
    ),
    "no mistakes": (r"MISTAKES = {.*}", "MISTAKES = {}", r"MISTAKES: found \{\}; write {"),
    "no card": (
        '"doubles"',
        '"trebles"',
        r"MISTAKES\['trebles'\]: found a slug without a card; write \[mistake.trebles\]",
    ),
    "no switch": (r'\("way", "doubled"\)', '"doubled"', r"MISTAKES\['doubles'\]: found 'doubled'; write \(\"stage\""),
    "other stage": (r'\("way", "doubled"\)', '("path", "doubled")', r"found the stage 'path'; use one of way, style"),
    "other option": (r'\("way", "doubled"\)', '("way", "halved")', r"found the option 'halved'; use one of doubled"),
    "right option": (r'\("way", "doubled"\)', '("way", "plain")', r"found 'plain', the right option; name the option"),
    "twice": (
        r'"doubled"\)}',
        '"doubled"), "halves": ("way", "doubled")}',
        r"\['halves'\]: found the same switch as 'doubles'",
    ),
    "styles": (
        r'STYLES = \("style",\)',
        'STYLES = ("look",)',
        r"STYLES: found 'look'; write a tuple of stages, from way, style",
    ),
    "styles as text": (r'STYLES = \("style",\)', 'STYLES = "style"', r"STYLES: found 'style'; write a tuple of stages"),
    "no build": ("def build", "def built", r"build: found nothing; write build"),
    "build is no function": ("def observe", "build = 3\ndef observe", r"build: found 3; write build"),
    "build without a stage": (
        ', style="short"',
        "",
        r"build\(way='plain', style='short'\): found TypeError: .*; let build take",
    ),
    "build without the function": (
        "same=lambda",
        "some=lambda",
        r"build\(\): found no same; give a namespace with every function",
    ),
    "no probes": (r"return \[.*\]", "return []", r"probes: found \[\]; write probes"),
    "probes that raise": (
        r"return \[.*\]",
        "return 1 / 0",
        r"probes: found ZeroDivisionError: division by zero; write probes",
    ),
    "probes without names": (r"return \[.*\]", "return [1]", r"probes: found \[1\]; write probes"),
    "no observe": ("def observe", "def observed", r"observe: found nothing; write observe"),
    "no fresh probe": ("def fresh_probe", "def fresh", r"fresh_probe: found nothing; write fresh_probe"),
    "no small probes": ("def small_probes", "def small", r"small_probes: found nothing; write small_probes"),
    "no call": ("CALL = ", "COLL = ", r'CALL: found nothing; write CALL = "concat_heads\(heads\)", or CALLS'),
    "calls": ("CALL = .*", "CALLS = [1]", r"CALLS: found \[1\]; write CALL"),
    "axes": (r"AXES = .*", 'AXES = {"x": 2}', r"AXES: found \{'x': 2\}; write"),
}


@pytest.mark.parametrize(("old", "new", "complaint"), BAD.values(), ids=BAD)
def test_a_fault_is_told_with_field_and_fix(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    """Each fault of a mistakes.py is refused before any submission is judged by it."""
    source, count = re.subn(old, lambda _match: new, GOOD)
    assert count
    with pytest.raises(ContentError, match=complaint) as caught:
        _load(tmp_path, source)
    assert str(tmp_path / "mistakes.py") in str(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """The path that was looked at stands in the error."""
    with pytest.raises(ContentError, match=r"mistakes\.py: found no such file; write it"):
        load_models(tmp_path / "mistakes.py", frozenset(), ())


@pytest.mark.parametrize(
    ("old", "new"),
    [('return subject.same(probe["x"])', 'return subject.same(probe["x"])[0]'), ("subject.same", "subject.other")],
)
def test_an_observe_that_does_not_fit_build_is_told(tmp_path: Path, old: str, new: str) -> None:
    """`observe` has to work on right code, else everything would look alike."""
    models = _load(tmp_path, GOOD.replace(old, new))
    with pytest.raises(ContentError, match=r"observe: found no usable answer of build\(\) to probe 0"):
        Behaviours(models)


def test_build_has_to_refuse_as_the_task_says(tmp_path: Path) -> None:
    """Right code that does not refuse what it must would make every refusal look wrong."""
    models = _load(
        tmp_path,
        "from grader.checks import refusal\n"
        + GOOD.replace(
            'return subject.same(probe["x"])', 'return refusal(lambda: subject.same(probe["x"]), any_value=True)'
        ),
    )
    with pytest.raises(ContentError, match=r"build: found 'int' where probe 0 must be refused; let build\(\) raise"):
        Behaviours(models)


def test_an_exception_of_a_model_has_its_line(tmp_path: Path) -> None:
    """What is built says which file it is of, unless its author has said so."""
    models = _load(tmp_path, GOOD)
    assert models.build().__file__ == str(tmp_path / "mistakes.py")
    (tmp_path / "own").mkdir()
    own = _load(tmp_path / "own", GOOD.replace("SimpleNamespace(", 'SimpleNamespace(__file__="own.py", '))
    assert own.build().__file__ == "own.py"
