"""The language: option, variable, locale, in this order."""

import pytest

from grader.cli.language import environment_language, option_language
from grader.errors import UsageError


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"}, "en"),
        ({"LC_MESSAGES": "de_DE.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, "zh"),
        ({"LC_ALL": "zh_CN.UTF-8", "MANYHEADS_LANG": "en"}, "en"),
        ({"LC_ALL": "C", "MANYHEADS_LANG": "zh"}, "zh"),
        ({"LC_ALL": "", "LANG": "zh_CN"}, "zh"),
    ],
)
def test_the_first_variable_that_is_set_decides(environ: dict[str, str], language: str) -> None:
    """MANYHEADS_LANG comes before LC_ALL, LC_MESSAGES and LANG; an empty variable counts as none."""
    assert environment_language(environ) == language


@pytest.mark.parametrize(
    ("argv", "language"),
    [
        ([], None),
        (["--lang", "zh"], "zh"),
        (["exercises", "--lang=zh"], "zh"),
        (["--lang", "zh", "--lang", "en"], "en"),
        (["--", "--lang", "zh"], None),
        (["--lang"], None),
    ],
)
def test_the_option_is_found_anywhere(argv: list[str], language: str | None) -> None:
    """`--lang` counts in both spellings, the last one wins, and after `--` it is a path."""
    assert option_language(argv) == language


def test_another_language_is_refused_with_the_choice() -> None:
    """A language that is not spoken is named, and so are those that are."""
    with pytest.raises(UsageError) as refused:
        option_language(["--lang", "fr"])
    assert refused.value.message.key == "cli.unknown_language"
    assert refused.value.message.fields == {"value": "fr", "languages": "en, zh"}
