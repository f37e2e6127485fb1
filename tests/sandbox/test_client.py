"""A submission answers, raises or is lost, and each of these is told in a sentence of its own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from grader.errors import GraderError, SubmissionError
from grader.model import Limits, Verdict
from grader.remembered import Remembered
from grader.sandbox import wire
from grader.sandbox.client import (
    LoadFailed,
    LocalSubject,
    MissingName,
    Raised,
    RemoteSubject,
    Sandbox,
    Stopped,
    Subject,
    request,
)
from grader.texts import say

QUICK = Limits(wall_s=0.4, memory_mib=256, output_kib=64)
PATIENT = Limits(wall_s=20.0, memory_mib=256, output_kib=64)  # for what is not about time


@pytest.fixture
def opened(sandbox: Sandbox) -> Iterator[Callable[..., RemoteSubject]]:
    """Opens a submission from its source and closes it after the test."""
    subjects = []

    def opened(source: str | bytes, limits: Limits = PATIENT) -> RemoteSubject:
        data = source.encode() if isinstance(source, str) else source
        subjects.append(sandbox.open(data, "concat.py", limits))
        return subjects[-1]

    yield opened
    for subject in subjects:
        subject.close()


def test_a_call_returns_the_value_of_the_submission(opened: Callable[..., RemoteSubject]) -> None:
    """Arguments go in, the result comes back as a plain array."""
    subject = opened("def f(x, *, twice):\n    return (x + x if twice else x).T")
    assert subject.f(np.arange(6.0).reshape(2, 3), twice=True).tolist() == [[0, 6], [2, 8], [4, 10]]
    assert subject.changed == ()


def test_arguments_changed_in_place_are_named(opened: Callable[..., RemoteSubject]) -> None:
    """The names of changed arguments come along, those of unchanged ones do not."""
    subject = opened("def f(a, b, c):\n    b += 1\n    c.append(2)")
    subject.f(np.zeros(2), np.zeros(2), c=[1])
    assert subject.changed == ("b", "c")


def test_objects_stay_in_the_worker_and_can_be_used_there(opened: Callable[..., RemoteSubject]) -> None:
    """Of an object that was made, attributes can be read and set and methods called."""
    subject = opened(
        "class M:\n    def __init__(self, n):\n        self.n = n\n    def add(self, x):\n        return x + self.n"
    )
    made = subject.make("M", 2)
    made.set(n=40)
    assert (made.get("n"), made.call("add", 2), made.type_name) == (40, 42, "M")


NUMBERED = """
class Numbered:
    def __init__(self, n):
        self.n = n
    @classmethod
    def twice(cls, n, others):
        others.append(n)
        return cls(2 * n)
    def nothing(n):
        return None
"""


def of_class(opened: Callable[..., RemoteSubject], *, local: bool) -> Subject:
    """`NUMBERED` as a submission, or as a trusted namespace."""
    if not local:
        return opened(NUMBERED)
    namespace: dict[str, object] = {}
    exec(NUMBERED, namespace)  # noqa: S102 - the same lines as those of the submission
    return LocalSubject(SimpleNamespace(**namespace))


@pytest.mark.parametrize("local", [False, True])
def test_a_class_method_is_made_by_its_dotted_name(opened: Callable[..., RemoteSubject], local: bool) -> None:
    """What a class method returns stays where it is; changed arguments are named; what can travel comes back."""
    subject = of_class(opened, local=local)
    made = subject.make("Numbered.twice", 21, [])
    assert subject.changed == ("others",)
    assert (made.get("n"), made.type_name) == (42, "Numbered")
    assert subject.make("Numbered.nothing", 1) is None


@pytest.mark.parametrize("local", [False, True])
def test_a_missing_class_method_is_told_as_a_missing_name(opened: Callable[..., RemoteSubject], local: bool) -> None:
    """The method is named with its class, and with the class alone where that is what is missing."""
    subject = of_class(opened, local=local)
    with pytest.raises(MissingName) as caught:
        subject.make("Numbered.thrice", 1)
    assert say(caught.value.message, "en").startswith("The file defines no Numbered.thrice. Keep the name")
    with pytest.raises(MissingName) as caught:
        subject.make("Number.twice", 1)
    if not local:  # which knows what the file defines
        assert say(caught.value.message, "en").startswith("The file defines no Number, but it does define Numbered.")


def test_main_code_does_not_run(opened: Callable[..., RemoteSubject]) -> None:
    """What stands under `if __name__ == "__main__"` is not executed."""
    subject = opened("def f():\n    return 1\nif __name__ == '__main__':\n    raise SystemExit")
    assert subject.f() == 1


def test_defined_names_and_emptiness_are_known_after_loading(opened: Callable[..., RemoteSubject]) -> None:
    """Loading tells which functions and classes there are, and whether there is any statement."""
    subject = opened('"""Text."""\nimport math\ndef f():\n    pass\nclass C:\n    pass\nx = 1')
    subject.load()
    assert subject.defined == ("f", "C")
    assert not subject.empty
    nothing = opened('"""Only text."""\n# and a comment')
    nothing.load()
    assert nothing.empty


def test_an_exception_names_line_code_and_shapes(opened: Callable[..., RemoteSubject]) -> None:
    """The last line of the student's file and the arrays there are told, and never their values."""
    subject = opened("def f(x):\n    y = x.T\n    return g(x, x)\ndef g(a, b):\n    return a @ b\n")
    with pytest.raises(Raised) as caught:
        subject.f(np.full((2, 3), 12345.0))
    report = caught.value.report
    assert (report.type_name, report.line, report.code, report.function) == ("ValueError", 5, "return a @ b", "g")
    assert report.arrays == (wire.ArrayShape("a", "float64", (2, 3)), wire.ArrayShape("b", "float64", (2, 3)))
    assert 'File "concat.py", line 3, in f' in report.traceback
    assert "12345" not in repr(report)


CALLS = {
    "plain": ("raise ValueError('no')", "Your code raised ValueError: no", "你的代码抛出了 ValueError：no"),
    "without text": ("raise KeyError", "Your code raised KeyError.", "你的代码抛出了 KeyError。"),
    "not written": ("raise NotImplementedError", "Not written yet", "还没有写"),
    "exit": ("raise SystemExit(0)", "ended the program (SystemExit)", "结束了整个程序"),
    "interrupt": ("raise KeyboardInterrupt", "ended the program (KeyboardInterrupt)", "结束了整个程序"),
    "input": ("input('? ')", "asks for keyboard input", "等待键盘输入"),
    "breakpoint": ("breakpoint()", "calls breakpoint()", "调用了 breakpoint()"),
    "os._exit": ("import os; os._exit(3)", "ended its process (exit code 3)", "退出码 3"),
    "segfault": ("import ctypes; ctypes.string_at(0)", "crashed in your code (SIGSEGV)", "崩溃了（SIGSEGV）"),
    "loop": ("\n    while True: pass", "No answer after 0.4 s of computing", "计算了 0.4 秒"),
    "sleep": ("import time; time.sleep(99)", "spent waiting, not computing", "在等待而不是在计算"),
    "loop in C": ("import itertools; sum(itertools.repeat(1))", "of computing", "计算了 0.4 秒"),
    "memory": ("import numpy; numpy.ones(10**9)", "more than the 256 MiB", "超过了允许的 256 MiB"),
    "flood": ("\n    while True: print('x' * 99)", "printed more than 64 KiB", "超过 64 KiB"),
    "too deep": ("a = []; a.append(a); return a", "cannot be looked at: nested", "无法查看这个结果"),
    "too wide": ("return [0] * 10**6", "more than 200000 values", "无法查看这个结果"),
    "missing": ("pass\ndel f", "defines no f", "没有定义 f"),
}


@pytest.mark.parametrize(("body", "english", "chinese"), CALLS.values(), ids=CALLS.keys())
def test_each_way_to_fail_has_its_own_sentence(
    opened: Callable[..., RemoteSubject], body: str, english: str, chinese: str
) -> None:
    """A failed call is told in both languages, and the next call to a fresh check still works."""
    limits = QUICK if "No answer" in english or "computing" in english else PATIENT
    subject = opened(f"def ok():\n    return 'ok'\ndef f():\n    {body}\n", limits)
    with pytest.raises(SubmissionError) as caught:
        subject.f()
    assert english in say(caught.value.message, "en")
    assert chinese in say(caught.value.message, "zh")
    subject.begin_check()
    assert subject.ok() == "ok"


@pytest.mark.parametrize("inside", ["\f", "\x0b", "\x1c", "\x85", "\u2028"])
def test_a_line_is_counted_as_python_counts_it(opened: Callable[..., RemoteSubject], inside: str) -> None:
    """What other programs take for the end of a line shifts nothing: the line that raised is shown, as it stands."""
    subject = opened(f"# one{inside}two\ndef f():\n    raise NotImplementedError\n")
    with pytest.raises(Raised) as raised:
        subject.f()
    assert (raised.value.report.line, raised.value.report.code) == (3, "raise NotImplementedError")
    assert raised.value.not_written


def test_few_changed_arguments_are_kept(opened: Callable[..., RemoteSubject]) -> None:
    """However many names and however long a submission makes them, what is kept of the changed arguments is little."""
    names = [f"a{number}_{'x' * 1000}" for number in range(50)]
    subject = opened(f"def f({', '.join(names)}):\n    for each in ({', '.join(names)}):\n        each += 1\n")
    subject.f(*(np.zeros(1) for _ in names))
    assert 0 < len(subject.changed) <= 20
    assert max(map(len, subject.changed)) <= 200


@pytest.mark.parametrize("body", ["while True: pass", "import re; re.match('(a+)+$', 'a' * 60 + 'b')"])
def test_a_loop_is_told_with_its_line(opened: Callable[..., RemoteSubject], body: str) -> None:
    """A stopped worker still says which line it was at, also where C code holds the interpreter."""
    subject = opened(f"def f():\n    x = 1\n    {body}\n", QUICK)
    with pytest.raises(Stopped) as caught:
        subject.f()
    assert caught.value.report is not None
    assert caught.value.report.line == 3


LOADS = {
    "syntax": (b"def f(:\n", Verdict.INVALID, 1, "Python cannot read the file", "读不懂"),
    "tabs": (b"def f():\n\tx = 1\n        y = 2\n", Verdict.INVALID, 3, "Line 3 mixes tabs and spaces", "混用了制表符"),
    "latin-1": ("x = 'é'".encode("latin-1"), Verdict.INVALID, 1, "not saved as UTF-8", "不是 UTF-8"),
    "UTF-16": ("x = 1".encode("utf-16"), Verdict.INVALID, None, "not saved as UTF-8", "不是 UTF-8"),
    "NUL": (b"x = 1\0", Verdict.INVALID, None, "holds a NUL character", "含有空字符"),
    "import": (b"\nimport scipy", Verdict.INVALID, 2, "scipy cannot be imported here", "不能导入 scipy"),
    "sibling": (b"from helper import x", Verdict.INVALID, 1, "helper cannot be imported here", "不能导入 helper"),
    "grader": (b"import grader.checks", Verdict.INVALID, 1, "grader cannot be imported here", "不能导入 grader"),
    "import name": (b"from numpy import softmax", Verdict.INVALID, 1, "An import failed: cannot import", "导入失败"),
    "crash": (b"x = 1\n1 / 0", Verdict.CRASHED, 2, "with ZeroDivisionError: division by zero", "加载时就中断"),
    "exit": (b"import sys\nsys.exit(0)", Verdict.CRASHED, 2, "ends the program while it is being", "加载时就结束"),
    "os._exit": (b"import os; os._exit(0)", Verdict.CRASHED, None, "exit code 0", "退出码 0"),
    "input": (b"n = input()", Verdict.CRASHED, 1, "keyboard", "键盘"),
    "loop": (b"x = 1\nwhile x: pass", Verdict.TIME_LIMIT, 2, "No answer after 0.4 s", "计算了 0.4 秒"),
    "memory": (b"x = 'a' * 10**10", Verdict.MEMORY_LIMIT, 1, "more than the 256 MiB", "256 MiB"),
    "flood": (b"while True: print('x' * 99)", Verdict.OUTPUT_LIMIT, 1, "printed more than 64 KiB", "64 KiB"),
}


@pytest.mark.parametrize(("source", "verdict", "line", "english", "chinese"), LOADS.values(), ids=LOADS.keys())
def test_each_way_not_to_load_has_its_own_sentence(
    opened: Callable[..., RemoteSubject], source: bytes, verdict: Verdict, line: int, english: str, chinese: str
) -> None:
    """A file that does not load has a verdict, a sentence in both languages and, where there is one, a line."""
    with pytest.raises(LoadFailed) as caught:
        opened(source, QUICK if verdict is Verdict.TIME_LIMIT else PATIENT).load()
    assert caught.value.verdict is verdict
    assert caught.value.failure.line == line
    assert english in say(caught.value.message, "en")
    assert chinese in say(caught.value.message, "zh")


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbfdef f():\n    return 1",
        b"def f():\r\n    return 1\r\n",
        b"# coding: latin-1\nx = '\xe9'\ndef f(): return 1",
    ],
    ids=["BOM", "CRLF", "declared latin-1"],
)
def test_files_as_editors_save_them_load(opened: Callable[..., RemoteSubject], source: bytes) -> None:
    """A byte order mark, Windows line ends and a declared encoding are fine."""
    assert opened(source).f() == 1


def test_a_misspelt_name_is_suggested(opened: Callable[..., RemoteSubject]) -> None:
    """A function of nearly the right name is pointed out."""
    with pytest.raises(MissingName) as caught:
        opened("def concat_head(x):\n    return x").concat_heads(1)
    assert "it does define concat_head." in say(caught.value.message, "en")
    assert "但定义了 concat_head。" in say(caught.value.message, "zh")


def test_checks_have_a_budget_and_so_has_the_submission(opened: Callable[..., RemoteSubject]) -> None:
    """Three checks' worth of time is all a submission gets; later calls are not run."""
    subject = opened("def f():\n    while True: pass", Limits(wall_s=0.2))
    reasons = []
    for _ in range(5):
        subject.begin_check()
        with pytest.raises(Stopped) as caught:
            subject.f()
        reasons.append(caught.value.reason)
    assert reasons == ["time_limit", "time_limit", "time_limit", "not_run", "not_run"]
    assert "used up the 0.6 s" in say(caught.value.message, "en")
    assert "0.6 秒" in say(caught.value.message, "zh")


NONSENSE = {
    "junk": "os.write(fd, b'junk' * 20)",
    "a frame of our kind": "os.write(fd, b'MHW3' + HERE + b'\\0' + (1).to_bytes(8, 'little') + b'N')",
    "a reply to a later request": "os.write(fd, b'MHW3' + b'\\x09' + bytes(8) + (1).to_bytes(8, 'little') + b'N')",
    "half a frame": "os.write(fd, b'MHW3' + HERE + b'\\0' + (9).to_bytes(8, 'little') + b'S'); os._exit(0)",
    "an endless frame": "os.write(fd, b'MHW3' + HERE + b'\\0' + b'\\xff' * 8)",
    "a closed socket": "os.close(fd)",
}


@pytest.mark.parametrize("act", NONSENSE.values(), ids=NONSENSE.keys())
def test_forged_replies_lose_the_check(opened: Callable[..., RemoteSubject], act: str) -> None:
    """Whatever a submission writes to the descriptors it finds, it gets no value accepted for it."""
    loop = f"for fd in range(3, 32):\n        try:\n            {act}\n        except OSError:\n            pass"
    here = "HERE = (2).to_bytes(8, 'little')"  # the file was the first request
    source = f"import os\n{here}\ndef f():\n    {loop}\n    return 1"
    with pytest.raises(Stopped):
        opened(source).f()


def ahead(subject: RemoteSubject, *numbers: object, only_after_values: bool = False) -> list[bytes]:
    """Calls of f, sent before they are asked."""
    subject.load()
    payloads = [request("call", None, "f", {"args": (number,), "kwargs": {}}) for number in numbers]
    subject.ask_ahead(payloads, only_after_values=only_after_values)
    return payloads


COUNTING = "calls = []\ndef f(x):\n    calls.append(x)\n    return len(calls), x"


def test_what_is_asked_ahead_is_answered_once_and_in_its_order(opened: Callable[..., RemoteSubject]) -> None:
    """Each request is made once, as it was sent; asked again, or with something else, it is a call of its own."""
    subject = opened(COUNTING)
    ahead(subject, 7, 8, 9)
    assert [subject.f(9), subject.f(7)] == [(3, 9), (1, 7)]
    assert [subject.f(7), subject.f(6), subject.f(8)] == [(4, 7), (5, 6), (2, 8)]


def test_what_was_asked_ahead_is_forgotten_by_the_next(opened: Callable[..., RemoteSubject]) -> None:
    """A reply that nobody asked for until then is not kept."""
    subject = opened(COUNTING)
    ahead(subject, 7, 8)
    ahead(subject, 9)
    assert [subject.f(8), subject.f(9)] == [(4, 8), (3, 9)]


def test_more_than_fits_on_its_way_may_be_asked_ahead(opened: Callable[..., RemoteSubject]) -> None:
    """Requests and replies that are together far larger than what a socket holds pass each other."""
    subject = opened("calls = []\ndef f(x):\n    calls.append(x)\n    return len(calls), x[:20]")
    arrays = [np.full((300, 500), float(i)) for i in range(12)]  # 1.2 MB each, 80 kB come back
    ahead(subject, *arrays)
    for number, array in reversed([*enumerate(arrays, start=1)]):
        count, rows = subject.f(array)
        assert (count, np.array_equal(rows, array[:20])) == (number, True)


def test_long_answers_are_given_one_by_one(opened: Callable[..., RemoteSubject]) -> None:
    """After a reply of 16 MiB what was asked ahead is skipped, and answered by the same worker when it is asked."""
    source = "import numpy as np\ncalls = []\ndef f(x):\n    calls.append(x)\n    return len(calls), np.zeros(2**21)"
    subject = opened(source)
    ahead(subject, 5, 6, 7, 8, 9)
    assert [subject.f(number)[0] for number in (5, 9, 6, 7, 8)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("end", ["raise KeyError(x)", "return Missing().f", "return [0] * 10**6"])
def test_nothing_is_begun_after_what_is_no_value(opened: Callable[..., RemoteSubject], end: str) -> None:
    """An exception or an answer that does not cross ends what was asked ahead, where that is asked for."""
    body = f"    calls.append(x)\n    if x == 8:\n        {end}\n    return [*calls]"
    source = f"class Missing: pass\ncalls = []\ndef f(x):\n{body}"
    subject = opened(source)
    ahead(subject, 7, 8, 9, only_after_values=True)
    assert subject.f(7) == [7]
    with pytest.raises(SubmissionError):
        subject.f(8)
    assert subject.f(5) == [7, 8, 5]
    assert subject.f(9) == [7, 8, 5, 9]


@pytest.mark.parametrize(
    "end", ["import os; os._exit(3)", "while True: pass", "raise SystemExit", "print('x' * 10**6)"]
)
def test_an_end_on_the_way_is_met_where_it_is_asked(opened: Callable[..., RemoteSubject], end: str) -> None:
    """What was answered before counts, the loss belongs to its own request, and the next is asked of a new worker."""
    source = f"calls = []\ndef f(x):\n    calls.append(x)\n    if x == 8:\n        {end}\n    return len(calls), x"
    subject = opened(source, replace(PATIENT, wall_s=0.5) if end == "while True: pass" else PATIENT)
    ahead(subject, 7, 8, 9)
    assert subject.f(7) == (1, 7)
    with pytest.raises(Raised if end == "raise SystemExit" else Stopped):
        subject.f(8)
    if end == "while True: pass":  # this check has no time left
        subject.begin_check()
    assert subject.f(9) == ((3, 9) if end == "raise SystemExit" else (1, 9))


def test_the_same_replies_are_concluded_from_once(opened: Callable[..., RemoteSubject]) -> None:
    """What others made of these requests stands, where each of them got the same reply in the same place."""
    known: Remembered[tuple[int, int]] = Remembered(9)

    def total(subject: RemoteSubject, payloads: Sequence[bytes], *numbers: int) -> int:
        return subject.concluded(payloads, known, lambda: sum(subject.f(number)[0] for number in numbers))

    first, second, third = opened(COUNTING), opened(f"{COUNTING}\n"), opened(COUNTING.replace("len", "2 * len"))
    twice = ahead(first, 7, 7, 8)[:2]
    assert total(first, twice, 7, 7) == 1 + 2
    ahead(second, 7, 7, 9)
    assert total(second, twice, 1, 1, 1) == 1 + 2
    assert (second.answers, [*second.asked], second.f(9)) == (2, [*twice], (3, 9))
    ahead(third, 7, 7)
    assert total(third, twice, 7, 7) == 2 + 4
    ahead(third, 8, 7, 7)
    assert total(third, twice, 7, 7) == 8 + 10  # the same requests, later
    assert total(third, twice, 7, 7) == 12 + 14  # nothing was sent ahead


def test_what_hangs_on_more_than_the_replies_is_concluded_anew(opened: Callable[..., RemoteSubject]) -> None:
    """So does what asked something else, what is not kept, and what the replies are too long for."""
    known: Remembered[tuple[None, int]] = Remembered(9)
    concluded: list[object] = []

    def conclude(subject: RemoteSubject, *numbers: object, keeps: bool = True) -> None:
        payloads = ahead(subject, 7, 8)
        again = lambda: concluded.append([subject.f(number) for number in numbers])  # noqa: E731
        subject.concluded(payloads, known, again, keeps=lambda _none: keeps)

    for _ in range(2):
        conclude(opened("def f(x): return x"), 7, 9)
        conclude(opened("def f(x): return x"), 7, keeps=False)
        conclude(opened("def f(x): return bytes(2**16)"), 7, 8)
    assert len(concluded) == 6


def test_objects_are_numbered_on_where_they_are_not_made_anew(opened: Callable[..., RemoteSubject]) -> None:
    """What is made next gets the number that it would have had, so that what was sent ahead is what is asked for."""
    known: Remembered[tuple[str, int]] = Remembered(9)
    source = "class Kept:\n    def f(self):\n        return 1\n"
    for again in ("", "\n"):
        subject = opened(source + again)
        subject.load()
        made = [request("make", None, "Kept", {"args": (), "kwargs": {}, "as": number}) for number in (0, 1)]
        subject.ask_ahead(made)
        for number in (0, 1):
            subject.concluded(made[number : number + 1], known, lambda subject=subject: subject.make("Kept").type_name)  # type: ignore[misc]
        assert subject.asked == made
        assert subject.make("Kept").handle.id == 2


def test_what_is_skipped_without_reason_answers_nothing(opened: Callable[..., RemoteSubject]) -> None:
    """After values everything is answered: a submission that pretends otherwise is not asked again."""
    subject = opened(f"""
import os
write, told = os.write, []
def forging(fd, message):
    told.append(message)
    return len(message) * bool(write(fd, {wire.frame(3, wire.SKIPPED)})) if len(told) == 3 else write(fd, message)
os.write = forging
def f(x):
    return x
""")
    ahead(subject, 6, 7, 8, only_after_values=True)
    assert subject.f(6) == 6
    with pytest.raises(Stopped):
        subject.f(7)


@pytest.mark.parametrize("later", ["pass", "import os; os._exit(0)"], ids=["lives", "is lost"])
def test_memory_that_ran_out_is_told_whatever_became_of_the_process(
    opened: Callable[..., RemoteSubject], later: str
) -> None:
    """The same reply is the same end, also where the process did not live until it was read."""
    subject = opened(f"def f(x):\n    if x == 7: raise MemoryError\n    if x == 8: {later}\n    return x")
    ahead(subject, 6, 7, 8)
    assert subject.f(6) == 6
    with pytest.raises(Stopped) as stopped:
        subject.f(7)
    assert stopped.value.reason == "memory_limit"


def test_garbage_sent_ahead_costs_what_comes_after_it(opened: Callable[..., RemoteSubject]) -> None:
    """A payload that is no reply is found out when it is asked for; nothing that process said later is believed."""
    frames = wire.frame(3, b"?") + wire.frame(4, b"N")
    subject = opened(f"""
import os
def f(x):
    for fd in range(3, 32) if x == 7 else ():
        try:
            os.write(fd, {frames})
        except OSError:
            pass
    return 1, x
""")
    ahead(subject, 6, 7, 8)
    assert subject.f(6) == (1, 6)
    with pytest.raises(Stopped):
        subject.f(7)
    assert subject.f(8) == (1, 8)


def test_the_first_answer_is_kept(opened: Callable[..., RemoteSubject]) -> None:
    """What a process answered before it had answered anything else can be looked at later."""
    subject = opened(COUNTING)
    assert subject.first_exchange is None
    payloads = ahead(subject, 7, 8)
    subject.f(6)
    assert subject.first_exchange == (payloads[0], wire.encode({"value": (1, 7), "changed": ()}))


REACHED = {
    "socket": ("import socket; socket.socket()", {"network"}),
    "name": ("import socket; socket.getaddrinfo('localhost', 80)", {"network"}),
    "page": ("import urllib.request as u; u.urlopen('http://127.0.0.1:9/')", {"network"}),
    "shell": ("import os; os.system('true')", {"program"}),
    "process": ("import subprocess; subprocess.run(['true'])", {"program"}),
    "fork": ("import os; os.fork()", {"program"}),
    "local socket": ("import socket; socket.socket(socket.AF_UNIX)", set()),
    "file": (f"open({__file__!r})", {"file"}),
    "path": (f"import pathlib; pathlib.Path({__file__!r}).read_text()", {"file"}),
    "module": (f"from importlib.machinery import SourceFileLoader as S; S('m', {__file__!r}).get_code('m')", {"file"}),
    "own file": ("open(__file__)", set()),
    "new file": ("open('/tmp/of_no_test.log', 'w')", set()),
    "device": ("import os; open(os.devnull, 'w')", set()),
    "what is open": ("import os; open(os.__file__).close()", set()),
    "a library's": (f"import linecache; linecache.getlines({__file__!r})", set()),
    "modules": ("import socket, subprocess, asyncio", set()),
}


@pytest.mark.parametrize(("act", "reached"), REACHED.values(), ids=REACHED)
def test_what_is_reached_for_is_known_though_code_goes_on(
    opened: Callable[..., RemoteSubject], act: str, reached: set[str]
) -> None:
    """A connection, a program or a file is noted though its refusal is caught, while loading as well as in a call.

    Of files only those that are there and that the submission itself opens: no log, no device, nothing of a library's.
    """
    tried = f"try:\n    {act}\nexcept Exception:\n    pass\n"
    in_call = opened("def f():\n    " + tried.replace("\n", "\n    ") + "return 1\n")
    while_loading = opened(tried + "def f():\n    return 1\n")
    for subject in (in_call, while_loading):
        assert (subject.f(), set(subject.reached)) == (1, reached)


def test_what_was_printed_is_kept_head_and_tail(opened: Callable[..., RemoteSubject]) -> None:
    """Output is counted, cut in the middle, and there also after a crash."""
    subject = opened(
        "import os\ndef f(n):\n    print('first')\n    print('x' * n)\n    print('last', end='')\n    os._exit(1)"
    )
    with pytest.raises(Stopped):
        subject.f(20000)
    printed = subject.printed
    assert printed.total_bytes == 20011
    assert printed.cut
    assert printed.text.startswith("first\nx")
    assert printed.text.endswith("x\nlast")
    assert "[…]" in printed.text


def test_local_and_remote_subjects_answer_alike(opened: Callable[..., RemoteSubject]) -> None:
    """A trusted module behind the same verbs gives the same values, changes and exceptions."""

    class Module:
        @staticmethod
        def f(x: np.ndarray) -> np.ndarray:
            x += 1
            return x.T

        @staticmethod
        def g() -> None:
            raise ValueError("no")

    source = "def f(x):\n    x += 1\n    return x.T\ndef g():\n    raise ValueError('no')"
    x = np.zeros((2, 3))
    for subject in (LocalSubject(Module), opened(source)):
        assert subject.f(x).tolist() == np.ones((3, 2)).tolist()
        assert subject.changed == ("x",)
        assert not x.any()
        with pytest.raises(Raised) as caught:
            subject.g()
        assert (caught.value.report.type_name, caught.value.report.text) == ("ValueError", "no")


def test_a_sandbox_that_does_not_start_says_why() -> None:
    """What the process said as it ended is in the error, also where it ended before it had read anything."""
    with Sandbox(()) as sandbox, pytest.raises(GraderError, match="No module named 'numpy'"):
        assert sandbox.isolation


@contextmanager
def _without(*layers: str) -> Iterator[Sandbox]:
    with Sandbox(layers=frozenset({"uid", "namespaces", "landlock", "seccomp"}) - set(layers)) as sandbox:
        yield sandbox


@pytest.mark.parametrize(
    ("off", "level"),
    [((), "strong"), (("namespaces",), "strong"), (("landlock",), "sealed"), (("seccomp",), "weak")],
    ids=str,
)
def test_levels_follow_the_layers_and_a_right_answer_passes_at_each(off: tuple[str, ...], level: str) -> None:
    """Losing a layer lowers the level, is said with its reason, and never costs a right answer."""
    with _without(*off) as sandbox:
        assert sandbox.isolation.level == level
        assert {name: why for name, why in sandbox.isolation.missing if why == "switched off"}.keys() == set(off)
        subject = sandbox.open(
            b"import random, math\nimport numpy as np\ndef f(x):\n    return np.exp(x) @ x.T", "a.py", PATIENT
        )
        assert subject.f(np.zeros((2, 3))).shape == (2, 2)
        subject.close()
