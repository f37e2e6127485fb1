"""The page is for this machine alone: its address, its cookie, its forms, over real HTTP where that matters."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest
from page_reader import Clock, Reader, bank_of, reader

from grader.course import installed_course, load_course
from grader.errors import UsageError
from grader.quiz.events import in_force
from grader.quiz.log import Log
from grader.quizpage.app import make_app
from grader.quizpage.guard import Guard
from grader.quizpage.server import listening, server
from grader.quizpage.sitting import Sitting

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def course():
    return load_course(installed_course())


@pytest.fixture
def page(course, tmp_path):
    """A page that was opened by its address, without a network."""
    return reader(course, tmp_path / "answers.db", bank_of("number"), Clock())


@contextmanager
def served(course, log):
    """A server on a free port of this machine; its guard."""
    with closing(listening(0)) as sock:
        guard = Guard(sock.getsockname()[1])
        sitting = Sitting(bank_of("number"), log, Clock(), UTC)
        made = server(sock, make_app(course, sitting, guard, "en"))
        thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield guard
        finally:
            made.shutdown()
            thread.join()
            made.server_close()


@pytest.fixture
def running(course, tmp_path):
    """One server; its guard."""
    with served(course, tmp_path / "answers.db") as guard:
        yield guard


def asked(guard: Guard, path: str = "/", method: str = "GET", body: str = "", **headers: str):
    """One request over the network, with exactly these headers; status, headers and text of the reply."""
    connection = HTTPConnection("127.0.0.1", guard.port, timeout=30)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    given = {"Host": f"127.0.0.1:{guard.port}", "Content-Length": str(len(body)), **headers}
    if body:
        given["Content-Type"] = "application/x-www-form-urlencoded"
    for name, value in given.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders(body.encode())
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, reply.headers, text


# --- over the network -----------------------------------------------------------------------------------------------


def test_the_printed_address_opens_the_page(running):
    """The address leads to the question by way of a cookie that no script and no other site can use."""
    status, headers, _ = asked(running, running.address.partition(str(running.port))[2])
    assert (status, headers["Refresh"]) == (200, "0; url=/")
    cookie = headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}
    assert running.token not in cookie
    status, _, text = asked(running, Cookie=cookie.partition(";")[0])
    assert status == 200
    assert "d_k" in re.sub("<.*?>", "", text).replace("dk", "d_k")


def test_nothing_is_shown_without_the_address(running):
    """Neither without a cookie, nor with one that is wrong, nor with a wrong token: 403 and not a word of the quiz."""
    for path, more in (
        ("/", {}),
        ("/", {"Cookie": f"{running.cookie}=x"}),
        ("/", {"Cookie": f"{running.cookie}={running.token}"}),
        ("/?token=" + "x" * 43, {}),
        ("/?token=%FF%E4", {}),
        ("/answer/1", {}),
        ("/nothing", {}),
    ):
        status, headers, text = asked(running, path, **more)
        assert (status, headers["Set-Cookie"]) == (403, None), path
        assert "d_model" not in text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "[::1]:{port}", "127.0.0.1:1", ""]
)
def test_a_name_that_is_not_ours_is_refused(running, host):
    """A request for another host is refused though it comes with cookie and token: a name may point anywhere."""
    cookie = f"{running.cookie}={running.cookie_value}"
    status, _, _ = asked(running, f"/?token={running.token}", Host=host.format(port=running.port), Cookie=cookie)
    assert status == 403


def test_its_usual_name_is_ours(running):
    """Localhost is this machine too."""
    cookie = f"{running.cookie}={running.cookie_value}"
    assert asked(running, Host=f"localhost:{running.port}", Cookie=cookie)[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
    ],
    ids=str,
)
def test_a_form_of_another_site_is_refused(running, headers):
    """With cookie and all, a form that another site sent is refused, and nothing is kept."""
    cookie = f"{running.cookie}={running.cookie_value}"
    body = f"form={running.form_token}&entry=x"
    assert asked(running, "/undo", "POST", body, Cookie=cookie, **headers)[0] == 403
    own = f"http://127.0.0.1:{running.port}"
    assert asked(running, "/undo", "POST", body, Cookie=cookie, Origin=own, Sec_Fetch_Site="same-origin")[0] == 303
    assert asked(running, "/undo", "POST", body, Cookie=cookie)[0] == 303  # a browser for text alone


def test_it_listens_on_the_loopback_address_alone(running):
    """Another address of this very machine does not answer."""
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", running.port), timeout=5)


def test_an_idle_connection_keeps_nobody_waiting(running):
    """A browser opens connections ahead of time; the next request is answered beside one that says nothing."""
    with socket.create_connection(("127.0.0.1", running.port)):
        assert asked(running)[0] == 403


def test_a_port_that_is_taken_is_told(running):
    """A second server on the same port says so."""
    with pytest.raises(UsageError, match="port_taken"):
        listening(running.port)


def test_the_same_answer_sent_at_once_counts_once(course, tmp_path):
    """Eight threads send one form to two servers over one log: one answer stays, all are led to it."""
    with ExitStack() as stack:
        guards = [stack.enter_context(served(course, tmp_path / "answers.db")) for _ in range(2)]
        shown = asked(guards[0], Cookie=f"{guards[0].cookie}={guards[0].cookie_value}")[2]
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown.partition("</form>")[0]))
        replies = []
        start = threading.Barrier(8)

        def send(guard: Guard, text: str) -> None:
            body = urlencode({**fields, "form": guard.form_token, "text": text})
            start.wait()
            replies.append(asked(guard, "/answer", "POST", body, Cookie=f"{guard.cookie}={guard.cookie_value}"))

        threads = [threading.Thread(target=send, args=(guards[i % 2], str(20 + i))) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with closing(Log(tmp_path / "answers.db")) as log:
        (answer,) = in_force(log.events())
    assert {status for status, _, _ in replies} == {303}
    assert {headers["Location"].partition("?")[0] for _, headers, _ in replies} == {f"/answer/{answer.id}"}


# --- forms and headers ----------------------------------------------------------------------------------------------


def test_a_form_without_its_token_is_refused(page: Reader):
    """The cookie alone changes nothing."""
    page.get()
    for given in ({}, {"form": "x"}, {"form": page.guard.token}, {"form": page.guard.cookie_value}):
        page.post("/answer", {**page.fields(page.get()), "text": "24", "form": "", **given})
        assert page.code == 403
    assert page.events() == []


def test_each_run_has_secrets_of_its_own():
    """Token, cookie and form token differ from each other and from run to run; the cookie's name from port to port."""
    one, two = Guard(1), Guard(2)
    assert len({each for guard in (one, two) for each in (guard.token, guard.cookie_value, guard.form_token)}) == 6
    assert one.cookie != two.cookie
    assert len(one.token) >= 43


@pytest.mark.parametrize("path", ["/", "/style.css", "/nothing", "/answer/x"])
def test_every_reply_keeps_everything_else_out(page: Reader, path):
    """Each reply forbids script, frames, other sources and guessing of types, and says nothing of its server."""
    for client in (page.client, page.client.application.test_client()):
        headers = client.get(path, base_url=page.base).headers
        policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
        assert policy == {
            "default-src": "'none'",
            "style-src": "'self'",
            "form-action": "'self'",
            "base-uri": "'none'",
            "frame-ancestors": "'none'",
        }
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Cache-Control"] == ("max-age=86400" if path == "/style.css" else "no-store")
        assert "Access-Control-Allow-Origin" not in headers


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command_prints_its_address_and_ends_with_ctrl_c(tmp_path):
    """`grade quiz serve` says one address, answers there in the language asked for, and Ctrl-C ends it: 130."""
    environ = {"PYTHONPATH": str(ROOT), "MANYHEADS_DATA": str(tmp_path), "PYTHONIOENCODING": "utf-8", "TZ": "UTC"}
    code = "from grader.cli.main import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, "quiz", "serve", "--lang", "zh"],
        env={**os.environ, **environ},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            _, address, stop = (process.stdout.readline() for _ in range(3))
            port, token = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=([\w-]+)", address).groups()
            guard = Guard(int(port), token)
            status, headers, _ = asked(guard, f"/?token={token}")
            assert status == 200
            status, _, text = asked(guard, Cookie=headers["Set-Cookie"].partition(";")[0])
            process.send_signal(signal.SIGINT)
            _, complaints = process.communicate(timeout=60)
        finally:
            process.kill()
    assert status == 200
    assert '<html lang="zh-CN">' in text
    assert "你的答案" in text
    assert len(address) <= 80
    assert "Ctrl-C" in stop
    assert process.returncode == 130
    assert complaints.strip() == "已停止。"


@pytest.mark.parametrize(("option", "said"), [("70000", "65535"), ("x", "x")])
def test_a_port_that_is_none_is_told(tmp_path, option, said):
    """A port out of range, or no number, ends with 2 and a sentence."""
    done = subprocess.run(
        [sys.executable, "-m", "grader.cli", "quiz", "serve", "--port", option],
        env={**os.environ, "PYTHONPATH": str(ROOT), "MANYHEADS_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert said in done.stderr
