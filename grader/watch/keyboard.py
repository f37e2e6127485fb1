"""Names of the keys in what a terminal sends; what is pasted presses none."""

from __future__ import annotations

import codecs
import re
import unicodedata

# one key each: a sequence of control, a string of control (what a terminal answers to a question), Alt with a key
_KEY = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].*?(?:\x07|\x1b\\)|O.|[^\[\]PX^_O])|.", re.DOTALL)
# the rest comes with the next read
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_](?:(?!\x1b\\)[^\x07]){0,4096}|O)\Z")
_PASTE, _PASTE_END = "\x1b[200~", "\x1b[201~"
_NAMES = {
    **dict.fromkeys(("\x1b[A", "\x1bOA"), "up"),
    **dict.fromkeys(("\x1b[B", "\x1bOB"), "down"),
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    "\x04": "end",  # Ctrl-D
}
END = "end"  # where nobody types any more


class Keyboard:
    """Reads keys out of pieces that may end anywhere."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = ""  # the beginning of a key
        self._pasting = False

    def keys(self, typed: bytes) -> list[str]:
        """Characters in lower case, or "up", "down", "page up", "page down", "end"; an unknown sequence as it is."""
        text = self._left + self._decoder.decode(typed)
        begun = _BEGUN.search(text)
        self._left = begun[0] if begun else ""
        keys = []
        for key in _KEY.findall(text.removesuffix(self._left)):
            if self._pasting or key == _PASTE:
                self._pasting = key != _PASTE_END
            else:
                keys.append(_NAMES.get(key, unicodedata.normalize("NFKC", key).lower()))  # ｎ is an n as well
        if self._pasting and text.endswith("\x1b"):  # nobody presses Esc there: it begins the end of what is pasted
            self._left = "\x1b"
        return keys
