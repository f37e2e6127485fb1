"""What was reached is counted as the help says, and no crash, no second run and no damaged file loses it."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.model import CaseFailure, GradeReport, Message, Verdict
from grader.progress import (
    UNRECORDED,
    MetMistake,
    Progress,
    ProgressFile,
    Record,
    hint_wait_s,
    newly_overcome,
    next_exercise,
    now,
    with_hint,
    with_report,
)
from tests.report import samples

ROOT = Path(__file__).parents[2]
FIRST, SECOND, THIRD = "2026-03-01T09:30:00Z", "2026-03-01T09:31:00Z", "2026-03-01T09:32:00Z"
NAMES = ("01_split_heads", "03_masked_softmax", "04_concat", "05_output_projection")


def after(*reports: GradeReport) -> Record:
    """The record of 04_concat after these reports, a minute apart."""
    progress = Progress()
    for report, when in zip(reports, (FIRST, SECOND, THIRD), strict=False):
        progress = with_report(progress, report, when)
    return progress.record("04_concat")


# --- what is counted -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", UNRECORDED)
def test_what_says_nothing_of_the_student_changes_nothing(verdict: Verdict) -> None:
    """An untouched starter is not started, and a fault of the grader is nobody's attempt."""
    progress = with_report(Progress(), samples.concat_merged(), FIRST)
    assert with_report(progress, replace(samples.concat_merged(), verdict=verdict), SECOND) is progress


def test_the_best_score_stays() -> None:
    """A worse answer after a better one leaves the best score, measured as a share of the points there were."""
    good = replace(samples.unknown(), points=3.0, max_points=4.0)
    assert (after(good).points, after(good).max_points) == (3, 4)
    worse, better = replace(good, points=4.0, max_points=10.0), replace(good, points=9.0, max_points=10.0)
    assert (after(good, worse).points, after(good, worse).max_points, after(good, worse).runs) == (3, 4, 2)
    assert (after(good, better).points, after(good, better).max_points) == (9, 10)


def test_an_exercise_is_complete_once_all_checks_passed_and_stays_so() -> None:
    """The time of the first full score is kept, whatever comes later."""
    assert after(samples.concat_merged()).completed is None
    assert after(samples.concat_merged(), samples.accepted(), samples.concat_merged()).completed == SECOND


def test_a_mistake_is_met_and_overcome() -> None:
    """It is met when it is named, and overcome once the answer is right, or explained by other mistakes alone."""
    wrong = samples.concat_merged()
    slug = "merge-without-transpose"
    (finding,) = wrong.diagnosis.findings
    other = replace(finding, mistake=replace(finding.mistake, slug="heads-reversed"))
    elsewhere = replace(wrong, diagnosis=replace(wrong.diagnosis, findings=(other,)))
    assert after(wrong, elsewhere).mistakes == {
        slug: MetMistake(FIRST, FIRST, SECOND),
        "heads-reversed": MetMistake(SECOND, SECOND),
    }
    assert newly_overcome(after(wrong), after(wrong, elsewhere)) == (slug,)
    assert newly_overcome(after(wrong, elsewhere), after(wrong, elsewhere, elsewhere)) == ()
    assert after(wrong).mistakes == {slug: MetMistake(FIRST, FIRST)}
    assert after(wrong, wrong).mistakes == {slug: MetMistake(FIRST, SECOND)}
    assert after(wrong, samples.unknown()).mistakes == {slug: MetMistake(FIRST, FIRST)}
    assert after(wrong, samples.accepted(), samples.accepted()).mistakes == {slug: MetMistake(FIRST, FIRST, SECOND)}


def test_a_mistake_that_comes_back_is_open_again() -> None:
    """A mistake that shows again after a full score counts as met, since its first time, and not as overcome."""
    wrong = samples.concat_merged()
    assert after(wrong, samples.accepted(), wrong).mistakes == {"merge-without-transpose": MetMistake(FIRST, THIRD)}


def test_only_what_is_certain_is_met() -> None:
    """Several mistakes in one answer are all met; of several that cannot be told apart none is."""
    assert len(after(samples.several()).mistakes) == 2
    assert after(samples.family()) == replace(after(samples.unknown()), points=samples.family().points)


def test_an_answer_that_could_not_be_examined_leaves_what_was_detected() -> None:
    """After a slip of syntax the hints still know the mistake; an answer that shows none makes them forget it."""
    wrong = samples.concat_merged()
    assert after(wrong, samples.syntax_error()).detected == ("merge-without-transpose",)
    assert after(wrong, samples.unknown()).detected == ()
    assert after(wrong, samples.accepted()).detected == ()


def test_no_hint_is_given_on_a_mistake_where_all_that_is_written_passes() -> None:
    """An unfinished answer shows no mistake any more; none is called overcome before its function is there."""
    wrong = samples.concat_merged()
    unwritten = CaseFailure("", Message("sandbox.not_written"))
    *passed, last = wrong.checks
    checks = (*(replace(each, failures=()) for each in passed), replace(last, failures=(unwritten,)))
    record = after(wrong, replace(samples.syntax_error(), verdict=Verdict.PARTLY, checks=checks, reason=None))
    assert record.detected == ()
    assert record.mistakes["merge-without-transpose"].overcome is None


def test_every_way_to_end_can_be_recorded(tmp_path: Path) -> None:
    """Whatever the report, its record is written and read back as it was."""
    for name, report in samples.all_reports().items():
        file = ProgressFile(tmp_path / name / ".manyheads", pytest.fail)
        (tmp_path / name).mkdir()
        file.change(lambda old, report=report: with_report(old, report, now()))
        assert file.read().record(report.exercise).runs == (report.verdict not in UNRECORDED)


def test_a_hint_asks_for_a_pause_until_something_is_graded() -> None:
    """The pause begins with the last hint, and ends after a minute or with the next graded answer."""
    progress = with_hint(Progress(), "04_concat", "1", FIRST)
    assert [hint_wait_s(progress.record("04_concat"), when) for when in (FIRST, SECOND)] == [60, 0]
    assert hint_wait_s(replace(progress.record("04_concat"), hinted="no time"), FIRST) == 0
    graded = with_report(progress, samples.concat_merged(), FIRST)
    assert hint_wait_s(graded.record("04_concat"), FIRST) == 0


def test_a_rung_is_remembered_once() -> None:
    """Rungs are kept in the order in which they were shown, and beside the results."""
    progress = with_report(Progress(), samples.concat_merged(), FIRST)
    for rung in ("b.question", "1", "b.question"):
        progress = with_hint(progress, "04_concat", rung)
    assert progress.record("04_concat").hints == ("b.question", "1")
    assert progress.record("04_concat").runs == 1
    assert progress.last == "04_concat"


@pytest.mark.parametrize(
    ("complete", "last", "following"),
    [
        ((), None, "01_split_heads"),
        ((), "04_concat", "04_concat"),
        (("04_concat",), "04_concat", "05_output_projection"),
        (("04_concat", "05_output_projection"), "04_concat", "01_split_heads"),
        (("01_split_heads", "03_masked_softmax"), "01_split_heads", "04_concat"),
        (NAMES, "04_concat", None),
        ((), "99_of_another_course", "01_split_heads"),
    ],
)
def test_the_next_exercise_follows_the_last_one(complete: tuple[str, ...], last: str | None, following: str) -> None:
    """It is the one attempted last or the first after it that is not complete, from the start again at the end."""
    records = {name: Record(runs=1, completed=FIRST) for name in complete}
    assert next_exercise(Progress(records, last), NAMES) == following


def test_a_time_is_utc_to_the_second() -> None:
    """Times can be compared as texts."""
    assert len(now()) == len(FIRST)
    assert now().endswith("Z")


# --- the file ------------------------------------------------------------------------------------------------------


def test_nothing_of_the_code_is_kept(tmp_path: Path) -> None:
    """The file holds names, numbers and times: no source, no output, no text of an exception."""
    report = replace(samples.raises_everywhere(), diagnosis=samples.concat_merged().diagnosis)
    ProgressFile(tmp_path / ".manyheads", pytest.fail).change(lambda old: with_report(old, report, FIRST))
    tree = json.loads((tmp_path / ".manyheads" / "progress.json").read_text())
    assert tree == {
        "schema": 1,
        "last": "04_concat",
        "exercises": {
            "04_concat": {
                "runs": 1,
                "points": report.points,
                "max_points": report.max_points,
                "completed": None,
                "detected": ["merge-without-transpose"],
                "mistakes": {"merge-without-transpose": {"first_seen": FIRST, "last_seen": FIRST, "overcome": None}},
                "hints": [],
                "hinted": None,
            }
        },
    }


def test_what_does_not_change_is_not_written(tmp_path: Path) -> None:
    """Without a change the file is not touched."""
    file = ProgressFile(tmp_path / ".manyheads", pytest.fail)
    file.change(lambda old: old)
    assert not (tmp_path / ".manyheads" / "progress.json").exists()


def test_killed_at_any_moment_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """However far a run had come when it was killed: what was recorded before is there, and the next run goes on."""
    command = [sys.executable, str(Path(__file__).with_name("killed.py")), str(tmp_path / ".manyheads")]
    done = subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    moments, *left = done.stdout.split()
    assert int(moments) > 100
    assert left == [".gitignore", "progress.json", "progress.lock"]


def test_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    """Four processes that record at the same time wait for each other: everything is there at the end."""
    folder = tmp_path / ".manyheads"
    command = [sys.executable, str(Path(__file__).with_name("writer.py")), str(folder)]
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": {"PYTHONPATH": str(ROOT)}}
    running = [subprocess.Popen([*command, name, "20"], **options) for name in NAMES]
    for each in running:
        assert each.stdout.readline() == "ready\n"
    for each in running:
        each.stdin.write("\n")
        each.stdin.flush()
    assert [each.communicate(timeout=60)[0] for each in running] == [""] * 4
    found = ProgressFile(folder, pytest.fail).read()
    assert {name: len(record.hints) for name, record in found.exercises.items()} == dict.fromkeys(NAMES, 20)


GOOD = '{"schema": 1, "last": null, "exercises": {}}'
RECORD = '"runs": 1, "points": 1.0, "max_points": 2.0, "completed": null, "detected": [], "mistakes": {}, "hints": []'


def in_record(text: str) -> str:
    """A file with one exercise."""
    return f'{{"schema": 1, "last": null, "exercises": {{"a": {{{text}}}}}}}'


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "Expecting value"),
        (GOOD[:-1], "Expecting ',' delimiter"),
        ("[]", "top level"),
        ("[" * 100_000, "recursion"),
        ("\udcff", "decode"),
        (" " * (2**22 + 1), "more than 4194304 bytes"),
        (GOOD.replace("1", "0"), "schema 0"),
        (GOOD.replace("1", '"1"'), "top level, schema"),
        (GOOD.replace("null", "4"), "top level, last"),
        (GOOD.replace('"last": null, ', ""), "top level"),
        (GOOD.replace("{}", '{"a": 1}'), "a"),
        (in_record(RECORD.replace("1.0", "NaN")), "a, points"),
        (in_record(RECORD.replace("1.0", "1e999")), "a, points"),
        (in_record(RECORD.replace("1.0", '"1"')), "a, points"),
        (in_record(RECORD.replace('"hints": []', '"hints": [1]')), "a, hints"),
        (in_record(RECORD.replace('"mistakes": {}', '"mistakes": {"b": {}}')), "a, b"),
        (in_record(RECORD + ', "source": "print()"'), "a"),
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, content: str, fault: str) -> None:
    """What cannot be understood is kept under another name, that is said, and recording begins anew."""
    folder = tmp_path / ".manyheads"
    folder.mkdir()
    (folder / "progress.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    said: list[Message] = []
    assert ProgressFile(folder, said.append).read() == Progress()
    (aside,) = folder.glob("progress.damaged-*.json")
    assert aside.read_bytes() == content.encode("utf-8", "surrogateescape")
    assert [message.key for message in said] == ["state.damaged"]
    assert said[0].fields["aside"] == aside.name
    assert fault in str(said[0].fields["fault"])
    ProgressFile(folder, pytest.fail).change(lambda old: with_hint(old, "04_concat", "1"))
    assert ProgressFile(folder, pytest.fail).read().record("04_concat").hints == ("1",)


def test_two_damaged_files_have_two_names(tmp_path: Path) -> None:
    """A file that was set aside is never overwritten by the next one, even within a second."""
    folder = tmp_path / ".manyheads"
    folder.mkdir()
    for content in ("one", "two", "three"):
        (folder / "progress.json").write_text(content)
        ProgressFile(folder, lambda _message: None).read()
    assert sorted(path.read_text() for path in folder.glob("progress.damaged-*.json")) == ["one", "three", "two"]


def test_a_newer_file_is_refused_and_stays(tmp_path: Path) -> None:
    """What a newer release has written is neither read nor changed."""
    folder = tmp_path / ".manyheads"
    folder.mkdir()
    newer = '{"schema": 2, "heads": 8}'
    (folder / "progress.json").write_text(newer)
    file = ProgressFile(folder, pytest.fail)
    for use in (file.read, lambda: file.change(lambda old: with_hint(old, "04_concat", "1"))):
        with pytest.raises(UsageError) as refused:
            use()
        assert refused.value.message.key == "state.newer"
        assert (refused.value.message.fields["schema"], refused.value.message.fields["known"]) == (2, 1)
    assert (folder / "progress.json").read_text() == newer


def test_half_a_character_in_a_name_is_no_reason_to_fail(tmp_path: Path) -> None:
    """Half a surrogate pair, which JSON can hold, is read and written again."""
    folder = tmp_path / ".manyheads"
    folder.mkdir()
    (folder / "progress.json").write_text(in_record(RECORD.replace('"hints": []', r'"hints": ["\ud800"]')))
    file = ProgressFile(folder, pytest.fail)
    file.change(lambda old: with_hint(old, "a", "1"))
    assert file.read().record("a").hints == ("\ud800", "1")


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_what_is_no_ordinary_file_is_left_alone(tmp_path: Path, kind: str) -> None:
    """A link or a folder in place of the file is neither followed nor replaced."""
    folder = tmp_path / ".manyheads"
    folder.mkdir()
    if kind == "link":
        (tmp_path / "elsewhere").write_text(GOOD)
        (folder / "progress.json").symlink_to(tmp_path / "elsewhere")
    else:
        (folder / "progress.json").mkdir()
    file = ProgressFile(folder, pytest.fail)
    with pytest.raises(OSError, match=r"progress\.json"):
        file.change(lambda old: with_hint(old, "a", "1"))
    if kind == "link":
        assert (tmp_path / "elsewhere").read_text() == GOOD
