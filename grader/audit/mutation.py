"""Proof that the hidden suite notices every small change to right code that is a change at all.

    solutions/NN/equivalents.toml
        [[equivalent]]
        why = "Every element is written afterwards."
        mutants = ["accepted/buffer.py: out = np.zeros(size) → out = np.ones(size)"]

A mutant that no check fails is a hole in the suite, or no mistake at all. The list holds the latter, by name and with
the reason, as somebody has judged it; what it lists without need is told too.
"""

from __future__ import annotations

from pathlib import Path

from grader.audit.bench import Bench, shown_probe
from grader.audit.mutants import Mutant
from grader.audit.proof import Proof
from grader.diagnosis.observation import observation_of, same
from grader.errors import SubmissionError
from grader.strict_toml import read_table


def prove_mutants(bench: Bench, proof: Proof) -> None:
    """Every mutant fails a check, or is on the reviewed list of those that are no mistakes."""
    path = bench.exercise.solution / "equivalents.toml"
    reviewed, mutants = _reviewed(path), bench.ran_mutants.failed
    survived = {mutant.name: mutant for mutant, failed in mutants.items() if not failed}
    for name, mutant in survived.items():
        if name not in reviewed:
            shown_on = _differs_on(bench, mutant)
            proof.find("mutant_differs" if shown_on else "mutant_survives", mutant=name, call=shown_on)
    known = {mutant.name for mutant in mutants}
    for name in reviewed:
        if name in known - set(survived):
            proof.find("equivalent_killed", mutant=name)
        elif name not in known and bench.every:  # else it may be one that there was no time for
            proof.find("equivalent_unknown", mutant=name)
    equivalent = len(set(reviewed) & set(survived))
    killable = len(mutants) - equivalent
    killed = len(mutants) - len(survived)
    proof.counts |= {"killed": killed, "killable": killable, "equivalent": equivalent}


def _reviewed(path: Path) -> dict[str, str]:
    """Names of mutants and why each is no mistake."""
    if not path.is_file():
        return {}
    table = read_table(path)
    found: dict[str, str] = {}
    for group in table.array("equivalent"):
        why = group.string("why")
        for name in group.strings("mutants"):
            if name in found:
                raise group.error("mutants", f"{name!r} twice", "list it once")
            found[name] = why
        group.close()
    table.close()
    return found


def _differs_on(bench: Bench, mutant: Mutant) -> str:
    """The call by which a mutant shows that it is not right, "" where none was found."""
    models, right = bench.known.models, bench.known.right
    subject = bench.sandbox.open(mutant.source, bench.exercise.filename, bench.exercise.limits)
    try:
        for probe in bench.inputs:
            subject.begin_check()
            if not same(observation_of(models.observe, subject, probe), right.on(probe)):
                return shown_probe(models, probe)
    except SubmissionError:
        return "stopped"
    finally:
        subject.close()
    return ""
