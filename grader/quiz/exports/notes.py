"""What a learning platform cannot hold, told for each question: it is left out, or asked in another form."""

from __future__ import annotations

from grader.quiz.exports.entry import Entry, Note

_SMALLEST = 1e-4  # some platforms round a number to four places, and a smaller one to 0


def left_out(entry: Entry) -> Note | None:
    """Why a platform that compares answers itself cannot ask this question; None where it can."""
    if any(blank.value is not None and 0 < abs(blank.value) < _SMALLEST for blank in entry.blanks):
        return Note(entry.item, "too_small", left_out=True)
    return None


def notes_of(entry: Entry) -> list[Note]:
    """In which other form a platform asks this question, where it is another one."""
    forms = {"code": "as_lines", "recall": "as_essay", "order": "as_orders" if entry.choices else "as_places"}
    if len(entry.blanks) > 1:
        return [Note(entry.item, "as_parts")]
    return [Note(entry.item, forms[entry.kind])] if entry.kind in forms else []
