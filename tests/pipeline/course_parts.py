"""The course of this checkout, and trusted code of it in the place of a student's files."""

from pathlib import Path
from types import SimpleNamespace

from grader.course import Course, load_exercise, load_module
from grader.diagnosis.models import load_models
from grader.model import Exercise
from grader.pipeline.inputs import Sentence, cat_eats_fish
from grader.pipeline.steps import Walk
from grader.pipeline.walk import load_pipeline, walk
from grader.sandbox.client import LocalSubject, Subject

COURSE = Course(Path(__file__).parents[2])
WHOLE = "07_multi_head_attention"
PARTS = ("01_split_heads", "02_scaled_scores", "03_masked_softmax", "04_concat", "05_output_projection", WHOLE)
BY_HAND = cat_eats_fish()


def exercise(name: str) -> Exercise:
    """An exercise of the course."""
    return load_exercise(COURSE, name)


def references(*names: str) -> dict[str, Subject]:
    """The references of these exercises, as a student's files."""
    return {name: LocalSubject(load_module(exercise(name).reference)) for name in names or PARTS}


def mistaken(name: str, slug: str) -> Subject:
    """Code of one exercise that makes this mistake."""
    found = exercise(name)
    models = load_models(found.solution / "mistakes.py", frozenset(COURSE.mistakes), found.defines)
    return LocalSubject(models.build(**models.options([slug])))


def written(**functions: object) -> Subject:
    """Functions that are made for a test."""
    return LocalSubject(SimpleNamespace(__file__="answer.py", **functions))


def walked(subjects: dict[str, Subject], sentence: Sentence = BY_HAND, whole: str = WHOLE) -> Walk:
    """The walk of an exercise with these files."""
    pipeline = load_pipeline(exercise(whole))
    assert pipeline is not None
    return walk(pipeline, sentence, subjects, whole)
