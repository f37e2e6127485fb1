"""Help and complaints of the command line, in both languages; nothing here needs a process of its own."""

import unicodedata

import pytest

from grader.cli.command import COMMANDS
from grader.cli.main import run
from grader.model import LANGUAGES


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment asks for English."""
    monkeypatch.setenv("MANYHEADS_LANG", "en")


def cells(text: str) -> int:
    """Columns of a terminal that a text takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@pytest.mark.parametrize("command", [[], *([word] for word in COMMANDS)])
def test_the_help_is_spoken_in_the_chosen_language(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    """The help has no sentence of the other language, and names the same options in both."""
    texts = {}
    for language in LANGUAGES:
        assert run([*command, "--help", "--lang", language]) == 0
        texts[language] = capsys.readouterr().out
    assert texts["en"].isascii()
    assert "Options:" in texts["en"]
    for english in ("Usage", "OPTIONS", "Options", "Commands", "Show", "Write", "Grade "):
        assert english not in texts["zh"]
    options = [{word for word in text.split() if word.startswith("--")} for text in texts.values()]
    assert options[0] == options[1]


@pytest.mark.parametrize("command", [[], *([word] for word in COMMANDS)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_fits_80_columns(capsys: pytest.CaptureFixture[str], command: list[str], language: str) -> None:
    """No line of the help is wider than 80 columns, Chinese characters counted as two."""
    run([*command, "--help", "--lang", language])
    assert max(map(cells, capsys.readouterr().out.splitlines())) <= 80


def test_the_help_lists_the_other_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """`grade --help` ends with the command words and what each does."""
    run(["--help"])
    end = capsys.readouterr().out.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in end] == list(COMMANDS)
    assert end[-1] == "  doctor      Check this installation and its sandbox."


def test_the_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """`grade --version` names the distribution and its version and does nothing else."""
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("manyheads ")


@pytest.mark.parametrize(
    ("argv", "english", "chinese"),
    [
        (
            ["--lnag", "zh"],
            "There is no option --lnag. Do you mean --lang? To see the options: grade --help\n",
            "没有 --lnag 这个选项。是不是想写 --lang？查看所有选项：grade --help\n",
        ),
        (
            ["--quux"],
            "There is no option --quux. To see the options: grade --help\n",
            "没有 --quux 这个选项。查看所有选项：grade --help\n",
        ),
        (
            ["--json"],
            "--json needs a value after it. To see the options: grade --help\n",
            "--json 后面需要一个值。查看所有选项：grade --help\n",
        ),
        (
            ["--verbose=yes"],
            "--verbose takes no value. To see the options: grade --help\n",
            "--verbose 后面不能带值。查看所有选项：grade --help\n",
        ),
        (
            ["doctor", "everything"],
            "grade doctor takes no argument; found everything. To see the help: grade doctor --help\n",
            "grade doctor 不需要参数，但写了 everything。查看帮助：grade doctor --help\n",
        ),
        (
            ["start", "a", "b"],
            "grade start: b is one argument too many. To see the help: grade start --help\n",
            "grade start：多了一个参数 b。查看帮助：grade start --help\n",
        ),
        (
            ["start"],
            "Where should the exercises go? Type, for example: grade start heads\n",
            "练习要放在哪里？可以输入：grade start heads\n",
        ),
        (
            ["--seed", "-1"],
            "--seed -1: expected a whole number from 0 to 4294967295.\n",
            "--seed -1：应为 0 到 4294967295 之间的整数。\n",
        ),
        (
            ["--report", "a.html", "--no-report"],
            "--report and --no-report contradict each other. Leave one of them out.\n",
            "--report 和 --no-report 互相矛盾，请去掉其中一个。\n",
        ),
        (
            ["--lang", "fr"],
            "--lang fr: this language is not spoken here. Choose one of: en, zh.\n",
            "--lang fr：没有这种语言。可选：en, zh。\n",
        ),
    ],
)
def test_what_was_typed_wrong_is_said_on_stderr(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, argv: list[str], english: str, chinese: str
) -> None:
    """Each complaint names what was found and what to type, in the language of the user, with exit code 2."""
    assert run(argv) == 2
    assert capsys.readouterr() == ("", english)
    monkeypatch.setenv("MANYHEADS_LANG", "zh")
    assert run(argv) == 2
    assert capsys.readouterr() == ("", chinese)


@pytest.mark.parametrize("argv", [["--lang", "zh", "doctor", "x"], ["--lang=zh", "doctor", "x"]])
def test_a_command_word_may_follow_the_language(capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    """`--lang` may stand before the command word as well as after it."""
    run(argv)
    assert capsys.readouterr().err.startswith("grade doctor 不需要参数")
