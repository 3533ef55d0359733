"""The replay stands on the comparison of recordings, not the other way round."""

from __future__ import annotations

from tests.test_layers import SOURCE, ours


def test_the_comparison_needs_nothing_of_the_replay() -> None:
    contract = SOURCE / "contract"
    replay = contract / "replay"
    upwards = [
        path.name
        for path in contract.glob("*.py")
        if any(to.is_relative_to(replay) for to in ours(path))
    ]
    assert upwards == []
    assert any(
        to.parent == contract for path in replay.glob("*.py") for to in ours(path)
    )
