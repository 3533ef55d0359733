"""Some real servers, through all that `scripts/corpus` does with all of them."""

from __future__ import annotations

import pytest

from tests.corpus.__main__ import check
from tests.shared import needs, recordings

# One action tool with many branches, hundreds of fields, recursion, residual
# validation, names
# that are no identifiers, output schemas.
SAMPLE = ("openmetadata", "notion", "xcodebuild", "mcp_server_splunk", "slack_ref")


@pytest.mark.slow
@needs("corpus")
def test_a_sample_of_real_servers(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = {name: recordings()[name] for name in SAMPLE}
    code = check(chosen, tmp_path_factory.mktemp("sample"))
    shown = capsys.readouterr().out
    assert code == 0, shown
    assert [line.split()[0] for line in shown.splitlines()[1:6]] == [*SAMPLE]
    assert shown.count("clean") == 4
