"""Rules about the whole source: who may import whom, where processes start, what is said in which language."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from grader.judge.identity import PARTS

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "grader"
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted(path for path in (ROOT / "tests").rglob("test_*.py"))
CONTENT = sorted(path for part in ("exercises", "solutions") for path in (ROOT / part).rglob("*.py"))
TEXTS = sorted((PACKAGE / "texts").glob("*.toml"))
MOST_LINES = 400

# What each part may import of the project, beside errors, model, installing and itself. What stands lower knows
# nothing of what stands higher.
NOUNS = {"errors", "model", "installing"}
LAYERS = {
    "model": set(),
    "errors": set(),
    "installing": set(),
    "texts": set(),
    "strict_toml": set(),
    "figures": {"strict_toml"},
    "course": {"strict_toml", "figures"},
    "state": set(),
    "remembered": set(),
    "progress": {"state"},
    "sandbox": {"remembered"},
    "comparison": {"sandbox"},
    "checks": {"sandbox", "comparison"},
    "diagnosis": {"course", "checks", "comparison", "remembered", "sandbox"},
    "judge": {"course", "checks", "remembered", "sandbox", "diagnosis"},
    "audit": {"course", "strict_toml", "sandbox", "diagnosis", "judge", "quiz"},
    "report": {"course", "remembered", "texts", "judge"},
    "gradebook": {"course", "state", "sandbox", "judge", "report"},  # sandbox: which packages are there
    "quiz": {"course", "strict_toml", "sandbox", "diagnosis", "texts"},  # sandbox: a line of code
    "pipeline": {"course", "diagnosis", "sandbox", "report"},
    "prediction": {"course", "diagnosis", "quiz", "sandbox"},
    "quizpage": {"course", "texts", "quiz", "report"},  # above quiz, which knows no texts, and with the report's style
    "watch": {"state"},
    "cli": {
        "course",
        "state",
        "progress",
        "sandbox",
        "diagnosis",
        "judge",
        "audit",
        "report",
        "gradebook",
        "quiz",
        "pipeline",
        "prediction",
        "quizpage",
        "watch",
        "texts",
    },
}
# These share an interpreter with untrusted code: whole modules, and nothing beside them.
LOCKED_AWAY = {
    "grader.sandbox.values": set(),
    "grader.sandbox.tensors": {"grader.sandbox.values"},
    "grader.sandbox.encoding": {"grader.sandbox.values", "grader.sandbox.tensors"},
    "grader.sandbox.decoding": {"grader.sandbox.values", "grader.sandbox.tensors"},
    "grader.sandbox.wire": {"grader.sandbox.values", "grader.sandbox.encoding", "grader.sandbox.decoding"},
    "grader.sandbox.objects": {"grader.sandbox.wire", "grader.sandbox.tensors", "grader.sandbox.values"},
    "grader.sandbox.reaching": set(),
    "grader.sandbox.telling": {"grader.sandbox.wire", "grader.sandbox.tensors", "grader.sandbox.values"},
    "grader.sandbox.answering": {
        "grader.sandbox.objects",
        "grader.sandbox.reaching",
        "grader.sandbox.telling",
        "grader.sandbox.values",
        "grader.sandbox.wire",
    },
    "grader.sandbox.lockdown": {"grader.sandbox.wire"},
    "grader.sandbox.worker": {"grader.sandbox.wire", "grader.sandbox.answering", "grader.sandbox.reaching"},
    "grader.sandbox.warm": set(),
    "grader.sandbox.zygote": {
        "grader.sandbox.wire",
        "grader.sandbox.worker",
        "grader.sandbox.lockdown",
        "grader.sandbox.warm",
    },
}
# Third parties, each in its own place.
AT_HOME = {
    "click": {"cli"},
    "flask": {"quizpage"},
    "werkzeug": {"quizpage"},
    "jinja2": {"report", "quizpage"},
    "markupsafe": {"report", "quizpage"},
    "rich": {"cli", "report"},
    "pytest": {"judge"},
    "sqlalchemy": {"gradebook"},
    "nbformat": {"gradebook"},
    "yaml": {"gradebook"},
    "fsrs": {"cli", "quiz"},
    "watchfiles": {"watch"},
    "distributed": {"judge"},
    "numpy": {"sandbox", "comparison", "checks", "diagnosis", "judge", "audit", "quiz", "pipeline", "prediction"},
    "torch": {"sandbox", "checks", "diagnosis", "audit", "quiz"},
}
FOR_AUTHORS = {"grader.checks", "grader.sandbox.client", "grader.sandbox.wire"}
STARTERS = {
    *("grader.judge.own_process", "grader.judge.seed", "grader.judge.seed_process"),
    *("grader.judge.shard", "grader.judge.shards"),
    "grader.judge.cluster",  # starts none itself: an executor is how it speaks to other machines
    *("grader.audit.process", "grader.audit.processes"),
}
GRADES = ("grader.judge.seed", "grader.judge.shard", "grader.checks", "grader.sandbox.zygote")  # all that a batch runs
PROCESSES = {"subprocess", "multiprocessing", "concurrent", "pty"}
STARTS_A_PROCESS = re.compile(r"^(fork\w*|exec[lv]\w*|spawn[lv]\w*|posix_spawn\w*|system|popen)$")


def name_of(path: Path) -> str:
    """Dotted name of a module of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(module: str) -> str:
    """The part of the package that a dotted name lies in, "" for the package itself."""
    return [*module.split("."), ""][1]


def imports_of(tree: ast.AST) -> Iterator[str]:
    """Dotted names of everything that is imported, also inside functions and for types only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where they lead"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(path: Path) -> set[str]:
    """Modules of the package that a file imports, by their full name."""
    known = {name_of(each) for each in MODULES}
    return {name for name in imports_of(parsed(path)) if name in known and name.count(".") > 0}


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def shown(path: Path) -> str:
    """A path as the name of a case."""
    return str(path.relative_to(ROOT))


# --- imports -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_imports_go_down(path: Path) -> None:
    """A part imports the nouns, itself and what LAYERS lists, never what stands above it."""
    part = part_of(name_of(path))
    imported = {part_of(name) for name in own_imports(path)} - {part}
    allowed = NOUNS | LAYERS[part] if part else set()
    assert imported <= allowed


@pytest.mark.parametrize("module", LOCKED_AWAY)
def test_what_runs_beside_untrusted_code_imports_almost_nothing(module: str) -> None:
    """The worker, the zygote and the lockdown import no module of ours but each other and the wire."""
    path = ROOT / Path(*module.split(".")).with_suffix(".py")
    assert own_imports(path) - {"grader.sandbox"} <= LOCKED_AWAY[module]


def test_the_worker_brings_nothing_of_ours_along() -> None:
    """A fresh interpreter that imports the worker holds the wire, its values and the worker, and no more of ours."""
    code = "import sys, grader.sandbox.worker; print(*sorted(m for m in sys.modules if m.split('.')[0] == 'grader'))"
    held = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert held.stdout.split() == [
        "grader",
        "grader.sandbox",
        "grader.sandbox.answering",
        "grader.sandbox.decoding",
        "grader.sandbox.encoding",
        "grader.sandbox.objects",
        "grader.sandbox.reaching",
        "grader.sandbox.telling",
        "grader.sandbox.tensors",
        "grader.sandbox.values",
        "grader.sandbox.wire",
        "grader.sandbox.worker",
    ]


def test_a_result_knows_the_source_of_all_that_made_it() -> None:
    """All that a process of a batch imports is part of the engine's version, to the last module."""
    paths = {name_of(path): path for path in MODULES}
    waiting, seen = [*GRADES], set[str]()
    while waiting:
        if (name := waiting.pop()) not in seen:
            seen.add(name)
            waiting += own_imports(paths[name])
    files = {paths[name].relative_to(PACKAGE) for name in seen}
    assert {str(file) for file in files if not {str(file), file.parts[0]} & {*PARTS}} == set()
    assert all((PACKAGE / part).exists() for part in PARTS)


def test_packages_are_empty() -> None:
    """An `__init__.py` holds nothing, but for the texts, whose package is one module."""
    filled = [shown(path) for path in MODULES if path.name == "__init__.py" and path.read_text().strip()]
    assert filled == ["grader/texts/__init__.py"]


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_third_parties_stay_in_their_place(path: Path) -> None:
    """Only cli/ knows click, only report/ knows jinja2, and so on for every dependency."""
    part = part_of(name_of(path))
    for name in imports_of(parsed(path)):
        top = name.partition(".")[0]
        assert part in AT_HOME.get(top, {part}), f"{top} does not belong in {part}"


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_processes_start_in_the_sandbox_only(path: Path) -> None:
    """Nothing outside of sandbox/, the shards of a batch and the processes of an audit starts one, or speaks to one."""
    if part_of(name_of(path)) == "sandbox" or name_of(path) in STARTERS:
        return
    tree = parsed(path)
    assert not {name.partition(".")[0] for name in imports_of(tree)} & PROCESSES
    called = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os"
    }
    assert not {name for name in called if STARTS_A_PROCESS.match(name)}


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_torch_is_imported_where_it_is_needed(path: Path) -> None:
    """Nothing of the grader imports torch at the top of a module: a numpy exercise never loads it."""
    top_level = [node for node in parsed(path).body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert not {name for node in top_level for name in imports_of(node) if name.partition(".")[0] == "torch"}


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_only_the_command_line_prints_reads_arguments_and_exits(path: Path) -> None:
    """What prints, asks, reads argv or exits belongs to cli/; the processes of the sandbox have an end of their own."""
    part = part_of(name_of(path))
    if part == "cli":
        return
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "input", "exit", "quit"}
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and part != "sandbox":
            assert (node.value.id, node.attr) not in {("sys", "argv"), ("sys", "exit"), ("os", "_exit")}


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_modules_stay_short_and_say_what_they_are(path: Path) -> None:
    """No module has more than 400 lines, and each one that holds anything opens with a sentence."""
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= MOST_LINES
    first = (ast.get_docstring(parsed(path)) or "" if source.strip() else ".").splitlines()[:1]
    assert first
    assert first[0].endswith((".", ":", "`"))


# --- content -------------------------------------------------------------------------------------------------------


def test_exercises_never_name_their_solutions() -> None:
    """Nothing that a student may see leads to what they may not see."""
    for path in (ROOT / "exercises").rglob("*"):
        if path.is_file() and path.suffix in {".py", ".md", ".toml"}:
            assert "solutions/" not in path.read_text(encoding="utf-8"), shown(path)


@pytest.mark.parametrize("path", CONTENT, ids=shown)
def test_content_imports_no_other_exercise(path: Path) -> None:
    """An exercise stands alone: its packages, pytest, its own module; a solution also has what authors are given."""
    part, number = path.relative_to(ROOT).parts[:2]
    exercise = tomllib.loads((ROOT / "exercises" / number / "exercise.toml").read_text(encoding="utf-8"))
    allowed = {*sys.stdlib_module_names, "pytest", *exercise["packages"], exercise["module"]}
    if path.name == "oracle.py":
        allowed.add("torch")  # an oracle is as unlike the reference as can be
    given = FOR_AUTHORS if part == "solutions" else set()
    foreign = {name for name in imports_of(parsed(path)) if name.partition(".")[0] not in allowed}
    assert {name for name in foreign if not any(f"{name}.".startswith(f"{module}.") for module in given)} == set()


# --- tests ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", TESTS, ids=shown)
def test_every_test_states_the_rule_it_proves(path: Path) -> None:
    """Each test function has a docstring, and its first line is a whole sentence."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            sentence = ast.get_docstring(node) or ""
            assert sentence.rstrip().endswith((".", "?", "`")), f"{node.name} in {shown(path)}"


@pytest.mark.parametrize("path", TESTS, ids=shown)
def test_no_test_sleeps(path: Path) -> None:
    """A test waits for what happens, never for a time."""
    called = {
        (node.value.id, node.attr)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    assert not called & {("time", "sleep"), ("os", "chdir")}


# --- texts ---------------------------------------------------------------------------------------------------------


def sentences() -> Iterator[tuple[str, dict[str, str]]]:
    """Every sentence of the program: "area.key" and its languages."""
    for path in TEXTS:
        for key, languages in tomllib.loads(path.read_text(encoding="utf-8")).items():
            yield f"{path.stem}.{key}", languages


SENTENCES = dict(sentences())


def braces(template: str) -> set[str]:
    """Names in the braces of a template."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_every_sentence_is_there_in_both_languages() -> None:
    """A sentence has an English and a Chinese text, neither of them empty, that name the same things."""
    assert [key for key, languages in SENTENCES.items() if set(languages) != {"en", "zh"}] == []
    assert [key for key, languages in SENTENCES.items() if not all(map(str.strip, languages.values()))] == []
    different = [key for key, text in SENTENCES.items() if braces(text["en"]) != braces(text["zh"])]
    assert different == []


def test_chinese_is_chinese_and_english_is_not() -> None:
    """No Chinese sentence was forgotten in English or the other way round; what has no words is the same in both."""
    chinese = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
    assert [key for key, text in SENTENCES.items() if chinese.search(text["en"])] == []
    worded = [key for key, text in SENTENCES.items() if re.search("[a-z]{3}", re.sub(r"\{.*?\}", "", text["en"]))]
    assert [key for key in worded if not chinese.search(SENTENCES[key]["zh"])] == []


def literals() -> tuple[set[str], list[re.Pattern[str]]]:
    """Texts in the source of the package: plain ones, and those with holes as patterns."""
    plain: set[str] = set()
    holed: list[re.Pattern[str]] = []
    for path in MODULES:
        nodes = list(ast.walk(parsed(path)))
        pieces_of_holed = {id(value) for node in nodes if isinstance(node, ast.JoinedStr) for value in node.values}
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces_of_holed:
                plain.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                pieces = [re.escape(v.value) if isinstance(v, ast.Constant) else r"\w+" for v in node.values]
                if sum(len(v.value) for v in node.values if isinstance(v, ast.Constant)) > 4:
                    holed.append(re.compile("".join(pieces)))
    for path in PACKAGE.rglob("templates/*.html"):
        plain |= set(re.findall(r"[\w.]+", path.read_text(encoding="utf-8")))
    return plain, holed


def test_every_sentence_is_used() -> None:
    """No sentence is left over: each one is named somewhere in the source, whole or by a name with a hole."""
    plain, holed = literals()
    unused = [
        key
        for key in SENTENCES
        if not {key, key.partition(".")[2]} & plain
        and not any(pattern.fullmatch(key) or pattern.fullmatch(key.partition(".")[2]) for pattern in holed)
    ]
    assert unused == []


def test_every_sentence_that_is_named_exists() -> None:
    """A message that the source names has its sentence."""
    areas = {path.stem for path in TEXTS}
    files = {path.name for path in PACKAGE.rglob("*")}
    named = {text for text in literals()[0] if re.fullmatch(r"[a-z]+\.[a-z][a-z0-9_]+", text)} - files
    assert {text for text in named if text.partition(".")[0] in areas} - set(SENTENCES) == set()


# --- the whole -----------------------------------------------------------------------------------------------------


def test_grading_04_leaves_torch_out(tmp_path: Path) -> None:
    """A whole run over 04_concat, report included, does not import torch."""
    code = (
        "import sys; from grader.cli.main import run; "
        f"code = run(['exercises/04_concat', '--report', {str(tmp_path / 'report.html')!r}]); "
        "sys.exit('torch' if 'torch' in sys.modules else code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False
    )
    assert done.returncode == 1  # the starter is not attempted
