"""Completion: what a shell is told to offer, and that bash and fish really offer it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_course import ROOT, Grade

from grader.cli.command import COMMANDS
from grader.cli.main import run
from grader.course import installed_course, load_course

NAMES = load_course(installed_course()).names


@pytest.fixture
def offered(home: Path, environment: dict[str, str]) -> Callable[..., list[str]]:
    """What is offered for a line in which the cursor stands at the end, as click's protocol tells it to bash."""

    def complete(line: str, cwd: Path = home, **variables: str) -> list[str]:
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1), "_GRADE_COMPLETE": "bash_complete"}
        done = subprocess.run(
            [sys.executable, "-m", "grader.cli"],
            cwd=cwd,
            env={**environment, **words, **variables},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return complete


def plain(values) -> list[str]:
    """Candidates as the protocol spells them."""
    return [f"plain,{value}" for value in values]


def test_command_words_and_folders_of_exercises(offered, course: Path, home: Path) -> None:
    """The first word may be a command or an exercise folder that is there; further words are folders and files."""
    small = f"grade --course {course} "
    folders = plain(["exercises/01_double", "exercises/02_negate"])
    assert offered("grade h") == plain(["hint"])
    assert offered("grade ")[: len(COMMANDS)] == plain(COMMANDS)
    assert offered(small) == folders
    assert offered(f"{small}exercises/02") == folders[1:]
    assert offered(f"{small}./exercises/02") == plain(["./exercises/02_negate"])
    assert offered(f"{small}01", cwd=home / "exercises") == plain(["01_double"])
    assert offered(f"{small}exercises/01_double/") == ["file,exercises/01_double/"]
    assert offered(f"{small}nothing") == ["file,nothing"]


def test_what_a_shell_would_have_to_quote_is_left_to_it(offered, course: Path, home: Path) -> None:
    """A path with a space in it is completed by the shell, which knows how to write it."""
    shutil.copytree(home / "exercises", home / "my heads")
    assert offered(rf"grade --course {course} my\ heads/0", COMP_CWORD="3") == ["file,my heads/0"]


def test_names_of_exercises(offered, course: Path) -> None:
    """`hint` takes the names of the course that is meant, without a word of its own again."""
    assert offered("grade hint ") == plain(NAMES)
    assert offered("grade hint 04") == plain(["04_concat"])
    assert offered(f"grade hint --course {course} 0") == plain(["01_double", "02_negate"])
    assert offered("grade hint exercises/0") == ["dir,exercises/0"]


def test_options_and_their_values(offered) -> None:
    """Options are offered by name; values as far as they are known, or else files or folders."""
    assert offered("grade list --") == plain(["--json", "--course", "--lang", "--help"])
    assert offered("grade --lang ") == plain(["en", "zh"])
    assert offered("grade --lang zh hi") == plain(["hint"])
    assert offered("grade completion ") == plain(["bash", "zsh", "fish"])
    assert offered("grade --report x") == ["file,x"]
    assert offered("grade start ") == ["dir,"]
    assert offered("grade --help --vers") == plain(["--version"])  # prints neither


@pytest.mark.parametrize(
    "variables",
    [
        {"_GRADE_COMPLETE": "tcsh_complete"},
        {"_GRADE_COMPLETE": "bash_nothing"},
        {"_GRADE_COMPLETE": "bash_complete"},
        {"_GRADE_COMPLETE": "bash_complete", "COMP_WORDS": "grade hint --course /nowhere", "COMP_CWORD": "x"},
    ],
)
def test_a_shell_that_asks_nonsense_gets_nothing(
    grade: Callable[..., Grade], home: Path, variables: dict[str, str]
) -> None:
    """No traceback and no sentence disturbs the line that somebody types."""
    done = grade(cwd=home, **variables)
    assert (done.code, done.out, done.err) == (1, "", "")


def test_the_script_is_clicks_own(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`grade completion SHELL` and `_GRADE_COMPLETE=SHELL_source grade` print the same script."""
    for shell in ("bash", "zsh", "fish"):
        assert run(["completion", shell]) == 0
        script = capsys.readouterr().out
        assert f"_GRADE_COMPLETE={shell}_complete" in script
        monkeypatch.setenv("_GRADE_COMPLETE", f"{shell}_source")
        assert run([]) == 0
        assert capsys.readouterr().out == script
        monkeypatch.delenv("_GRADE_COMPLETE")


def test_completion_loads_nothing_heavy() -> None:
    """The Tab key waits for no numpy, pytest, rich, jinja2, or torch."""
    code = (
        "import sys; from grader.cli.main import run; run([]); "
        "print(*{'numpy', 'pytest', 'rich', 'jinja2', 'torch'} & set(sys.modules), file=sys.stderr)"
    )
    for line in ("grade hint 0", "grade exercises/0", "grade list --", "grade start x", "grade -"):
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1), "_GRADE_COMPLETE": "bash_complete"}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(ROOT), **words},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout
        assert done.stderr == "\n", line


# --- real shells ---------------------------------------------------------------------------------------------------

BASH = """
eval "$(grade completion bash)"
COMP_WORDS=(grade hint 0) COMP_CWORD=2
_grade_completion grade
printf '%s\\n' "${COMPREPLY[@]}"
complete -p grade
"""
FISH = """
grade completion fish | source
complete -C 'grade hint 0'
complete -C 'grade li'
"""


@pytest.fixture
def path(tmp_path: Path, environment: dict[str, str]) -> str:
    """A PATH on which `grade` is the command of this checkout."""
    script = tmp_path / "bin" / "grade"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m grader.cli "$@"\n')
    script.chmod(0o755)
    return f"{script.parent}{os.pathsep}{environment['PATH']}"


def answers(command: list[str], path: str, environment: dict[str, str]) -> list[str]:
    """Lines that a shell prints."""
    done = subprocess.run(
        command, env={**environment, "PATH": path}, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_bash_completes(path: str, environment: dict[str, str]) -> None:
    """The script, loaded as the help says, makes bash offer the exercises."""
    *names, registered = answers(["bash", "--norc", "-c", BASH], path, environment)
    assert names == [name for name in NAMES if name.startswith("0")]
    assert registered.endswith("-F _grade_completion grade")


def test_fish_completes(path: str, environment: dict[str, str]) -> None:
    """The script makes fish offer the exercises, and the commands with what they do."""
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed; .ci/run installs it")
    *names, command = answers(["fish", "--no-config", "-c", FISH], path, environment)
    assert sorted(names) == [name for name in NAMES if name.startswith("0")]
    assert command.startswith("list\tShow what you have done")


def test_zsh_loads_the_script(path: str, environment: dict[str, str]) -> None:
    """The script, loaded as the help says, registers a completion with zsh."""
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed; .ci/run installs it")
    code = 'autoload -U compinit && compinit -u -D; eval "$(grade completion zsh)"; print -- $_comps[grade]'
    assert answers(["zsh", "-f", "-c", code], path, environment) == ["_grade_completion"]
