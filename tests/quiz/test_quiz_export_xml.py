"""Moodle XML and QTI 1.2: read by programs of others, and marked by the rules of the formats themselves."""

import io
import re
import zipfile
from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest
from made_bank import NASTY, made_bank
from test_quiz_export import exported

from grader.model import LANGUAGES

QTI = {"q": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}
MOODLE_FRACTIONS = {"100", "50", "33.33333", "25", "20", "16.66667", "0", "-100", "-50", "-33.33333", "-25"}


def text_of(element, path):
    """The HTML in <path><text>, as text."""
    found = element.findtext(f"{path}/text")
    plain = re.sub(r"<br>", "\n", found)
    return re.sub(r"<[^>]+>", "", plain).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def moodle(language="en", **how):
    """The questions of a Moodle file by id number."""
    content, _ = exported("moodle", language, **how)
    found = [each for each in ET.fromstring(content) if each.get("type") != "category"]  # noqa: S314 - our own
    assert len({each.findtext("idnumber") for each in found}) == len(found)
    return {each.findtext("name/text"): each for each in found}


@pytest.mark.parametrize("language", LANGUAGES)
def test_moodle_questions_are_of_the_fitting_type(language):
    """Each type becomes one that every Moodle has, with its text whole and each wrong answer's mistake as feedback."""
    found = moodle(language)
    types = {name: each.get("type") for name, each in found.items()}
    assert types == {
        **dict.fromkeys(("made.number.1", "made.number.2", "made.rounded.1"), "numerical"),
        **dict.fromkeys((f"made.vector.1.{i}" for i in (1, 2, 3)), "numerical"),
        **dict.fromkeys(("made.shape.1", "made.raising.1", "made.formula.1"), "shortanswer"),
        **dict.fromkeys(("made.cloze.1", "made.gaps.1.1", "made.gaps.1.2"), "shortanswer"),
        **dict.fromkeys(
            (f"made.{kind}.1" for kind in ("choice", "multi", "error", "predict", "code", "free-order")), "multichoice"
        ),
        **dict.fromkeys(("made.order.1", "made.match.1"), "matching"),
        "made.recall.1": "essay",
    }
    title = "Every head gets all of d_model" if language == "en" else "每个头都拿到了整个 d_model"
    for name, question in found.items():
        assert NASTY.replace("`", "") in text_of(question, "questiontext"), name
        told = ET.tostring(question, "unicode")
        assert title in told, name


def test_moodle_answers_are_worth_what_they_should_be():
    """Right answers are worth all, wrong ones nothing; a multi is worth nothing more than its right part."""
    for name, question in moodle().items():
        answers = question.findall("answer")
        fractions = [answer.get("fraction") for answer in answers]
        assert set(fractions) <= MOODLE_FRACTIONS, name
        assert not answers or "100" in fractions or abs(sum(f for f in map(float, fractions) if f > 0) - 100) < 0.01
        for answer in answers:
            wrong = float(answer.get("fraction")) <= 0
            assert bool(answer.findtext("feedback/text")) is wrong, name


def test_moodle_numbers_keep_their_tolerance():
    """QC95 An exact number has tolerance 0, a real one that of the bank."""
    found = moodle()
    for name, key, near in [("made.number.1", "2359296", "0"), ("made.rounded.1", "0.25", "0.01")]:
        right = next(each for each in found[name].findall("answer") if each.get("fraction") == "100")
        assert (right.findtext("text"), right.findtext("tolerance")) == (key, near)


def test_no_star_of_a_formula_stands_for_anything():
    """Moodle takes a bare star of a short answer for any text; those of formulas are escaped."""
    for answer in moodle()["made.formula.1"].findall("answer"):
        assert not re.search(r"(?<!\\)\*", answer.findtext("text"))


def test_a_right_answer_is_never_given_as_wrong():
    """Where platforms compare the same text or number twice, the first is the right one, and none is both."""
    for name, question in moodle().items():
        answers = [(each.findtext("text"), float(each.get("fraction"))) for each in question.findall("answer")]
        right = {text.casefold() for text, fraction in answers if fraction > 0}
        assert right.isdisjoint(text.casefold() for text, fraction in answers if fraction <= 0), name


def test_another_program_reads_the_choices_of_moodle():
    """moodle-xml-parser finds the same questions with the same options, fractions and feedback."""
    content, _ = exported("moodle")
    read = pytest.importorskip("moodle_xml_parser.parser", reason="pip install moodle-xml-parser").parse_bytes(content)
    found = {each.name: each for each in read["multichoice"]}
    assert set(found) == {f"made.{kind}.1" for kind in ("choice", "multi", "error", "predict", "code", "free-order")}
    assert [found["made.multi.1"].single, found["made.choice.1"].single] == [False, True]
    assert sorted(each.score_fraction for each in found["made.choice.1"].options) == [0, 0, 100]
    wrong = next(each for each in found["made.choice.1"].options if each.answer == "=never")
    assert wrong.feedback.startswith("Number and width of the heads are exchanged. why 1")
    lines = {each.answer: each.score_fraction for each in found["made.code.1"].options}
    assert lines["<code>S[:, ~m] = -1e9</code>"] == 100


# --- QTI -------------------------------------------------------------------------------------------------------------


def qti(language="en", **how):
    """The items of a QTI file by title."""
    content, _ = exported("qti", language, **how)
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        manifest = ET.fromstring(package.read("imsmanifest.xml"))  # noqa: S314 - our own
        (named,) = (each.get("href") for each in manifest.iter("{http://www.imsglobal.org/xsd/imscp_v1p1}file"))
        root = ET.fromstring(package.read(named))  # noqa: S314
        assert set(package.namelist()) == {"imsmanifest.xml", named}
    assert root.tag == "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}questestinterop"
    items = root.findall(".//q:item", QTI)
    assert len({each.get("ident") for each in items}) == len(items)
    return {each.get("title"): each for each in items}


def holds(condition, given):
    """Whether a condition of QTI holds for what was given, by the words of the specification."""
    kind = condition.tag.partition("}")[2]
    parts = [holds(each, given) for each in condition]
    answers = given.get(condition.get("respident"), ())
    if kind in {"conditionvar", "and"}:
        return all(parts)
    if kind in {"or", "not", "other"}:
        return {"or": any(parts), "not": not any(parts), "other": True}[kind]
    if kind == "varequal":
        return condition.text.casefold() in [each.casefold() for each in answers]
    numbers = [Fraction(each) for each in answers]
    bound = Fraction(condition.text)
    return any(each >= bound if kind == "vargte" else each <= bound for each in numbers)


def marked(item, **given):
    """Points and remarks that an item gives for answers, rule by rule."""
    points, remarks = Fraction(0), []
    for rule in item.findall("q:resprocessing/q:respcondition", QTI):
        if not holds(rule[0], given):
            continue
        for change in rule.findall("q:setvar", QTI):
            points = Fraction(change.text) + (points if change.get("action") == "Add" else 0)
        for shown in rule.findall("q:displayfeedback", QTI):
            texts = [
                each for each in item.findall("q:itemfeedback", QTI) if each.get("ident") == shown.get("linkrefid")
            ]
            assert len(texts) == 1
            remarks.append("".join(texts[0].itertext()).strip())
        if rule.get("continue") == "No":
            break
    return float(points), remarks[1:]  # the first one is shown to everybody


def test_qti_marks_typed_answers():
    """QC91 QC93 What lies within the tolerance is right, edges included; a wrong answer is told by its mistake."""
    items = qti()
    assert marked(items["made.number.1"], response1=["2359296"]) == (100, [])
    points, remarks = marked(items["made.number.1"], response1=["768"])
    assert points == 0
    assert remarks[0].startswith("Every head gets all of d_model. why 0")
    exact = ET.tostring(items["made.number.1"], "unicode")
    assert "varequal" in exact
    assert "vargte" not in exact
    for text, right in [("0.24", 100), ("0.25", 100), ("0.26", 100), ("0.27", 0), ("0.2399", 0)]:
        assert marked(items["made.rounded.1"], response1=[text])[0] == right, text
    assert marked(items["made.shape.1"], response1=["[2, 8, 5]"])[0] == 100
    assert marked(items["made.shape.1"], response1=["(8, 2, 5)"])[1][0].startswith("Every head")
    assert marked(items["made.vector.1.3"], response1=["0.5"])[0] == 100


def test_qti_marks_picked_answers():
    """One option, all options that fit, and every pair in its place."""
    items = qti()
    choices = {_label(each): each.get("ident") for each in items["made.choice.1"].iter(f"{{{QTI['q']}}}response_label")}
    right = next(ident for text, ident in choices.items() if text.startswith("yes"))
    assert marked(items["made.choice.1"], response1=[right]) == (100, [])
    points, remarks = marked(items["made.choice.1"], response1=[choices["=never"]])
    assert (points, len(remarks)) == (0, 1)
    several = {_label(each): each.get("ident") for each in items["made.multi.1"].iter(f"{{{QTI['q']}}}response_label")}
    fitting = [several[name] for name in ("one", "two", "three")]
    assert marked(items["made.multi.1"], response1=fitting) == (100, [])
    assert marked(items["made.multi.1"], response1=fitting[:2])[0] == 0
    assert marked(items["made.multi.1"], response1=[*fitting, several["=never"]])[0] == 0
    order = items["made.order.1"]
    assert marked(order, **{f"response{i}": [f"option{i}"] for i in (1, 2, 3)})[0] == pytest.approx(100, abs=0.001)
    assert marked(order, response1=["option2"], response2=["option1"], response3=["option3"])[0] < 50


def _label(element):
    return "".join(element.itertext()).strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_qti_says_every_text_whole(language):
    """Nothing of a prompt is lost on its way through HTML and XML."""
    for name, item in qti(language).items():
        text = item.findtext("q:presentation/q:material/q:mattext", namespaces=QTI)
        plain = re.sub(r"<[^>]+>", "", text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        assert NASTY.replace("`", "") in plain, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_program_reads_the_items_of_qti(language):
    """qti2latex finds the same items, of the type that Canvas would take them for, with their text and options."""
    reader = pytest.importorskip("qti2latex", reason="pip install qti2latex")
    types = {}
    for name, item in qti(language).items():
        types[name] = reader.guess_type(reader.get_qti_metadata(item), item)
        assert "a&lt;b &amp; c&gt;d" in reader.get_item_stem(item), name
        options = [text for _, text in reader.get_choices(item)]
        assert bool(options) is (
            types[name] in {"multiple_choice_question", "multiple_answers_question", "matching_question"}
        )
    assert {name: kind for name, kind in types.items() if kind != "short_answer_question"} == {
        **dict.fromkeys(("made.number.1", "made.number.2", "made.rounded.1"), "numerical_question"),
        **dict.fromkeys((f"made.vector.1.{i}" for i in (1, 2, 3)), "numerical_question"),
        **dict.fromkeys(
            (f"made.{kind}.1" for kind in ("choice", "error", "predict", "code", "free-order")),
            "multiple_choice_question",
        ),
        "made.multi.1": "multiple_answers_question",
        **dict.fromkeys(("made.order.1", "made.match.1"), "matching_question"),
        "made.recall.1": "essay_question",
    }


def test_another_wording_changes_no_identifier():
    """QC88 What a platform knows a question by stays the same when its text is mended."""
    changed = made_bank(edition=2, wording=" (clearer)")
    assert list(moodle()) == list(moodle(bank=changed))
    assert [each.get("ident") for each in qti().values()] == [each.get("ident") for each in qti(bank=changed).values()]


@pytest.mark.parametrize("name", ["Manyheads", "7 heads: d_k & W^O!", "多头（第一周）"])
def test_the_manifest_is_one_that_canvas_takes(name):
    """Its ids are XML ids and differ, its parts stand in the order of the schema, and every file is named and there."""
    content, _ = exported("qti", name=name)
    place = "{http://www.imsglobal.org/xsd/imscp_v1p1}"
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        assert package.testzip() is None
        root = ET.fromstring(package.read("imsmanifest.xml"))  # noqa: S314 - our own
        resources = root.find(f"{place}resources")
        names = {file.get("href") for file in root.iter(f"{place}file")}
        assert {*names, "imsmanifest.xml"} == set(package.namelist())
    assert [each.tag.removeprefix(place) for each in root] == ["metadata", "organizations", "resources"]
    ids = [root.get("identifier"), *(each.get("identifier") for each in resources)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[^\W\d][\w.-]*", each) for each in ids)
    assert [each.get("type") for each in resources] == ["imsqti_xmlv1p2"]
    assert {each.get("href") for each in resources} <= names
    assert [root.findtext(f"{place}metadata/{place}{each}") for each in ("schema", "schemaversion")] == [
        "IMS Content",
        "1.1.3",
    ]
