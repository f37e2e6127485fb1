"""The terminal shows score, checks, mistakes and one next step, within its width, in both languages, without colour."""

import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from grader.model import LANGUAGES, CaseFailure, Message
from grader.report.terminal import print_report
from tests.report.samples import all_reports, course

REPORTS = all_reports()
NEXT = {"en": "Next: ", "zh": "下一步："}


def printed(name, language="en", *, width=80, colour=False, **options):
    console = Console(
        file=io.StringIO(), width=width, force_terminal=colour, color_system="standard" if colour else None
    )
    print_report(REPORTS[name], course(), language, console, **options)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", REPORTS)
def test_no_line_is_wider_than_the_terminal(name, language, width):
    """Every line fits, wide characters counted as two cells; only an array's row may be wider than a tiny terminal."""
    lines = printed(name, language, width=width, verbose=True).splitlines()
    widest = max(map(cell_len, lines))
    assert widest <= max(width, 76 if width < 80 and name == "unknown" else 44)
    assert not any(line != line.rstrip() for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", REPORTS)
def test_there_is_one_next_step(name, language):
    """Whatever happened, there is exactly one thing to do now."""
    assert printed(name, language).count(f"\n{NEXT[language]}") == 1


def test_a_failed_check_says_what_is_wrong():
    """Sign, word, rule, points, the first failing case in full, and how many further ones there are."""
    text = printed("named")
    assert "  ✗ failed    Head i fills columns i·d_v to (i+1)·d_v of the output.         0/2\n" in text
    assert "With h = 3, L = 5, d_v = 6: First wrong element: index [0,6] (L," in text
    assert "Further cases that fail: 1." in text
    assert "h = 2, L = 7" not in text
    assert "  ✓ passed    With one head the output equals that head.                 0.5/0.5\n" in text


def test_a_detected_mistake_is_shown_with_its_smallest_input():
    """Title, what is seen, the arrays side by side with the first wrong element marked, then the question."""
    text = printed("named")
    order = [
        "Your function behaves exactly as if it had this mistake:",
        "✗ Merging the heads without a transpose",
        "The shape is right, but a row of the output",
        "concat_heads(heads)",
        "Which numbers stand next to each other",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert "    heads  (h, L, d_v) = (2, 2, 2)\n    h [0]    h [1]\n     1  2     5  6\n     3  4     7  8\n" in text
    assert (
        "    expected  (L, d_model) = (2, 4)    yours  (L, d_model) = (2, 4)\n"
        "     1  2  5  6                         1  2 [3] 4*\n"
        "     3  4  7  8                         5* 6* 7  8\n"
    ) in text


def test_columns_stay_aligned_in_chinese():
    """The second array starts in the same cell in every line, although its heading is in wide characters."""
    lines = printed("named", "zh").splitlines()
    heading = next(line for line in lines if "应为  (L" in line)
    row = next(line for line in lines if "[3]" in line)
    assert cell_len(heading[: heading.index("你的结果")]) == cell_len(row[: row.rindex(" 1  2 [3]")])


def test_only_the_first_of_several_mistakes_is_told_in_full():
    """One cause first; the others are named, their examples wait."""
    text = printed("several")
    assert "Detected as well: Joining the heads in reverse order" in text
    assert text.count("A question to think about") == 1


def test_mistakes_that_look_alike_are_all_named_with_one_example():
    """No one of them is picked by chance."""
    text = printed("family")
    assert "It is one of these:" in text
    assert "? Joining the heads in reverse order" in text
    assert "? Interleaving the features of the heads" in text
    assert text.count("The smallest input") == 1
    assert "✗ Merging" not in text
    assert "Which one it is shows in your code" in text


def test_what_is_certain_is_told_apart_from_what_is_one_of_several():
    """A mistake of every explanation is detected; the others follow as one of several, each with its question."""
    text = printed("family_certain")
    places = [text.index(part) for part in ("show this mistake:", "✗ Merging", "Beside it, one of these", "? Joining")]
    assert places == sorted(places)


def test_without_a_match_nothing_is_guessed():
    """It is said plainly that none is named, and the smallest failing input is shown."""
    text = printed("unknown", width=100)
    assert "It behaves like none of them, so none is named." in " ".join(text.split())
    assert "The smallest input with a wrong result" in text
    assert "Only a part of the array is shown." in text
    assert "[NaN]" in text
    assert "\n    15 " in text  # rows of a cut array carry their numbers


def test_a_starter_is_told_in_two_calm_lines():
    """No red, no score, no list of checks: what it is, and what to do."""
    assert "\x1b[31m" not in printed("not_attempted", colour=True)
    plain = printed("not_attempted", width=120).splitlines()
    assert plain[1:] == [
        "concat.py is not written yet: it still raises NotImplementedError, and nothing below that line runs.",
        "Next: Read exercises/04_concat/README.md, write your answer in concat.py, and grade it again.",
    ]


def test_a_file_that_cannot_be_loaded_has_one_sentence_and_its_line():
    """The sentence, the line with a pointer, what to do; not six checks that did not run."""
    text = printed("syntax")
    assert "Python cannot read the file: '(' was never closed." in text
    assert "concat.py, line 12\n> 12 | return np.concatenate(heads\n" in text
    assert "Next: Correct line 12 of concat.py and grade it again." in text
    assert "not run" not in text
    assert "Common mistakes" not in text


def test_the_same_exception_is_told_once():
    """Five checks that stop in one line give one explanation, not a wall."""
    text = printed("raises")
    assert text.count("Your code raised ValueError") == 1
    assert text.count("same reason") == 0
    assert text.index("> 9 | return heads.reshape(length, h)") < text.index("Checks\n")
    assert "Checks that fail for the reason at the top: 5." in text
    assert "none is named" not in text
    assert "Next: Correct line 9 of concat.py" in text


def test_a_forgotten_return_stands_at_the_top_and_in_the_next_step():
    """No mistake is looked for where no value came back; what is missing is said first and last."""
    text = printed("returned_nothing")
    assert text.index("returned nothing (None)") < text.index("Checks\n")
    assert "Common mistakes" not in text
    assert "Next: Let the function in concat.py give its result back with return" in text


def test_the_column_to_blame_is_pointed_at_in_the_line_as_it_is():
    """A line with a column keeps its indentation, and a caret stands below the character."""
    reason = CaseFailure("", Message("sandbox.syntax", {"text": "x"}), 3, "\t  return （x", column=11)
    console = Console(file=io.StringIO(), width=80)
    print_report(replace(REPORTS["syntax"], reason=reason), course(), "en", console)
    assert "> 3 |       return （x\n" + " " * 19 + "^\n" in console.file.getvalue()


def test_isolation_is_said_before_the_next_step():
    """The line on isolation, where one is asked for, is not the last thing to be read."""
    text = printed("named", isolation=Message("cli.isolation_strong"))
    assert text.index("Isolation of your code: strong.") < text.index("\nNext: ")


def test_verbose_adds_the_students_own_traceback():
    """The frames of the student's file appear only when they are asked for."""
    assert "Traceback (most recent call last):" not in printed("raises")
    assert printed("raises", verbose=True).count("Traceback (most recent call last):") == 1


def test_printed_output_is_shown():
    """What the code printed comes after the mistakes."""
    text = printed("named")
    assert "What your code printed\n  heads (2, 7, 3)\n  (7, 6)\n" in text


def test_the_report_path_is_one_line_to_copy():
    """However long it is, the path is not broken."""
    path = Path("/home/mia", *["a-long-folder"] * 12, "04_concat.html")
    assert f"\nReport: {path}\n" in printed("accepted", report_path=path)
    assert "Report:" not in printed("accepted")


def test_red_is_rare():
    """Colour marks signs, titles and wrong cells; sentences stay in the terminal's own colour."""
    lines = printed("named", colour=True).splitlines()
    red = [line for line in lines if "\x1b[31m" in line or "\x1b[1;31m" in line]
    assert len(red) <= 5
    assert not any("Your function behaves" in line or "First wrong" in line for line in red)


def test_printing_a_report_needs_no_template_engine():
    """A run without an HTML report does not pay for one."""
    code = "import sys, grader.report.terminal; print(sorted({'jinja2', 'markupsafe'} & set(sys.modules)))"
    made = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "."}
    )
    assert made.stdout == "[]\n"
