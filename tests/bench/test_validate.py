"""The work that `scripts/bench-validate` compares is the same work."""

from __future__ import annotations

import json

from tests.bench.residual import Case, cases, work
from tests.bench.validate import pairs
from tests.shared import needs


def test_both_send_and_read_the_same() -> None:
    checked: list[str] = []
    for pair in pairs():
        ours, alone = pair.ours(), pair.alone()
        if isinstance(ours, bytes) and isinstance(alone, bytes):
            assert json.loads(ours) == json.loads(alone)
        else:
            assert ours == alone
        checked.append(pair.what.partition(",")[0])
    assert checked.count("arguments") == checked.count("result") == 3
    assert "arguments of a plain tool" in checked


def test_residual_validation_and_the_peer_refuse_the_same() -> None:
    case = Case("", '{"not":{"const":1}}', [2, "a"], [1, 1.0])
    done = {what: (ours(), theirs()) for what, ours, theirs in work(case)}
    assert done["valid"] == ([2, "a"], [True, True])
    assert "''" not in str(done["refused"])
    assert str(done["refused"]).count("must not fit the schema of not") == 2


@needs("corpus")
@needs("fidelity")
def test_real_tools_and_the_suite_need_residual_validation() -> None:
    first = next(cases())
    assert first.origin == "real tools"
    assert first.valid
