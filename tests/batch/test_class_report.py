"""The report on a class: what it counts, where it leads, and that a whole course fits on it."""

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from made_class import EXERCISE
from made_results import filled, made_report, refused_a_socket

from grader.course import Course
from grader.gradebook.attention import Why, why_a_person
from grader.gradebook.class_report import ClassNotes, _Class
from grader.gradebook.files import export
from grader.gradebook.inputs.collect import Row
from grader.model import LANGUAGES, Message, Verdict
from grader.report.class_page import binned

ROW_OF = '<th scope="row"><span class="id">{}</span></th>'
ALL, NONE, HALF = [True] * 6, [False] * 6, [True] * 3 + [False] * 3


@pytest.fixture
def slugs(course: Course) -> list[str]:
    """Three mistakes: two of row E3, one of no row."""
    of_row = [slug for slug, mistake in course.mistakes.items() if mistake.row == "E3"][:2]
    return [*of_row, next(slug for slug, mistake in course.mistakes.items() if mistake.row is None)]


def written(folder: Path, course: Course, reports, rows=(), language="en") -> str:
    """The page, without its style."""
    book = filled(folder, reports, rows)
    export(book, course, folder, language)
    book.close()
    return re.sub(r"<style>.*?</style>", "", (folder / "index.html").read_text(encoding="utf-8"), flags=re.DOTALL)


def plain(page: str) -> str:
    """What a reader sees, as one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page.replace("<wbr>", ""))).split())


def letters(text: str) -> str:
    """A text without spaces and marks."""
    return "".join(filter(str.isalnum, text))


def test_scores_go_into_tenths_and_full_points_apart() -> None:
    """A share on the border of two tenths belongs to the upper one; nearly full is not full."""
    assert binned([0, 0.09, 0.1, 0.3, 0.29999, 0.999, 1, 1.2]) == [2, 1, 1, 1, 0, 0, 0, 0, 0, 1, 2]


def test_each_check_says_how_many_passed(course: Course, tmp_path: Path) -> None:
    """The share of a check counts those who attempted; an untouched starter and who is missing count nowhere."""
    reports = [made_report(course, f"s{i}", checks) for i, checks in enumerate([ALL, HALF, HALF, NONE])]
    starter = made_report(course, "starter", NONE, verdict=Verdict.NOT_ATTEMPTED)
    page = plain(written(tmp_path, course, [*reports, starter], [Row("zed", EXERCISE, "missing")]))
    rules = list(course.exercises[EXERCISE].rules.values())
    assert f"{rules[0].en} 3 of 4 (75%)" in page
    assert f"{rules[5].en} 1 of 4 (25%)" in page
    assert "6 in the class" in page
    assert "Graded: 5. Attempted: 4. All points: 1. Median: 3 / 6." in page


def test_a_zero_for_nothing_is_not_graded(course: Course, tmp_path: Path) -> None:
    """With `--missing zero` who handed in nothing has points, and is not counted as graded."""
    book = filled(tmp_path, [made_report(course, "a", ALL)], [Row("zed", EXERCISE, "missing")])
    book.settle("missing", "zero")
    export(book, course, tmp_path, "en")
    book.close()
    page = plain((tmp_path / "index.html").read_text(encoding="utf-8"))
    assert "Graded submissions: 1." in page
    assert "Graded: 1. Attempted: 1. All points: 1. Median: 3 / 6." in page


def test_mistakes_are_counted_by_student_rows_of_the_lesson_first(
    course: Course, tmp_path: Path, slugs: list[str]
) -> None:
    """All five rows in order; a student with two mistakes of a row counts once; what is unsure counts apart."""
    one, other, rowless = slugs
    reports = [
        made_report(course, "a", HALF, mistakes={one: True, other: True}),
        made_report(course, "b", HALF, mistakes={one: True}),
        made_report(course, "c", HALF, mistakes={rowless: False, other: False}),
        made_report(course, "d", ALL),
    ]
    page = plain(written(tmp_path, course, reports))
    titles = {row.id: row.title.en for row in course.rows.values()}
    places = [page.index(f"{row} {title}") for row, title in titles.items()]
    assert places == sorted(places)
    assert f"E3 {titles['E3']} 2 of 4 (50%) perhaps also: 1" in page
    assert f"E1 {titles['E1']} cannot occur in this exercise" in page  # no model of 04_concat is of that row
    assert f"{course.mistakes[one].title.en} 04_concat 2 of 4 (50%)" in page
    assert f"{course.mistakes[rowless].title.en} 04_concat 0 of 4 (0%) perhaps also: 1" in page
    assert page.index("Each mistake by itself") > max(places)


def test_a_row_that_can_occur_says_nobody(course: Course, tmp_path: Path, slugs: list[str]) -> None:
    """Nobody made it where somebody could, cannot occur where no exercise has it; the share is of those who could."""
    one, _, _ = slugs
    reports = [made_report(course, "a", HALF, mistakes={one: True})]
    reports += [made_report(course, who, HALF, exercise="02_scaled_scores") for who in ("a", "b", "c")]
    pages = [plain(written(tmp_path / language, course, reports, language=language)) for language in LANGUAGES]
    for page, language, nobody, cannot in zip(
        *(pages, LANGUAGES, ("nobody", "无"), ("cannot occur in these exercises", "这些练习中不会出现")), strict=True
    ):
        titles = {row.id: row.title.in_language(language) for row in course.rows.values()}
        assert f"E2 {titles['E2']} {nobody}" in page
        assert f"E5 {titles['E5']} {cannot}" in page
    assert f"{course.mistakes[one].title.en} 04_concat 1 of 1 (100%)" in pages[LANGUAGES.index("en")]


def test_a_row_holds_the_mistakes_that_the_course_puts_there(course: Course, tmp_path: Path, slugs: list[str]) -> None:
    """A card that has left a row since a result was graded is not counted there; one that is gone stays as graded."""
    rowless = slugs[2]
    report = made_report(course, "a", HALF, mistakes={rowless: True})
    older = [replace(each, mistake=replace(each.mistake, row="E3")) for each in report.diagnosis.findings]
    then = replace(report, diagnosis=replace(report.diagnosis, findings=tuple(older)))
    title = f"E3 {course.rows['E3'].title.en}"
    assert f"{title} nobody" in plain(written(tmp_path, course, [then]))
    gone = [replace(each, mistake=replace(each.mistake, slug="a-card-of-then")) for each in older]
    then = replace(then, diagnosis=replace(then.diagnosis, findings=tuple(gone)))
    assert f"{title} 1 of 1 (100%)" in plain(written(tmp_path / "gone", course, [then]))


def test_what_comes_together_and_what_to_discuss(course: Course, tmp_path: Path, slugs: list[str]) -> None:
    """Mistakes that come together more often than by chance are a pair; one of many has its question and examples."""
    one, other, _ = slugs
    both = {one: True, other: True}
    reports = [made_report(course, name, HALF, mistakes=both) for name in ("a b", "b", "e")]
    reports += [made_report(course, "c", HALF, mistakes={one: True}), made_report(course, "d", ALL)]
    whole = written(tmp_path, course, reports)
    page = plain(whole)
    titles = [course.mistakes[slug].title.en for slug in both]
    assert any(f"{first} + {second} 3 of 3 (100%)" in page for first, second in (titles, titles[::-1]))
    assert f"Made by 4 of 5 students (80%): {EXERCISE}" in page
    assert letters(course.mistakes[one].question.en) in letters(page)
    assert 'href="reports/a%20b/04_concat.html"' in whole
    everybody = plain(written(tmp_path / "all", course, [each for each in reports if each.diagnosis.findings]))
    assert "Mistakes that come together" not in everybody  # who made the other one made this one, as everybody did


def test_one_file_that_says_nothing_on_several_exercises_is_listed_once(course: Course, tmp_path: Path) -> None:
    """A broken archive is one thing to look at, whatever was asked for; in the table it is not the same as nothing."""
    names = ["02_scaled_scores", EXERCISE]
    rows = [Row("zip", name, "unreadable", "zip/hw.zip", reason=Message("batch.damaged")) for name in names]
    rows += [Row("nobody", name, "missing") for name in names]
    whole = written(tmp_path, course, [made_report(course, "a", ALL, exercise=name) for name in names], rows)
    assert "could not be read (1) zip 02_scaled_scores, 04_concat It was damaged" in plain(whole)
    sign = '<abbr title="unreadable" aria-hidden="true">!</abbr><span class="unseen">unreadable</span>'
    assert f'{ROW_OF.format("zip")}<td></td><td><a href="#look">{sign}</a></td>' in whole
    assert "<li>! unreadable</li>" in whole  # a sign is explained
    assert f"{ROW_OF.format('nobody')}<td></td><td>-</td><td>-</td>" in whole


def test_who_needs_a_person_is_listed_with_the_reason(course: Course, tmp_path: Path) -> None:
    """Crashed, limits, unreadable, unknown, and what reached for the network, refused or swallowed: each once."""
    reports = [
        made_report(course, "crash", NONE, verdict=Verdict.CRASHED),
        made_report(course, "slow", NONE, verdict=Verdict.TIME_LIMIT),
        made_report(course, "net", NONE, failure=refused_a_socket()),
        replace(made_report(course, "sly", ALL), reached=("network",)),
        made_report(course, "odd", HALF),
        made_report(course, "fine", ALL),
    ]
    page = plain(written(tmp_path, course, reports, [Row("zip", EXERCISE, "unreadable", reason=Message("batch.link"))]))
    listed = page.partition("Needs a person: 6")[2].partition("Exercises and checks")[2]
    assert "Needs a person: 6" in listed
    for said in (
        "What was handed in could not be read (1) zip 04_concat It is a link",
        "Reached for a file, a program or the network, and was refused (2) net 04_concat",
        "sly 04_concat",
        "Stopped while the file was loaded, or ended its process (1) crash 04_concat",
        "Stopped at the time limit (1) slow 04_concat",
        "Wrong, and no known mistake explains it (1) odd 04_concat",
    ):
        assert said in listed


def test_an_override_settles_it(course: Course, tmp_path: Path) -> None:
    """What a person has decided needs nobody, until the grader gives other points."""
    book = filled(tmp_path, [made_report(course, "crash", NONE, verdict=Verdict.CRASHED)])
    assert why_a_person(book.standings()[0]) is Why.CRASHED
    book.override("crash", EXERCISE, 3, "Li Wei", "seen it run")
    assert why_a_person(book.standings()[0]) is None
    book.add(1, made_report(course, "crash", HALF), "{}", "k2")
    assert why_a_person(book.standings()[0]) is Why.OVERRIDE


def test_a_whole_course_has_a_column_for_each_exercise(course: Course, tmp_path: Path) -> None:
    """With several exercises the table has totals and one column for each; what is not there counts nothing."""
    names = ["01_split_heads", EXERCISE]
    reports = [made_report(course, "a", ALL, exercise=name) for name in names]
    whole = written(tmp_path, course, [*reports, made_report(course, "b", ALL)])
    assert f'{ROW_OF.format("a")}<td>12</td><td><a href="reports/a/01_split_heads.html">6</a></td>' in whole
    assert f"{ROW_OF.format('b')}<td>6</td><td></td>" in whole


def test_the_number_of_a_row_is_explained(course: Course, tmp_path: Path, slugs: list[str]) -> None:
    """The caption says what E1 to E5 are, and the number of a single mistake has its row's title."""
    page = written(tmp_path, course, [made_report(course, "a", HALF, mistakes=dict.fromkeys(slugs, True))])
    assert "E1 to E5 are the mistakes made most often with multi-head attention" in page
    title = html.escape(course.rows["E3"].title.en.replace("`", ""))
    assert page.count(f'<abbr title="{title}">E3</abbr>') == 2  # two mistakes, and not the row itself


@pytest.mark.parametrize(
    ("language", "told"), [("en", "04_concat. Concat: put"), ("zh", "04_concat，Concat：把各个头")]
)
def test_a_column_is_a_number_that_is_explained(course: Course, tmp_path: Path, language: str, told: str) -> None:
    """What is seen is short; its name and title are there to be pointed at or heard, and the name above the table."""
    reports = [made_report(course, "a", ALL, exercise=name) for name in ("01_split_heads", EXERCISE)]
    whole = written(tmp_path, course, reports, language=language)
    (said,) = re.findall(r'<th scope="col"><abbr title="([^"]*)" aria-hidden="true">04</abbr>', whole)
    assert html.unescape(said).startswith(told)
    assert f'<span class="unseen">{said}</span>' in whole
    assert '<ul class="keys">' in whole
    assert '<li><a href="#exercise-2">04_concat</a></li>' in whole


def test_exercises_without_numbers_of_their_own_get_some(course: Course, tmp_path: Path) -> None:
    """Columns stay narrow whatever exercises are called; the number is said beside the name."""
    reports = [replace(made_report(course, "a", ALL), exercise=name) for name in ("heads", "softmax")]
    whole = written(tmp_path, course, reports)
    assert 'aria-hidden="true">1</abbr>' in whole
    assert '<li><a href="#exercise-2">2 softmax</a></li>' in whole


def test_mistakes_of_as_many_students_are_in_one_order_in_both_languages(course: Course, tmp_path: Path) -> None:
    """Ties go by what a mistake is called in the course, not by its title: the first twelve are the same ones."""
    slugs = [slug for slug in course.mistakes if slug.count("-")][:30]
    reports = [made_report(course, "a", HALF, mistakes=dict.fromkeys(slugs[::-1], True))]
    book = filled(tmp_path, reports)
    notes = [ClassNotes({}, language, "2026-01-01T00:00", book.policy()) for language in LANGUAGES]
    pages = [_Class(course, book.standings(), book.tallies(), note).page() for note in notes]
    book.close()
    titles = [[course.mistakes[slug].title.in_language(language) for slug in sorted(slugs)] for language in LANGUAGES]
    assert [[each.title for each in page.mistakes] for page in pages] == titles


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_runs_and_nothing_is_asked_for(course: Course, tmp_path: Path, language: str) -> None:
    """A name with markup is text; the page holds no script, and its policy lets it ask for nothing."""
    page = written(tmp_path, course, [made_report(course, "<script>alert(1)</script>", HALF)], language=language)
    assert "<script" not in page
    assert "default-src 'none'; style-src 'sha256-" in page
    assert page.count("<svg") == page.count('aria-hidden="true" viewBox') + page.count('role="img"')


def test_an_empty_class_is_a_page_all_the_same(course: Course, tmp_path: Path) -> None:
    """Nobody handed in anything that could be read: no division by nothing."""
    page = plain(written(tmp_path, course, [], [Row("zip", EXERCISE, "unreadable", reason=Message("batch.link"))]))
    assert "1 in the class" in page
    assert "No known mistake was detected." in page


def test_an_exercise_that_the_course_no_longer_has_keeps_its_results(course: Course, tmp_path: Path) -> None:
    """A gradebook outlives its course: names stand where titles are gone."""
    book = filled(tmp_path, [made_report(course, "a", HALF, mistakes={"merge-without-transpose": True})])
    export(book, Course(tmp_path), tmp_path, "en")
    assert "merge-without-transpose" in (tmp_path / "index.html").read_text(encoding="utf-8")
