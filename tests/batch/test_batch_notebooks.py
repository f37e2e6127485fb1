"""Jupyter notebooks: the Python in them, what is skipped, and where a line of a finding is."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_class import EXERCISE, RIGHT, SYNTAX, WRONG, Ran, read, written

from grader.course import Course
from grader.gradebook.inputs.cells import needed_of
from grader.gradebook.inputs.notebooks import Code, code_of
from grader.model import Message

Batch = Callable[..., Ran]


def notebook(*cells: str, markdown: str = "# Homework", version: int = 4, language: str = "python") -> bytes:
    """A notebook as Jupyter writes it, with a text before every code cell."""
    metadata = {"kernelspec": {"name": "k", "display_name": "K", "language": language}}
    if version == 3:
        code = [{"cell_type": "code", "input": cell, "outputs": [], "language": "python"} for cell in cells]
        tree = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": code, "metadata": {}}]}
        return json.dumps(tree).encode()
    made = []
    for cell in cells:
        made.append({"cell_type": "markdown", "metadata": {}, "source": [markdown]})
        source = cell.splitlines(keepends=True)
        code = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        made.append(code)
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": made}).encode()


def python_of(content: bytes) -> str:
    """The code of a notebook without the empty lines between its cells."""
    code = code_of(content)
    assert isinstance(code, Code), code
    return "".join(line for line in code.source.decode().splitlines(keepends=True) if line.strip())


@pytest.mark.parametrize("version", [3, 4])
def test_code_cells_are_joined_in_their_order(version: int) -> None:
    """Texts and outputs are left out; notebooks of the old version are read as well."""
    assert python_of(notebook("import numpy as np", "x = 1\ny = 2\n", version=version)) == (
        "import numpy as np\nx = 1\ny = 2\n"
    )


@pytest.mark.parametrize(
    "line",
    ["%matplotlib inline", "!pip install einops", "  !ls", "files = !ls", "t = %timeit -o 1", "np.ones?", "?np.ones"],
)
def test_magics_and_shell_lines_are_skipped_and_counted(line: str) -> None:
    """What only a notebook understands becomes a statement that does nothing, in the same place."""
    code = code_of(notebook(f"x = 1\n{line}\ny = 2"))
    assert isinstance(code, Code)
    assert (code.skipped, code.first_skipped) == (1, line.strip())
    indent = line[: len(line) - len(line.lstrip())]
    assert code.source.decode().splitlines()[-3:] == ["x = 1", f"{indent}pass  # {line.strip()}", "y = 2"]


def test_a_shell_line_that_goes_on_is_skipped_whole() -> None:
    """A backslash takes the next line along."""
    assert python_of(notebook("!pip install \\\n  einops\nx = 1")).endswith("x = 1\n")


@pytest.mark.parametrize("first", ["%%bash", "%%html", "%%writefile notes.txt", "\n%%javascript"])
def test_a_cell_in_another_language_is_skipped_whole(first: str) -> None:
    """After such a line nothing of the cell is Python."""
    code = code_of(notebook(f"{first}\ndef f(: no python", "x = 1"))
    assert isinstance(code, Code)
    assert (code.skipped, code.source.decode().splitlines()[-1]) == (2, "x = 1")


@pytest.mark.parametrize("first", ["%%time", "%%capture out", "%%writefile concat.py"])
def test_a_cell_that_stays_python_is_kept(first: str) -> None:
    """A timed cell, and one that writes a Python file, hold an answer all the same."""
    assert python_of(notebook(f"{first}\nx = 1")) == f"pass  # {first}\nx = 1\n"


@pytest.mark.parametrize(
    "cell",
    [
        "x = (7\n% 4)",
        'text = """\n%matplotlib\n!ls\n"""',
        "x = 7 \\\n% 4",
        "x = [\n1,  # '\n2\n% 3]",
        "x = {'(': 1}\ny = 7 % 4",
        "x = '''a'''\ny = \"it's\"\nz = 1",
    ],
)
def test_python_is_not_taken_for_a_magic(cell: str) -> None:
    """A percent sign inside of brackets, of a long string or of a continued line is arithmetic or text."""
    code = code_of(notebook(cell))
    assert isinstance(code, Code)
    assert code.skipped == 0
    assert code.source.decode().strip("\n") == cell


def test_a_hostile_cell_takes_no_time() -> None:
    """A hundred thousand quotes or backslashes are passed over in one go."""
    start = time.process_time()
    for text in ("'\\" * 50_000, "'''" * 33_333, "(" * 100_000, "x." * 50_000, "x" * 100_000 + " ="):
        assert isinstance(code_of(notebook(text)), Code)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"{}", "notebook_broken"),
        (b"[" * 100_000, "notebook_broken"),
        (b'{"nbformat": 4, "cells": 7, "metadata": {}}', "notebook_broken"),
        (b"\xff\xfe\x00", "notebook_broken"),
        (notebook("x = 1", language="R"), "notebook_language"),
        (notebook("x\n" * 1000), "notebook_long_cell"),
        (notebook("x\n" * 1_000_000), "notebook_long_cell"),
        (notebook("x = 1", "y = '\0'"), "notebook_character"),
        (notebook("x = 1", "y = '\ud800'"), "notebook_character"),
        (notebook("x = 1", markdown="[" * 500_001), "notebook_too_much"),
    ],
)
def test_what_is_no_notebook_of_python_is_told(content: bytes, key: str) -> None:
    """A broken notebook is its student's row with a reason, and never the end of the run."""
    code = code_of(content)
    assert isinstance(code, Message)
    assert code.key == f"batch.{key}"


def test_cells_that_would_need_too_many_lines_are_counted_first() -> None:
    """Situation: a hundred thousand cells took eight gigabytes; empty ones take nothing, and code far below is told."""
    empty = code_of(notebook(RIGHT, *["", " \n"] * 5000))
    below = code_of(notebook(*[""] * 10_000, RIGHT))
    filled = code_of(notebook(*["x = 1"] * 2000))
    assert isinstance(empty, Code)
    assert empty.source.decode() == "\n" * 1000 + RIGHT
    assert below == Message("batch.notebook_many_cells", {"cell": 10_001, "most": 1047})
    assert filled == Message("batch.notebook_many_cells", {"cell": 1048, "most": 1047})


@pytest.mark.parametrize(
    "metadata",
    [
        {"language_info": None},
        {"kernelspec": None},
        {"language_info": {"name": None}, "kernelspec": {"language": None}},
        {"language_info": "python", "kernelspec": []},
    ],
)
def test_a_notebook_that_tells_no_language_is_python(metadata: object) -> None:
    """Situation: a tool wrote null for the language, and the whole answer could not be read."""
    tree = {**json.loads(notebook("x = 1")), "metadata": metadata}
    assert python_of(json.dumps(tree).encode()) == "x = 1\n"


def test_a_character_that_no_file_can_hold_is_told_with_its_cell() -> None:
    """Situation: a NUL in a cell was told as a file that is not saved as UTF-8, which it is."""
    fields = {"cell": 2, "character": "U+0000"}
    assert code_of(notebook("x = 1", "y = '\0'")) == Message("batch.notebook_character", fields)


def test_one_notebook_for_several_exercises(tmp_path: Path, course: Course) -> None:
    """A notebook counts for each exercise that it defines; others of the class are not missed in it."""
    masked = "def masked_softmax(scores, mask=None):\n    return scores\n"
    names = [name for name in course.names if course.exercises[name].module in ("concat", "masked_softmax")]
    folder = written(tmp_path / "in", {"alice/homework.ipynb": notebook(RIGHT, masked, "%time 1")})
    for name in names:
        found = read(folder, course, asked=[name])
        assert (list(found.sources), found.doubts) == (["alice"], ["magics"]), name
    assert read(folder, course, asked=["01_split_heads"]).sources == {}


TORCH = """\
import numpy as np, torch
from torch import (
    nn,
)
%matplotlib inline
import matplotlib.pyplot as plt
torch.manual_seed(0); np.random.seed(0)
x = torch.ones(2)

def helper(x):
    \'\'\'Not torch.\'\'\'
    return list(x)  # no torch either
@torch.no_grad()
def shown(x):
    return x
"""


def test_an_exercise_has_of_a_notebook_what_it_needs(tmp_path: Path, course: Course) -> None:
    """What belongs to an exercise with another package is left out and told; lines keep their numbers."""
    needs = "def concat_heads(heads):\n    return np.concatenate(helper(heads), axis=-1)\nplt.plot(x)"
    scaled = "class M(nn.Module):\n    pass\nheads = M\ndef scaled_dot_product_attention(*a):\n    return torch\nm2 = M"
    folder = written(tmp_path / "in", {"alice/hw.ipynb": notebook(TORCH, needs, "print(m2)", scaled)})
    found = read(folder, course)
    lines = dict(enumerate(found.sources["alice"].split("\n"), 0))
    assert {at: line for at, line in lines.items() if line} == {
        1000: "import numpy as np",
        1009: "def helper(x):",
        1010: "    '''Not torch.'''",
        1011: "    return list(x)  # no torch either",
        2000: "def concat_heads(heads):",
        2001: "    return np.concatenate(helper(heads), axis=-1)",
    }
    assert (found.doubts, found.rows["alice"].reason.key) == (["magics", "left_out"], "batch.note_left_out")
    assert found.rows["alice"].reason.fields == {"packages": "torch, matplotlib"}


@pytest.mark.parametrize(
    "cells",
    [
        ["import torch", "def concat_heads(heads):\n    return torch.cat(heads)"],
        [
            "import torch",
            "def helper(x):\n    return torch.cat(x)",
            "def concat_heads(heads):\n    return helper(heads)",
        ],
        ["import numpy as np", "print(1)", "def concat_heads(heads):\n    return heads"],
        ["import numpy as np; import torch", "def concat_heads(heads):\n    return heads"],
        ["from torch import *", "def concat_heads(heads):\n    return heads"],
        ["import torch", "x = (", "concat = 1"],
    ],
)
def test_a_notebook_stays_whole_where_nothing_can_be_left_out(course: Course, cells: list[str]) -> None:
    """Who uses what the exercise has not is told so; without such a package nothing is looked at."""
    code = code_of(notebook(*cells))
    assert isinstance(code, Code)
    assert needed_of(code.source, course.exercises[EXERCISE]) is None


AXIS = "def concat_heads(heads):\n    return np.concatenate(list(heads), axis=AXIS)"


@pytest.mark.parametrize(
    "made",
    [
        "AXIS = []\nAXIS.append(-1)\nAXIS = AXIS[0]",
        "one, (two, AXIS) = 1, (2, -1)",
        "if len('x') > 0: AXIS = -1",
        "if (1 == 1): AXIS = -1",
        "try:\n    from math import inf as AXIS\nexcept ImportError:\n    pass\nAXIS = -1",
        'text = f"""\nAXIS\n{1}\n"""\nAXIS = -len(text[:1])',
        "torch.full(\n    (2,),\n    AXIS=2,\n)\nAXIS = -1",
    ],
    ids=["changed", "unpacked", "if a call", "if in brackets", "try an import", "f-string", "a keyword of others"],
)
def test_what_is_needed_is_found_however_it_is_written(course: Course, made: str) -> None:
    """Of a notebook that imports torch for another exercise, code for 04 gets all that its names are made of."""
    code = code_of(notebook("import numpy as np, torch", made, AXIS, "class Head(torch.nn.Module):\n    pass"))
    assert isinstance(code, Code)
    needed = needed_of(code.source, course.exercises[EXERCISE])
    assert needed is not None
    namespace: dict[str, Any] = {}
    exec(needed.source, namespace)  # noqa: S102 - our own
    assert namespace["concat_heads"](np.zeros((2, 3, 4))).shape == (3, 8)


@pytest.mark.parametrize(
    "made",
    [
        "from typing import Union\nArray = Union[np.ndarray, torch.Tensor]\nAXIS: Array = -1",
        "device = torch.device('cpu'); AXIS = -1",
        "there = torch.cuda.is_available()\nAXIS = -1 if there else -1",
    ],
    ids=["a type", "one line", "a condition"],
)
def test_what_is_made_with_another_package_is_not_cut(course: Course, made: str) -> None:
    """Where a name that is needed comes from torch, the notebook stays whole, and its student is told so."""
    code = code_of(notebook("import numpy as np, torch", made, AXIS))
    assert isinstance(code, Code)
    assert needed_of(code.source, course.exercises[EXERCISE]) is None


def test_a_python_file_beside_a_notebook_counts(tmp_path: Path, course: Course) -> None:
    """Of both, the file with the exercise's name is the answer; the notebook is listed."""
    files = {"alice/concat.py": RIGHT, "alice/draft.ipynb": notebook(WRONG)}
    found = read(written(tmp_path / "in", files), course)
    assert (found.sources, found.doubts) == ({"alice": RIGHT}, ["several_files"])


def test_a_notebook_by_name(tmp_path: Path, course: Course) -> None:
    """concat.ipynb answers 04_concat also where it defines something else: its student hears what is missing."""
    found = read(written(tmp_path / "in", {"alice/concat.ipynb": notebook("def concat():\n    pass")}), course)
    assert [row.state for row in found.rows.values()] == ["read"]


def test_findings_are_told_as_cell_and_line(batch: Batch, tmp_path: Path) -> None:
    """In grades.csv, on the page and in its traceback a line is one of a cell; a notebook is graded like a file."""
    raises = "def concat_heads(heads):\n    shape = heads.shape\n    return heads.reshape(shape, 7, undefined)\n"
    files = {
        "alice/hw.ipynb": notebook("import numpy as np\n%matplotlib inline", RIGHT),
        "bob/hw.ipynb": notebook("import numpy as np", "x = 1", raises),
        "carol/hw.ipynb": notebook("x = 1", SYNTAX),
    }
    done = batch(written(tmp_path / "in", files))
    assert done.code == 0, done.err
    verdicts = {student: row["verdict"] for student, row in done.rows.items()}
    assert verdicts == {"alice": "accepted", "bob": "wrong", "carol": "invalid"}
    assert (
        "Lines skipped that only a notebook understands: 1; the first one: %matplotlib inline"
        in (done.rows["alice"]["note"])
    )
    assert done.rows["bob"]["note"].startswith("code cell 3, line 3: ")
    assert done.rows["carol"]["note"].startswith("code cell 2, line 1: ")
    page = (done.folder / "reports" / "bob" / f"{EXERCISE}.html").read_text(encoding="utf-8")
    assert "hw.ipynb, code cell 3, line 3" in page
    assert "第 3 个代码单元格第 3 行" in batch("in", "--lang", "zh").rows["bob"]["note"]
