"""The installed wheel: it carries its course, a student learns with it away from checkouts, nothing hidden leaves."""

import ast
import json
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from small_course import ROOT, Grade

pytestmark = pytest.mark.slow

Command = Callable[..., Grade]

# Three answers to 04 as students write them, with the title of the mistake that each one shows, then a right one.
WRONG = {
    "Heads are merged by reshape alone": "heads.reshape(heads.shape[1], -1)",
    "Features of different heads alternate in each row": "heads.transpose(1, 2, 0).reshape(heads.shape[1], -1)",
    "The heads stand in reverse order": "np.concatenate(list(heads[::-1]), axis=-1)",
}
RIGHT = "np.concatenate(list(heads), axis=-1)"
FILE = "import numpy as np\n\n\ndef concat_heads(heads):\n    return {}\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without the network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def prefix(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment into which pip has installed the wheel; what it needs is taken from the running one."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    (site_packages(folder) / "needs.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def site_packages(prefix: Path) -> Path:
    """Where packages lie in an environment."""
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(prefix), "platbase": str(prefix)}))


@pytest.fixture(scope="module")
def packaged(prefix: Path) -> Path:
    """The course inside the installed package."""
    return site_packages(prefix) / "grader" / "packaged"


@pytest.fixture
def command(prefix: Path, environment: dict[str, str]) -> Command:
    """The installed script `grade`, run in a folder."""
    variables = {name: value for name, value in environment.items() if name != "PYTHONPATH"}

    def run(*arguments: str, cwd: Path) -> Grade:
        script = str(prefix / "bin" / "grade")
        done = subprocess.run(
            [script, *arguments], cwd=cwd, env=variables, capture_output=True, text=True, timeout=60, check=False
        )
        return Grade(done.returncode, done.stdout, done.stderr)

    return run


# --- what is in it -------------------------------------------------------------------------------------------------


def test_the_wheel_holds_the_course_and_no_tests(wheel: Path) -> None:
    """Package and course are in the wheel; our tests, caches and a student's reports are not."""
    names = zipfile.ZipFile(wheel).namelist()
    assert "grader/packaged/exercises/04_concat/concat.py" in names
    assert "grader/packaged/solutions/04_concat/test_concat_hidden.py" in names
    assert "grader/report/templates/report.html" in names
    assert {name.split("/")[0] for name in names} == {"grader", "manyheads-0.1.0.dist-info"}
    assert not [name for name in names if "__pycache__" in name or ".manyheads" in name]


def test_the_installed_doctor_names_its_course(command: Command, packaged: Path, tmp_path: Path) -> None:
    """`grade doctor` shows the version of the wheel and the course inside the package."""
    done = command("doctor", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "manyheads         0.1.0\n" in done.out
    assert f"course            {packaged}\n" in done.out


def test_a_folder_of_its_own_needs_nothing_but_the_file(command: Command, packaged: Path, tmp_path: Path) -> None:
    """Without a checkout, the course inside the package decides."""
    folder = tmp_path / "04_concat"
    folder.mkdir()
    (folder / "concat.py").write_bytes((packaged / "solutions" / "04_concat" / "concat.py").read_bytes())
    done = command(str(folder), cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert (tmp_path / ".manyheads" / "reports" / "04_concat.html").is_file()


# --- a student -----------------------------------------------------------------------------------------------------


def test_from_the_first_command_to_a_full_score(command: Command, tmp_path: Path) -> None:
    """Start, three wrong tries on 04, each named, a hint, the right answer: all points, every mistake overcome."""
    start = command("start", "heads", cwd=tmp_path)
    assert (start.code, start.err) == (0, "")
    assert start.out.endswith("\nNow type: cd heads && grade list\n")
    home = tmp_path / "heads"
    assert "Next: read exercises/01_split_heads/README.md" in command("list", cwd=home).out
    answer = home / "exercises" / "04_concat" / "concat.py"
    assert "is not written yet" in command("exercises/04_concat", cwd=home).out
    for title, expression in WRONG.items():
        answer.write_text(FILE.format(expression))
        done = command("exercises/04_concat", cwd=home)
        assert (done.code, done.err) == (1, "")
        assert title in done.out
        named = "\n".join(line for line in done.out.splitlines() if not line.startswith("Overcome: "))
        assert not [other for other in WRONG if other != title and other in named]
        assert "If you are stuck: grade hint 04_concat\n" in done.out
        assert f'"{title}"' in command("hint", "04_concat", cwd=home).out
    answer.write_text(FILE.format(RIGHT))
    done = command(cwd=answer.parent)
    assert (done.code, done.err) == (0, "")
    assert "10 of 10 points" in done.out
    assert "Next: The exercise 05_output_projection;" in done.out
    concat = next(
        each
        for each in json.loads(command("list", "--json", cwd=home).out)["exercises"]
        if each["exercise"] == "04_concat"
    )
    assert (concat["state"], concat["points"], concat["runs"]) == ("complete", 10, 4)
    assert [met["title"]["en"] for met in concat["mistakes"] if met["overcome"]] == list(WRONG)
    assert command("list", cwd=home).out.count("overcome    ") == len(WRONG)


def test_nothing_hidden_is_in_the_copy(command: Command, packaged: Path, tmp_path: Path) -> None:
    """No name of a hidden check is in any file of the copy, and no statement of a reference beside its starter."""
    command("start", "heads", cwd=tmp_path)
    texts = {path: path.read_text(encoding="utf-8") for path in (tmp_path / "heads").rglob("*") if path.is_file()}
    assert len(texts) > 20
    for exercise in sorted((packaged / "solutions").iterdir()):
        hidden = [*names_of_checks(exercise), "mistakes.toml", "solutions/", "_hidden"]
        assert [(path, word) for path, text in texts.items() for word in hidden if word in text] == []
        # a later starter may give what an earlier exercise asked for
        given = [text for path, text in texts.items() if path.parent.name == exercise.name]
        lines = {line.strip() for text in given for line in text.splitlines()}
        assert lines
        file = f"{exercise.name.partition('_')[2]}.py"
        asked = {name for name, body in functions(tmp_path / "heads/exercises" / exercise.name / file) if TODO in body}
        statements = {line for name, body in functions(exercise / file) if name in asked for line in body}
        assert statements
        assert (statements & lines) - CEREMONY == set()


def names_of_checks(solution: Path) -> Iterator[str]:
    """Names of the functions of a hidden suite."""
    (suite,) = solution.glob("test_*_hidden.py")
    for node in ast.walk(ast.parse(suite.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name


TODO = "raise NotImplementedError"

# What many a module begins with, and what a starter may well hold elsewhere: it answers nothing.
CEREMONY = {"super().__init__()", "with torch.no_grad():"}


def functions(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Name of each function and first lines of its statements, without the docstring."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            yield node.name, [source.splitlines()[statement.lineno - 1].strip() for statement in body]


def test_what_lies_in_the_copy_decides_nothing(command: Command, tmp_path: Path) -> None:
    """A hand-made `solutions/` and `exercise.toml` in the copy are ignored, and no suite is ever written into it."""
    command("start", "heads", cwd=tmp_path)
    home = tmp_path / "heads"
    (home / "exercises" / "04_concat" / "concat.py").write_text(FILE.format("heads.reshape(heads.shape[1], -1)"))
    own = home / "solutions" / "04_concat"
    own.mkdir(parents=True)
    (own / "concat.py").write_text(FILE.format("heads.reshape(heads.shape[1], -1)"))
    (own / "test_concat_hidden.py").write_text("def test_nothing(submission):\n    pass\n")
    (home / "exercises" / "04_concat" / "exercise.toml").write_text("defines = []\n")
    done = command("exercises/04_concat", cwd=home)
    assert done.code == 1
    assert "Heads are merged by reshape alone" in done.out
    names = [path.name for path in home.rglob("*hidden*")]
    assert names == ["test_concat_hidden.py"]  # the student's own


def test_the_three_answers_are_wrong_in_three_ways() -> None:
    """The answers of this file are what they are called: of the right shape, and all different."""
    heads = np.arange(24.0).reshape(2, 3, 4)
    results = [eval(each, {"np": np, "heads": heads}) for each in (RIGHT, *WRONG.values())]  # noqa: S307 - our own
    assert {result.shape for result in results} == {(3, 8)}
    assert len({result.tobytes() for result in results}) == 4
