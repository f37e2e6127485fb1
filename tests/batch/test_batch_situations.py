"""Situations in which graders of others went wrong, each as a student of one class: what everyone must get."""

import csv
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from made_class import EXERCISE, RIGHT, STARTER, Ran, written

BODY = "return np.concatenate(list(heads), axis=-1)"
HEAD = "import numpy as np\n\n\ndef concat_heads(heads):\n    "


def right_after(*lines: str) -> str:
    """The right answer, with further lines before its return."""
    return HEAD + "".join(f"{line}\n    " for line in lines) + BODY + "\n"


def returns(expression: str, before: str = "") -> str:
    """A function that returns something else."""
    return f"import numpy as np\n{before}\n\ndef concat_heads(heads):\n    return {expression}\n"


@dataclass(frozen=True)
class Situation:
    """What somebody hands in, what the verdict has to be, and a piece of the note in grades.csv.

    Verdicts with a bar between them: which one comes first depends on how fast the machine is.
    """

    told: str
    source: str | bytes
    verdict: str
    note: str = ""


# The number is that of the public report of the situation; letters tell several files of one report apart.
SITUATIONS = {
    # --- how a file is written
    "C124a": Situation("a file with Windows line ends", RIGHT.replace("\n", "\r\n").encode(), "accepted"),
    "C124b": Situation("one with a byte order mark", b"\xef\xbb\xbf" + RIGHT.encode(), "accepted"),
    "C124c": Situation("one with line ends of both kinds", RIGHT.replace("\n", "\r\n", 2).encode(), "accepted"),
    "C124d": Situation("one without a final newline", RIGHT.rstrip("\n"), "accepted"),
    "C124e": Situation("one indented with tabs", RIGHT.replace("    ", "\t"), "accepted"),
    "C124f": Situation("one with a form feed", RIGHT.replace("\n\ndef", "\n\f\ndef"), "accepted"),
    "C124g": Situation("one with line ends of an old Mac", RIGHT.replace("\n", "\r").encode(), "accepted"),
    "C126": Situation("one saved as UTF-16", RIGHT.encode("utf-16"), "invalid", "UTF-8"),
    "C119": Situation("one with subscripts, arrows and emoji", f'"""√dₖ → 🙂"""\n{RIGHT}', "accepted"),
    "C053a": Situation("the function is deleted", "import numpy as np\nx = 1\n", "invalid", "concat_heads"),
    "C053b": Situation("it is renamed", RIGHT.replace("concat_heads", "concat_head"), "invalid", "concat_head"),
    "C053c": Situation("only its docstring is left", HEAD + '"""Join the heads."""\n', "wrong"),
    "C111a": Situation("the starter, unchanged", STARTER, "not_attempted"),
    "C111b": Situation("an empty file", "", "not_attempted"),
    "C111c": Situation("nothing but comments", "# done\n# really\n", "not_attempted"),
    "C069": Situation("a module's name is misspelt", RIGHT.replace("numpy as", "nunpy as"), "invalid", "nunpy"),
    "C076": Situation("the last line binds the function's name to None", RIGHT + "concat_heads = None\n", "invalid"),
    "C075": Situation(
        "names that a grader might use itself", "t = x = test = result = self = grade = 1\n" + RIGHT, "accepted"
    ),
    # --- how it ends
    "C019a": Situation("it calls exit()", returns("exit()"), "wrong", "exit"),
    "C019b": Situation("it calls quit()", returns("quit()"), "wrong", "quit"),
    "C019c": Situation("it calls sys.exit(0)", returns("sys.exit(0)", "import sys"), "wrong", "SystemExit"),
    "C019d": Situation("it raises SystemExit", HEAD + "raise SystemExit\n", "wrong", "SystemExit"),
    "C021": Situation("it exits as soon as it is loaded", "import sys\nsys.exit()\n" + RIGHT, "crashed"),
    "C022": Situation(
        "it recurses past the stack",
        "import sys\nsys.setrecursionlimit(10**6)\n" + returns("concat_heads(heads)"),
        "crashed|time_limit|memory_limit",
        "line ",
    ),
    "C023": Situation("it crashes the interpreter", returns("ctypes.string_at(0)", "import ctypes"), "crashed"),
    "C009": Situation("an endless loop", HEAD + "while True:\n        pass\n", "time_limit", "line "),
    "C001": Situation(
        "a loop that eats memory",
        HEAD + "kept = []\n    while True:\n        kept.append(bytearray(10**6))\n",
        "memory_limit|time_limit",
    ),
    "C136": Situation(
        "a thread that runs for ever",
        f"import threading\n\n\ndef spin():\n    while True:\n        pass\n\n\n{RIGHT}\n"
        "threading.Thread(target=spin).start()\n",
        "accepted",
    ),
    "C004": Situation("it hangs for some inputs alone", right_after("while heads.shape[0] == 1: pass"), "partly"),
    "C025": Situation(
        "it ends its process for some inputs alone",
        "import os\n" + right_after("heads.shape[0] != 1 or os._exit(0)"),
        "partly",
    ),
    # --- what it prints
    "C037": Situation(
        "it writes a gigabyte at once",
        "import os\n" + right_after("os.write(1, b'x' * 10**9)"),
        "output_limit|memory_limit",
    ),
    "C029": Situation(
        "it prints 20 kB and recurses without end",
        "def again():\n    again()\n\n\n" + HEAD + "print('x' * 20_000)\n    again()\n",
        "wrong",
        "RecursionError",
    ),
    "C032": Situation("it prints for ever", HEAD + "while True:\n        print('x')\n", "output_limit|time_limit"),
    "C039": Situation(
        "it prints 65,537 bytes to each stream",
        f"import sys\nsys.stdout.write('x' * 65_537)\nsys.stderr.write('x' * 65_537)\n{RIGHT}",
        "accepted",
    ),
    "C042": Situation(
        "it prints what looks like a result",
        right_after("print('{\"score\": 100}')", "print('}}}')"),
        "accepted",
    ),
    "C043": Situation(
        "it prints a line like ours and is wrong", HEAD + "print('passed 10/10')\n    return heads\n", "wrong"
    ),
    "C086": Situation(
        "a DeprecationWarning", "import warnings\n" + right_after("warnings.warn('x', DeprecationWarning)"), "accepted"
    ),
    "C087": Situation(
        "a library complains on stderr", "import os\n" + right_after("os.write(2, b'[W] NNPACK')"), "accepted"
    ),
    # --- what it returns
    "C034a": Situation("it returns a function", returns("lambda: 0"), "wrong"),
    "C034b": Situation("it returns a class", returns("dict"), "wrong"),
    "C034c": Situation("it returns a generator", returns("(head for head in heads)"), "wrong"),
    "C045": Situation(
        "it returns an object that equals everything",
        returns("Same()", "\n\nclass Same:\n    __eq__ = lambda self, other: True\n"),
        "wrong",
    ),
    "C073a": Situation("the right array with an axis more", right_after().replace(BODY, BODY + "[None]"), "wrong"),
    "C073b": Situation("the right array with a row more", returns(f"np.vstack([{BODY[7:]}] * 2)"), "wrong"),
    "C074a": Situation("a single number", returns("np.float64(0)"), "wrong"),
    "C074b": Situation("a list of lists", returns("np.concatenate(list(heads), -1).tolist()"), "wrong"),
    "C074c": Situation("nothing", HEAD + "np.concatenate(list(heads), -1)\n", "wrong"),
    "C091": Situation("NaN everywhere", right_after().replace(BODY, f"{BODY} * np.nan"), "wrong"),
    "C091b": Situation(
        "one NaN in a corner", HEAD + f"out = {BODY[7:]}\n    out[-1, -1] = np.nan\n    return out\n", "wrong"
    ),
    "C083": Situation(
        "it changes its input and returns a view of it", HEAD + "heads.sort()\n    return heads\n", "wrong"
    ),
    "C100": Situation(
        "right by einsum",
        returns("np.einsum('hld->lhd', heads).reshape(heads.shape[1], -1)"),
        "accepted",
    ),
    "C106": Situation(
        "right by a loop over numbers",
        HEAD + "h, L, d = heads.shape\n    out = np.empty((L, h * d), heads.dtype)\n"
        "    for i in range(h):\n        for t in range(L):\n            for j in range(d):\n"
        "                out[t, i * d + j] = heads[i, t, j]\n    return out\n",
        "accepted",
    ),
    # --- what it looks for
    "C047": Situation(
        "it prints its surroundings",
        "import os, sys\n" + right_after("print(dict(globals()), dict(os.environ), sys.argv)"),
        "accepted",
    ),
    "C051": Situation("it reads a classmate's file", returns("open('../C124a/concat.py').read()"), "wrong", "line "),
    "C050": Situation(
        "it writes results of its own", returns("open('grades.csv', 'w').write('100')"), "wrong", "line "
    ),
    "C011": Situation(
        "it waits for a server on the network",
        returns("socket.create_connection(('10.255.255.1', 80))", "import socket"),
        "wrong",
        "PermissionError",
    ),
    "C134": Situation("it starts a process", returns("os.fork()", "import os"), "wrong", "line "),
    "C138": Situation("it imports matplotlib", "import matplotlib.pyplot as plt\n" + RIGHT, "invalid", "matplotlib"),
}
# What a student's name may be.
NAMES = ("a+b_c-d.e@f g", 'O\'Brien "x"', "Doe, Jane", "=1+1", "@x", "<script>x", "Zoë", "x" * 100)


@dataclass(frozen=True)
class Graded:
    """One run over all of them."""

    ran: Ran
    before: dict[str, tuple[int, int]]
    after: dict[str, tuple[int, int]]
    left_over: list[str]


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file."""
    found = {path: path.stat() for path in sorted(folder.rglob("*"))}
    return {str(path): (stat.st_size, stat.st_mtime_ns) for path, stat in found.items() if path.is_file()}


def processes(mark: str) -> list[str]:
    """Command lines and environments of running processes in which a text occurs."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                text = (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes()
            except OSError:  # it has ended, or is another user's
                continue
            found += [folder.name] if mark.encode() in text else []
    return found


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Graded:
    """A class with everybody of SITUATIONS and NAMES in it, graded once."""
    root = tmp_path_factory.mktemp("situations")
    files = {f"{student}/concat.py": situation.source for student, situation in SITUATIONS.items()}
    written(root / "in", {**files, **{f"{name}/concat.py": f"{RIGHT}# {name}\n" for name in NAMES}})
    before = stamps(root / "in")
    mark = f"manyheads-test-{root.name}-{os.getpid()}"
    command = [sys.executable, "-m", "grader.cli", "batch", "in", "--out", "out", "--exercise", EXERCISE]
    done = subprocess.run(
        command, cwd=root, env={**environment, "MARK": mark}, capture_output=True, text=True, check=False, timeout=280
    )
    ran = Ran(done.returncode, done.stdout, done.stderr, root / "out")
    return Graded(ran, before, stamps(root / "in"), processes(mark))


@pytest.mark.slow
@pytest.mark.parametrize("student", SITUATIONS, ids=[f"{key}: {one.told}" for key, one in SITUATIONS.items()])
def test_each_situation_gets_what_it_deserves(graded: Graded, student: str) -> None:
    """The situation that the case is named after: its verdict, no point for what is not right, a note that helps."""
    row, expected = graded.ran.rows[student], SITUATIONS[student]
    assert row["verdict"] in expected.verdict.split("|"), row["note"]
    assert row["status"] == "graded"
    assert expected.note in row["note"]
    if expected.verdict == "accepted":
        assert (row["points"], row["mistakes"]) == (row["max_points"], "")  # C105: no mistake is named in right code
    else:
        assert float(row["points"]) < float(row["max_points"])
    assert (graded.ran.folder / row["report"]).stat().st_size < 2**20  # C038


@pytest.mark.slow
def test_everybody_has_one_row_whatever_the_others_do(graded: Graded) -> None:
    """Situations C005, C057, C118, C121 and C148: one terminal row for each input, under a name that stays as it is."""
    assert (graded.ran.code, "Traceback" in graded.ran.err) == (0, False), graded.ran.err
    text = (graded.ran.folder / "grades.csv").read_text(encoding="utf-8-sig")
    rows = [row["student"].removeprefix("'") for row in csv.DictReader(io.StringIO(text, newline=""))]
    assert sorted(rows) == sorted([*SITUATIONS, *NAMES])
    names = [row for row in graded.ran.rows.values() if row["student"].removeprefix("'") in NAMES]
    assert {row["verdict"] for row in names} == {"accepted"}


@pytest.mark.slow
def test_nothing_is_left_and_nothing_was_touched(graded: Graded) -> None:
    """Situations C013, C134 and C161: no process outlives the run, and no file of the input has another time."""
    assert graded.left_over == []
    assert graded.after == graded.before
