"""The same attacks under other conditions: layers switched off one at a time, another user, an installed wheel."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from attack import ATTACKS, Attack
from ground import Ground
from trial import Trial

import grader
from grader.sandbox.client import Sandbox
from grader.sandbox.launch import ALL_LAYERS

pytestmark = [pytest.mark.hostile, pytest.mark.slow]

HERE = Path(__file__).parent
CHECKOUT = Path(grader.__file__).parents[1]
NOBODY = 65534
Broken = dict[str, list[str]]


# --- layers ------------------------------------------------------------------------------------------------------


def _layers(*off: str, open_files: bool = False) -> frozenset[str]:
    return (ALL_LAYERS - set(off)) | ({"open files"} if open_files else frozenset())


def _broken(ground: Ground, layers: frozenset[str], attacks: tuple[Attack, ...] = ATTACKS) -> Broken:
    """What does not hold with these layers only: attack -> its successes."""
    trial = Trial(ground, partial(Sandbox, layers=layers), sealed="landlock" not in layers)
    try:
        found = {attack.name: trial.problems(attack) for attack in attacks}
    finally:
        trial.close()
    return {name: problems for name, problems in found.items() if problems}


@pytest.fixture
def all_layers(trial: Trial) -> None:
    """Skips where this machine has not all layers anyway: what one of them is for cannot be shown there."""
    missing = [layer for layer, _why in trial.sandbox.isolation.missing if layer != "uid"]
    if missing:
        pytest.skip(f"this machine has no {' and no '.join(missing)}")


def test_a_sealed_worker_holds_against_everything(ground: Ground) -> None:
    """Without Landlock no file can be opened, and every attack fails as it does with it."""
    assert _broken(ground, _layers("landlock")) == {}


@pytest.mark.usefixtures("all_layers")
@pytest.mark.parametrize("layer", ["landlock", "seccomp"])
def test_what_a_layer_is_for(layer: str, ground: Ground) -> None:
    """With one layer off, attacks that need it get through, and no others."""
    broken = _broken(ground, _layers(layer, open_files=True))
    others = {a.name: broken[a.name] for a in ATTACKS if a.name in broken and layer not in a.needs}
    assert others == {}
    assert broken, f"{layer} makes no difference"


@pytest.mark.usefixtures("all_layers")
@pytest.mark.parametrize("layer", ["namespaces", "uid"])
def test_a_second_line_is_not_needed_by_itself(layer: str, ground: Ground) -> None:
    """Namespaces and a uid of its own stand behind the other two layers: with one of them off everything holds."""
    assert _broken(ground, _layers(layer)) == {}


@pytest.mark.usefixtures("all_layers")
def test_what_namespaces_are_for(ground: Ground) -> None:
    """Where seccomp is off, namespaces keep a submission from the network and end the processes it leaves behind."""
    attacks = tuple(attack for attack in ATTACKS if attack.name in ("network_udp", "fork_daemon"))
    behind = _broken(ground, _layers("seccomp"), attacks)
    alone = _broken(ground, _layers("seccomp", "namespaces"), attacks)
    assert behind == {"fork_daemon": ["breach: a daemon was started"]}
    assert "a datagram arrived" in alone["network_udp"]
    assert any("was left behind" in problem for problem in alone["fork_daemon"])


@pytest.mark.usefixtures("all_layers")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has another uid to give")
def test_what_a_uid_of_its_own_is_for(ground: Ground, trial: Trial) -> None:
    """Where nothing else holds, another uid keeps a submission started by root from root's files."""
    if "uid" in dict(trial.sandbox.isolation.missing):
        pytest.skip("other users may not read this Python, so that a worker must stay root")
    attacks = tuple(attack for attack in ATTACKS if attack.name == "privileges")
    others = ("seccomp", "landlock", "namespaces")
    behind = _broken(ground, _layers(*others, open_files=True), attacks)
    alone = _broken(ground, _layers(*others, "uid", open_files=True), attacks)
    assert behind == {}
    assert "breach: read a file that is closed to others" in alone["privileges"]


# --- users and installations -------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The interpreter of a new environment, which other users may read, with the wheel and nothing of the checkout."""
    folder = Path("/tmp") / f"manyheads-wheel-{os.getpid()}"  # noqa: S108 - another user must reach it
    folder.mkdir(mode=0o755)
    wheels = tmp_path_factory.mktemp("wheels")
    _run([sys.executable, "-m", "build", "--wheel", "--outdir", str(wheels), str(CHECKOUT)])
    base = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
    _run([base, "-m", "venv", str(folder / "venv")])
    python = folder / "venv" / "bin" / "python"
    _run([str(python), "-m", "pip", "install", "--quiet", *map(str, wheels.glob("*.whl"))])
    shutil.copytree(HERE, folder / "hostile", ignore=shutil.ignore_patterns("__pycache__"))
    yield python
    shutil.rmtree(folder)


def _run(command: list[str]) -> None:
    run = subprocess.run(command, capture_output=True, check=False, text=True, timeout=600, stdin=subprocess.DEVNULL)
    assert run.returncode == 0, run.stdout + run.stderr


def _attacked(python: Path, tests: Path, *, user: int | None = None, path: str | None = None) -> str:
    """The last line of this folder's quick tests, run by another interpreter."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    environment |= {"HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"} | ({"PYTHONPATH": path} if path else {})
    marks = ["-m", "hostile and not slow", "--strict-markers", "-W", "error"]
    settings = [f"--rootdir={tests}", "-c", "/dev/null", "-o", "markers=hostile\nslow", "-p", "no:cacheprovider", "-q"]
    run = subprocess.run(
        [str(python), "-P", "-m", "pytest", str(tests), *marks, *settings, "--tb=short"],
        env=environment,
        cwd="/",
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
        timeout=1200,
    )
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr
    return run.stdout.splitlines()[-1]


def test_the_installed_wheel_holds(installed: Path) -> None:
    """The grader that a wheel installs, with the course inside it, holds against every attack."""
    where = subprocess.run(
        [str(installed), "-I", "-c", "import grader; print(grader.__file__)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(installed.parents[1]) in where.stdout
    assert "failed" not in _attacked(installed, installed.parents[2] / "hostile")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_an_ordinary_user_is_as_safe(installed: Path) -> None:
    """Started by an ordinary user, the grader holds against every attack."""
    assert "failed" not in _attacked(installed, installed.parents[2] / "hostile", user=NOBODY)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_an_ordinary_user_is_as_safe_in_a_checkout(installed: Path) -> None:
    """So it does from a checkout, where the user can read that."""
    if not all(place.stat().st_mode & stat.S_IXOTH for place in (CHECKOUT, *CHECKOUT.parents)):
        pytest.skip(f"{CHECKOUT} is closed to other users")
    assert "failed" not in _attacked(installed, HERE, user=NOBODY, path=str(CHECKOUT))
