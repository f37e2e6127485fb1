"""`grade quiz preview` and `new`: what an author sees of a question, and what the next one is written from."""

import json
from dataclasses import replace

import pytest
from quiz_course import ROOT, Learner, course_with

from grader.cli.quiz import Options
from grader.cli.quiz_preview import Sheet, new, preview
from grader.course import load_course
from grader.errors import UsageError
from grader.model import LANGUAGES
from grader.quiz.asked import KINDS
from grader.quiz.bank import read_bank
from grader.quiz.lock import filled, read_lock

BANK, COURSE = read_lock(ROOT), load_course(ROOT)
BLANK = replace(Options(**dict.fromkeys(Options.__dataclass_fields__)), language="en", rest=())


def of_kind(kind):
    """The first question of a type."""
    return next(item for item in BANK.items.values() if item.kind == kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_preview_shows_all_of_a_question(kind, language, capsys):
    """Prompt, key, every mistake by its title and the explanation are there, for each type in each language."""
    item = of_kind(kind)
    Sheet(COURSE, language).print(item, 0)
    shown = "".join(capsys.readouterr().out.split())
    titles = [COURSE.mistakes[wrong.mistake].title.in_language(language) for wrong in item.wrong]
    texts = [filled(text, item.variants[0], language) for text in (item.prompt, item.explain)]
    assert [each for each in [*titles, *texts] if "".join(each.split()) not in shown] == []


def test_a_variant_is_previewed_by_number_or_id(capsys):
    """`ID@3` is the fourth variant, as is its id; another one does not exist."""
    item = next(item for item in BANK.items.values() if len(item.variants) > 3)
    records = []
    for number in ("3", item.variants[3].id):
        assert preview(replace(BLANK, rest=(f"{item.id}@{number}",), json=True)) == 0
        records.append(json.loads(capsys.readouterr().out))
    assert records[0] == records[1]
    assert [each["id"] for each in records[0]["variants"]] == [item.variants[3].id]
    for rest in ((), ("no.such",), (f"{item.id}@9999",)):
        with pytest.raises(UsageError):
            preview(replace(BLANK, rest=rest))


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_question_is_written_from_one_that_reads(kind, tmp_path, capsys):
    """What `new` prints for a type is, in a file with a heading, a question of that type with an id of its own."""
    assert new(replace(BLANK, rest=(kind,))) == 0
    head = 'format = 1\ntopic = "tiny"\ntitle.en = "Tiny"\ntitle.zh = "小题"\n'
    course = course_with(tmp_path, head + capsys.readouterr().out)
    (question,) = read_bank(course.root)
    assert (question.kind, question.id) == (kind, f"topic.new-{kind}")


def test_a_type_that_is_none_is_named(tmp_path):
    """`new` without a type, or with another word, lists the types."""
    for words in ((), ("riddle",)):
        run = Learner(tmp_path / "data").quiz("new", *words)
        assert (run.code, "formula" in run.err) == (2, True)
