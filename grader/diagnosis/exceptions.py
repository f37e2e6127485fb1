"""Explains known exceptions of Python, numpy and torch in a sentence, with the sizes and arrays involved."""

from __future__ import annotations

from grader.diagnosis.explanations import numpy_calls, numpy_shapes, python_rules, torch_rules
from grader.model import Message
from grader.sandbox.wire import ExceptionReport

MAX_TEXT = 600  # characters of an exception's text that are looked at

# The first rule that fits speaks; those of Python are the most general.
RULES = (*torch_rules.RULES, *numpy_shapes.RULES, *numpy_calls.RULES, *python_rules.RULES)


def explain(report: ExceptionReport) -> Message | None:
    """What an exception means in terms of shapes, names and arguments; None where it is not a known one.

    The text is the submission's, so it may say anything: it is cut first, and no rule takes more than linear time.
    """
    text = report.text[:MAX_TEXT]
    for rule in RULES:
        message = rule.explain(text, report)
        if message is not None:
            return message
    return None
