"""Every attack of `attacks/` against the grader as it is: none gains, learns, leaves or breaks anything."""

import pytest
from attack import ATTACKS, Attack
from trial import Trial

pytestmark = pytest.mark.hostile


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_the_grader_holds_against(attack: Attack, trial: Trial) -> None:
    """An attack gets the verdict it deserves, no point more, learns no secret, leaves no trace and ends in time."""
    assert trial.problems(attack) == [], attack.tries
