"""Zip and tar: read like folders, never unpacked to a place, and refused where they would be too much."""

import gzip
import io
import struct
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from made_class import RIGHT, WRONG, read, tarred, written, zipped

from grader.course import Course
from grader.errors import UsageError

FILES = {"hw/alice/concat.py": RIGHT, "hw/bob/concat.py": WRONG, "hw/__MACOSX/._x": "x", "hw/bob/.hidden.py": RIGHT}


@pytest.mark.parametrize("mode", ["zip", "w:", "w:gz", "w:bz2", "w:xz"])
def test_an_archive_is_read_like_a_folder(tmp_path: Path, course: Course, mode: str) -> None:
    """Whatever packs it, and whatever its name, the same students and sources are found; nothing is unpacked."""
    path = tmp_path / "class.dat"
    found = read(zipped(path, FILES) if mode == "zip" else tarred(path, FILES, mode), course)
    assert found.sources == {"alice": RIGHT, "bob": WRONG}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_paths_that_lead_out_are_not_read(tmp_path: Path, course: Course, pack: Callable[..., Path]) -> None:
    """Situation C130: an absolute path and one with .. are rows with a reason; nothing is written anywhere."""
    files = {"alice/concat.py": RIGHT, "bob/../../concat.py": WRONG, "bob/x.py": "", "/carol/concat.py": WRONG}
    found = read(pack(tmp_path / "in.zip", files), course)
    assert found.sources == {"alice": RIGHT}
    assert (found.reason("bob"), found.reason("carol")) == ("path_leaves", "path_leaves")
    assert [path.name for path in tmp_path.iterdir()] == ["in.zip"]


def test_links_in_a_tar_are_not_followed(tmp_path: Path, course: Course) -> None:
    """A symbolic and a hard link in a tar are rows with a reason."""
    with tarfile.open(tmp_path / "in.tar", "w") as archive:
        for student, kind, target in (
            ("bob", tarfile.SYMTYPE, "/etc/passwd"),
            ("carol", tarfile.LNKTYPE, "a/concat.py"),
        ):
            one = tarfile.TarInfo(f"{student}/concat.py")
            one.type, one.linkname = kind, target
            archive.addfile(one)
        one = tarfile.TarInfo("a/concat.py")
        one.size = len(RIGHT)
        archive.addfile(one, io.BytesIO(RIGHT.encode()))
    found = read(tmp_path / "in.tar", course)
    assert (found.reason("bob"), found.reason("carol"), list(found.sources)) == ("link", "link", ["a"])


def test_links_in_a_zip_are_not_followed(tmp_path: Path, course: Course) -> None:
    """A symbolic link in a zip is a row with a reason."""
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        one = zipfile.ZipInfo("bob/concat.py")
        one.external_attr = 0o120777 << 16
        archive.writestr(one, "/etc/passwd")
        archive.writestr("alice/concat.py", RIGHT)
    found = read(tmp_path / "in.zip", course)
    assert (found.reason("bob"), list(found.sources)) == ("link", ["alice"])


@pytest.mark.parametrize(
    ("encoding", "name"), [("gbk", "王喆"), ("cp437", "José_x"), ("cp437", "Süßmann"), ("utf-8", "Zoë")]
)
def test_names_in_any_encoding(tmp_path: Path, course: Course, encoding: str, name: str) -> None:
    """Situation C123: a zip that does not say how its names are written shows them as they were."""
    raw = f"{name}/concat.py".encode(encoding)
    stand_in = "n" * (len(raw) - len("/concat.py")) + "/concat.py"
    packed = zipped(tmp_path / "in.zip", {stand_in: RIGHT}).read_bytes()
    (tmp_path / "in.zip").write_bytes(packed.replace(stand_in.encode(), raw))
    assert list(read(tmp_path / "in.zip", course).sources) == [name]


def test_backslashes_separate_folders(tmp_path: Path, course: Course) -> None:
    """A zip that was packed with backslashes has the same students."""
    assert list(read(zipped(tmp_path / "in.zip", {"alice\\concat.py": RIGHT}), course).sources) == ["alice"]


def test_an_archive_that_a_student_handed_in_is_opened(tmp_path: Path, course: Course) -> None:
    """One level deep, in a folder and in an archive; a bomb or a third level there is that student's row alone."""
    inner = zipped(tmp_path / "inner.zip", {"concat.py": RIGHT}).read_bytes()
    bomb = tarred(tmp_path / "bomb.tgz", {"concat.py": RIGHT, "zeros": bytes(80 * 2**20), "last": "x"}).read_bytes()
    deep = zipped(tmp_path / "deep.zip", {"x.zip": inner}).read_bytes()
    files = {"alice/hw.zip": inner, "bob/hw.tgz": bomb, "carol/hw.zip": deep, "dave/concat.py": WRONG}
    for path in (written(tmp_path / "in", files), zipped(tmp_path / "all.zip", files)):
        found = read(path, course)
        assert found.sources["alice"] == RIGHT
        assert found.sources["dave"] == WRONG
        assert found.reason("carol") == "nested_too_deep"
    # the answer stands before the bomb and is read; what follows is not unpacked
    assert "bob" in found.rows


# --- bombs -----------------------------------------------------------------------------------------------------------


def test_a_file_that_expands_is_read_no_further_than_allowed(tmp_path: Path, course: Course) -> None:
    """Situation C130: a gigabyte of zeros as concat.py costs a megabyte, and its student a reason."""
    with zipfile.ZipFile(tmp_path / "in.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("alice/concat.py", RIGHT)
        with archive.open("bob/concat.py", "w") as bomb:
            for _ in range(64):
                bomb.write(bytes(2**20))
    found = read(tmp_path / "in.zip", course)
    assert (found.sources, found.reason("bob")) == ({"alice": RIGHT}, "file_too_large")


def test_a_file_that_lies_about_its_size_is_read_no_further(tmp_path: Path, course: Course) -> None:
    """A size of ten bytes in the table of contents does not let megabytes in."""
    packed = bytearray(
        zipped(tmp_path / "in.zip", {"bob/concat.py": bytes(3 * 2**20), "a/concat.py": RIGHT}).read_bytes()
    )
    at = packed.find(b"PK\x01\x02")
    packed[at + 24 : at + 28] = struct.pack("<I", 10)
    (tmp_path / "in.zip").write_bytes(packed)
    found = read(tmp_path / "in.zip", course)
    assert (list(found.sources), found.rows["bob"].state) == (["a"], "unreadable")


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_a_tar_that_expands_is_refused(tmp_path: Path, course: Course, mode: str) -> None:
    """A member of zeros is not unpacked to reach the next one."""
    path = tarred(tmp_path / "in.tar", {"zeros": bytes(80 * 2**20), "alice/concat.py": RIGHT}, mode)
    with pytest.raises(UsageError, match=r"batch\.bomb"):
        read(path, course)


def test_a_header_that_expands_is_refused(tmp_path: Path, course: Course) -> None:
    """A tar whose long name has a hundred megabytes is refused before it is in memory."""
    long_name = tarfile.TarInfo("././@LongLink")
    long_name.type, long_name.size = tarfile.GNUTYPE_LONGNAME, 100 * 2**20
    with gzip.open(tmp_path / "in.tgz", "wb") as file:
        file.write(long_name.tobuf(tarfile.GNU_FORMAT) + bytes(100 * 2**20))
    with pytest.raises(UsageError, match=r"batch\.bomb"):
        read(tmp_path / "in.tgz", course)


def test_too_many_entries_are_refused(tmp_path: Path, course: Course) -> None:
    """Situation C130: a zip of a hundred thousand empty files is refused as a whole."""
    path = tmp_path / "in.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for i in range(50_001):
            archive.writestr(zipfile.ZipInfo(f"alice/{i}"), b"")
    with pytest.raises(UsageError, match=r"batch\.too_many_entries"):
        read(path, course)


# --- broken ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("keep", [0.3, 0.7])
def test_a_broken_archive_is_told(tmp_path: Path, course: Course, pack: Callable[..., Path], keep: float) -> None:
    """Situation C143: half a download is refused before anything is graded, never read as a smaller class."""
    noise = "".join(f"# {i * i}\n" for i in range(20_000))
    path = pack(tmp_path / "in.zip", {"alice/concat.py": RIGHT, "bob/concat.py": noise, "carol/concat.py": noise[5:]})
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * keep)])
    with pytest.raises(UsageError, match=r"batch\.broken_archive"):
        read(path, course)


def test_a_damaged_entry_is_its_students_row(tmp_path: Path, course: Course) -> None:
    """One entry whose content does not fit its checksum is told; the others are graded."""
    packed = bytearray(zipped(tmp_path / "in.zip", {"alice/concat.py": RIGHT, "bob/concat.py": WRONG}).read_bytes())
    at = packed.rfind(b"PK\x03\x04")
    packed[at + 14 : at + 18] = b"1234"
    central = packed.rfind(b"PK\x01\x02")
    packed[central + 16 : central + 20] = b"1234"
    (tmp_path / "in.zip").write_bytes(packed)
    found = read(tmp_path / "in.zip", course)
    assert (list(found.sources), found.reason("bob")) == (["alice"], "damaged")


def test_an_encrypted_entry_is_told(tmp_path: Path, course: Course) -> None:
    """An entry with a password is a row with that reason."""
    packed = bytearray(zipped(tmp_path / "in.zip", {"alice/concat.py": RIGHT, "bob/concat.py": WRONG}).read_bytes())
    central = packed.rfind(b"PK\x01\x02")
    packed[central + 8] |= 1
    (tmp_path / "in.zip").write_bytes(packed)
    found = read(tmp_path / "in.zip", course)
    assert (list(found.sources), found.reason("bob")) == (["alice"], "encrypted")


@pytest.mark.parametrize("start", [b"Rar!\x1a\x07", b"7z\xbc\xaf\x27\x1c"])
def test_other_archives_are_told(tmp_path: Path, course: Course, start: bytes) -> None:
    """RAR and 7z are named as what they are."""
    (tmp_path / "in.zip").write_bytes(start + bytes(600))
    with pytest.raises(UsageError, match=r"batch\.other_archive"):
        read(tmp_path / "in.zip", course)


# --- one student's archive is that student's problem -----------------------------------------------------------------


def test_an_archive_of_too_many_entries_is_its_students_row(tmp_path: Path, course: Course) -> None:
    """Situation: a student's zip of fifty thousand empty files ended the run for the whole class, and named nobody."""
    many = zipped(tmp_path / "many.zip", {f"{i:x}": "" for i in range(50_010)}).read_bytes()
    files = {"mallory/hw.zip": many, "zoe/concat.py": RIGHT}
    for path in (written(tmp_path / "in", files), zipped(tmp_path / "all.zip", files)):
        found = read(path, course)
        assert (found.sources, found.reason("mallory")) == ({"zoe": RIGHT}, "nested_too_much")
        assert found.rows["mallory"].place == "mallory/hw.zip"


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_of_too_many_bytes_is_its_students_row(
    tmp_path: Path, course: Course, pack: Callable[..., Path]
) -> None:
    """Situation: a zip of two megabytes with thousands of sources of a megabyte each filled the disk for everybody."""
    large = pack(tmp_path / "large", {f"{i}.py": bytes(2**20) for i in range(80)}).read_bytes()
    found = read(written(tmp_path / "in", {"mallory/hw.zip": large, "zoe/concat.py": RIGHT}), course)
    assert (found.sources, found.reason("mallory")) == ({"zoe": RIGHT}, "nested_too_much")


def test_many_archives_do_not_end_the_run_either(
    tmp_path: Path, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Situation: archives that are small enough one by one, and too much together, cost no one else a plain file."""
    monkeypatch.setattr("grader.gradebook.inputs.reading.MAX_ALL_UNPACKED", 3 * 2**20)
    large = zipped(tmp_path / "large.zip", {"a.py": "#" * 2**20}).read_bytes()
    files = {**{f"mallory/{i}.zip": large for i in range(5)}, "zoe/concat.py": RIGHT}
    found = read(written(tmp_path / "in", files), course)
    assert (found.sources, found.reason("mallory")) == ({"zoe": RIGHT}, "nested_too_much")


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["concat" + "(1)" * 2000, "concat" + " " * 60_000, "a\u0301\u0323" * 13_000])
@pytest.mark.parametrize("place", ["{}.py", "{}/concat.py", "x/{}/concat.py"])
def test_a_name_that_is_too_long_is_its_files_problem(tmp_path: Path, course: Course, name: str, place: str) -> None:
    """Situation: thousands of copy marks, blanks or accents in a name ended the run or held it up for a minute."""
    start = time.process_time()
    inner = zipped(tmp_path / "hw.zip", {place.format(name): RIGHT}).read_bytes()
    found = read(written(tmp_path / "in", {"mallory/hw.zip": inner, "zoe/concat.py": RIGHT}), course)
    assert (found.sources, found.reason("mallory")) == ({"zoe": RIGHT}, "name_too_long")
    packed = tarred(tmp_path / "all.tar", {f"mallory/{place.format(name)}": RIGHT, "zoe/concat.py": RIGHT})
    found = read(packed, course)
    assert (found.sources, found.reason("mallory")) == ({"zoe": RIGHT}, "name_too_long")
    assert len(found.rows["mallory"].place) < 300
    assert time.process_time() - start < 2


def test_a_name_as_long_as_file_systems_take_is_read(tmp_path: Path, course: Course) -> None:
    """Situation: a folder and a file with the longest names that Linux knows, and copy marks up to its end."""
    path = f"mallory/{'x' * 255}/concat{'(1)' * 82}.py"
    found = read(written(tmp_path / "in", {path: RIGHT, "zoe/concat.py": WRONG}), course)
    assert found.sources == {"mallory": RIGHT, "zoe": WRONG}
