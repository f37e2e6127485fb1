"""What `grade predict` looks like: the input as arrays, the questions, and the comparison; or nothing, for machines."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from grader.cli.quiz_pages import read_line
from grader.cli.screen import Screen
from grader.course import Course
from grader.diagnosis.leaves import Numbers
from grader.model import Counterexample, Exercise, Language, Message, Shown
from grader.prediction.choosing import RAISES, Question
from grader.prediction.comparing import Own, shown_values
from grader.prediction.marking import Kind, Prediction, all_right, asks_about
from grader.quiz.answers import show_value
from grader.quiz.asked import Outcome
from grader.report.columns import array_lines, array_width, side_by_side, text_lines
from grader.report.grids import Grid, Window, compare, grid, number_format, shape_text
from grader.report.visible import line, tell
from grader.report.wrap import wrap

WIDTH, INDENT = 100, 2
ROWS, COLUMNS, PANELS = 12, 18, 6
SYMBOLS = {True: "✓", False: "✗"}
MOST_NAMED = 2
MOST_SHOWN = 400  # numbers of a wrong result
MARKS = 4  # cells that more digits may take
BELIEF, OWN_TEXT = 600, 40  # characters
LARGEST = 1e15  # of a number that is written out


class Quiet:
    """Asks nothing and says nothing; answers are piped in."""

    def question(self, exercise: Exercise, question: Question) -> None: ...
    def ask(self, question: Question, kind: Kind) -> None: ...
    def sent_back(self, prediction: Prediction) -> None: ...
    def nothing(self) -> None: ...
    def compared(self, question: Question, predictions: Sequence[Prediction], own: Own, command: str) -> None: ...

    def read(self) -> str | None:
        """The next line, None at the end."""
        text = sys.stdin.readline()
        return text.rstrip("\n") if text else None


class Page:
    """Lines for people, wrapped by us: rich would break Chinese in the wrong places."""

    def __init__(self, course: Course, language: Language) -> None:
        self._course = course
        self._language = language
        self._console = Screen(highlight=False, emoji=False)
        self._width = max(20, min(self._console.width, WIDTH))

    # --- lines ---

    def _put(self, *parts: tuple[str, str] | Text) -> None:
        text = Text.assemble(*parts)
        text.rstrip()
        self._console.print(text, no_wrap=True, overflow="ignore", crop=False)

    def _paragraph(self, text: str, indent: int = 0, style: str = "") -> None:
        for each in wrap(text, self._width - indent):
            self._put((" " * indent + each, style))

    def _say(self, key: str, /, indent: int = 0, style: str = "", **fields: str | float) -> None:
        self._paragraph(self._word(key, **fields), indent, style)

    def _word(self, key: str, /, **fields: str | float) -> str:
        return tell(Message(f"predict.{key}", fields), self._language)

    # --- asking ---

    def question(self, exercise: Exercise, question: Question) -> None:
        """Which exercise it is, the call, and what goes in."""
        self._paragraph(f"{exercise.name}  {line(exercise.title.in_language(self._language))}", style="bold")
        self._put(("", ""))
        self._say("first")
        self._paragraph(line(question.call), INDENT, "bold")
        self._put(("", ""))
        self._blocks([self._block(line(name, 40), shown) for name, shown in question.inputs])
        self._put(("", ""))

    def ask(self, question: Question, kind: Kind) -> None:
        """One question."""
        part = self._part(question)
        if kind == "shape":
            self._say("ask_shape", part=part)
        elif question.shape is None:
            self._say("ask_number")
        else:
            key = "ask_value" if asks_about(question) == 0 else "ask_value_about"
            self._say(key, index=str(list(question.index or ())), part=part)

    def read(self) -> str | None:
        """The next line; a piped one is shown, so that the page can be read afterwards."""
        text = read_line("> ")
        if text is not None and not sys.stdin.isatty():
            self._put((f"> {line(text)}", ""))
        return text

    def sent_back(self, prediction: Prediction) -> None:
        """Why an answer could not be taken, and what one looks like."""
        if prediction.message is not None:
            self._paragraph(tell(prediction.message, self._language))
        self._say(f"example_{prediction.kind}", style="dim")

    def nothing(self) -> None:
        """The input ended before anything was predicted."""
        self._say("no_answer")

    def _part(self, question: Question) -> str:
        if not question.place:
            return self._word("part_result")
        last = question.place[-1]
        return self._word("part_at", index=last) if isinstance(last, int) else self._word("part", name=last)

    # --- comparing ---

    def compared(self, question: Question, predictions: Sequence[Prediction], own: Own, command: str) -> None:
        """Prediction, right answer and the student's own beside each other, then what there is to say."""
        self._put(("", ""))
        self._rows(question, predictions, own)
        self._results(question, own)
        self._put(("", ""))
        wrong = [each for each in predictions if each.outcome is not Outcome.RIGHT]
        for prediction in wrong:
            self._name(prediction)
        if not wrong:
            self._say("all_right" if all_right(question, predictions) else "not_all_asked", style="green")
        if own.reason is not None:
            self._say("yours_stopped")
            self._paragraph(tell(own.reason, self._language), INDENT)
        elif own.state == "other":
            self._say("yours_other", command=command)
        else:
            self._say(f"yours_{own.state}")

    def _rows(self, question: Question, predictions: Sequence[Prediction], own: Own) -> None:
        """A line each for what is right, predicted and the student's."""
        words = {
            each.kind: self._word("raises") if each.understood == RAISES else each.understood for each in predictions
        }
        given = {each.kind: f"{words[each.kind]} {SYMBOLS[each.outcome is Outcome.RIGHT]}" for each in predictions}
        shape = "" if question.shape is None else show_value("shape", question.shape)
        rows = {
            "right": (shape, _number(question.value)),
            "predicted": (given.get("shape", ""), given.get("value", "")),
            "yours": ("" if own.shape is None else str(own.shape), _own_number(question, own)),
        }
        at = str(list(question.index)) + " " if question.index else ""
        labels = {name: self._word(f"row_{name}") for name in rows}
        wide = max(map(cell_len, labels.values())) + 2
        first = max(cell_len(cells[0]) for cells in rows.values()) + 3
        for name, (of_shape, of_value) in rows.items():
            if not of_shape and not of_value:
                continue
            label = labels[name] + " " * (wide - cell_len(labels[name]))
            gap = " " * (first - cell_len(of_shape)) if question.shape is not None else ""
            self._put((label, "dim"), (of_shape + gap, ""), (at + of_value if of_value else "", ""))

    def _results(self, question: Question, own: Own) -> None:
        """The whole right result, and the student's where it is another one, with what is wrong in it marked."""
        if not isinstance(question.right, Numbers):
            return
        right, yours = shown_values(question.right.values, question.axes), None
        if own.state == "other" and own.values is not None and 0 < own.values.size <= MOST_SHOWN:
            yours = shown_values(own.values, question.axes if own.shape == question.shape else ())
        elif own.state == "other" and own.text:
            yours = Shown("text", text=own.text)
        compared = compare(Counterexample("", (), right, yours or right, own.first_wrong), self._window(right, yours))
        blocks = [self._block(self._word("row_right"), right, compared.expected)]
        blocks += [] if yours is None else [self._block(self._word("row_yours"), yours, compared.actual)]
        self._put(("", ""))
        self._blocks(blocks)
        if own.first_wrong is not None:
            self._paragraph(tell(Message("report.legend_terminal"), self._language), INDENT, "dim")

    def _name(self, prediction: Prediction) -> None:
        """Which mistake gives just what was predicted."""
        slugs = [slug for slug in prediction.mistakes if slug in self._course.mistakes]
        understood = prediction.understood
        if not slugs:
            if prediction.message is not None:
                self._paragraph(tell(prediction.message, self._language))
            else:
                self._say("unknown_raises" if understood == RAISES else "unknown", understood=understood)
            return
        what = "raises" if understood == RAISES else prediction.kind
        several = len(slugs) > 1
        self._say(f"one_of_{what}" if several else f"named_{what}", understood=understood)
        for mistake in (self._course.mistakes[slug] for slug in slugs[:MOST_NAMED]):
            self._paragraph(line(mistake.title.in_language(self._language)), INDENT, "bold")
            if not several:
                self._paragraph(line(mistake.belief.in_language(self._language), BELIEF), INDENT)

    # --- arrays ---

    def _block(self, name: str, shown: Shown, cut: Grid | None = None) -> list[Text]:
        """A value as lines: an array as panels of numbers, anything else as its text."""
        width = self._width - INDENT
        if shown.kind != "array" or 0 in shown.shape:
            return text_lines(name, shape_text(shown) if shown.kind == "array" else line(shown.text), width)
        cut = cut or grid(shown, number_format(shown.values), self._window(shown))
        return [] if cut is None else array_lines(name, cut, width)

    def _window(self, *values: Shown | None) -> Window:
        """As many columns as there is room for."""
        arrays = [shown for shown in values if shown is not None and shown.kind == "array" and 0 not in shown.shape]
        form = number_format([value for shown in arrays for value in shown.values])  # beside each other, one for all
        for columns in range(COLUMNS, 1, -1):
            window = Window(ROWS, columns, PANELS)
            grids = [grid(shown, form, window) for shown in arrays]
            if all(cut is None or array_width(cut) <= self._width - INDENT - MARKS for cut in grids):
                return window
        return Window(ROWS, 1, PANELS)

    def _blocks(self, blocks: Sequence[list[Text]]) -> None:
        for each in side_by_side(blocks, self._width - INDENT, gap=4):
            self._put((" " * INDENT, ""), each)


def _own_number(question: Question, own: Own) -> str:
    """The number that the student's code gives, or what it gives in place of one."""
    text = line(own.text, OWN_TEXT) if question.shape is None else ""
    return text if own.value is None else _number(own.value)


def _number(value: float | None) -> str:
    """A number to four places: whole ones to the last digit, and none that fills the screen."""
    if value is None:
        return ""
    plain = 1 <= abs(value) < LARGEST
    return f"{value:,.4f}".rstrip("0").rstrip(".") if plain else f"{value:.4g}"
