"""The nouns of an audit: for each exercise a line for each proof, what it looked at, and what it found to be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.model import Message

FAULT = "fault"


@dataclass
class Proof:
    """One thing that must hold of an exercise; filled while it is tried.

    Attributes:
        name: "starter", "mutants"; its sentences in grader/texts/audit.toml begin with it.
        findings: what does not hold, each with the place and what to do.
        counts: the figures of its line, and of the whole audit.
        count: how many findings there are, without sentences that point at one above or only say more of it.
        form: another sentence than the usual one for what was looked at: "none", "full"; FAULT where it could not be.
    """

    name: str
    findings: list[Message] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    form: str = ""
    seconds: float = 0.0
    count: int = 0

    def find(self, key: str, /, **fields: str | float) -> None:
        """Note something that does not hold; `key` names a sentence of grader/texts/audit.toml."""
        self.add(Message(f"audit.{key}", fields))
        self.count += 1

    def add(self, message: Message) -> None:
        """Say more of the finding before, or point at one above; it does not count."""
        self.findings.append(message)

    @property
    def holds(self) -> bool:
        return not self.findings

    @property
    def summary(self) -> Message:
        """What was looked at, in one sentence with the counts."""
        if self.form == FAULT:
            return Message("audit.looked_fault")
        form = f"{self.name}_{self.form}" if self.form else self.name
        return Message(f"audit.looked_{form}", self.counts)


@dataclass(frozen=True)
class ExerciseAudit:
    """Everything that was tried on one exercise."""

    exercise: str
    proofs: tuple[Proof, ...]

    @property
    def holds(self) -> bool:
        return all(proof.holds for proof in self.proofs)


@dataclass(frozen=True)
class Figure:
    """A figure over several exercises: how many of how many, and how many there must be.

    Attributes:
        least: a share, from 0 to 1.
    """

    name: str
    reached: int
    total: int
    least: float

    @property
    def holds(self) -> bool:
        return self.reached >= self.least * self.total


# Name of a figure -> the proof it comes from, the counts that it adds up, and the least share of the second.
_FIGURES = {
    "mistakes_named": ("mistakes", "named", "total", 1.0),
    "pairs_named": ("pairs", "named", "diagnosed", 0.95),
    "mistakes_steady": ("mistakes", "steady", "total", 1.0),
    "pairs_steady": ("pairs", "steady", "sampled", 1.0),
    "accepted_clean": ("accepted", "clean", "total", 1.0),
    "mutants_killed": ("mutants", "killed", "killable", 1.0),
}


def figures(audits: Sequence[ExerciseAudit]) -> list[Figure]:
    """The figures over all exercises, without those that were not tried."""
    found = []
    for figure, (name, reached, total, least) in _FIGURES.items():
        counts = [proof.counts for audit in audits for proof in audit.proofs if proof.name == name]
        tried = [each for each in counts if reached in each and total in each]
        if tried:
            got, most = (sum(each[count] for each in tried) for count in (reached, total))
            found.append(Figure(figure, got, most, least))
    return found
