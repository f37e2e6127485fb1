"""A file that Python cannot read is told in numbers and characters that can be found on the line itself."""

import pytest

from grader.model import CaseFailure, Limits
from grader.sandbox.client import LoadFailed, Sandbox
from grader.texts import say

DEF = "def f(x):\n"
WIDE = {
    "brackets and colon": (
        "def f（x）：\n    return x\n",
        (1, 6, "def f（x）："),
        (
            "Column 6 of line 1 holds （, a full-width character that Python does not know. Type ( instead, with the "
            "keyboard set to English. Further ones on this line: ） → ) · ： → :"
        ),
        (
            "第 1 行第 6 个字符 （ 是中文（全角）符号，Python 不认识。请切换到英文输入法，改成 (。"
            "这一行还要改：） → ) · ： → :"
        ),
    ),
    "after a string that may hold it": (
        DEF + "    return '，', x，\n",
        (2, 18, "    return '，', x，"),
        (
            "Column 18 of line 2 holds ，, a full-width character that Python does not know. Type , instead, with the "
            "keyboard set to English."
        ),
        "第 2 行第 18 个字符 ， 是中文（全角）符号，Python 不认识。请切换到英文输入法，改成 ,。",
    ),
    "quotes": (
        DEF + "    return “x”\n",
        (2, 12, "    return “x”"),
        (
            'Column 12 of line 2 holds “, a full-width character that Python does not know. Type " instead, with the '
            'keyboard set to English. Further ones on this line: ” → "'
        ),
        ('第 2 行第 12 个字符 “ 是中文（全角）符号，Python 不认识。请切换到英文输入法，改成 "。这一行还要改：” → "'),
    ),
    "a quote that closes nothing": (
        DEF + "    return 'x’\n",
        (2, 14, "    return 'x’"),
        (
            "Column 14 of line 2 holds ’, a full-width character that Python does not know. Type ' instead, with the "
            "keyboard set to English."
        ),
        "第 2 行第 14 个字符 ’ 是中文（全角）符号，Python 不认识。请切换到英文输入法，改成 '。",
    ),
    "space": (
        DEF + "    return\u3000x\n",
        (2, 11, "    return\u3000x"),
        (
            "Column 11 of line 2 holds a space that is no ordinary one (U+3000), as web pages and Chinese keyboards "
            "produce. Delete it and type a space."
        ),
        "第 2 行第 11 个字符是特殊的空格（U+3000），可能来自全角输入或网页复制。请删掉它，重新输入一个普通空格。",
    ),
    "too far in": (
        DEF + "    y = x\n\n    # why\n      return y\n",
        (5, 7, "      return y"),
        (
            "Line 5 begins with 6 spaces, the line of code before it with 4. Nothing opens a new block there, so both "
            "must begin alike."
        ),
        "第 5 行开头有 6 个空格，而它前面那行代码开头有 4 个。这里没有新的代码块，两行的缩进应当相同。",
    ),
    "not far enough in": (
        DEF + "    y = x\n  return y\n",
        (3, 3, "  return y"),
        (
            "Line 3 begins with 2 spaces, the line of code before it with 4. It must begin like that line, or like one "
            "of the blocks around it."
        ),
        "第 3 行开头有 2 个空格，而它前面那行代码开头有 4 个。它应当与那一行对齐，或者与外面某一层代码块对齐。",
    ),
    "not in at all": (
        DEF + "return x\n",
        (2, 1, "return x"),
        "Line 1 opens a block, so that line 2 must begin with more spaces than line 1, usually four more.",
        "第 1 行开始了一个代码块，所以第 2 行开头的空格要比第 1 行多，通常多 4 个。",
    ),
    "tabs and spaces": (
        DEF + "\ty = x\n        return y\n",
        (3, 9, "        return y"),
        "Line 3 mixes tabs and spaces at its beginning. Use spaces alone, four for each level.",
        "第 3 行开头混用了制表符（Tab）和空格。请只用空格，每一层 4 个。",
    ),
    "tabs alone": (
        DEF + "\ty = x\n\t\treturn y\n",
        (3, 3, "\t\treturn y"),
        "Python cannot read the file: unexpected indent.",
        "Python 读不懂这个文件：unexpected indent。",
    ),
    "a sign that no keyboard is to blame for": (
        DEF + "    return x €\n",
        (2, None, "    return x €"),
        "Python cannot read the file: invalid character '€' (U+20AC).",
        "Python 读不懂这个文件：invalid character '€' (U+20AC)。",
    ),
}


def failure(sandbox: Sandbox, source: str) -> CaseFailure:
    """Why a file does not load."""
    with pytest.raises(LoadFailed) as caught:
        sandbox.open(source.encode(), "concat.py", Limits(wall_s=20.0)).load()
    return caught.value.failure


@pytest.mark.parametrize(("source", "place", "english", "chinese"), WIDE.values(), ids=WIDE)
def test_says_what_to_type_where(
    sandbox: Sandbox, source: str, place: tuple[int, int | None, str], english: str, chinese: str
) -> None:
    """A full-width character or an indentation has a sentence with its line and column, and the line as it is."""
    found = failure(sandbox, source)
    assert (found.line, found.column, found.code) == place
    assert say(found.message, "en") == english
    assert say(found.message, "zh") == chinese


def test_an_error_in_a_function_names_the_line_that_called_it(sandbox: Sandbox) -> None:
    """Where the file itself calls its function, that line is told beside the line that raised."""
    found = failure(sandbox, "def g(x):\n    a, b = x\n\n\ndef f(x):\n    return g(x)\n\n\nprint(f((1, 2, 3)))\n")
    assert found.line == 2
    assert found.explanation is not None
    assert say(found.explanation, "en") == (
        "That function was called from line 9, outside of any function, which runs as soon as the file is loaded: "
        "print(f((1, 2, 3)))"
    )
    assert say(found.explanation, "zh") == (
        "这个函数是在第 9 行调用的；那一行不在任何函数里，文件一加载就会运行：print(f((1, 2, 3)))"
    )


@pytest.mark.parametrize("source", ["x = 1\n1 / 0\n", "import scipy\n"], ids=["outside of functions", "import"])
def test_an_error_outside_of_functions_was_called_from_nowhere(sandbox: Sandbox, source: str) -> None:
    """A line of the module that raises itself is the only one to tell."""
    assert failure(sandbox, source).explanation is None


@pytest.mark.parametrize(
    "source",
    ["import socket\nsocket.socket()\n", "def read():\n    return open('/etc/shadow')\n\n\nread()\n"],
    ids=["network", "file"],
)
def test_what_is_out_of_reach_while_a_file_is_loaded_is_told_as_such(sandbox: Sandbox, source: str) -> None:
    """As in a call: nothing outside can be reached here; a class report lists who tried."""
    found = failure(sandbox, source)
    assert found.explanation is not None
    assert found.explanation.key == "diagnosis.outside"
