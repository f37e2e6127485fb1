"""Anki packages, read by the real `anki` library: notes, texts, schedule, two courses side by side."""

import html
import re
import sqlite3
import zipfile

import pytest
from made_bank import NASTY, made_bank
from test_quiz_export import exported

anki = pytest.importorskip("anki.collection", reason="the library of Anki is not installed: pip install anki")


@pytest.fixture
def collection(tmp_path):
    """A learner's collection, empty."""
    opened = anki.Collection(str(tmp_path / "collection.anki2"))
    yield opened
    opened.close()


def take_in(collection, folder, content):
    """Import a package as Anki does it when nothing else is chosen; new, updated, left as they were."""
    file = folder / "deck.apkg"
    file.write_bytes(content)
    log = collection.import_anki_package(anki.ImportAnkiPackageRequest(package_path=str(file))).log
    assert not log.conflicting
    return len(log.new), len(log.updated), len(log.duplicate)


def shown(field):
    """Text of a field, as it is read on a card."""
    return html.unescape(re.sub(r"<[^>]+>", "", field.replace("<br>", "\n")))


def test_a_package_arrives_whole(collection, tmp_path):
    """QC76 Every question is one note with one card, its signs and the mistakes of its wrong answers as they are."""
    assert take_in(collection, tmp_path, exported("anki")[0]) == (19, 0, 0)
    notes = [collection.get_note(note) for note in collection.find_notes("")]
    assert collection.card_count() == 19
    for note in notes:
        question, _, _, hint, explanation, _ = note.fields
        assert NASTY.replace("`", "") in shown(question)
        assert "second line" in shown(question)
        assert NASTY.replace("`", "") in shown(hint)
        assert "every head gets all of d_model" in shown(explanation).casefold()
    decks = {deck.name for deck in collection.decks.all_names_and_ids()}
    assert {"Made", "Made::Made/up"} <= decks


def test_what_is_typed_is_compared(collection, tmp_path):
    """Types that are typed here are typed in Anki too, with the key alone as the answer; the others are turned over."""
    take_in(collection, tmp_path, exported("anki")[0])
    typed = {}
    for number in collection.find_notes(""):
        note = collection.get_note(number)
        card = note.cards()[0]
        assert ("[[type:Answer]]" in card.question()) is bool(note["Answer"])
        assert len(note["Answer"]) < 3 or shown(note["Answer"]) not in shown(card.question())
        typed[note["Id"]] = shown(note["Answer"])
    assert typed["made.number.1"] == "2359296"
    assert typed["made.shape.1"] == "(2, 8, 5)"
    assert typed["made.cloze.1"] == "average_attn_weights"
    assert not any(
        typed[f"made.{kind}.1"] for kind in ("choice", "multi", "error", "predict", "order", "match", "recall")
    )


def test_an_update_keeps_the_schedule(collection, tmp_path):
    """QC86 A later edition changes texts and nothing else; the same edition, once more, changes nothing."""
    first = exported("anki")[0]
    assert take_in(collection, tmp_path, first) == (19, 0, 0)
    card = collection.get_card(collection.find_cards("")[0])
    collection.sched.set_due_date([card.id], "17!")
    card.load()
    before = {number: _schedule(collection.get_card(number)) for number in collection.find_cards("")}
    assert take_in(collection, tmp_path, first) == (0, 0, 19)
    later = exported("anki", bank=made_bank(edition=2, wording=" (clearer)"))[0]
    assert take_in(collection, tmp_path, later) == (0, 19, 0)
    assert {number: _schedule(collection.get_card(number)) for number in collection.find_cards("")} == before
    notes = [collection.get_note(number) for number in collection.find_notes("")]
    assert all("(clearer)" in note["Question"] for note in notes)
    assert take_in(collection, tmp_path, first)[1] == 0  # an older one never takes its place


def _schedule(card):
    return card.due, card.ivl, card.type, card.queue, card.reps, card.factor, card.did


def test_two_courses_and_two_languages_stay_apart(collection, tmp_path):
    """QC87 The same questions under another name, or in another language, are other notes."""
    assert take_in(collection, tmp_path, exported("anki")[0])[0] == 19
    assert take_in(collection, tmp_path, exported("anki", name="Other")[0])[0] == 19
    assert take_in(collection, tmp_path, exported("anki", "zh")[0])[0] == 19
    assert collection.note_count() == 3 * 19


def test_the_collection_is_sound(collection, tmp_path):
    """Anki's own check finds nothing to mend, and SQLite none in the file."""
    content = exported("anki", "zh")[0]
    take_in(collection, tmp_path, content)
    problems, fine = collection.fix_integrity()
    assert fine, problems
    with zipfile.ZipFile(tmp_path / "deck.apkg") as package:
        assert package.namelist() == ["collection.anki2", "media"]
        package.extract("collection.anki2", tmp_path / "inside")
    base = sqlite3.connect(tmp_path / "inside" / "collection.anki2")
    assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    base.close()
