"""The page itself: a question, what an answer to it was worth, the end; plain forms, no script.

GET / --form--> POST /answer --cannot be read--> the question again, free
                             --kept--> 303 --> GET /answer/<entry> --options after a miss--> POST …/pick --> …
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path

from flask import Flask, Response, redirect, render_template, request
from jinja2 import StrictUndefined
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as Answer

from grader.course import Course
from grader.errors import SubmissionError
from grader.model import Language, Message
from grader.quizpage.desk import Desk, OutdatedError, Shown, desk_of
from grader.quizpage.feedback import AnswerView, HelpView
from grader.quizpage.forms import AnswerForm, is_number
from grader.quizpage.guard import HEADERS, Guard
from grader.quizpage.sitting import Sitting
from grader.quizpage.views import Draft, Page, QuestionView, fields_of
from grader.report.html import style
from grader.report.visible import visible

MOST_BYTES = 64 * 1024  # of a form
NOTES = {"undone": "quiz.undone", "nothing": "quiz.nothing_to_undo", "pick": "quiz_page.choose_one"}
NOTES |= {name: f"quiz_page.{name}" for name in ("already", "outdated")}
_STYLE = Path(__file__).parent / "templates" / "quiz.css"


@cache
def style_sheet() -> str:
    """The style of the report, with what only the quiz needs behind it."""
    return str(style("report.css").text) + _STYLE.read_text(encoding="utf-8")


def make_app(course: Course, sitting: Sitting, guard: Guard, language: Language) -> Flask:
    """The web application over one learner's log, for whoever `guard` lets in."""
    app = Flask(__name__, static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=MOST_BYTES, MAX_FORM_MEMORY_SIZE=MOST_BYTES)
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.finalize = lambda value: value if isinstance(value, Markup) else visible(str(value))
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["style_version"] = hashlib.sha256(style_sheet().encode()).hexdigest()[:12]
    QuizPage(course, sitting, guard, language).register(app)
    return app


class QuizPage:
    """The handlers of one server."""

    def __init__(self, course: Course, sitting: Sitting, guard: Guard, language: Language) -> None:
        self._course = course
        self._sitting = sitting
        self._guard = guard
        self._language = language

    def register(self, app: Flask) -> None:
        """Tell the application which handler answers what."""
        app.before_request(self.admit)
        app.after_request(self.harden)
        app.register_error_handler(HTTPException, self.http_error)
        app.register_error_handler(SubmissionError, self.log_error)
        app.register_error_handler(OutdatedError, self.outdated)
        app.add_url_rule("/", view_func=self.question)
        app.add_url_rule("/style.css", view_func=self.style)
        app.add_url_rule("/answer", view_func=self.answer, methods=["POST"])
        app.add_url_rule("/answer", "answer_again", lambda: redirect("/", 303))  # an address that a form left behind
        app.add_url_rule("/answer/<entry>", view_func=self.answered)
        app.add_url_rule("/answer/<entry>/pick", view_func=self.pick, methods=["POST"])
        app.add_url_rule("/undo", view_func=self.undo, methods=["POST"])
        app.add_url_rule("/help", view_func=self.help, methods=["POST"])
        app.add_url_rule("/more", view_func=self.more, methods=["POST"])

    # --- who may come in ---

    def admit(self) -> Answer | tuple[str, int] | None:
        """Refuse what this server was not meant for; with the printed address, hand out the cookie."""
        if not self._guard.is_host(request.host):
            return self._refusal("wrong_host")
        if request.path == "/style.css":
            return None  # says nothing of anybody, and the pages of refusal need it too
        if request.method in {"GET", "HEAD"} and self._guard.is_token(request.args.get("token", "")):
            return self._welcome()
        if not self._guard.is_known(request.cookies):
            return self._refusal("not_known")
        return self._refusal("foreign_form") if request.method == "POST" and not self._is_own_form() else None

    def _is_own_form(self) -> bool:
        origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
        return self._guard.is_own_form(request.host, origin, site, request.form.get("form", ""))

    def _welcome(self) -> Answer:
        """A page that goes on by itself: a redirect would not send the cookie where the address was a link."""
        page = Response(render_template("message.html", page=self._page(), **_message("welcome")))
        page.set_cookie(self._guard.cookie, self._guard.cookie_value, httponly=True, samesite="Strict")
        page.headers["Refresh"] = "0; url=/"
        return page

    def _refusal(self, key: str) -> tuple[str, int]:
        return render_template("message.html", page=self._page(), **_message(key)), 403

    @staticmethod
    def harden(response: Response) -> Response:
        """Headers that keep everything else out, and nothing in a cache."""
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    # --- what goes wrong ---

    def http_error(self, error: HTTPException) -> tuple[str, int]:
        """No such page, a form that is too large: in our words."""
        code = error.code or 500
        key = {404: "no_page", 405: "no_page", 413: "too_large"}.get(code, "fault")
        return render_template("message.html", page=self._page(), **_message(key)), code

    def log_error(self, error: SubmissionError) -> tuple[str, int]:
        """The log cannot be read or written: what was acknowledged is safe, and this was not."""
        title = "not_kept_title" if request.method == "POST" else "no_log_title"
        text = {"title": Message(f"quiz_page.{title}"), "text": error.message}
        return render_template("message.html", page=self._page(), **text), 503

    def outdated(self, error: OutdatedError) -> Answer:
        """A form that was sent twice, or from an old page: show what there is already."""
        return redirect(f"/answer/{error.entry}?note=already" if error.entry else "/?note=outdated", 303)

    # --- pages ---

    def _page(self, desk: Desk | None = None) -> Page:
        note = NOTES.get(request.args.get("note", ""))
        return Page(
            self._language,
            form_token=self._guard.form_token if desk else "",
            undo=desk.last() if desk else "",
            note=Message(note) if note else None,
            notices=tuple(desk.notices()) if desk else (),
        )

    @staticmethod
    def style() -> Response:
        """The style sheet; its address changes when it does."""
        return Response(style_sheet(), mimetype="text/css", headers={"Cache-Control": "max-age=86400"})

    def question(self) -> str:
        """The question that comes now, or the end."""
        with desk_of(self._sitting) as desk:
            if helped := desk.help():
                view, page = HelpView(helped, self._language, desk.session.day), self._page(desk)
                return render_template("help.html", page=page, view=view, item=helped.item.id)
            front = desk.front()
            if front is None:
                right, wrong = desk.score()
                return render_template("end.html", page=self._page(desk), right=right, wrong=wrong, more=desk.more)
            turn, shown = front
            return self._asked(desk, QuestionView(turn, self._language, shown, desk.left))

    def _asked(self, desk: Desk, view: QuestionView) -> str:
        return render_template("question.html", page=self._page(desk), view=view, fields=fields_of(view.shown))

    def answer(self) -> Answer | tuple[str, int] | str:
        """An answer, or the wish for a hint or for another question."""
        shown = _shown(request.form)
        with desk_of(self._sitting) as desk:
            turn = desk.turn(shown)
            if request.form.get("do") == "skip":
                desk.skip(shown)
                return redirect("/", 303)
            form = AnswerForm(request.form, turn)
            found = form.draft(hint=True) if request.form.get("do") == "hint" else form.keep(desk, shown)
            if isinstance(found, Draft):
                return self._asked(desk, QuestionView(turn, self._language, shown, desk.left, found))
        return redirect(f"/answer/{found}", 303)

    def answered(self, entry: str) -> Answer | str:
        """What an answer was worth; it can be looked at as often as one likes."""
        with desk_of(self._sitting) as desk:
            found = desk.entry(entry)
            if found is None:
                return redirect("/?note=outdated", 303)
            offers = found.event.outcome != "right" and found.turn.item.offered and found.event.mode == "scheduled"
            shows_key = not offers or found.practice is not None or "key" in request.args
            view = AnswerView(found.turn, self._language, found, self._course, desk.left, shows_key)
            return render_template("answer.html", page=self._page(desk), view=view, entry=entry)

    def pick(self, entry: str) -> Answer:
        """A pick from the options after a miss, once: for practice."""
        place = request.form.get("pick", "")
        with desk_of(self._sitting) as desk:
            found = desk.entry(entry)
            if found is None:
                raise OutdatedError
            fits = is_number(place) and int(place) < len(found.turn.options)
            if fits and found.practice is None and found.turn.item.offered and found.event.outcome != "right":
                desk.session.picked(found.turn, [int(place)])
        return redirect(f"/answer/{entry}" + ("" if fits else "?note=pick"), 303)

    def help(self) -> Answer:
        """The help for a question was read; its date moves on."""
        with desk_of(self._sitting) as desk:
            desk.helped(request.form.get("item", ""))
        return redirect("/", 303)

    def undo(self) -> Answer:
        """Take the last answer back, and ask that question again."""
        with desk_of(self._sitting) as desk:
            done = desk.undo(request.form.get("entry", ""))
        return redirect(f"/?note={'undone' if done else 'nothing'}", 303)

    def more(self) -> Answer:
        """Another sitting, for what is left."""
        with desk_of(self._sitting) as desk:
            desk.go_on()
        return redirect("/", 303)


def _message(key: str) -> dict[str, Message]:
    return {"title": Message(f"quiz_page.{key}_title"), "text": Message(f"quiz_page.{key}")}


def _shown(form: Mapping[str, str]) -> Shown:
    """The hidden fields of a form."""
    try:
        return Shown(
            form["item"],
            form["variant"],
            int(form["count"]),
            date.fromisoformat(form["day"]),
            int(form["at"]),
        )
    except (KeyError, ValueError):
        raise OutdatedError from None
