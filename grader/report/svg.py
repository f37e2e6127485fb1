"""What the pictures of a report are made of: a described frame, and text."""

from __future__ import annotations

from markupsafe import Markup, escape

TEXT = Markup('<text class="{}" x="{}" y="{}">{}</text>')  # class, left, baseline, what it says

_DESCRIBED = Markup(
    '<svg class="{5}" role="img" aria-labelledby="{0}-title" aria-describedby="{0}-desc" viewBox="0 0 {3} {4}"'
    ' width="{3}" height="{4}"><title id="{0}-title">{1}</title><desc id="{0}-desc">{2}</desc>{6}</svg>'
)


def filled(template: Markup, *values: object) -> Markup:
    """What `template.format(*values)` gives, escaped alike, in a fifth of its time; for fields without a format."""
    safe = (value if type(value) is int else escape(value) for value in values)
    return Markup(str.format(template, *safe))  # noqa: S704 - a template of ours, and every value is escaped


def described(parts: Markup, *, kind: str, name: str, title: str, description: str, size: tuple[int, int]) -> Markup:
    """A picture that is read aloud by its title and description.

    Args:
        parts: what is drawn.
        kind: its class.
        name: of this picture in its page, for the ids of its texts.
        size: width and height, px.
    """
    return filled(_DESCRIBED, name, title, description, *size, kind, parts)
