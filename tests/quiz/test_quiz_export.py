"""`grade quiz export`: every type in every format, in both languages; tables, paper, and what the command says."""

import csv
import io
import json
import os
import re
import zipfile
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from made_bank import NASTY, made_bank
from quiz_course import QUESTION, ROOT, Learner, course_with

from grader.course import load_course
from grader.errors import ContentError
from grader.model import LANGUAGES
from grader.quiz.answers import mark
from grader.quiz.asked import KINDS, Outcome
from grader.quiz.build import build
from grader.quiz.exports.csv import harmless
from grader.quiz.exports.entries import entries_of
from grader.quiz.exports.entry import About
from grader.quiz.exports.formats import FORMATS, write
from grader.quiz.exports.spellings import decimal, spellings
from grader.quiz.lock import read_lock

COURSE = load_course(ROOT)
BANK = read_lock(ROOT)
PLATFORMS = ("moodle", "gift", "qti")  # they compare answers themselves


@cache
def all_entries(language):
    """The course's own bank, one variant of each question."""
    return tuple(entries_of(BANK, COURSE.mistakes, language, 1))


def unpacked(content):
    """What is in a file, and in the files of a package."""
    if not content.startswith(b"PK"):
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return b"".join(map(package.read, package.namelist()))


def exported(form, language="en", bank=None, variants=5, name="Made"):
    """The file and the notes of one export of the made bank."""
    bank = bank or made_bank()
    entries = list(entries_of(bank, COURSE.mistakes, language, variants))
    return write(form, entries, About(name, language, bank.edition, bank.revision))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMATS)
def test_every_type_is_exported_or_said_to_be_left_out(form, language):
    """Each question of each type is in the file, or among the notes with a reason that has a sentence."""
    content, notes = exported(form, language)
    out = {note.item for note in notes if note.left_out}
    text = unpacked(content).decode(errors="replace")
    assert {record["type"] for record in made_bank().records} == set(KINDS)
    assert out == ({"made.tiny"} if form in PLATFORMS else set())
    for record in made_bank().records if form not in {"anki", "sheet"} else ():
        name = record["id"].replace(":", "\\:")
        assert (name in text) is (record["id"] not in out)
    about = About("Made", language, 1, "r")
    assert all(about.say(note.key, items="x") for note in notes)


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_bank_gives_the_same_bytes(form):
    """Neither the clock nor chance has a part in an export."""
    assert exported(form)[0] == exported(form)[0]
    assert exported(form)[0] != exported(form, bank=made_bank(wording=" changed"))[0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMATS)
def test_the_whole_bank_is_exported(form, language):
    """The course's own bank fits into every format; nothing of a text is left unfilled, no wrong option is mute."""
    entries = all_entries(language)
    content, notes = write(form, entries, About("Manyheads", language, BANK.edition, BANK.revision))
    assert len({entry.item for entry in entries}) == len(BANK.records)
    assert form == "anki" or b"{{" not in unpacked(content)
    assert not [note for note in notes if note.left_out]
    for entry in entries:
        assert "{{" not in entry.prompt + entry.explain + entry.hint + entry.line
        assert len(entry.wrong) >= 2
        for wrong in entry.wrong:
            title = COURSE.mistakes[wrong.mistake].title.in_language(language).rstrip(".。")
            assert wrong.said.startswith(title)


def test_spellings_for_platforms_are_what_the_checker_takes():
    """A spelling that a platform is given as right, the checker takes as right, and that of a wrong answer as wrong."""
    counted = 0
    for entry in all_entries("en"):
        if entry.kind in {"shape", "formula", "number"}:
            item = BANK.items[entry.item]
            asked = item.asked(item.variants[0])
            assert all(mark(asked, text).outcome is Outcome.RIGHT for text in entry.blanks[0].spellings), entry.name
            for wrong in entry.blanks[0].wrong:
                assert all(mark(asked, text).outcome is Outcome.WRONG for text in wrong.spellings), entry.name
            counted += len(entry.blanks[0].spellings)
    assert counted > 200


def test_a_shape_is_spelt_in_many_ways():
    """Brackets, separators and full-width signs that people use are among the spellings."""
    item = made_bank().items["made.shape"]
    found = spellings(item.asked(item.variants[0]), 24)
    assert found[0] == "(2, 8, 5)"
    assert {"2,8,5", "[2, 8, 5]", "2×8×5", "torch.Size([2, 8, 5])", "（2，8，5）", "2 8 5"} <= set(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_csv_is_read_back_by_the_csv_module(language):
    """Every text arrives whole, one line for each question, and the file says by its mark that it is Unicode."""
    content, _ = exported("csv", language)
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))}
    assert content.startswith(b"\xef\xbb\xbf")
    assert len(rows) == 19
    plain = NASTY.replace("`", "")
    assert plain in rows["made.number.1"]["question"]
    assert rows["made.number.1"]["answer"] == "2359296"
    assert rows["made.rounded.1"]["tolerance"] == "0.01"
    assert rows["made.choice.1"]["wrong_2"] == ("'=never" if language == "en" else "'=never 选项")
    assert rows["made.multi.1"]["mistake_1"] == "every-head-gets-all-columns"
    assert rows["made.order.1"]["answer"].count("→") == 2
    assert plain in rows["made.recall.1"]["feedback_2"]


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-1+1", "@x", "\t=1", "\r=1", " =1", "\u00a0=1", "\n1", "＝1"])
def test_no_cell_is_a_formula(cell):
    """What a spreadsheet would compute is text with an apostrophe in front; plain numbers stay numbers."""
    assert harmless(cell) == f"'{cell}"
    assert [harmless(each) for each in ("-1", "+2.5", "a=1", "")] == ["-1", "+2.5", "a=1", ""]


class Seen(HTMLParser):
    """Text and tags of a page; complains of a tag that is not closed."""

    def __init__(self):
        super().__init__()
        self.text, self.open, self.tags = "", [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in {"br", "meta"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sheet_has_its_key_behind_the_questions(language):
    """The page is well formed, shows every text as it is, and gives no answer away before the key."""
    content, _ = exported("sheet", language, variants=1)
    page = Seen()
    page.feed(content.decode())
    assert page.open == []
    assert {"script", "img", "b"}.isdisjoint(page.tags)
    asked, key = page.text.split("Key" if language == "en" else "参考答案", 1)
    assert asked.count("a<b & c>d") >= 18
    assert "2359296" not in asked
    assert "average_attn_weights" not in asked
    assert "2359296" in key
    assert "average_attn_weights" in key


def test_numbers_are_written_in_digits_alone():
    """QC92 A key has no groups and no exponent in an export, and loses nothing that the bank has."""
    values = {entry.blanks[0].value for entry in all_entries("en") if entry.blanks}
    assert all(float(decimal(value)) == float(value) for value in values if value is not None)
    assert all(set(decimal(value)) <= set("0123456789.-") for value in values if value is not None)


def test_each_revision_of_the_bank_has_a_number_of_its_own(tmp_path):
    """The same questions keep their edition, changed ones have the next; by it Anki tells old from new."""
    course = course_with(tmp_path, QUESTION)
    lock = tmp_path / "quizzes" / "bank.lock.json"
    for wording, edition in [("Share.", 1), ("Share.", 1), ("Share evenly.", 2), ("Share.", 3)]:
        (tmp_path / "quizzes" / "tiny.toml").write_text(QUESTION.replace("Share.", wording), encoding="utf-8")
        lock.write_text(build(course).text, encoding="utf-8")
        assert read_lock(tmp_path).edition == edition


def test_a_mistake_that_is_gone_is_named_with_its_question():
    """A bank that was frozen with another catalogue is no crash: file, question, field and fix are told."""
    with pytest.raises(
        ContentError, match=r"bank\.lock\.json: made\.number: wrong\.mistake: found 'every-.*quiz build"
    ):
        list(entries_of(made_bank(), {}, "en", 1))


def test_a_long_name_leaves_moodle_its_identifiers():
    """Moodle keeps a hundred characters of an id number; under a longer name each is still its own."""
    content, _ = exported("moodle", name="A course with a very long name " * 4)
    numbers = re.findall(r"<idnumber>(.*?)</idnumber>", content.decode())
    assert len(set(numbers)) == len(numbers) > 15
    assert max(map(len, numbers)) <= 100


@pytest.mark.parametrize("form", FORMATS)
def test_signs_that_steer_are_in_no_export(form):
    """XML cannot hold them; whatever a text of the bank has of them, the file has a mark instead and can be read."""
    content, _ = exported(form, bank=made_bank(wording=" \x00\x07\x1b[31m\ud800\ufffe end"))
    plain = unpacked(content)
    assert "\ufffd".encode() in plain
    if form != "anki":  # a database has signs of its own
        assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", plain)
    if form == "moodle":
        assert len(ET.fromstring(plain)) > 15  # noqa: S314 - our own


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_says_what_it_wrote_and_what_it_could_not(tmp_path):
    """It names the file and its counts; a file that cannot be written, and a format that is none, end with code 2."""
    learner = Learner(tmp_path / "data")
    file = tmp_path / "deck.apkg"
    done = learner.quiz("export", str(file), "--lang", "en")
    assert (done.code, done.err) == (0, "")
    assert str(file) in done.out
    assert file.read_bytes().startswith(b"PK")
    told = json.loads(learner.quiz("export", "--to", "gift", str(tmp_path / "g"), "--variants", "2", "--json").out)
    assert told["questions"] > told["items"] == len(BANK.records)
    assert set(told["changed"]) >= {"as_parts"}
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert learner.quiz("export", "--to", "csv", "--topic", "softmax", "--variants", "1", str(pipe)).code == 0
    assert os.read(reading, 3) == b"\xef\xbb\xbf"
    assert pipe.is_fifo()  # a device or a pipe stays what it is
    os.close(reading)
    for args, word in [
        (["export"], ".apkg"),
        (["export", "--to", "pdf", "x.pdf"], "pdf"),
        (["export", "x.pdf"], "anki|moodle|gift|qti|csv|sheet"),
        (["export", "--to", "csv", str(tmp_path / "no" / "x.csv")], "no/x.csv"),
        (["export", "--variants", "0", "x.csv"], "--variants"),
        (["export", "--name", " \n ", "x.csv"], "--name"),
        (["export", "--name", "a\x01b", "x.xml"], "--name"),
        (["export", "--name", "x" * 101, "x.xml"], "--name"),
        (["export", "--topic", "none", "x.csv"], "none"),
        (["due", "--to", "csv"], "--to"),
    ]:
        failed = learner.quiz(*args, "--lang", "en")
        assert (failed.code, failed.out) == (2, ""), args
        assert word in failed.err
