"""The page in headless Chromium: every type of question, accessible, by keyboard alone, and nothing asked of others."""

import threading
from contextlib import ExitStack, contextmanager
from datetime import UTC

import pytest
from page_reader import RECORDS, RIGHT, WRONG, Clock, bank_of

from grader.course import installed_course, load_course
from grader.quiz.log import Log
from grader.quizpage.app import make_app
from grader.quizpage.guard import Guard
from grader.quizpage.server import listening, server
from grader.quizpage.sitting import Sitting
from tests.report.test_browser import OVERFLOW, axe, browser  # noqa: F401  # fixtures

pytestmark = pytest.mark.browser
VIEWS = [("light", 1280, "en"), ("dark", 390, "zh"), ("dark", 1280, "zh"), ("light", 390, "en")]
NARROW = VIEWS[1]
FOCUS = "document.activeElement.id || document.activeElement.className"


@pytest.fixture(scope="module")
def course():
    return load_course(installed_course())


@contextmanager
def served(course, log, *kinds, language="en"):
    """A server over these questions; the address that it prints."""
    with listening(0) as sock:
        guard = Guard(sock.getsockname()[1])
        sitting = Sitting(bank_of(*kinds), log, Clock(), UTC, minutes=100)
        made = server(sock, make_app(course, sitting, guard, language))
        thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield guard.address
        finally:
            made.shutdown()
            thread.join()
            made.server_close()


@pytest.fixture
def opened(browser, course, tmp_path):  # noqa: F811
    """Opens the printed address as a reader would, and notes what is asked for and complained about."""
    with ExitStack() as stack:

        def opens(*kinds, scheme="light", width=1280, language="en", **more):
            address = stack.enter_context(served(course, tmp_path / "answers.db", *kinds, language=language))
            context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme, **more)
            stack.callback(context.close)
            page = context.new_page()
            page.asked, page.complaints = [], []
            page.on("request", lambda request: page.asked.append(request.url))
            page.on("console", lambda message: page.complaints.append(message.text))
            page.on("pageerror", lambda error: page.complaints.append(str(error)))
            page.goto(address)
            page.wait_for_selector("#prompt")
            return page

        yield opens


def answer(page, kind: str) -> None:
    """Answer as far as can be done in one step, wrongly where that is easy."""
    if kind == "recall" and page.locator("[readonly]").count() == 0:
        page.fill("#text", "scores (B, h, L, L)")
    elif kind in WRONG or kind == "order":
        page.fill("#text", WRONG.get(kind, "1 2 3"))
    elif kind == "match":
        for i in range(3):
            page.select_option(f"#pair{i}", str(i + 1))
    elif kind != "recall":
        page.click(".option >> nth=0")
    send(page, "button.main")


def send(page, button: str) -> None:
    """Press a button that leads to the next page, and wait until that is there."""
    with page.expect_navigation():
        page.click(button)


def looks_right(page, axe, kind: str) -> None:  # noqa: F811
    """What holds for every page; a verdict looks the same for most types, and is not given to axe each time."""
    assert page.evaluate(OVERFLOW) <= 0, kind
    results = axe.run(page) if axe else None
    assert not results or results.violations_count == 0, f"{kind}: {results.generate_report()}"


@pytest.mark.parametrize("view", range(4), ids=lambda view: "-".join(map(str, VIEWS[view])))
def test_every_type_of_question_is_accessible_and_whole(browser, axe, course, tmp_path, view):  # noqa: F811
    """Axe finds nothing in question, second step and verdict; nothing runs over the edge or is asked of others.

    Every view has its share of the types; the narrowest, in Chinese, has the question of each.
    """
    scheme, width, language = VIEWS[view]
    share = list(RECORDS)[view::4]
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    seen = []
    page.on("request", lambda request: seen.append(request.url))
    page.on("console", lambda message: seen.append(message.text))
    for kind in RECORDS if VIEWS[view] == NARROW else share:
        with served(course, tmp_path / f"{kind}.db", kind, language=language) as address:
            page.goto(address)
            page.wait_for_selector("#prompt")
            assert page.evaluate(OVERFLOW) <= 0, kind
            if kind in share:
                send(page, "button[value=hint]")
                looks_right(page, axe, kind)
            while kind in share and not page.locator(".verdict").count():
                answer(page, kind)
                looks_right(page, axe if kind in {share[0], "match", "predict", "recall"} else None, kind)
            assert [what for what in seen if not what.startswith(address.partition("?")[0])] == []
            seen.clear()
    page.close()


def test_a_session_needs_nothing_but_a_keyboard(opened):
    """QC78 Focus waits in the field, Enter sends, focus is on the verdict, Tab leads to the next question."""
    page = opened("shape", "choice", reduced_motion="reduce", forced_colors="active")
    press = page.keyboard.press
    assert page.evaluate(FOCUS) == "text"
    page.keyboard.type("1 2 3 4")  # digits are text here, no shortcuts
    assert page.input_value("#text") == "1 2 3 4"
    press("ControlOrMeta+a")
    page.keyboard.type(RIGHT["shape"])
    press("Tab")
    press("ArrowRight")  # how sure: from fairly to sure
    press("Enter")
    page.wait_for_selector(".verdict")
    assert page.title().startswith("Right.")
    assert page.evaluate(FOCUS) == "verdict"
    press("Tab")
    press("Enter")
    page.wait_for_selector("input[name=pick]")
    assert page.evaluate("document.activeElement.name") == "pick"
    press("ArrowDown")
    press("Enter")
    page.wait_for_selector(".verdict")
    assert page.evaluate(FOCUS) == "verdict"
    assert page.complaints == []


def test_a_page_may_run_from_right_to_left(opened):
    """QC82 From right to left the boxes lead their lines; code and shapes still read from left to right."""
    page = opened("multi")
    page.evaluate("document.documentElement.dir = 'rtl'")
    box, text = (page.locator(f".option {part} >> nth=0").bounding_box() for part in ("input", "span"))
    assert box["x"] > text["x"]
    page = opened("shape")
    page.evaluate("document.documentElement.dir = 'rtl'")
    directions = "[...document.querySelectorAll('#prompt > *')].map(each => getComputedStyle(each).direction)"
    assert page.evaluate(directions) == ["ltr", "ltr"]
    assert page.get_attribute("#text", "dir") == "auto"
    assert page.evaluate(OVERFLOW) <= 0


def test_a_screen_reader_hears_verdict_key_and_reason_in_this_order(opened):
    """QC79 The tree that a screen reader walks has question, verdict, key, reason; the field is named and described."""
    page = opened("formula")
    described = page.evaluate(
        "document.getElementById(document.getElementById('text').getAttribute('aria-describedby')).innerText"
    )
    assert "How many parameters" in described
    assert page.get_by_label("Your answer").count() == 1
    page.get_by_label("Your answer").fill(RIGHT["formula"])
    page.get_by_role("button", name="Answer").click()
    tree = page.locator("main").aria_snapshot()
    places = [tree.index(part) for part in ("How many", 'heading "Right."', 'heading "Answer"', 'heading "Reason"')]
    assert places == sorted(places)


def test_enter_that_ends_a_composition_sends_nothing(opened):
    """QC83 While an input method composes, its Enter belongs to it; the next one sends what was composed."""
    page = opened("number")
    keys = page.context.new_cdp_session(page)
    keys.send("Input.imeSetComposition", {"text": "二十四", "selectionStart": 3, "selectionEnd": 3})
    for kind in ("rawKeyDown", "keyUp"):
        keys.send(
            "Input.dispatchKeyEvent", {"type": kind, "key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229}
        )
    assert page.locator(".verdict").count() == 0
    keys.send("Input.insertText", {"text": "24"})
    assert page.input_value("#text") == "24"
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    assert page.title().startswith("Right.")


def test_back_and_a_second_press_count_once(opened, tmp_path):
    """Back leads to the open question, not to the old form; two tabs with one question keep one answer."""
    page = opened("number", "choice")
    other = page.context.new_page()
    other.goto(page.url)
    page.fill("#text", RIGHT["number"])
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict")
    page.go_back()
    assert page.locator("input[name=pick]").count() == 3
    other.fill("#text", "96")
    other.keyboard.press("Enter")
    other.wait_for_selector(".note")
    assert other.title().startswith("This question was answered already")
    log = Log(tmp_path / "answers.db")
    assert [event.outcome for event in log.events()] == ["right"]
    log.close()


def test_another_site_gets_nowhere(opened, tmp_path):
    """Neither a form nor a link of another site reaches the quiz, though the browser holds its cookie."""
    page = opened("number")
    home = page.url
    fields = {name: page.get_attribute(f"input[name={name}]", "value") for name in ("form", "item", "variant", "count")}
    hidden = "".join(f'<input name="{name}" value="{value}">' for name, value in fields.items())
    evil = f'<form method=post action="{home}answer">{hidden}<button>x</button></form><a href="{home}">quiz</a>'
    page.route("http://evil.example/**", lambda route: route.fulfill(body=evil, content_type="text/html"))
    for target in ("button", "a"):
        page.goto("http://evil.example/")
        with page.expect_response(lambda response: response.url.startswith(home)) as reply:
            page.click(target)
        assert reply.value.status == 403
    log = Log(tmp_path / "answers.db")
    assert log.events() == []
    log.close()
