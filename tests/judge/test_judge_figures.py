"""What the figures of a report show is asked of the submission in its sandbox, and never costs a point or a run."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from grader.course import installed_course, load_course, load_module
from grader.errors import ContentError
from grader.judge.figures import Figures
from grader.judge.grading import grade_all
from grader.model import Exercise, FigureLine, Limits, LineFigure, MapFigure, Submission, Text, Verdict
from grader.sandbox.client import LocalSubject, Sandbox

WORDS = Text("words", "字")
TOKENS = (Text("cat", "猫"), Text("fish", "鱼"))
MAPS = MapFigure(WORDS, WORDS, "maps", TOKENS, TOKENS)
LINE = LineFigure(WORDS, WORDS, WORDS, WORDS, (1, 2, 4), logarithmic=False, lines=(FigureLine("line", WORDS),))
FIGURES = (MAPS, LINE)
REFERENCE = """
import numpy as np
def weights():
    return np.array([[[1.0, 0], [0.5, 0.5]], [[0, 1], [0.25, 0.75]]])
def size(x):
    return 2.0 * x
"""
ASKED = """
def maps(subject):
    return subject.weights()
def line(subject, x):
    return subject.size(x)
"""


@pytest.fixture
def exercise(tmp_path: Path) -> Exercise:
    """An exercise with a figure of each kind."""
    (tmp_path / "shape.py").write_text(REFERENCE, encoding="utf-8")
    (tmp_path / "figures.py").write_text(ASKED, encoding="utf-8")
    return Exercise(
        name="01_shape",
        title=WORDS,
        module="shape",
        defines=("weights", "size"),
        packages=("numpy",),
        limits=Limits(),
        rules={},
        hints=(),
        source=WORDS,
        folder=tmp_path,
        solution=tmp_path,
        figures=FIGURES,
    )


def drawn(exercise: Exercise, **functions: object):
    """The figures for a submission of these functions; those left out are the reference's."""
    right = load_module(exercise.reference)
    written = SimpleNamespace(__file__=__file__, **{"weights": right.weights, "size": right.size} | functions)
    return Figures(exercise).drawn(LocalSubject(written))


def not_written(*_args):
    """As in a starter."""
    raise NotImplementedError


def test_right_code_shows_what_is_expected(exercise):
    """Expected and actual values are those of the reference, map by map and point by point."""
    maps, line = drawn(exercise)
    assert maps.actual == maps.expected == ((1, 0, 0.5, 0.5), (0, 1, 0.25, 0.75))
    assert line.actual == line.expected == ((2, 4, 8),)
    assert maps.troubles == line.troubles == ()


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (None, "figure.no_array"),
        ("text" * 1000, "figure.no_array"),
        (10**300, "figure.no_array"),
        ([[1, 0], [0, 1]], "figure.no_array"),
        (np.ones((2, 2, 2), dtype=complex), "figure.no_array"),
        (np.ones((2, 2)), "figure.wrong_shape"),
        (np.ones((2, 2, 3)), "figure.wrong_shape"),
        (np.ones((0, 2, 2)), "figure.wrong_shape"),
    ],
)
def test_an_answer_that_is_no_map_is_told_in_a_sentence(exercise, answer, key):
    """Where the weights are no array of the expected shape, nothing of the submission is drawn, and it is said why."""
    maps, line = drawn(exercise, weights=lambda: answer)
    assert maps.actual == ()
    assert [(place, message.key) for place, message in maps.troubles] == [(0, key)]
    assert line.actual == line.expected


def test_numbers_that_cannot_be_drawn_are_kept_for_the_page(exercise):
    """NaN, infinities and huge numbers are values; what has no place in a picture is for the page to say."""
    maps, line = drawn(
        exercise, weights=lambda: np.full((2, 2, 2), np.inf), size=lambda x: [1e300, float("nan"), 7][x // 2]
    )
    assert maps.actual == ((np.inf,) * 4,) * 2
    assert line.actual[0][0] == 1e300
    assert line.actual[0][1] != line.actual[0][1]
    assert line.actual[0][2] == 7
    assert line.troubles == ()


def test_a_point_that_raises_leaves_the_others(exercise):
    """An exception at some x leaves out these points alone, and is told once for its line."""

    def size(x):
        return 2 * x if x < 2 else 1 // 0

    _maps, line = drawn(exercise, size=size)
    assert line.actual == ((2, None, None),)
    assert [(place, message.fields["type"]) for place, message in line.troubles] == [(0, "ZeroDivisionError")]


@pytest.mark.parametrize("answer", [None, "1", [1], np.ones(2), 1j])
def test_an_answer_that_is_no_number_is_told(exercise, answer):
    """Where one number is asked for, anything else is named with its kind."""
    _maps, line = drawn(exercise, size=lambda _x: answer)
    assert [message.key for _, message in line.troubles] == ["figure.no_number"]


def test_a_figure_of_what_is_not_written_is_left_out(exercise):
    """A function that still raises NotImplementedError has no figure yet, and one that is written has its own."""
    assert [each.figure for each in drawn(exercise, size=not_written)] == [MAPS]
    assert drawn(exercise, size=not_written, weights=not_written) == ()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def line(subject, x): return x", "maps: found no such function"),
        ("def maps(subject): return None\ndef line(subject, x): return x", "maps: found _NothingToDraw"),
        ("def maps(subject): return 1 // 0\ndef line(subject, x): return x", "maps: found ZeroDivisionError"),
        (ASKED.replace("size(x)", "size(float('nan'))"), "line: found NaN or infinity"),
        ("def maps(:", "found SyntaxError"),
    ],
)
def test_a_figure_that_the_reference_does_not_give_is_the_authors_matter(exercise, source, found):
    """The error names figures.py, the function and the fix."""
    (exercise.solution / "figures.py").write_text(source, encoding="utf-8")
    with pytest.raises(ContentError, match=r"figures\.py: .*" + found.split(":")[-1]):
        drawn(exercise)


# --- in the sandbox -----------------------------------------------------------------------------------------------

SUITE = '''"""Hidden."""
import pytest
@pytest.mark.points(1)
def test_size(submission):
    """Twice."""
    assert submission.size(3) == 6
'''


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as made:
        yield made


@pytest.mark.parametrize(
    ("weights", "key"),
    [
        ("while True: pass", "sandbox.time_limit_busy"),
        ("import os; os._exit(0)", "sandbox.ended"),
        ("raise SystemExit", "sandbox.exited"),
        ("return np.zeros((30000, 30000))", None),
    ],
)
def test_a_submission_that_is_lost_meanwhile_keeps_its_points(exercise, sandbox, weights, key):
    """Figures come after the checks: what ends the worker there costs its figures and nothing else."""
    (exercise.solution / "test_shape_hidden.py").write_text(SUITE, encoding="utf-8")
    short = replace(exercise, limits=Limits(wall_s=0.5), rules={"test_size": WORDS})
    source = f"import numpy as np\ndef size(x):\n    return 2.0 * x\ndef weights():\n    {weights}\n".encode()
    reports = []
    submission = Submission("mia", short.name, "shape.py", source, "0" * 64)
    course = load_course(installed_course())
    grade_all(course, short, [submission], reports.append, sandbox=sandbox, seed=0, figures=True)
    (report,) = reports
    assert report.verdict is Verdict.ACCEPTED
    assert report.figures[0].actual == ()
    assert key in (None, report.figures[0].troubles[0][1].key)


# --- the course ---------------------------------------------------------------------------------------------------

COURSE = load_course(installed_course())
WITH_FIGURES = [name for name in COURSE.names if COURSE.exercises[name].figures]


@pytest.mark.parametrize("name", WITH_FIGURES)
def test_every_figure_of_the_course_is_drawn_for_its_reference(name):
    """Each declared figure shows the reference as expected, without a point left out."""
    exercise = COURSE.exercises[name]
    figures = Figures(exercise).drawn(LocalSubject(load_module(exercise.reference)))
    assert [each.figure for each in figures] == list(exercise.figures)
    assert all(each.actual == each.expected and not each.troubles for each in figures)


def test_the_four_exercises_that_have_something_to_show():
    """Attention maps for 07, 11 and 14; the scale for 15."""
    kinds = {name: [type(each) for each in COURSE.exercises[name].figures] for name in WITH_FIGURES}
    assert kinds == {
        "07_multi_head_attention": [MapFigure] * 2,
        "11_attention_weights": [MapFigure] * 2,
        "14_from_scratch": [MapFigure] * 2,
        "15_why_scale": [LineFigure] * 2,
    }
