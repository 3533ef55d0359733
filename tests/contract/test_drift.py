"""Version pairs of real servers, and single mutations, are graded right."""

from __future__ import annotations

from tests.contract.drift import mutation_scores, pair_scores
from tests.shared import needs


@needs("drift/pairs.json")
def test_pairs_of_real_servers_are_graded_right() -> None:
    scores = [*pair_scores()]
    assert [score for score in scores if not score.is_right] == []
    assert len(scores) > 100


@needs("drift/mutations")
def test_mutations_are_graded_right() -> None:
    scores = [*mutation_scores()]
    assert [score for score in scores if not score.is_right] == []
    assert len(scores) > 30
