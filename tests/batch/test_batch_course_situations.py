"""Public bug reports of other graders about courses, pages and points, as situations on a course made for them.

Each id is one of those reports; test_batch_situations.py has those about submissions.
"""

import html
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from made_class import EXERCISE, LOOP, RIGHT, ROOT, WRONG, Ran, written

from grader.checks import assert_close
from grader.course import load_course, load_exercise
from grader.errors import ContentError

SUITE = "test_concat_hidden.py"
HEAD = "import numpy as np\n\n\ndef concat_heads(heads):\n    "
# 04_concat's own suite, and after it checks that give no points: one that everybody passes, one that nobody does.
WORTHLESS = """

@pytest.mark.points(0)
def test_for_information(submission):
    \"\"\"Must be callable.\"\"\"
    submission.concat_heads(seeded((2, 3, 4)))


@pytest.mark.points(0)
def test_nobody_passes(submission):
    \"\"\"Must fail.\"\"\"
    submission.concat_heads(seeded((2, 3, 4)))
    assert_close(np.zeros(3), np.ones(3), axes="L")
"""
RULES = """
[check.test_for_information]
en = "It can be called."
zh = "可以调用。"

[check.test_nobody_passes]
en = "Nobody passes this."
zh = "没有人能通过。"
"""
SPINS = "import threading\n\n\ndef spin():\n    while True:\n        pass\n\n\n" + RIGHT.replace(
    "    return", "    threading.Thread(target=spin, daemon=True).start()\n    return"
)
CLASS = {
    "C015": SPINS,
    "C036": HEAD + "print('first words')\n    while True:\n        print('and more')\n",
    "C059": HEAD + "return None\n",
    "C071": HEAD + "print('dbg', heads.shape)\n    return heads\n",
    "C084": RIGHT.replace("def ", "np.set_printoptions(precision=1, threshold=2)\n\n\ndef ", 1),
    "C092": HEAD
    + "out = np.concatenate(list(heads), axis=-1).astype(float)\n    out[-1, -1] = np.nan\n    return out\n",
    "C164": WRONG + "    # </code></pre><svg onload=alert(1)>\n",
    "right": RIGHT,
    "王芳": HEAD + "return '王'\n",
    **{f"C102-{place:02}": f"{WRONG}# {place}\n" for place in range(12)},
}


@dataclass(frozen=True)
class Graded:
    """One run over the class, and what it says of each student."""

    ran: Ran
    reports: dict[str, dict]
    course: Path

    def page(self, student: str) -> str:
        """The page of a student."""
        return (self.ran.folder / self.ran.rows[student]["report"]).read_text(encoding="utf-8")

    def check(self, student: str, name: str) -> dict:
        """What became of one check."""
        return next(each for each in self.reports[student]["checks"] if each["name"] == name)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Graded:
    """The class, graded once, on a terminal whose encoding knows no Chinese."""
    root = tmp_path_factory.mktemp("course-situations")
    course = made_course(root / "course")
    suite, rules = course / "solutions" / EXERCISE / SUITE, course / "exercises" / EXERCISE / "exercise.toml"
    suite.write_text(suite.read_text(encoding="utf-8") + WORTHLESS, encoding="utf-8")
    rules.write_text(rules.read_text(encoding="utf-8") + RULES, encoding="utf-8")
    written(root / "in", {f"{student}/concat.py": source for student, source in CLASS.items()})
    done = run(root, environment, course, PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    reports = map(json.loads, (root / "out" / "results.jsonl").read_text(encoding="utf-8").splitlines())
    ran = Ran(done.returncode, done.stdout.decode("cp1252"), done.stderr.decode("cp1252"), root / "out")
    return Graded(ran, {report["who"]: report for report in reports}, course)


def run(root: Path, environment: dict[str, str], course: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The command on the folder `in`, with a course of its own."""
    command = [sys.executable, "-m", "grader.cli", "batch", "in", "--out", "out", "--exercise", EXERCISE]
    return subprocess.run(
        [*command, "--course", course],
        cwd=root,
        env={**environment, **variables},
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def made_course(root: Path) -> Path:
    """A course of 04_concat alone."""
    for part in ("exercises", "solutions"):
        shutil.copytree(ROOT / part / EXERCISE, root / part / EXERCISE, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "exercises" / "mistakes.toml", root / "exercises" / "mistakes.toml")
    return root


@pytest.mark.slow
def test_everybody_has_the_verdict_they_deserve(graded: Graded) -> None:
    """Situations C015, C084, C094, C095 and C120.

    Neither a thread that spins on after the answer, nor how NumPy prints, nor checks that are worth nothing, passed or
    failed, nor a terminal without Chinese changes a verdict; no row is lost and no total is NaN.
    """
    assert graded.ran.code == 0, graded.ran.err
    assert set(graded.ran.rows) == set(CLASS)
    verdicts = {student: (row["verdict"], row["points"], row["max_points"]) for student, row in graded.ran.rows.items()}
    assert {verdicts[student] for student in ("C015", "C084", "right")} == {("accepted", "10", "10")}
    assert {verdicts[student][0] for student in ("C059", "C071", "C092")} == {"wrong"}
    assert verdicts["C036"] == ("output_limit", "0", "10")
    assert [graded.check("right", f"test_{name}")["outcome"] for name in ("for_information", "nobody_passes")] == [
        "passed",
        "failed",
    ]


@pytest.mark.slow
def test_the_same_wrong_code_gets_the_same_result_each_time(graded: Graded) -> None:
    """Situation C102: nothing hangs on chance, though the random probes differ with the hash of each file."""
    results = {
        (row["verdict"], row["points"], row["mistakes"]) for who, row in graded.ran.rows.items() if "C102" in who
    }
    assert results == {("partly", "2", "merge-without-transpose")}


@pytest.mark.slow
def test_what_was_printed_is_shown_where_it_is_needed(graded: Graded) -> None:
    """Situations C036 and C071: the first lines of a flood, and what was printed before a wrong answer."""
    assert "first words" in graded.page("C036")
    assert "dbg (3, 5, 6)" in graded.page("C071")


@pytest.mark.slow
def test_a_page_tells_rules_and_nothing_of_the_tests(graded: Graded) -> None:
    """Situations C059, C061 and C065: who fails everything reads rules, and no line of the suite or the reference."""
    told = html.unescape(graded.page("C059")) + graded.ran.out + graded.ran.err
    assert "The heads stand side by side in their order" in told
    for path in (SUITE, "concat.py"):
        lines = (graded.course / "solutions" / EXERCISE / path).read_text(encoding="utf-8").splitlines()
        hidden = [line.strip() for line in lines if len(line.strip()) > 12 and "def concat_heads" not in line]
        assert [line for line in hidden if line in told] == []
    assert "test_" not in told


@pytest.mark.slow
def test_what_is_not_a_number_is_called_so(graded: Graded) -> None:
    """Situation C092: one NaN among right numbers is named with its index, not as "inaccurate"."""
    failures = graded.check("C092", "test_head_i_fills_its_own_columns")["failures"]
    assert {failure["message"]["key"] for failure in failures} == {"checks.nan"}
    assert failures[0]["message"]["fields"]["where"] == "[4,17] (L, d_model)"


@pytest.mark.slow
def test_each_case_of_a_check_is_told(graded: Graded) -> None:
    """Situation C133: of a check with three inputs, all that failed are in the result, each with its input."""
    check = graded.check("C102-00", "test_head_i_fills_its_own_columns")
    assert check["cases"] == 3
    assert [failure["case"] for failure in check["failures"]] == [
        "h=3, L=5, d_v=6",
        "h=2, L=7, d_v=3",
        "h=5, L=4, d_v=2",
    ]


@pytest.mark.slow
def test_source_is_text_on_every_page(graded: Graded) -> None:
    """Situation C164: markup in a comment ends no listing and makes no element."""
    told = graded.page("C164") + (graded.ran.folder / "index.html").read_text(encoding="utf-8")
    assert "<svg onload" not in told


# --- courses that are at fault -----------------------------------------------------------------------------------

BROKEN_FIXTURE = """import pytest


@pytest.fixture(scope="module")
def broken():
    raise OSError("no disk")


@pytest.mark.points(10)
def test_one(submission, broken):
    submission.concat_heads(broken)
"""
FAULTS = {
    "C055": ("import pytest\n", "test functions: found none"),
    "C109": (
        "import pytest\n\n\n@pytest.mark.skip\n@pytest.mark.points(10)\ndef test_one(submission):\n    pass\n",
        "skipped or expected to fail",
    ),
    "C132": (BROKEN_FIXTURE, "no disk"),
}


@pytest.mark.slow
@pytest.mark.parametrize("situation", FAULTS)
def test_a_suite_at_fault_costs_nobody_a_point(environment: dict[str, str], tmp_path: Path, situation: str) -> None:
    """An empty suite, a skipped one and a set-up that raises: exit code 3 and the reason, and no score, high or low."""
    suite, says = FAULTS[situation]
    course = made_course(tmp_path / "course")
    (course / "solutions" / EXERCISE / SUITE).write_text(suite, encoding="utf-8")
    rules = course / "exercises" / EXERCISE / "exercise.toml"
    text = rules.read_text(encoding="utf-8")
    one = '[check.test_one]\nen = "One."\nzh = "一。"\n'
    rules.write_text(text[: text.index("[check.")] + one, encoding="utf-8")
    written(tmp_path / "in", {"a/concat.py": WRONG, "b/concat.py": RIGHT})
    done = run(tmp_path, environment, course)
    assert (done.returncode, says in done.stderr.decode()) == (3, True), done.stderr.decode()
    rows = Ran(0, "", "", tmp_path / "out").rows
    assert {(row["status"], row["points"]) for row in rows.values()} == {("failed", "")}


@pytest.mark.parametrize(("limit", "value"), [("wall_s", 10000.0), ("memory_mib", 10**6), ("cpu_s", 10**5)])
def test_absurd_limits_are_refused(tmp_path: Path, limit: str, value: float) -> None:
    """Situation C006: an author who asks for hours, or for a terabyte, is told what there is at most."""
    course = made_course(tmp_path)
    rules = course / "exercises" / EXERCISE / "exercise.toml"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("[[hint]]", f"[limits]\n{limit} = {value}\n\n[[hint]]", 1), encoding="utf-8")
    with pytest.raises(ContentError, match=limit):
        load_exercise(load_course(course), EXERCISE)


@pytest.mark.slow
def test_a_small_memory_limit_is_for_the_code_alone(environment: dict[str, str], tmp_path: Path) -> None:
    """Situations C088, C089 and C090: numpy loads and computes within any limit; who needs more is told the limit."""
    course = made_course(tmp_path / "course")
    rules = course / "exercises" / EXERCISE / "exercise.toml"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("[[hint]]", "[limits]\nmemory_mib = 16\n\n[[hint]]", 1), encoding="utf-8")
    greedy = HEAD + "return np.ones((1000, 1000, 100)) @ np.ones((100, 3))\n"
    matmul = RIGHT.replace("    return", "    np.ones((50, 50)) @ np.ones((50, 50))\n    return")
    written(tmp_path / "in", {"greedy/concat.py": greedy, "right/concat.py": matmul})
    done = run(tmp_path, environment, course)
    rows = Ran(done.returncode, "", "", tmp_path / "out").rows
    assert rows["right"]["verdict"] == "accepted"
    assert (rows["greedy"]["verdict"], "16 MiB" in rows["greedy"]["note"]) == ("memory_limit", True)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_another_order_of_the_same_sums_never_fails(dtype: type[np.floating]) -> None:
    """Situation C101: products summed in two hundred orders differ in their last digits, far below the tolerance."""
    rng = np.random.default_rng(0)
    left, right = (rng.standard_normal((6, 512)).astype(dtype) for _ in range(2))
    want = (left.astype(np.float64) @ right.astype(np.float64).T).astype(dtype)
    for _ in range(200):
        order = rng.permutation(512)
        assert_close(np.cumsum(left[:, None, order] * right[None, :, order], axis=-1)[..., -1], want, axes="L S")


@pytest.mark.slow
def test_a_loop_is_told_on_the_screen(environment: dict[str, str], tmp_path: Path) -> None:
    """Situation C010: for a student's own run that never ends there are words on the screen and exit code 1."""
    folder = written(tmp_path / "exercises", {f"{EXERCISE}/concat.py": LOOP}) / EXERCISE
    command = [sys.executable, "-m", "grader.cli", folder, "--no-report", "--lang", "en"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "A loop without an end?" in done.stdout
