"""What an audit finds: a tiny course is broken in one way after the other, and each time the right proof says so."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from tiny_course import EXERCISE, SOLUTION, Tiny

from grader.diagnosis import choice
from grader.texts import area, say

TOML, TASK = f"{EXERCISE}/exercise.toml", f"{EXERCISE}/README.md"
STARTER, SUITE = f"{EXERCISE}/centre.py", f"{SOLUTION}/test_centre_hidden.py"
MODELS, EQUIVALENTS, CONFUSION = (
    f"{SOLUTION}/{name}" for name in ("mistakes.py", "equivalents.toml", "confusion.toml")
)
ACCEPTED = f"{SOLUTION}/accepted/row_by_row.py"
CARDS = "exercises/mistakes.toml"

# --- ways to break it ----------------------------------------------------------------------------------------------


def edit(path: str, old: str, new: str) -> Callable[[Tiny], None]:
    return lambda tiny: tiny.edit(path, old, new)


def write(path: str, text: str) -> Callable[[Tiny], None]:
    return lambda tiny: tiny.write(path, text)


def remove(path: str) -> Callable[[Tiny], None]:
    return lambda tiny: tiny.remove(path)


def drop_last_hint(tiny: Tiny) -> None:
    text = (tiny.root / TOML).read_text(encoding="utf-8")
    start = text.rindex("[[hint]]")
    tiny.write(TOML, text[:start] + text[text.index("# The rule", start) :])


def look_at_shapes_only(tiny: Tiny) -> None:
    text = (tiny.root / SUITE).read_text(encoding="utf-8")
    tiny.write(SUITE, re.sub(r"assert_close\(got, .*\)", "assert_shape(got, L=x.shape[0], d=x.shape[1])", text))


def list_as_equivalent(mutant: str) -> Callable[[Tiny], None]:
    entry = f'[[equivalent]]\nwhy = "Nobody knows."\nmutants = ["{mutant}"]\n'
    return lambda tiny: tiny.write(EQUIVALENTS, (tiny.root / EQUIVALENTS).read_text(encoding="utf-8") + entry)


ONE_COLUMN = 7  # the index of a probe; there a sum is as good as a mean
ONLY_ONE_ROW = edit(MODELS, "_SIZES = (", "_SIZES = ((1, 3), (1, 5)) or (")
NOTHING_SHOWS = edit(MODELS, "size = 2 + rng.permutation(6)[:2]", "return {'x': np.zeros((1, 1))}\n    size = (1, 1)")
# one probe in hundreds shows anything: some seeds meet it in time, others do not
SELDOM_SHOWS = edit(
    MODELS,
    "size = 2 + rng.permutation(6)[:2]",
    "if rng.random() < 0.994:\n        return {'x': np.zeros((1, 1))}\n    size = 2 + rng.permutation(6)[:2]",
)
ONE_UNDOES_THE_OTHER = edit(
    MODELS,
    "return written(",
    "undone = over == 'everything' and write == 'in-place' and len(x) % 2\n"
    "        return x - x.mean(axis=1, keepdims=True) if undone else written(",
)
ONE_COMES_OUT_AS_ANOTHER = edit(
    MODELS,
    "return written(",
    "undone = over == 'everything' and write == 'in-place'\n"
    "        return x - x.mean(axis=0, keepdims=True) if undone else written(",
)
IN_PLACE_IS_RIGHT = edit(MODELS, '"in-place": _in_place', '"in-place": lambda x, mean: x - mean')
LOOKS_INSIDE = edit(SUITE, "assert_shape(got, L=L, d=d)", "got[0, 0]")

# sentence of grader/texts/audit.toml -> the proof that says it, and how to break the course
FAULTS: dict[str, tuple[str, Callable[[Tiny], None]]] = {
    "file_missing": ("files", remove(TASK)),
    "file_stray": ("files", write(f"{SOLUTION}/notes.txt", "by the way")),
    "accepted_too_few": ("files", remove(ACCEPTED)),
    "todo_left": ("files", edit(SUITE, "Hidden checks", "TODO: Hidden checks")),
    "hints_too_few": ("texts", drop_last_hint),
    "quiz_silent": ("texts", write("quizzes/bank.lock.json", '{"format": 1, "revision": "", "items": []}')),
    "text_not_chinese": ("texts", edit(TOML, "结果是一个数组，形状与 x 相同。", "The result has the shape of x.")),
    "text_not_english": ("texts", edit(TOML, "The result is one array", "结果 is one array")),
    "text_with_code": ("texts", edit(CARDS, "how many numbers come out", "write `x.mean(axis=1)`; how many come out")),
    "text_todo": ("texts", edit(CARDS, "Without an axis", "TODO: Without an axis")),
    "task_silent": ("texts", edit(TASK, "`centre", "`center")),
    "task_language": ("texts", write(f"{EXERCISE}/README.zh.md", "Write `centre(x)` in `centre.py`.")),
    "starter_todos": ("starter", edit(STARTER, "import numpy", "# TODO: and this\nimport numpy")),
    "starter_attempted": ("starter", edit(STARTER, "raise NotImplementedError", "return x")),
    "right_fails": ("reference", edit(f"{SOLUTION}/centre.py", "return x - means", "return list(x - means)")),
    "right_named": ("accepted", write(ACCEPTED, "def centre(x):\n    return x - x.mean()\n")),
    "right_differs": ("accepted", write(ACCEPTED, "def centre(x):\n    return x - 2 * x.mean(axis=1)[:, None]\n")),
    "oracle_silent": ("oracle", write(f"{SOLUTION}/oracle.py", "def center(x):\n    return x\n")),
    "oracle_differs": ("oracle", write(f"{SOLUTION}/oracle.py", "def centre(x):\n    return x\n")),
    "probe_changed": ("probes", lambda tiny: tiny.choose_only(0, changed=True)),
    "probe_misses": ("probes", lambda tiny: tiny.choose_only(ONE_COLUMN)),
    "probe_shows_not": ("probes", lambda tiny: tiny.choose_only(0)),
    "mistake_is_right": ("mistakes", IN_PLACE_IS_RIGHT),
    "mistake_is_other": ("mistakes", edit(MODELS, "lambda x: x.mean(),", "lambda x: x.mean(axis=0, keepdims=True),")),
    "mistake_passes": ("mistakes", look_at_shapes_only),
    "mistake_unnamed": ("mistakes", NOTHING_SHOWS),
    "nearly_alike": (
        "mistakes",
        edit(MODELS, "x.mean(axis=0, keepdims=True),", "x.mean(axis=1, keepdims=True) + 1e-6,"),
    ),
    "alike_undeclared": ("pairs", ONE_COMES_OUT_AS_ANOTHER),
    "hidden_undeclared": (
        "pairs",
        edit(MODELS, "return written(", "return x - x.mean() if over == 'everything' else written("),
    ),
    "hidden_shows": (
        "pairs",
        write(CONFUSION, '[[hidden]]\nwhy = "?"\nbeside = ["centre-in-place"]\nmistakes = ["centre-over-positions"]\n'),
    ),
    "alike_apart": (
        "pairs",
        write(CONFUSION, '[[alike]]\nwhy = "?"\ngroups = [["centre-in-place", "centre-over-positions"]]\n'),
    ),
    "alike_separable": ("pairs", ONLY_ONE_ROW),
    "mistake_unsteady": ("mistakes", SELDOM_SHOWS),
    "pair_unnamed": ("pairs", ONE_UNDOES_THE_OTHER),
    "unnamed_named": (
        "pairs",
        write(CONFUSION, '[[unnamed]]\nwhy = "?"\npairs = ["centre-in-place + centre-over-positions"]\n'),
    ),
    "pair_unsteady": ("pairs", SELDOM_SHOWS),
    "mutant_survives": ("mutants", remove(EQUIVALENTS)),
    "mutant_differs": ("mutants", look_at_shapes_only),
    "equivalent_killed": ("mutants", list_as_equivalent("centre.py: return x - means → return x + means")),
    "equivalent_unknown": ("mutants", list_as_equivalent("centre.py: return x - means → return 7")),
    "check_without_reason": ("checks", edit(SUITE, "Why: this is", "This is")),
    "check_breaks": ("checks", LOOKS_INSIDE),
    "junk_passes": ("junk", edit(SUITE, "    assert_numbers(got)\n", "")),
    "junk_breaks": ("junk", LOOKS_INSIDE),
    "junk_breaks_first": ("junk", LOOKS_INSIDE),
    "content_fault": ("texts", edit(TOML, 'module = "centre"', "module = 7")),
    "content_fault_again": ("mistakes checks", remove(MODELS)),
}


ONLY_IN_FULL = {"nearly_alike", "hidden_shows", "alike_apart", "mistake_unsteady", "pair_unnamed", "unnamed_named"}
ONLY_IN_FULL |= {"pair_unsteady", "equivalent_unknown"}


@pytest.mark.parametrize("sentence", FAULTS)
def test_finds_what_is_broken(tiny: Tiny, sentence: str) -> None:
    """A course that is broken in one way must have that told by the proof which is there for it."""
    proofs, break_it = FAULTS[sentence]
    if {"mutants", "checks", "probes"} & {*proofs.split()}:  # mutants of two files are enough here
        tiny.remove(f"{SOLUTION}/accepted/row_by_row.py")
        tiny.remove(f"{SOLUTION}/accepted/centring_matrix.py")
    break_it(tiny)
    full = sentence in ONLY_IN_FULL
    assert sentence in tiny.found(*proofs.split(), full=full, every=full)


def test_every_finding_is_proved_here() -> None:
    """No sentence about a finding may lack a course in which it is found."""
    others = ("proof_", "looked_", "figure", "mine_", "chosen")
    findings = {key for key in area("audit") if not key.startswith(others)} - {"all_holds", "some_findings"}
    assert findings == set(FAULTS)


def test_a_good_course_is_clean(tiny: Tiny) -> None:
    """An exercise whose files are as they should be must have no finding in any proof, the slow ones included."""
    assert tiny.found(full=True, every=True) == set()


@pytest.mark.parametrize("sentence", ["mistake_is_right", "mistake_is_other"])
def test_a_mistake_that_is_none_is_one_finding(tiny: Tiny, sentence: str) -> None:
    """What follows from a mistake that is written as something else is not told beside it."""
    FAULTS[sentence][1](tiny)
    assert tiny.found("reference", "accepted", "mistakes", "pairs", full=True) == {sentence}


def test_a_broken_list_of_probes_is_one_finding(tiny: Tiny) -> None:
    """A fault of the course that a diagnosis meets is no check that breaks over junk, and counts once."""
    tiny.write(f"{SOLUTION}/{choice.NAME}", "<<<<<<< HEAD\n{")
    proofs = tiny.audit("mistakes", "junk").proofs
    assert [finding.key for proof in proofs for finding in proof.findings] == [
        "audit.content_fault",
        "audit.content_fault_again",
    ]
    assert sum(proof.count for proof in proofs) == 1


def test_right_code_answers_the_probes_that_were_not_chosen_too(tiny: Tiny) -> None:
    """An unusable answer to a written probe is told, whether there is a choice without it or not."""
    tiny.choose_only(0)
    tiny.edit(
        MODELS,
        'return subject.centre(probe["x"])',
        'return subject.centre(probe["x"]) if len(probe["x"]) < 7 else {}[0]',
    )
    (finding,) = (finding for proof in tiny.audit("mistakes").proofs for finding in proof.findings)
    assert "no usable answer of build() to probe 5" in str(finding.fields["text"])


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (
            '[[hidden]]\nwhy = "?"\nbeside = ["centre-in-plaice"]\nmistakes = ["centre-over-positions"]',
            "hidden[1].beside",
        ),
        (
            '[[hidden]]\nwhy = "?"\nbeside = ["centre-over-positions"]\nmistakes = ["centre-in-plaice"]',
            "hidden[1].mistakes",
        ),
        ('[[alike]]\nwhy = "?"\ngroups = [["right", "centre-in-plaice"]]', "alike[1].groups"),
        ('[[unnamed]]\nwhy = "?"\npairs = ["centre-over-positions + centre-in-plaice"]', "unnamed[1].pairs"),
    ],
)
def test_an_unknown_name_in_the_list_of_confusions_is_told(tiny: Tiny, entry: str, field: str) -> None:
    """A name that is no mistake of the exercise is refused with its entry, and the nearest ones are shown."""
    tiny.write(CONFUSION, entry + "\n")
    (finding,) = (finding for proof in tiny.audit("pairs").proofs for finding in proof.findings)
    text = str(finding.fields["text"])
    assert f"confusion.toml: {field}: found 'centre-in-plaice'" in text
    assert "such as centre-in-place" in text


def test_why_right_code_fails_is_a_sentence(tiny: Tiny) -> None:
    """A check that right code does not pass is told in its own words, in the language of the reader."""
    FAULTS["right_fails"][1](tiny)
    (proof,) = tiny.audit("reference").proofs
    first, why = proof.findings[:2]
    assert (first.key, why.key.partition(".")[0]) == ("audit.right_fails", "checks")
    assert say(why, "en") != say(why, "zh")


def test_a_pair_that_is_declared_as_unnamed_is_no_finding(tiny: Tiny) -> None:
    """A pair that a diagnosis does not name is accounted for, once the list says so and why."""
    ONE_UNDOES_THE_OTHER(tiny)
    tiny.write(CONFUSION, '[[unnamed]]\nwhy = "?"\npairs = ["centre-over-everything + centre-in-place"]\n')
    (proof,) = tiny.audit("pairs", full=True).proofs
    assert proof.findings == []
    assert (proof.counts["named"], proof.counts["declared"], proof.counts["distinct"]) == (1, 1, 2)
