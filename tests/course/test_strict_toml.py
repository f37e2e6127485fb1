"""What the author of an exercise.toml is told, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grader.course import Course, load_exercise
from grader.errors import ContentError

if TYPE_CHECKING:
    from pathlib import Path

ONCE = "write a list of texts that are not empty, each of them once."

LINES = {
    "title": 'title = {en = "T", zh = "题"}',
    "module": 'module = "concat"',
    "defines": 'defines = ["concat_heads"]',
    "packages": 'packages = ["numpy"]',
    "source": 'source = {en = "S", zh = "源"}',
    "limits": "[limits]\nwall_s = 3",
    "hint": '[[hint]]\nen = "H"\nzh = "提示"',
    "check": '[check.test_one]\nen = "R"\nzh = "规则"',
}


def load(folder: Path, **lines: str) -> object:
    (folder / "exercises/04_concat").mkdir(parents=True)
    content = "\n".join((LINES | lines).values())
    (folder / "exercises/04_concat/exercise.toml").write_text(content, encoding="utf-8")
    return load_exercise(Course(folder), "04_concat").limits


def complaint(folder: Path, **lines: str) -> str:
    with pytest.raises(ContentError) as caught:
        load(folder, **lines)
    where = f"{folder}/exercises/04_concat/exercise.toml: "
    assert str(caught.value).startswith(where)
    return str(caught.value).removeprefix(where)


def test_limits_may_be_left_out_or_given_one_by_one(tmp_path: Path) -> None:
    """A limit that is not given has its default; whole seconds are a number too."""
    limits = load(tmp_path / "a")
    assert (limits.wall_s, limits.cpu_s) == (3, 10)
    assert load(tmp_path / "b", limits="").wall_s == 2.0


@pytest.mark.parametrize("field", [field for field in LINES if field != "limits"])
def test_a_missing_field_is_named(tmp_path: Path, field: str) -> None:
    """Every field but the limits must be there."""
    assert complaint(tmp_path, **{field: ""}).startswith(f"{field}: found nothing; write ")


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ({"title": 'title = "T"'}, """title: found 'T'; write {en = "…", zh = "…"}."""),
        ({"title": 'title = {en = "T"}'}, 'title.zh: found nothing; write a text, "…".'),
        ({"title": 'title = {en = "T", zh = " "}'}, "title.zh: found ' '; write a text that is not empty."),
        (
            {"title": 'title = {en = "T", zh = "题", de = "T"}'},
            "title.de: found an unknown field; remove it, or use one of: en, zh.",
        ),
        (
            {"module": 'module = "04-concat"'},
            "module: found '04-concat'; write a Python name: letters, digits and _, not a digit first.",
        ),
        ({"module": "module = 4"}, 'module: found 4; write a text, "…".'),
        ({"defines": "defines = []"}, "defines: found []; name at least one function or class."),
        ({"defines": 'defines = "f"'}, """defines: found 'f'; write a list of texts, ["…"]."""),
        ({"defines": 'defines = ["f", "f"]'}, f"defines: found ['f', 'f']; {ONCE}"),
        ({"packages": 'packages = [""]'}, f"packages: found ['']; {ONCE}"),
        (
            {"source": 'source = {en = "S", zh = "源"}\ncolour = "red"'},
            (
                "colour: found an unknown field; remove it, or use one of: "
                "check, defines, figure, hint, limits, module, packages, source, title."
            ),
        ),
        ({"limits": "[limits]\nwall_s = 10000"}, "limits.wall_s: found 10000; write a number from 0.1 to 60."),
        ({"limits": "[limits]\nwall_s = 0"}, "limits.wall_s: found 0; write a number from 0.1 to 60."),
        ({"limits": "[limits]\nwall_s = nan"}, "limits.wall_s: found nan; write a number from 0.1 to 60."),
        ({"limits": "[limits]\nwall_s = true"}, "limits.wall_s: found True; write a number from 0.1 to 60."),
        ({"limits": "[limits]\ncpu_s = 1.5"}, "limits.cpu_s: found 1.5; write a whole number from 1 to 120."),
        (
            {"limits": "[limits]\nmemory_mib = 9000"},
            "limits.memory_mib: found 9000; write a whole number from 16 to 8192.",
        ),
        (
            {"limits": "[limits]\ntimeout = 3"},
            "limits.timeout: found an unknown field; remove it, or use one of: cpu_s, memory_mib, output_kib, wall_s.",
        ),
        (
            {"limits": "", "title": 'title = {en = "T", zh = "题"}\nlimits = 3'},
            "limits: found 3; write it as [limits].",
        ),
        (
            {"hint": "", "title": 'hint = []\ntitle = {en = "T", zh = "题"}'},
            "hint: found []; write at least one [[hint]].",
        ),
        ({"hint": '[[hint]]\nen = "H"'}, 'hint[1].zh: found nothing; write a text, "…".'),
        (
            {"hint": "", "title": 'hint = [1]\ntitle = {en = "T", zh = "题"}'},
            "hint[1]: found 1; write at least one [[hint]].",
        ),
        ({"check": "[check]\ntest_one = 1"}, "check.test_one: found 1; write tables [check.NAME]."),
        ({"check": "[check]"}, "check: found no table; write tables [check.NAME]."),
    ],
)
def test_a_senseless_field_is_named_with_its_fix(tmp_path: Path, lines: dict[str, str], text: str) -> None:
    """An unknown, empty, mistyped or absurd field is told with what was found and what to write."""
    assert complaint(tmp_path, **lines) == text


@pytest.mark.parametrize("content", [b"title = ", b"title = '\xff'"])
def test_a_file_that_is_no_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    """Broken TOML and other encodings are told with the parser's own reason."""
    (tmp_path / "exercises/04_concat").mkdir(parents=True)
    (tmp_path / "exercises/04_concat/exercise.toml").write_bytes(content)
    with pytest.raises(ContentError, match=r"exercise.toml: found no valid TOML in UTF-8: .*; mend it."):
        load_exercise(Course(tmp_path), "04_concat")
