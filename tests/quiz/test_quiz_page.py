"""The quiz on a page counts as the terminal does: once for each answer, whatever is clicked twice or reloaded."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from page_reader import RECORDS, RIGHT, SLUGS, WRONG, Clock, Reader, bank_of, reader

from grader.course import installed_course, load_course
from grader.model import LANGUAGES
from grader.quiz.events import in_force
from grader.quiz.log import SCHEMA, Log
from grader.quiz.session import Session

TYPED = tuple(kind for kind in WRONG if kind != "code")  # a line of code starts a sandbox


@pytest.fixture(scope="module")
def course():
    return load_course(installed_course())


@pytest.fixture
def opened(course, tmp_path):
    """Opens a page over these questions; a second call opens another one over the same log."""
    clock = Clock()

    def opens(*kinds: str, **more) -> Reader:
        made = reader(course, tmp_path / "answers.db", bank_of(*kinds), clock, **more)
        made.clock = clock
        made.get()
        return made

    return opens


def outcomes(page: Reader) -> list[tuple[str, str]]:
    """Answers of the log that count, with how they were given."""
    return [(event.mode, event.outcome) for event in in_force(page.events())]


# --- one answer -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TYPED)
def test_a_typed_answer_is_marked_as_in_the_terminal(opened, kind):
    """A right one shows verdict, key, reason and next date; a wrong one its mistake, the slug of which is kept."""
    page = opened(kind)
    seen = page.answer(text=RIGHT[kind], sure="3")
    places = [seen.index(part) for part in ("Right.", ">Answer<", ">Reason<", "2 ** 10", "Next time:")]
    assert places == sorted(places)
    assert [(event.outcome, event.confidence) for event in page.events()] == [("right", 3)]
    again = page.answer_undone()
    assert "taken back" in again
    page.answer(text=WRONG[kind])
    assert "Not this one." in page.page
    assert "That is the mistake number 0." in page.page
    assert page.events()[-1].mistake == SLUGS[0]


def test_one_line_of_code_runs_in_the_sandbox(opened):
    """A line of code is marked by what it gives; a wrong one is named by its mistake."""
    page = opened("code")
    page.answer(text=WRONG["code"])
    assert page.events()[-1].mistake == SLUGS[0]
    page.get()
    assert "Right." in page.answer(text=RIGHT["code"])


def test_what_cannot_be_read_costs_nothing_and_is_not_lost(opened):
    """The question comes again with what was typed, the reason, an example, the chosen confidence, and no entry."""
    page = opened("shape")
    page.answer(text="(3, 4 & 5", sure="1")
    assert page.code == 200
    assert 'value="(3, 4 &amp; 5"' in page.page
    assert 'aria-invalid="true"' in page.page
    assert 'aria-describedby="problem prompt"' in page.page
    assert "A shape looks like this" in page.page
    assert 'value="1" checked' in page.page
    assert page.events() == []


def test_a_hint_is_shown_and_kept_with_the_answer(opened):
    """Asking for a hint keeps what was typed so far, and the answer after it is one with a hint."""
    page = opened("number")
    assert "Think of" not in page.page
    page.post("/answer", {**page.fields(), "do": "hint", "text": "2"})
    assert "Think of" in page.page
    assert 'value="2"' in page.page
    assert page.events() == []
    page.answer(text="24")
    assert [event.hint for event in page.events()] == [1]


def test_a_skipped_question_leaves_nothing_behind(opened):
    """Skipping shows the next question and keeps no entry."""
    page = opened("number", "choice")
    page.post("/answer", {**page.fields(), "do": "skip"})
    assert "What sums to 1?" in page.page
    page.post("/answer", {**page.fields(), "do": "skip"})
    assert page.events() == []
    assert "Done for now" in page.page


def test_after_a_miss_options_are_offered_once_for_practice(opened):
    """Before the pick there is no key; the pick is kept as practice, and a second one is not kept at all."""
    page = opened("number")
    page.answer(text="96")
    answer = page.at
    assert ">Reason<" not in page.page
    options = re.findall(r'name="pick" value="(\d)"> <span>(.*?)</span>', page.page)
    assert {text for _, text in options} == {"24", "96", "4", "384"}
    form = {**page.fields(), "pick": next(value for value, text in options if text == "24")}
    page.post(f"{answer}/pick", form)
    assert "Yes, that is it." in page.page
    assert ">Reason<" in page.page
    page.post(f"{answer}/pick", form)
    assert outcomes(page) == [("scheduled", "wrong"), ("options", "right")]


def test_the_key_is_there_without_a_pick(opened):
    """Who wants no options sees the answer at once, and may still not pick in secret: nothing more is kept."""
    page = opened("number")
    page.answer(text="96")
    page.get(f"{page.at}?key=1")
    assert ">Reason<" in page.page
    assert outcomes(page) == [("scheduled", "wrong")]


def test_a_missed_question_comes_once_more_until_it_is_right(opened):
    """After a miss the same question comes at the end of the queue; the schedule counts the first answer alone."""
    page = opened("number")
    page.answer(text="96")
    for text in ("4", "24"):
        page.get()
        assert "once more" in page.page
        page.answer(text=text)
    page.get()
    assert "Done for now" in page.page
    assert outcomes(page) == [("scheduled", "wrong"), ("retry", "wrong"), ("retry", "right")]


def test_a_missed_question_comes_back_three_times_at_most(opened):
    """As in the terminal: after the fourth miss of a day it rests, and the page says so."""
    page = opened("number")
    for said in ("at most 3", "at most 2", "once more in", "enough of this one"):
        page.get()
        page.answer(text="25")
        page.get(f"{page.at}?key=1")
        assert said in page.page
    page.get()
    assert "Done for now" in page.page


def test_what_is_missing_from_several_is_no_plain_miss(opened):
    """Of several options that fit, one alone is told to be a part, in the verdict too."""
    page = opened("multi")
    page.answer(pick=[place(page.page, "h = 1")])
    assert "Only partly right." in page.page
    assert "Not this one." not in page.page


def test_a_hint_says_what_it_costs(opened):
    """The page says beside the hint, as the terminal does, that the question comes sooner."""
    page = opened("number")
    page.answer(do="hint")
    assert "comes again sooner" in page.page


# --- the other types ------------------------------------------------------------------------------------------------


def place(page: str, text: str) -> str:
    """Number of the option with this text."""
    return next(value for value, shown in re.findall(r'value="(\d)"[^>]*> <span>(.*?)</span>', page) if text in shown)


@pytest.mark.parametrize(("kind", "right"), [("choice", ["Each row"]), ("multi", ["h = 1", "h = 6"])])
def test_options_are_marked_by_what_they_say(opened, kind, right):
    """Whatever their order on the screen, the right options are right, and nothing chosen is no answer."""
    page = opened(kind)
    page.answer()
    assert page.events() == []
    assert "first." in page.page
    page.answer(pick=[place(page.page, text) for text in right])
    assert outcomes(page) == [("scheduled", "right")]


def test_a_wrong_option_is_named(opened):
    """A wrong pick shows its reason and what was picked, in the language of the page."""
    page = opened("error", language="zh")
    page.answer(pick=place(page.page, "number of elements"))
    assert "这是第 0 个错误。" in page.page
    assert "The number of elements is wrong（中文）" in page.page


def test_a_prediction_has_two_steps(opened):
    """First the outcome, then why; reasons are not shown before, and both have to be right."""
    page = opened("predict")
    assert "The order of the numbers stays" not in page.page
    page.answer(outcome="raises")
    page.answer(pick=place(page.page, "The order of the numbers stays"))
    assert outcomes(page) == [("scheduled", "wrong")]
    page.get()
    page.answer(outcome="wrong")
    page.answer(pick=place(page.page, "The order of the numbers stays"))
    assert outcomes(page)[-1] == ("retry", "right")


def test_steps_are_put_in_order(opened):
    """The numbers of the steps as they stand on the screen, in the right order, are right."""
    page = opened("order")
    shown = [re.sub("<.*?>", "", text) for text in re.findall("<li>(.*?)</li>", page.page)]
    right = [shown.index(text) + 1 for text in ("scores", "softmax", "weights @ v")]
    page.answer(text=" ".join(map(str, right)))
    assert outcomes(page) == [("scheduled", "right")]


def test_pairs_are_chosen_from_lists(opened):
    """Each left end has a list; one left open is sent back with the others kept, all of them right is right."""
    page = opened("match")
    ends = re.findall("<li>(.*?)</li>", page.page)
    right = {
        f"pair{i}": str(next(k for k, end in enumerate(ends, 1) if start in end))
        for i, start in enumerate(("number of", "width of", "mixes the"))
    }
    page.answer(**{**right, "pair1": ""})
    assert page.events() == []
    assert page.page.count(" selected") == 2
    page.answer(**{**right, "pair1": right["pair0"]})
    assert "Two rows have the same partner" in page.page
    assert page.events() == []
    page.answer(**right)
    assert outcomes(page) == [("scheduled", "right")]


def test_free_recall_has_a_checklist(opened):
    """What is found in the text is ticked already; the learner has the last word, and the text is kept."""
    page = opened("recall")
    page.answer(text="scores\r\n(B, h, L, L)")
    assert re.findall(r'name="tick" value="(\d)" checked', page.page) == ["0"]
    page.answer(text="scores\r\n(B, h, L, L)", tick=["0", "1"])
    assert outcomes(page) == [("scheduled", "right")]
    assert page.events()[0].raw == "scores\n(B, h, L, L)"


# --- once ------------------------------------------------------------------------------------------------------------


def test_a_form_sent_twice_counts_once(opened):
    """A double click, a reload and the Back button find the answer that is there already."""
    page = opened("number")
    form = {**page.fields(), "do": "answer", "text": "96"}
    page.post("/answer", form)
    first = page.at
    page.post("/answer", {**form, "text": "24"})
    assert page.at == first
    assert "nothing was counted twice" in page.page
    assert outcomes(page) == [("scheduled", "wrong")]


def test_an_answer_can_be_looked_at_again(opened):
    """The page of an answer is the same however often it is opened, also by another run of the server."""
    page = opened("formula")
    page.answer(text="5d²")
    seen = page.get(page.at)
    other = opened("formula").get(page.at)
    assert seen.partition("<main>")[2].partition("<form")[0] == other.partition("<main>")[2].partition("<form")[0]
    assert len(page.events()) == 1


def test_two_tabs_may_answer_in_any_order(opened):
    """Two questions open in two tabs are each marked as they were shown, in whatever order they are answered."""
    page = opened("choice", "multi")
    first = page.page
    page.post("/answer", {**page.fields(), "do": "skip"})
    second = page.page
    page.post("/answer", {**page.fields(second), "pick": [place(second, "h = 1"), place(second, "h = 6")]})
    page.post("/answer", {**page.fields(first), "pick": place(first, "Each row")})
    assert [(event.item, event.outcome) for event in page.events()] == [
        ("kinds.multi", "right"),
        ("kinds.choice", "right"),
    ]


def test_a_stopped_server_goes_on_where_it_was(opened):
    """A question that was open before the server was stopped can be answered after it; what was missed comes again."""
    page = opened("number", "choice")
    page.answer(text="96")
    left = page.get()
    later = opened("number", "choice")
    later.post("/answer", {**page.fields(left), "form": later.fields()["form"], "pick": place(left, "Each row")})
    assert outcomes(later) == [("scheduled", "wrong"), ("scheduled", "right")]
    assert "d_k" in re.sub("<.*?>", "", later.get()).replace("dk", "d_k")
    assert "once more" in later.page


def test_two_servers_share_one_log(opened):
    """What was answered on one server is not asked by the other, and its open form counts no more."""
    one, two = opened("number"), opened("number")
    one.answer(text="24")
    two.answer(text="96")
    assert "nothing was counted twice" in two.page
    assert outcomes(one) == [("scheduled", "right")]
    assert "Done for now" in two.get()


def test_the_terminal_and_the_page_share_one_log(opened, tmp_path):
    """An answer in the terminal takes the question from the page."""
    page = opened("number")
    log = Log(tmp_path / "answers.db")
    session = Session(bank_of("number"), log, page.clock, UTC)
    turn = session.next()
    session.answered(turn, "24", session.mark(turn, "24"), confidence=2, hint=False, milliseconds=0)
    log.close()
    page.answer(text="96")
    assert outcomes(page) == [("scheduled", "right")]


def test_an_undo_takes_back_one_answer_however_often_it_is_clicked(opened):
    """The last answer is taken back and asked again at once; the same click again takes back nothing."""
    page = opened("number", "choice")
    page.answer(text="24")
    page.get()
    page.answer(pick=place(page.page, "Each row"))
    undo = {"form": page.fields()["form"], "entry": page.events()[-1].id}
    page.post("/undo", undo)
    assert "What sums to 1?" in page.page
    page.post("/undo", undo)
    assert "There is no answer to take back." in page.page
    assert outcomes(page) == [("scheduled", "right")]
    page.get(f"/answer/{undo['entry']}")
    assert "What sums to 1?" in page.page


def test_an_answer_is_in_the_log_before_it_is_told(opened):
    """The reply to an answer tells nothing of it but where to look; by then it is kept."""
    page = opened("number")
    response = page.client.post(
        "/answer",
        base_url=page.base,
        data={**page.fields(), "text": "24"},
        headers={"Origin": page.base},
    )
    assert response.status_code == 303
    assert [response.location] == [f"/answer/{event.id}" for event in page.events()]
    assert "Right." not in response.text


# --- time -----------------------------------------------------------------------------------------------------------


def test_a_page_left_open_over_night(opened):
    """An answer to yesterday's page is one of today, with the options as they were shown."""
    page = opened("choice")
    before = page.page
    page.clock.move(hours=20)
    page.post("/answer", {**page.fields(before), "pick": place(before, "Each row")})
    assert [(event.day, event.outcome) for event in page.events()] == [("2026-12-02", "right")]


def test_a_clock_that_was_set_back(opened):
    """An answer never took less than no time, and the page goes on."""
    page = opened("number")
    page.clock.move(hours=-30)
    page.answer(text="24")
    assert [event.ms for event in page.events()] == [0]


def test_the_time_of_an_answer_is_kept(opened):
    """From the question to the answer, typing anew included; at most ten minutes."""
    page = opened("number", "choice")
    page.clock.move(seconds=5)
    page.answer(text="?")
    page.clock.move(seconds=5)
    page.answer(text="24")
    page.get()
    page.clock.move(hours=1)
    page.answer(pick="0")
    assert [event.ms for event in page.events()] == [10_000, 600_000]


def test_a_sitting_is_as_long_as_was_asked(opened):
    """No more new questions than wanted; the end says that there are more, and goes on with them."""
    page = opened("number", "choice", "multi", new=1)
    page.answer(text="24")
    page.get()
    assert "Done for now" in page.page
    assert "could follow: 2" in page.page
    page.post("/more", page.fields())
    assert "What sums to 1?" in page.page


def test_what_is_due_comes_back_on_its_day(opened):
    """A missed question is due on the next day, on a server that was left running too."""
    page = opened("number")
    page.answer(text="96")
    page.get()
    page.answer(text="24")
    page.get()
    assert "Done for now" in page.page
    page.clock.move(days=1)
    page.get()
    assert "1 to go" in page.page
    page.answer(text="24")
    assert outcomes(page)[-1] == ("scheduled", "right")


def test_a_question_missed_again_and_again_is_explained_first(opened):
    """Help comes before the question, is written down once it was read, and the question waits."""
    page = opened("number")
    for _ in range(4):
        page.answer(text="96")
        page.clock.move(days=1)
        page.get()
    assert "missed again and again" in page.page
    assert ">Reason<" in page.page
    form = page.fields()
    page.post("/help", form)
    page.post("/help", form)
    assert [event.mode for event in page.events()].count("help") == 1
    assert "could follow" not in page.page


def test_as_many_are_asked_as_are_announced(opened):
    """The count on the page is that of the questions which really come, also where another window has answered some."""
    page, other = opened("number", "choice", "multi"), opened("number", "choice", "multi")
    announced = int(re.search(r"(\d+) to go", page.get())[1])
    other.answer(text="24")
    asked = 1
    while "<form" in page.get() and "Done for now" not in page.page:
        page.answer(pick=[place(page.page, text) for text in ("Each row", "h = 1", "h = 6") if text in page.page])
        asked += 1
    assert asked == announced == 3


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"item": "no.such"},
        {"count": "7"},
        {"count": "-1"},
        {"count": "x"},
        {"day": "today"},
        {"variant": "z"},
        {"at": ""},
    ],
    ids=str,
)
def test_a_form_from_elsewhere_is_not_counted(opened, change):
    """A form whose question is not open leads to the one that is, and nothing is kept."""
    page = opened("number")
    page.post("/answer", {**page.fields(), "text": "24", **change})
    assert page.code == 200
    assert "nothing was counted" in page.page
    assert page.events() == []


@pytest.mark.parametrize(
    "picks", [["9"], ["x"], ["-1"], ["0", "1"], ["1" * 5000], ["²"]], ids=lambda picks: picks[0][:5]
)
def test_a_pick_that_is_not_there_is_none(opened, picks):
    """Neither a number out of range nor several where one is asked for is an answer."""
    page = opened("choice")
    page.answer(pick=picks)
    assert page.code == 200
    assert page.events() == []


def test_whatever_is_typed_stays_text(opened):
    """Markup, control characters and an override of direction are shown, never interpreted."""
    page = opened("recall")
    poison = "<script>alert(1)</script>\"'&\x1b[31m\u202e"
    page.answer(text=poison)
    assert "<script" not in page.page
    page.answer(text=poison)
    assert "<script" not in page.page
    assert "\x1b" not in page.page
    assert "\u202e" not in page.page
    assert page.events()[0].raw == poison


def test_a_flood_is_refused(opened):
    """A form of megabytes is refused before it is read, in words."""
    page = opened("number")
    page.post("/answer", {**page.fields(), "text": "2" * 1_000_000})
    assert page.code == 413
    assert "too much text" in page.page


@pytest.mark.parametrize("path", ["/nothing", "/answer/", "/answer/01ARZ3", "/../etc/passwd", "/static/x"])
def test_there_is_no_other_page(opened, path):
    """An unknown address is told so, or leads to the question."""
    page = opened("number")
    page.get(path)
    assert page.code == 404 or page.at == "/"


@pytest.mark.parametrize(
    ("trouble", "cure", "said"),
    [
        ("PRAGMA user_version = 99", f"PRAGMA user_version = {SCHEMA}", "newer version"),
        (
            "CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
            "DROP TRIGGER full",
            "disk is full",
        ),
    ],
    ids=["newer", "full"],
)
def test_a_log_that_cannot_be_written_is_told_in_words(opened, tmp_path, trouble, cure, said):
    """The page says what is wrong and that this answer was not kept; sent again after the cure, it counts once."""
    page = opened("number")
    form = {**page.fields(), "text": "24"}
    with closing(sqlite3.connect(tmp_path / "answers.db", isolation_level=None)) as base:
        base.execute(trouble)
        page.post("/answer", form)
        assert page.code == 503
        assert said in page.page
        assert "not kept" in page.page
        base.execute(cure)
    page.post("/answer", form)
    assert "Right." in page.page
    assert outcomes(page) == [("scheduled", "right")]


# --- what a page is -------------------------------------------------------------------------------------------------


class Outline(HTMLParser):
    """Collects what a page asks for and offers."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.tags, self.ids, self.named, self.labels = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.asked += [value for name, value in attrs if name in {"src", "srcset", "href", "action", "data", "poster"}]
        assert not [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self.ids += [given["id"]] if "id" in given else []
        self.labels += [given["for"]] if tag == "label" and "for" in given else []
        self.named += (given.get("aria-describedby") or "").split() + (given.get("aria-labelledby") or "").split()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", RECORDS)
def test_every_question_is_a_small_page_without_script(opened, kind, language):
    """QC81 At most 60 KB with its style, asks this server alone, one h1, every id named exists, formulas are MathML."""
    page = opened(kind, language=language)
    outline = Outline()
    outline.feed(page.page)
    assert len(page.page.encode()) + len(page.get("/style.css").encode()) < 60_000
    page.get()
    assert all(url.startswith("/") and not url.startswith("//") for url in outline.asked)
    assert "script" not in outline.tags
    assert outline.tags.count("h1") == 1
    assert len(outline.ids) == len(set(outline.ids))
    assert set(outline.named) | set(outline.labels) <= set(outline.ids)
    for formula in re.findall("<math.*?</math>", page.page):
        ET.fromstring(formula)  # noqa: S314 - our own


def test_a_form_says_where_it_goes_and_enter_sends_the_answer(opened):
    """The first button of a question is the one that answers: Enter in a field presses it, with a hint or without."""
    page = opened("number")
    assert re.findall(r'name="do" value="(\w+)"', page.page) == ["answer", "hint", "skip"]


def test_the_day_of_a_page_follows_the_clock_of_the_learner(course, tmp_path):
    """The learning day turns at four in the morning where the learner is, as in the terminal."""
    clock = Clock(datetime(2026, 12, 2, 3, 30, tzinfo=UTC))
    page = reader(course, tmp_path / "answers.db", bank_of("number"), clock)
    page.get()
    page.answer(text="24")
    assert page.events()[0].day == "2026-12-01"
