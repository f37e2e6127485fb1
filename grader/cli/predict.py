"""`grade predict [EXERCISE]`: shows an input, asks what comes out, and only then runs the student's code on it.

input --asked: shape, one number--> read by the quiz's own checker --> the student's code in its sandbox --> compared
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from grader.cli.candidates import exercise_names, folders
from grader.cli.command import Command
from grader.cli.targets import Target, chosen_course, find_targets, find_working_copy, missing_package
from grader.course import Course, read_submission, typed
from grader.errors import SubmissionError, UsageError
from grader.model import Exercise, Language, Message
from grader.report.visible import tell

if TYPE_CHECKING:
    from grader.diagnosis.models import MistakeModels
    from grader.prediction.choosing import Question
    from grader.prediction.comparing import Own
    from grader.prediction.marking import Prediction

DONE, NOT_ALL = 0, 1
QUIT = {"q", "quit", "exit", "退出"}  # as in `grade quiz`
MOST_SEED = 2**32 - 1


@dataclass(frozen=True)
class Options:
    """What was asked on the command line."""

    exercise: str | None
    seed: str | None
    json: bool
    course: str | None


def command(language: Language) -> Command:
    """The command with its help in `language`."""
    options = [
        click.Option(["--seed"], metavar="N"),
        click.Option(["--json"], is_flag=True),
        click.Option(["--course"], metavar="DIR", shell_complete=folders),
    ]
    exercise = click.Argument(["exercise"], required=False, metavar="[EXERCISE]", shell_complete=exercise_names)

    def callback(**given: object) -> int:
        return predict(language, Options(**given))  # type: ignore[arg-type]

    return Command("predict", language, options, callback, arguments=[exercise])


def predict(language: Language, options: Options) -> int:
    """Ask, run, compare; 0 where every prediction was right.

    Raises:
        UsageError: no such exercise, a seed that is none, a package that is missing.
        ContentError: the models of the exercise are not well written.
    """
    seed = _seed(options.seed)
    course = chosen_course(options.course)
    target = _target(course, options.exercise)
    missing = missing_package(target.exercise)
    if missing is not None:
        raise UsageError(missing)
    from grader.prediction.choosing import chosen_question, known_behaviours  # noqa: PLC0415 - numpy

    known = known_behaviours(course, target.exercise)
    question = chosen_question(known, seed) if known else None
    if known is None or question is None:
        command = typed(f"grade {target.exercise.name}", course)
        print(tell(Message("predict.nothing_to_ask", {"exercise": target.exercise.name, "command": command}), language))
        return DONE
    from grader.cli.predict_pages import Page, Quiet  # noqa: PLC0415 - rich

    page = Quiet() if options.json else Page(course, language)
    page.question(target.exercise, question)
    predictions = _predictions(question, page)
    own = _own(target, known.models, question) if predictions else None
    if options.json:
        print(json.dumps(_told(target.exercise, question, predictions, own), ensure_ascii=False, indent=1))
    elif own is None:
        page.nothing()
    else:
        page.compared(question, predictions, own, typed(f"grade {target.exercise.name}", course))
    from grader.prediction.marking import all_right  # noqa: PLC0415

    return DONE if all_right(question, predictions) else NOT_ALL


# --- what is meant -----------------------------------------------------------------------------------------------


def _seed(text: str | None) -> int:
    if text is None:
        return 0
    if not (text.isascii() and text.isdigit() and int(text) <= MOST_SEED):
        raise UsageError(Message("cli.bad_seed", {"value": text, "most": MOST_SEED}))
    return int(text)


def _target(course: Course, text: str | None) -> Target:
    """The file of the one exercise that is meant, that of the working directory where none is named."""
    if text is None:
        copy = find_working_copy(course)
        text = str(copy.exercises / (copy.current or course.names[0]))
    found = find_targets(course, [text], None)
    if len(found) > 1:
        raise UsageError(Message("predict.one_only", {"path": text, "example": found[0].exercise.name}))
    return found[0]


# --- asking ------------------------------------------------------------------------------------------------------


def _predictions(question: Question, page: Any) -> list[Prediction]:
    """What was typed, one answer for each thing that is asked; fewer where somebody quits or the input ends before."""
    from grader.prediction.marking import kinds, predicted  # noqa: PLC0415

    found: list[Prediction] = []
    for kind in kinds(question):
        page.ask(question, kind)
        while (text := page.read()) is not None and text.strip().lower() not in QUIT:
            prediction = predicted(question, kind, text)
            if prediction.counts:
                found.append(prediction)
                break
            page.sent_back(prediction)
        else:
            break
    return found


def _own(target: Target, models: MistakeModels, question: Question) -> Own:
    """What the student's own code gives, in its sandbox."""
    from grader.prediction.comparing import asked_of  # noqa: PLC0415
    from grader.sandbox.client import Sandbox  # noqa: PLC0415

    exercise = target.exercise
    try:
        handed_in = read_submission(target.file, exercise, target.shown)
    except SubmissionError as error:
        raise UsageError(error.message) from error
    with Sandbox(exercise.packages) as sandbox:
        subject = sandbox.open(handed_in.source, handed_in.filename, exercise.limits)
        try:
            return asked_of(subject, models, question)
        finally:
            subject.close()


# --- for machines ------------------------------------------------------------------------------------------------


def _told(exercise: Exercise, question: Question, predictions: Sequence[Prediction], own: Own | None) -> dict[str, Any]:
    """Everything as one object; what is right only where something was predicted."""
    from grader.prediction.marking import kinds  # noqa: PLC0415

    inputs = {
        name: {"axes": shown.axes, "shape": shown.shape, "values": shown.values}
        if shown.kind == "array"
        else shown.text
        for name, shown in question.inputs
    }
    told: dict[str, Any] = {
        "schema": 1,
        "exercise": exercise.name,
        "call": question.call,
        "inputs": inputs,
        "part": list(question.place),
        "asked": list(kinds(question)),
        "index": question.index,
        "predicted": [
            {"asked": p.kind, "outcome": p.outcome.value, "understood": p.understood, "mistakes": p.mistakes}
            for p in predictions
        ],
    }
    if own is not None:
        told["right"] = {"shape": question.shape, "value": question.value}
        told["yours"] = {"state": own.state, "shape": own.shape, "value": own.value}
    return told
