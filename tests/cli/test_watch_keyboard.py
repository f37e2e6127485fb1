"""Keys in what a terminal sends, wherever the pieces end that it arrives in."""

import pytest

from grader.watch.keyboard import Keyboard

PASTED = b"\x1b[200~def q(x):\x1b\r\n\x1b[A\x04\xe7\x8c\xab\x1b[201~"


def typed(*pieces: bytes) -> list[str]:
    """The keys in these pieces."""
    keyboard = Keyboard()
    return [key for piece in pieces for key in keyboard.keys(piece)]


@pytest.mark.parametrize(
    "answer",
    [
        b"\x1b]11;rgb:1c1c/xyxy/1c1c\x1b\\",
        b"\x1b]0;xyq\x07",
        b"\x1bP1+r436f=xy\x1b\\",
        b"\x1b[?62;1;4c",
        b"\x1b[<0;9;9m",
    ],
)
def test_what_a_terminal_answers_is_no_command(answer: bytes) -> None:
    """A string of control is one key that nobody knows, in one piece or in two; the key after it is read."""
    assert typed(answer + b"n") == [answer.decode().lower(), "n"]
    for cut in range(2, len(answer)):
        assert typed(answer[:cut], answer[cut:] + b"n")[-1] == "n"
        assert not {"x", "y", "q", "r"} & set(typed(answer[:cut], answer[cut:]))


def test_a_key_with_alt_is_another_key() -> None:
    """Alt-x is not x; Esc alone is a key of its own, and so is what is typed after it."""
    assert typed(b"\x1bx") == ["\x1bx"]
    assert typed(b"\x1b", b"x") == ["\x1b", "x"]


def test_what_is_pasted_is_no_key() -> None:
    """Nothing between the marks of a pasted text is a key, wherever it is cut; its end is found."""
    assert typed(b"n" + PASTED + b"p") == ["n", "p"]
    for cut in range(2, len(PASTED)):
        assert typed(PASTED[:cut], PASTED[cut:] + b"p") == ["p"], cut


def test_a_character_may_come_in_two_pieces() -> None:
    """A character of several bytes is one key, however they arrive; a byte that is none becomes a sign for that."""
    assert typed("是".encode()[:1], "是".encode()[1:]) == ["是"]
    assert typed(b"\xff") == ["�"]
