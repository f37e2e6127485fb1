"""The class list: what spreadsheets write, and what is wrong with it."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.gradebook.inputs.roster import read_roster
from grader.texts import say

NAMES = {"s1": "Zoë", "s2": "Doe, Jane"}


@pytest.mark.parametrize(
    "content",
    [
        'id,name\ns1,Zoë\ns2,"Doe, Jane"\n'.encode(),
        "\ufeffID;Name\r\ns1;Zoë\r\ns2;Doe, Jane\r\n".encode(),
        "Name\tStudent ID\nZoë\ts1\nDoe, Jane\ts2\n".encode("utf-16"),
        "s1;Zoë;2024\ns2;Doe, Jane\n".encode(),
        b"\r\n;\r\nID;Name\r\ns1;Zo\xc3\xab\r\ns2;Doe, Jane\r\n",
        '学号,姓名\ns1,Zoe\u0308\n\n ,\ns2,"Doe, Jane"\n'.encode(),
    ],
    ids=["plain", "excel", "utf-16", "no header", "blank lines first", "chinese"],
)
def test_class_lists_of_every_spreadsheet(tmp_path: Path, content: bytes) -> None:
    """Situation C125: marks, line ends, separators, encodings and the order of the columns do not matter."""
    (tmp_path / "class.csv").write_bytes(content)
    assert read_roster(tmp_path / "class.csv").names == NAMES


def test_lines_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    """Blank lines, and line breaks within quotes, count as well."""
    (tmp_path / "class.csv").write_bytes(b'\r\nid,name\r\n\r\n1,"A\r\nB"\r\n2,C\r\n2,D\r\n')
    with pytest.raises(UsageError, match="roster_two_names") as told:
        read_roster(tmp_path / "class.csv")
    assert told.value.message.fields["line"] == 7


def test_the_test_student_of_canvas_is_nobody(tmp_path: Path) -> None:
    """A gradebook of Canvas lists the preview of a teacher as a student; elsewhere such a name is somebody's."""
    rows = '"Doe, Jane",7,jane,A\n"Student, Test",9,abc,A\n'
    (tmp_path / "class.csv").write_text(f"Student,ID,SIS Login ID,Section\n    Points Possible,,,\n{rows}")
    assert read_roster(tmp_path / "class.csv").names == {"7": "Doe, Jane"}
    (tmp_path / "class.csv").write_text('id,name\n9,"Student, Test"\n')
    assert read_roster(tmp_path / "class.csv").names == {"9": "Student, Test"}


def test_a_chinese_list_of_excel(tmp_path: Path) -> None:
    """A list in GBK, as Excel writes it in China, has its names."""
    (tmp_path / "class.csv").write_bytes("学号,姓名\n1,王芳\n2,李娜\n".encode("gbk"))
    assert read_roster(tmp_path / "class.csv").names == {"1": "王芳", "2": "李娜"}


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"", "roster_empty"),
        (b"id,name\n", "roster_empty"),
        (b"id,name\n1,A\n1,B\n", "roster_two_names"),
        (b"s1\ns2\n", "roster_columns"),
        (b"Matrikel,Nachname\n7,Doe\n", "roster_header"),
        (b" ,\nalice,Alice\nbob,Bob\n", "roster_header"),
        (b'[late]\npercent_per_day = 10\n[due]\n04_concat = "2026"\n', "roster_columns"),
        (None, "roster_unreadable"),
    ],
)
def test_what_is_wrong_with_a_class_list_is_told(tmp_path: Path, content: bytes | None, key: str) -> None:
    """Situation C154: two people of one id, a list of nobody, no list, unknown columns: each has its sentence."""
    if content is not None:
        (tmp_path / "class.csv").write_bytes(content)
    with pytest.raises(UsageError, match=rf"batch\.{key}") as told:
        read_roster(tmp_path / "class.csv")
    if key == "roster_two_names":
        assert told.value.message.fields["line"] == 3
    if key == "roster_header":
        assert told.value.message.fields["found"] in ("Matrikel, Nachname", "alice, Alice")
        assert "student id" in say(told.value.message, "en")
