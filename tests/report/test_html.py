"""The page is one file that needs nothing else, says everything in words, and reads in a sensible order."""

import base64
import hashlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

import grader.report.html
from grader.model import LANGUAGES, Counterexample, Diagnosis, DiagnosisKind, Shown
from grader.report.html import html_report
from tests.report import samples
from tests.report.samples import all_reports, course

REPORTS = all_reports()
VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """The elements of a page in order, and the text inside each."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements = []  # (tag, attributes, [text])
        self.open = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), []))
        if tag not in VOID:
            self.open.append(self.elements[-1])

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for _, _, text in self.open:
            text.append(data)

    def all(self, tag):
        return [
            (attributes, " ".join("".join(text).split())) for name, attributes, text in self.elements if name == tag
        ]

    def text(self, tag="body"):
        return " ".join(text for _, text in self.all(tag))


def page(name, language="en"):
    return Page(html_report(REPORTS[name], course(), language))


every_report = pytest.mark.parametrize("name", REPORTS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


@every_report
@every_language
def test_elements_are_closed_in_order(name, language):
    """The page is well formed: what opens closes, innermost first."""
    assert page(name, language).open == []


@every_report
@every_language
def test_the_page_refers_to_nothing_outside(name, language):
    """No script, no handler, no inline style, and no address but those of the page itself."""
    for tag, attributes, _ in page(name, language).elements:
        assert tag not in {"script", "link", "iframe", "img", "object", "embed", "base", "form", "image", "use"}
        for attribute, value in attributes.items():
            assert not attribute.startswith("on")
            assert attribute not in {"src", "style", "srcset", "action", "data", "xlink:href"}
            assert attribute != "href" or value.startswith("#")
    text = html_report(REPORTS[name], course(), language)
    assert "url(" not in text
    assert "@import" not in text
    assert not re.search(r"https?://", text)


def test_the_security_policy_allows_this_style_and_nothing_else():
    """The hash in the policy is the hash of the one style element."""
    text = html_report(REPORTS["named"], course(), "en")
    policy = next(a["content"] for a, _ in Page(text).all("meta") if a.get("http-equiv") == "Content-Security-Policy")
    style = re.search(r"<style>(.*?)</style>", text, flags=re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert text.count("<style") == 1


@every_report
@every_language
def test_headings_are_in_order(name, language):
    """One h1, and no level is skipped on the way down."""
    levels = [int(tag[1]) for tag, _, _ in page(name, language).elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


@every_report
def test_the_page_has_landmarks_and_unique_ids(name):
    """Header, main and footer are there once; every label points at an id that exists."""
    made = page(name)
    assert [len(made.all(tag)) for tag in ("header", "main", "footer")] == [1, 1, 1]
    ids = [attributes["id"] for _, attributes, _ in made.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    labels = [attributes["aria-labelledby"] for _, attributes, _ in made.elements if "aria-labelledby" in attributes]
    assert set(labels) <= set(ids)


@pytest.mark.parametrize(("language", "lang"), [("en", "en"), ("zh", "zh-CN")])
def test_the_page_names_its_language(language, lang):
    """A screen reader and a font choice both depend on it."""
    assert page("named", language).all("html")[0][0]["lang"] == lang


def test_the_score_is_said_in_words_and_with_a_sign():
    """Points, verdict and sign, none of them by colour alone."""
    assert "1.5 of 4.5 points ◑ Some checks pass" in page("named").text("header")
    assert "4.5 / 4.5 分 ✓ 全部检查通过" in page("accepted", "zh").text("header")


def rows(made):
    table = re.findall(r"<tr.*?</tr>", made, flags=re.DOTALL)
    return [Page(row).text("tr") for row in table]


def test_the_five_rows_of_the_lesson_come_first():
    """E1 to E5, those that cannot occur in one muted line, then the exercise's own; each with its result in words."""
    text = html_report(REPORTS["named"], course(), "en")
    table = rows(text)
    assert table[0] == "No. Mistake Result"
    assert table[1] == "E3 A reshape puts numbers in the wrong places ✗ detected"
    assert table[2:] == ["Mistakes of this exercise", "E3 Merging the heads without a transpose ✗ detected"]
    further = Page(text).all("details")[0][1]
    assert further.startswith(
        "Further mistakes of this exercise: 3 Interleaving the features of the heads not detected"
    )
    assert further.count(" not detected") == 3
    assert "E1, E2, E4, E5: cannot occur in this exercise" in Page(text).text("main")


def test_where_no_row_can_occur_one_line_says_so():
    """In an exercise on the softmax all five rows are the one muted line."""
    text = html_report(REPORTS["softmax"], course(), "zh")
    assert "E1, E2, E3, E4, E5: 本练习中不会出现" in Page(text).text("main")
    assert rows(text)[2] == "softmax 作用在 query 轴上，而不是 key 轴上 ✗ 检测到"


def test_a_detected_mistake_is_explained():
    """What is seen, how sure it is, the smallest input, why it is written, a question, where to look."""
    text = page("named").text("article")
    order = [
        "Your function behaves exactly as if it had this mistake:",
        "E3 Merging the heads without a transpose",
        "The shape is right, but a row of the output",
        "are the same: 14 of 14.",
        "concat_heads(heads)",
        "First wrong element: index [0,2] (L, d_model). Expected 5, yours 3.",
        "Why it is often written",
        "A question to think about",
        "Where to look next",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_arrays_are_heat_maps_with_a_text_alternative():
    """Two panels of the input, one of each result; each is an image with its numbers as label."""
    pictures = [attributes for attributes, _ in page("named").all("svg") if "aria-label" in attributes]
    assert [attributes["role"] for attributes in pictures] == ["img"] * 4
    assert pictures[1]["aria-label"].startswith("heads at index h [1], shape (h, L, d_v) = (2, 2, 2).")
    assert html_report(REPORTS["named"], course(), "en").count('class="frame"') == 1


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("accepted", "Every check passes, so there is no mistake to name."),
        ("named", "Your results match one known mistake."),
        ("several", "Start with the first one."),
        ("family", "It is one of these:"),
        ("family_certain", "Beside it, one of these."),
        ("raises", "What has to be mended first stands at the top."),
        ("unknown", "It behaves like none of them, so none is named."),
        ("located", "the axes stand in the order (d_model, L); expected (L, d_model)."),
        ("not_repeatable", "The same input gave different results"),
        ("syntax", "Mistakes were not looked for"),
    ],
)
def test_each_kind_of_diagnosis_has_its_sentence(name, sentence):
    """The page says plainly what the search for known mistakes gave."""
    assert sentence in page(name).text("main")


def test_without_a_match_the_smallest_failing_input_is_shown():
    """No mistake is named, the evidence is there."""
    made = page("unknown")
    assert "The smallest input with a wrong result" in made.text("article")
    assert "Only a part of the array is shown." in made.text("article")
    assert made.all("article")[0][1].count("A question") == 0


def test_mistakes_that_look_alike_share_one_example():
    """Their results are the same, so that the example is shown once."""
    articles = [text for _, text in page("family").all("article")]
    assert [("concat_heads(heads)" in text) for text in articles] == [True, False]


def entries_of(made):
    """The list of checks, one text for each."""
    return [text for attributes, text in made.all("li") if attributes]


def test_every_check_is_listed_with_rule_outcome_and_points():
    """One entry for each check, its points also in words for a screen reader."""
    entries = entries_of(page("named"))
    assert len(entries) == 5
    assert entries[1].startswith(
        "✗ failed Head i fills columns i·d_v to (i+1)·d_v of the output. 0/2 With h = 3, L = 5, d_v = 6: "
    )
    assert "Points: 0 of 2" in [a.get("aria-label") for a, _ in page("named").all("p")]


def test_an_untouched_starter_has_a_calm_page():
    """No score, no table, no list of checks."""
    made = page("not_attempted")
    assert made.all("table") == made.all("li") == []
    assert "concat.py is not written yet" in made.text("header")


def test_a_file_that_cannot_be_loaded_shows_its_line():
    """The sentence and the line; no check that did not run."""
    made = page("syntax")
    assert "Python cannot read the file: '(' was never closed. concat.py, line 12 12return np.conc" in made.text("main")
    assert made.all("li") == []


def test_provenance_is_complete():
    """The level of isolation, versions, both hashes and the seed; nothing of the machine it was made on."""
    text = page("weak").text("footer")
    made = REPORTS["weak"].provenance
    for part in ("weak:", "NumPy 2.4.6", "pytest 9.2.0"):
        assert part in text
    assert not any(part in text for part in ("rlimits", "seccomp", "macOS"))
    assert made.suite_sha256 in text
    assert made.submission_sha256 in text
    assert "PyTorch" not in text
    with_torch = replace(REPORTS["weak"], provenance=replace(made, torch="2.13.0"))
    assert "PyTorch 2.13.0" in Page(html_report(with_torch, course(), "en")).text("footer")


@pytest.mark.parametrize("shown", [Shown("text", text="None"), Shown("error", text="ValueError: no"), Shown("array")])
def test_a_result_that_is_no_array_is_told_in_words(shown):
    """None, an exception and a single number each have their place."""
    shown = replace(shown, values=(3,)) if shown.kind == "array" else shown
    example = Counterexample("f(x)", (), samples.array([1], "L"), shown, None)
    diagnosis = Diagnosis(DiagnosisKind.UNKNOWN, counterexample=example)
    made = Page(html_report(replace(REPORTS["named"], diagnosis=diagnosis), course(), "en"))
    assert (shown.text or "3") in made.text("article")


def test_backquotes_in_a_sentence_become_code():
    """A path or a name of code is set apart from the words around it."""
    assert "exercises/05_output_projection/README.md" in [text for _, text in page("accepted").all("code")]


def test_writing_a_page_needs_no_terminal_library():
    """The page is made without rich."""
    code = "import sys, grader.report.html; print([m for m in ('rich', 'click', 'numpy') if m in sys.modules])"
    made = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "."}
    )
    assert made.stdout == "[]\n"


def test_the_compiled_template_is_kept_beside_it(tmp_path):
    """A second process reads the compiled template, and one that may not write does without; the page is the same."""
    package = tmp_path / "grader"
    here = Path(grader.report.html.__file__).parents[1]
    for part in (
        "__init__.py",
        "errors.py",
        "model.py",
        "course.py",
        "figures.py",
        "strict_toml.py",
        "texts",
        "report",
    ):
        source, target = here / part, package / part
        for file in (
            [source]
            if source.is_file()
            else [f for f in source.rglob("*.*") if f.suffix in {".py", ".toml", ".html", ".css"}]
        ):
            copy = target if source.is_file() else target / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    code = "import grader.report.html as h; h.prepare(); print(h._compiled() is not None, h.style('report.css').sha256)"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}

    def run(**more):
        return subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env=environment | more,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()

    kept, style = run()
    compiled = package / "report" / "templates" / "__pycache__"
    assert kept == "True"
    assert len(list(compiled.glob("*.jinja"))) == 2  # report.html, and what every page shares
    assert run() == ["True", style]
    assert run(PYTHONDONTWRITEBYTECODE="1") == ["False", style]
