"""Attacks on an exercise that uses torch: those by means of torch, and those on concat_heads that need no numpy."""

import dataclasses
from collections.abc import Iterator
from functools import partial

import pytest
from attack import ATTACKS, TORCH_ATTACKS, Attack
from ground import Ground
from trial import BATCHED, TORCH_NAMES, Trial

from grader.sandbox.client import Sandbox

pytest.importorskip("torch", reason="an extra: without it no exercise uses it")
pytestmark = pytest.mark.hostile

# Attacks on the process, the machine and the wire, whatever is asked for; each costs time, so one of a kind.
REUSED = (
    "abort",
    "always_equal",
    "atexit_hooks",
    "codec_forged_exception",
    "descriptors_swapped",
    "environment_of_the_grader",
    "exit_os_exit",
    "fork_bomb",
    "fork_daemon",
    "frame_half",
    "frames_forged_everywhere",
    "import_solution",
    "kill_everyone",
    "kill_grader",
    "loop_python",
    "loop_regex",
    "memory_heap",
    "memory_memfd",
    "memory_of_other_processes",
    "module_getattr",
    "namespaces_and_mounts",
    "network_tcp",
    "network_udp",
    "output_flood",
    "patched_builtins",
    "patched_system_calls",
    "privileges",
    "ptrace",
    "raised_limits",
    "read_by_native_code",
    "read_suite_solution_classmates",
    "rare_system_calls",
    "segfault",
    "shell_subprocess",
    "stop_itself",
    "thread_rewrites_the_result",
    "write_home",
    "write_site_packages",
)


@pytest.fixture(scope="module")
def torch_trial(ground: Ground) -> Iterator[Trial]:
    """A sandbox whose submissions may use torch."""
    trial = Trial(ground, partial(Sandbox, ("numpy", "torch")), task=BATCHED, before=2)
    yield trial
    trial.close()


@pytest.fixture(scope="module")
def renamed_trial(ground: Ground) -> Iterator[Trial]:
    """The same, for attacks on concat_heads: they are handed in under the names that are asked for."""
    task = dataclasses.replace(BATCHED, added=TORCH_NAMES)
    trial = Trial(ground, partial(Sandbox, ("numpy", "torch")), task=task)
    yield trial
    trial.close()


@pytest.mark.parametrize("attack", TORCH_ATTACKS, ids=[attack.name for attack in TORCH_ATTACKS])
def test_the_grader_holds_against_torch(attack: Attack, torch_trial: Trial) -> None:
    """An attack by means of torch gains no point, learns no secret, leaves no trace and ends in time."""
    assert torch_trial.problems(attack) == [], attack.tries


@pytest.mark.parametrize("name", REUSED)
def test_what_holds_with_numpy_holds_with_torch(name: str, renamed_trial: Trial) -> None:
    """A worker that has torch loaded is locked away as one without."""
    (attack,) = (attack for attack in ATTACKS if attack.name == name)
    # sentences about arrays are about tensors here, and an answer in numpy is none
    points = "none" if attack.points == "all" else attack.points
    verdicts = (*attack.verdicts, "wrong", "crashed")
    reused = dataclasses.replace(attack, says=frozenset(), verdicts=verdicts, points=points)
    assert renamed_trial.problems(reused) == [], attack.tries
