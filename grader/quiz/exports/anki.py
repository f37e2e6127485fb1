"""An Anki package (.apkg): notes that keep their schedule when a newer edition of the bank is imported.

apkg (zip) --collection.anki2--> SQLite: col, notes, cards (schema 11, which every Anki since 2012 imports)
           --media--> {}

A note's guid comes from the name of the export, the language and the question's id, so an import meets the note
that is there; its time comes from the edition of the bank, so only a newer edition replaces texts. The clock has no
part in it: the same bank gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from grader.quiz.exports.entry import About, Entry, Note
from grader.quiz.exports.markup import as_html, explained, listed
from grader.quiz.exports.package import packed
from grader.quiz.exports.spellings import decimal

SCHEMA = 11
_BEGINNING = 1_767_225_600  # seconds; 2026-01-01, the first edition is one minute later
_STEP = 60
_FIELDS = ("Question", "Options", "Answer", "Hint", "Explanation", "Id")
_ASKED = "<p>{{Question}}</p>{{Options}}"
_HINT = "{{#Hint}}<p>{{hint:Hint}}</p>{{/Hint}}"
_STYLE = """.card { font: 20px/1.5 system-ui, sans-serif; max-width: 40em; margin: 0 auto; padding: 0 1em; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }"""
_TABLES = """
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
 ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, conf text NOT NULL,
 models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL);
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
 usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT NULL,
 flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
 mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due integer NOT NULL,
 ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL,
 odue integer NOT NULL, odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL,
 ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL,
 type integer NOT NULL);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
"""


def written(entries: Sequence[Entry], about: About) -> tuple[bytes, list[Note]]:
    """The package; every type of question has a place in it."""
    base = sqlite3.connect(":memory:")
    base.executescript(_TABLES)
    moment = _BEGINNING + _STEP * about.edition
    decks = {entry.topic: _deck(f"{about.name}::{entry.title}", about, moment) for entry in entries}
    models = {form: _model(form, about, moment) for form in ("typed", "shown")}
    base.execute("INSERT INTO col VALUES (1, ?, ?, ?, ?, 0, 0, 0, ?, ?, ?, ?, '{}')", _head(decks, models, moment))
    for place, entry in enumerate(entries):
        model = models["typed" if _answer(entry) else "shown"]
        note = _note(entry, about, model["id"], moment)
        card = (
            _number(note[1], "card"),
            note[0],
            decks[entry.topic]["id"],
            0,
            moment,
            -1,
            0,
            0,
            place + 1,
            *[0] * 8,
            "",
        )
        base.execute(f"INSERT INTO notes VALUES ({', '.join('?' * len(note))})", note)  # noqa: S608 - question marks only
        base.execute(f"INSERT INTO cards VALUES ({', '.join('?' * len(card))})", card)  # noqa: S608
    base.commit()
    files = {"collection.anki2": base.serialize(), "media": b"{}"}
    base.close()
    return packed(files), []


def _note(entry: Entry, about: About, model: int, moment: int) -> tuple[Any, ...]:
    """A row of the table of notes; its second value is the guid."""
    guid = _hash(about.name, about.language, entry.name)[:20]
    fields = _fields(entry, about)
    checksum = int(hashlib.sha1(entry.prompt.encode(), usedforsecurity=False).hexdigest()[:8], 16)
    tags = f" {' '.join(_tags(entry))} "
    return (_number(guid, "note"), guid, model, moment, -1, tags, "\x1f".join(fields), fields[0], checksum, 0, "")


def _fields(entry: Entry, about: About) -> list[str]:
    options = [choice.text for choice in entry.choices] if entry.kind != "code" else []
    shown = listed(entry.mixed or options)
    if entry.kind == "match":
        shown += listed(sorted(right for _, right in entry.pairs))
    back = explained(entry, about, mistakes=True)
    return [as_html(entry.prompt), shown, as_html(_answer(entry)), as_html(entry.hint), back, entry.name]


def _answer(entry: Entry) -> str:
    """What is typed and compared, "" where the answer is thought, then looked at."""
    if not entry.blanks:
        return ""
    values = [blank.value for blank in entry.blanks]
    if len(values) == 1 and values[0] is not None:
        return decimal(values[0])
    return entry.key


def _tags(entry: Entry) -> Iterator[str]:
    yield from (f"manyheads::{entry.topic}", f"manyheads::{entry.exercise}")
    yield from sorted({f"mistake::{wrong.mistake}" for wrong in entry.wrong})


# --- the collection --------------------------------------------------------------------------------------------------


def _head(decks: dict[str, Any], models: dict[str, Any], moment: int) -> tuple[object, ...]:
    default = {**_deck_fields("Default", 1, moment), "conf": 1}
    every_deck = {"1": default, **{str(deck["id"]): deck for deck in decks.values()}}
    every_model = {str(model["id"]): model for model in models.values()}
    settings = {"nextPos": 1, "estTimes": True, "activeDecks": [1], "sortType": "noteFld", "sortBackwards": False}
    usual = {"activeCols": [], "curDeck": 1, "newSpread": 0, "collapseTime": 1200, "timeLim": 0, "addToCur": True}
    texts = [settings | usual | {"curModel": None, "dueCounts": True}, every_model, every_deck, {"1": _OPTIONS}]
    return (_BEGINNING, moment * 1000, moment * 1000, SCHEMA, *(json.dumps(each) for each in texts))


_OPTIONS = {
    "id": 1,
    "name": "Default",
    "mod": 0,
    "usn": 0,
    "maxTaken": 60,
    "autoplay": True,
    "timer": 0,
    "replayq": True,
    "new": {"bury": True, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 7], "order": 1, "perDay": 20},
    "rev": {"bury": True, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "perDay": 200},
    "lapse": {"delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0},
}


def _deck(name: str, about: About, moment: int) -> dict[str, Any]:
    return _deck_fields(name, _number(_hash(about.language, name), "deck"), moment)


def _deck_fields(name: str, number: int, moment: int) -> dict[str, Any]:
    today = {f"{kind}Today": [0, 0] for kind in ("new", "rev", "lrn", "time")}
    fields = {"id": number, "name": name, "mod": moment, "usn": -1, "desc": "", "dyn": 0, "conf": 1}
    return fields | today | {"collapsed": False, "browserCollapsed": False, "extendNew": 0, "extendRev": 0}


def _model(form: str, about: About, moment: int) -> dict[str, Any]:
    """A type of notes: answers that are typed, or that are thought and then shown."""
    name = f"Manyheads {form} ({about.language})"
    begin = f'<div lang="{"zh-CN" if about.language == "zh" else "en"}">{_ASKED}'
    typed = "{{type:Answer}}" * (form == "typed")
    front, back = f"{begin}{_HINT}{typed}</div>", f'{begin}<hr id="answer">{typed}{{{{Explanation}}}}</div>'
    template = {"name": "Card", "ord": 0, "did": None, "bqfmt": "", "bafmt": ""}
    look = {"sticky": False, "rtl": False, "font": "Arial", "size": 20, "media": []}
    return {
        "id": _number(_hash(name), "model"),
        "name": name,
        "type": 0,
        "mod": moment,
        "usn": -1,
        "sortf": 0,
        "did": 1,
        "tmpls": [{**template, "qfmt": front, "afmt": back}],
        "flds": [{"name": field, "ord": i, **look} for i, field in enumerate(_FIELDS)],
        "css": _STYLE,
        "latexPre": "",
        "latexPost": "",
        "req": [[0, "any", [0]]],
        "vers": [],
        "tags": [],
    }


def _hash(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _number(guid: str, what: str) -> int:
    """An id as Anki makes them of milliseconds; it stays the same for the same thing."""
    return 1_500_000_000_000 + int(_hash(guid, what)[:10], 16) % 10**11
