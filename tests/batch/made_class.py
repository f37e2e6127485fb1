"""Made submissions for 04_concat, ways to pack them, and what one run of `grade batch` came to."""

import csv
import io
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.gradebook.inputs.collect import collected

ROOT = Path(__file__).parents[2]
EXERCISE = "04_concat"

RIGHT = "import numpy as np\n\n\ndef concat_heads(heads):\n    return np.concatenate(list(heads), axis=-1)\n"
WRONG = "def concat_heads(heads):\n    return heads.reshape(heads.shape[1], -1)\n"
STARTER = "def concat_heads(heads):\n    raise NotImplementedError\n"
LOOP = "def concat_heads(heads):\n    while True:\n        pass\n"
SYNTAX = "def concat_heads(heads)\n    return heads\n"


@dataclass(frozen=True)
class Ran:
    """How one run of the command ended."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def rows(self) -> dict[str, dict[str, str]]:
        """The rows of grades.csv by student."""
        text = (self.folder / "grades.csv").read_text(encoding="utf-8-sig")
        return {row["student"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}


def written(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def tarred(path: Path, files: Mapping[str, str | bytes], mode: str = "w:gz") -> Path:
    """Write a tar."""
    with tarfile.open(path, mode) as archive:
        for name, content in files.items():
            raw = content.encode() if isinstance(content, str) else content
            one = tarfile.TarInfo(name)
            one.size = len(raw)
            archive.addfile(one, io.BytesIO(raw))
    return path


def read(path: Path, course, *, asked=(EXERCISE,), roster=None, every=False, layout=None):
    """What an input comes to: its rows by student, its doubts and notes as keys, the sources by student."""
    nowhere = path.parent / "no-such-folder"
    with collected(path, course, asked, roster, every=every, leave_out=nowhere, layout=layout) as found:
        sources = {row.student: found.spool.read(row.source).decode() for row in found.rows if row.source}
        rows = {row.student: row for row in found.rows}
        doubts = [doubt.key.partition(".")[2] for doubt in found.doubts]
        notes = [note.key.partition(".")[2] for note in found.notes]
        return Input(rows, sources, doubts, notes, dict(found.names))


@dataclass(frozen=True)
class Input:
    """What `read` returns."""

    rows: dict
    sources: dict[str, str]
    doubts: list[str]
    notes: list[str]
    names: dict[str, str]

    def reason(self, student: str) -> str:
        """Key of the reason why a student's row has no source."""
        return self.rows[student].reason.key.partition(".")[2]
