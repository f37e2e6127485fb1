"""`grade predict`: asks first, then runs the code, and says what a prediction was worth."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from small_course import ROOT, Grade

from grader.cli.predict import _predictions
from grader.cli.predict_pages import Page
from grader.course import Course, load_exercise
from grader.diagnosis.leaves import Plain
from grader.prediction.choosing import Question, chosen_question, known_behaviours
from grader.prediction.comparing import asked_of
from grader.quiz.answers import show_value
from grader.sandbox.client import LocalSubject

WRONG = (
    "import numpy as np\n\n\ndef concat_heads(heads):\n    h, L, d = heads.shape\n    return heads.reshape(L, h * d)\n"
)
COURSE = Course(ROOT)
RIGHT = WRONG.replace("heads.reshape", "heads.transpose(1, 0, 2).reshape")


@pytest.fixture(scope="module")
def asked():
    """What is asked about 04_concat."""
    known = known_behaviours(COURSE, load_exercise(COURSE, "04_concat"))
    assert known is not None
    return chosen_question(known)


@pytest.fixture(scope="module")
def right(asked) -> str:
    """Both right answers, as they are typed."""
    return f"{show_value('shape', asked.shape)}\n{asked.value:g}\n"


@pytest.fixture(scope="module")
def merged(asked) -> str:
    """The shape that comes out where the axes are read in another order."""
    h, length, d_v = asked.probe["heads"].shape
    return f"({h}, {length * d_v})"


@pytest.fixture
def student(tmp_path: Path) -> Path:
    """A copy of three exercises, starters untouched."""
    for name in ("04_concat", "06_param_count", "07_multi_head_attention"):
        shutil.copytree(ROOT / "exercises" / name, tmp_path / "exercises" / name)
    return tmp_path


@pytest.fixture
def predict(student: Path, environment: dict[str, str]):
    """Runs the command with answers piped in."""

    def run(answers: str, *arguments: str) -> Grade:
        done = subprocess.run(
            [sys.executable, "-m", "grader.cli", "predict", *arguments],
            cwd=student,
            env=environment,
            input=answers.encode(),
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Grade(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def write(student: Path, source: str) -> None:
    """Writes the student's answer to 04_concat."""
    (student / "exercises" / "04_concat" / "concat.py").write_text(source, encoding="utf-8")


def test_a_right_prediction_of_right_code(predict, student: Path, asked, right: str) -> None:
    """Both answers right: exit code 0, and the code gives just that."""
    write(student, RIGHT)
    done = predict(right, "exercises/04_concat")
    assert (done.code, done.err) == (0, "")
    assert "Your prediction is right.\nYour code gives just what is right here.\n" in done.out
    assert f"  {list(asked.index)} {asked.value:g} ✓\n" in done.out


def test_nothing_is_run_or_given_away_before_the_answer(predict, student: Path) -> None:
    """At the end of the input nothing has been run and nothing right was said, in words and as JSON."""
    write(student, "this cannot be loaded\n")
    done = predict("", "04")
    assert (done.code, done.err) == (1, "")
    assert done.out.endswith("Which shape does the result have?\nNothing was predicted, so the code was not run.\n")
    told = json.loads(predict("", "04", "--json").out)
    assert (told["predicted"], told["asked"], told["call"]) == ([], ["shape", "value"], "concat_heads(heads)")
    assert not {"right", "yours"} & set(told)


def test_a_wrong_prediction_is_named_like_a_wrong_quiz_answer(predict, student: Path, merged: str) -> None:
    """The mistake that gives just that shape is told with what is believed; the code that differs is shown beside."""
    write(student, WRONG)
    done = predict(f"{merged}\n1234\n", "04", "--lang", "zh")
    assert (done.code, done.err) == (1, "")
    mistake = COURSE.mistakes["heads-taken-for-positions"]
    assert f"犯下面这个错误，得到的形状就是 {merged}：\n  {mistake.title.zh}\n  {mistake.belief.zh[:10]}" in done.out
    assert "想知道原因，请输入：grade 04_concat\n" in done.out


def test_what_cannot_be_read_is_asked_again(predict, student: Path, right: str) -> None:
    """An answer that means nothing is sent back with an example, and costs nothing."""
    write(student, RIGHT)
    done = predict(f"bananas\n{right.replace(chr(10), chr(10) + 'many' + chr(10), 1)}", "04")
    assert done.code == 0
    assert done.out.count("For example: ") == 2


@pytest.mark.parametrize(
    ("language", "asked"), [("en", "shape does the result “out” have?"), ("zh", "结果“out”的形状")]
)
def test_a_part_is_called_a_result(predict, language: str, asked: str) -> None:
    """A name that stands nowhere in the call is told to be that of a result."""
    assert asked in predict("", "07", "--lang", language).out


def test_what_was_not_asked_is_not_called_right(predict, student: Path, asked) -> None:
    """Where the input ends after a right shape, the praise is for that alone."""
    write(student, RIGHT)
    done = predict(f"{show_value('shape', asked.shape)}\n", "04")
    assert done.code == 1
    assert "What you predicted is right. The rest was not predicted.\nYour code gives" in done.out


@pytest.mark.parametrize("word", ["q", " Quit", "退出"])
def test_whoever_quits_has_predicted_what_came_before(asked, word: str) -> None:
    """The word that ends the quiz ends this as well, and is no answer that would be sent back."""
    typed = iter(["(9, 9)", word, "1"])
    page = SimpleNamespace(ask=lambda *_: None, read=lambda: next(typed), sent_back=pytest.fail)
    assert [each.kind for each in _predictions(asked, page)] == ["shape"]
    assert next(typed) == "1"


@pytest.mark.parametrize(("language", "word"), [("en", "an error"), ("zh", "报错")])
def test_an_error_is_predicted_in_words(predict, language: str, word: str) -> None:
    """The word that stands for an error inside is no word of the page."""
    done = predict("raises\n1\n", "04", "--lang", language)
    assert f"{word} ✗" in done.out
    assert "raises ✗" not in done.out


def test_machines_get_one_object(predict, student: Path, asked, merged: str) -> None:
    """With --json nothing but one object is written, slugs of mistakes and the student's own result in it."""
    write(student, WRONG)
    done = predict(f"{merged}\n{asked.value:g}\n", "04", "--json")
    told = json.loads(done.out)
    assert (done.code, done.err) == (1, "")
    assert told["predicted"] == [
        {"asked": "shape", "outcome": "wrong", "understood": merged, "mistakes": ["heads-taken-for-positions"]},
        {"asked": "value", "outcome": "right", "understood": f"{asked.value:g}", "mistakes": []},
    ]
    assert told["right"] == {"shape": list(asked.shape), "value": asked.value}
    assert told["yours"] == {
        "state": "other",
        "shape": list(asked.shape),
        "value": asked.values["merge-without-transpose"],
    }


def test_whole_numbers_are_predicted_as_well(predict) -> None:
    """Where a number comes out, there is no shape to ask for; code that is not written is told calmly."""
    known = known_behaviours(COURSE, load_exercise(COURSE, "06_param_count"))
    assert known is not None
    question = chosen_question(known)
    assert question is not None
    done = predict(f"{question.value:g}\n", "06")
    assert done.code == 0
    assert "shape" not in done.out
    assert done.out.endswith("Your prediction is right.\nYour code is not written yet.\n")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def concat_heads(heads):\n    raise ValueError('\\x1b[31m<b>')\n", "Your code raised ValueError: ␛[31m<b>"),
        ("def concat_heads(heads) return\n", "Your code gave nothing here."),
        ("while True:\n    pass\n", "Your code gave nothing here."),
        ("def concat_heads(heads):\n    return '\\x1b[31m' * 50\n", "Your code gives something else here."),
    ],
)
def test_code_that_fails_is_told(predict, student: Path, right: str, source: str, told: str) -> None:
    """An exception, a file that cannot be loaded, one without end, and text that steers a terminal."""
    write(student, source)
    done = predict(right, "04")
    assert (done.code, done.err) == (0, "")  # the prediction was right all the same
    assert told in done.out
    assert "\x1b" not in done.out


@pytest.mark.parametrize("arguments", [["exercises"], ["04", "--seed", "x"], ["nothing"]])
def test_what_means_nothing_is_refused(predict, arguments: list[str]) -> None:
    """Several exercises, a seed that is no number, or no exercise at all: exit code 2 and one line."""
    done = predict("", *arguments)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1


def compare(question: Question, name: str, result: object) -> None:
    """Prints what the page says where the student's function gives this."""
    known = known_behaviours(COURSE, load_exercise(COURSE, name))
    assert known is not None
    functions = dict.fromkeys(load_exercise(COURSE, name).defines, lambda *_args, **_names: result)
    own = asked_of(LocalSubject(SimpleNamespace(__file__="answer.py", **functions)), known.models, question)
    Page(COURSE, "en").compared(question, [], own, "grade")


@pytest.mark.parametrize(
    "result",
    [np.full((1, 200), 1.5), np.full((4, 6), 1e300), np.full((4, 6), np.nan), np.ones((2, 2, 2, 2, 9)), 2**63 - 1, [1]],
)
def test_whatever_comes_out_fits_the_screen(monkeypatch, capsys, asked, result: object) -> None:
    """However wide, large or odd a result is, no line is wider than the terminal."""
    monkeypatch.setenv("COLUMNS", "80")
    compare(asked, "04_concat", result)
    told = capsys.readouterr().out
    assert "your code" in told
    assert max(map(len, told.splitlines())) <= 80


@pytest.mark.parametrize(("result", "shown"), [(10.0, "10.0"), (True, "True"), (10**20, str(10**20)), ("10", "'10'")])
def test_what_comes_in_place_of_a_whole_number_is_shown(capsys, result: object, shown: str) -> None:
    """A float, a text or a number beyond all counting is shown as it is, not as an empty shape."""
    known = known_behaviours(COURSE, load_exercise(COURSE, "06_param_count"))
    assert known is not None
    question = chosen_question(known)
    assert question is not None
    compare(question, "06_param_count", result)
    assert f"your code  {shown}\n" in capsys.readouterr().out


def test_a_count_is_shown_to_its_last_digit(capsys, asked) -> None:
    """No digit of a whole number is rounded away."""
    question = replace(asked, shape=None, index=(), value=2359296.0, right=Plain("int", "2359296"))
    compare(question, "04_concat", None)
    assert "right      2,359,296\n" in capsys.readouterr().out
