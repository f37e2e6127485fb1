"""Says what broke a submission to whoever looks after the class: a report's own sentences speak to its student."""

from __future__ import annotations

from grader.model import Message
from grader.texts import area

_SPOKEN = "sandbox"  # the area whose sentences say "your code"


def about_it(message: Message) -> Message:
    """The sentence about the submission where there is one, else the message itself."""
    name, _, key = message.key.partition(".")
    return Message(f"causes.{key}", message.fields) if name == _SPOKEN and key in area("causes") else message
