"""GIFT files, read by the parser `gift-pegjs` under Node where that is installed, and sign by sign without it."""

import json
import re
import shutil
import subprocess

import pytest
from made_bank import NASTY
from test_quiz_export import exported

from grader.model import LANGUAGES
from grader.quiz.exports.gift import escaped

READ = """
const questions = require("gift-pegjs").parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(questions));
"""


def read(content):
    """The questions as an independent parser understands them; without it the test is skipped, and says so."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed, so no other program can read GIFT")
    done = subprocess.run([node, "-e", READ], input=content, capture_output=True, check=False)
    if b"Cannot find module 'gift-pegjs'" in done.stderr:
        pytest.skip("the parser of GIFT is not installed: npm install gift-pegjs, and NODE_PATH=$PWD/node_modules")
    assert done.returncode == 0, done.stderr.decode()
    return {each["title"]: each for each in json.loads(done.stdout) if each["type"] != "Category"}


def plain(text):
    """HTML as text."""
    return re.sub(r"<[^>]+>", "", text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_program_reads_every_question(language):
    """QC90 The same number of questions, of the fitting type, with the same texts, whatever signs are in them."""
    found = read(exported("gift", language)[0])
    types = {name: each["type"] for name, each in found.items()}
    assert types == {
        **dict.fromkeys(("made.number.1", "made.number.2", "made.rounded.1"), "Numerical"),
        **dict.fromkeys((f"made.vector.1.{i}" for i in (1, 2, 3)), "Numerical"),
        **dict.fromkeys(("made.shape.1", "made.raising.1", "made.formula.1"), "Short"),
        **dict.fromkeys(("made.cloze.1", "made.gaps.1.1", "made.gaps.1.2"), "Short"),
        **dict.fromkeys(
            (f"made.{kind}.1" for kind in ("choice", "multi", "error", "predict", "code", "free-order")), "MC"
        ),
        **dict.fromkeys(("made.order.1", "made.match.1"), "Matching"),
        "made.recall.1": "Essay",
    }
    for name, question in found.items():
        assert NASTY.replace("`", "") in plain(question["stem"]["text"]), name
        assert question["stem"]["format"] == "html"
        assert NASTY.replace("`", "") in plain(question["globalFeedback"]["text"]), name


def test_another_program_reads_the_answers():
    """Right answers are right, wrong ones bring the title of their mistake, tolerances are those of the bank."""
    found = read(exported("gift")[0])
    number = found["made.rounded.1"]["choices"]
    assert (number[0]["text"]["number"], number[0]["text"]["range"], number[0]["weight"]) == (0.25, 0.01, None)
    assert [each["weight"] for each in number[1:]] == [0, 0]
    assert number[1]["feedback"]["text"].startswith("Every head gets all of d_model.")
    shapes = [each["text"]["text"] for each in found["made.shape.1"]["choices"] if each["weight"] is None]
    assert {"(2, 8, 5)", "2×8×5", "（2，8，5）"} <= set(shapes)
    formulas = [each["text"]["text"] for each in found["made.formula.1"]["choices"]]
    assert "4\\*d_model^2" in formulas  # Moodle's own way to write a star that is no wildcard
    choices = {plain(each["text"]["text"]): each for each in found["made.choice.1"]["choices"]}
    assert [each["isCorrect"] for text, each in choices.items() if text.startswith("yes")] == [True]
    assert choices["=never"]["feedback"]["text"].startswith("Number and width of the heads are exchanged.")
    weights = [each["weight"] for each in found["made.multi.1"]["choices"]]
    assert sorted(weights) == [-33.33333, -33.33333, 33.33333, 33.33333, 33.33333]
    pairs = {plain(each["subquestion"]["text"]): each["subanswer"] for each in found["made.match.1"]["matchPairs"]}
    assert pairs["i"] == "number"


def test_every_sign_that_means_something_is_escaped():
    """QC89 Outside of its own syntax a file has no bare ~ = # { } : and no line end inside a text."""
    assert escaped(r"~=#{}:\ " + "\n") == r"\~\=\#\{\}\:\\ \n"
    lines = exported("gift")[0].decode().splitlines()
    heads = [line for line in lines if line.startswith("::")]
    assert len(heads) == 21
    for line in heads:
        text = re.sub(r"\\.", "", line.partition("[html]")[2])
        assert re.fullmatch(r"[^~=#{}:]*\{#?", text), line
    assert len({line for line in lines if line.startswith("// [id:")}) == 21
    assert "$CATEGORY: Made/Made//up" in lines
