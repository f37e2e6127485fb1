"""Finds what does the same as a submission everywhere, of as few mistakes as possible.

observations --singles, then combinations--> what matches on the probes --fresh probes--> what explains it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from grader.diagnosis.behaviour import Behaviour, Behaviours
from grader.diagnosis.combinations import MOST_PARTS, Combinations
from grader.diagnosis.fresh import FreshProbes
from grader.diagnosis.observation import Observation, same, text_fits, wrong_refusals
from grader.diagnosis.planned import Planned


class Matching:
    """The search for what explains one submission.

    Args:
        ask: what the submission does with a probe.
        seed: decides the fresh probes.
        begin: called before the submission is asked a few more.
        ask_ahead: called with the probes that come next.

    Attributes:
        fresh: the fresh probes.
        compared: what matched on the probes -> fresh probes on which it does the same, 0 where one refuted it.
    """

    def __init__(
        self,
        known: Behaviours,
        ask: Callable[[Planned], Observation],
        seed: int,
        *,
        begin: Callable[[], None] = lambda: None,
        ask_ahead: Callable[[Iterable[Planned]], None] = lambda _planned: None,
    ) -> None:
        self.fresh = FreshProbes(known, ask, seed, ask_ahead)
        self.compared: dict[Behaviour, int] = {}
        self._known = known
        self._begin = begin

    def explained(self, seen: Sequence[Observation]) -> list[Behaviour]:
        """What does the same as the submission everywhere; nothing where it does what right code does on every probe.

        More mistakes at a time are looked at only where fewer explain nothing.

        Args:
            seen: what the submission does with each probe.
        """
        asked = [index for index, observation in enumerate(seen) if observation.asked]
        wrong = [index for index in asked if not same(seen[index], self._known.right.at(index))]
        if not wrong:
            return []
        order = [*wrong, *(index for index in asked if index not in wrong)]  # most candidates fall at the first probe
        singles = [m for m in self._known.mistaken if all(same(seen[index], m.at(index)) for index in order)]
        found = self._confirmed(singles, seen, wrong)
        if found:
            return found
        search = Combinations(self._known, seen, wrong)
        for _parts in range(2, MOST_PARTS + 1):
            found = self._confirmed(search.next_size(), seen, wrong)
            if found:
                return found
        return self._confirmed(Combinations(self._known, seen, wrong, may_cancel=True).next_size(), seen, wrong)

    def _confirmed(
        self, matching: Sequence[Behaviour], seen: Sequence[Observation], wrong: Sequence[int]
    ) -> list[Behaviour]:
        """Those that do the same on fresh probes too; of a mistake in several styles, the first."""
        self._begin()
        found: dict[tuple[str, ...], Behaviour] = {}
        for each in matching:
            if each.slugs not in found and _told_alike([(seen[index], each.at(index)) for index in wrong]):
                self.compared[each] = self.fresh.confirmed(each)
                if self.compared[each]:
                    found[each.slugs] = each
        return list(found.values())


def _told_alike(shown: Sequence[tuple[Observation, Observation]]) -> bool:
    """Whether the evidence is more than "both raise something": where most of it is exceptions, their texts must fit.

    Inputs that must be refused and end in any other way are no evidence: whatever raises, raises there too.

    Args:
        shown: what the submission and the model do on each probe that shows the mistake.
    """
    telling = [(seen, model) for seen, model in shown if not wrong_refusals(seen)] or shown
    raised = [(seen.raised, model.raised) for seen, model in telling if seen.raised and model.raised]
    return 2 * len(raised) <= len(telling) or all(text_fits(seen, model) for seen, model in raised)
