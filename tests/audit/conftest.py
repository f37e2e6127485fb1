"""A course of one tiny exercise, the skeleton of a new one with its TODOs filled, copied anew for each test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_course import NAME, Tiny

from grader.audit.skeleton import MARK, cards, skeleton
from grader.sandbox.client import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One warm sandbox for all tests of this folder."""
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course as `grade new` writes it, where an author has filled every TODO; the starter keeps its own."""
    root = tmp_path_factory.mktemp("course")
    for path, text in skeleton(NAME).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        starter = path.name == "centre.py" and path.parts[0] == "exercises"
        (root / path).write_text(text if starter else MARK.sub("", text), encoding="utf-8")
    (root / "exercises" / "mistakes.toml").write_text(MARK.sub("", cards(NAME)), encoding="utf-8")
    return root


@pytest.fixture
def tiny(good: Path, tmp_path: Path, sandbox: Sandbox) -> Tiny:
    """A copy of the good course, to be broken."""
    shutil.copytree(good, tmp_path, dirs_exist_ok=True)
    return Tiny(tmp_path, sandbox)
