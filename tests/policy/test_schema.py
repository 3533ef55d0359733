"""The JSON Schema for editors agrees with the reader of policy files."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app
from mcp_bindgen.contract.policy_schema import SCHEMA
from mcp_bindgen.runtime.client.policy.errors import PolicyFileError
from mcp_bindgen.runtime.client.policy.read import parse
from mcp_bindgen.runtime.client.policy.read_features import with_features

from tests.policy.counting import RECORDING

if TYPE_CHECKING:
    from pathlib import Path

jsonschema: Any = pytest.importorskip("jsonschema")
WHOLE = """
format = "mcp-bindgen-policy/1"
modes = ["day", "night"]
enforce = "log"
unreviewed = "allow"
[server]
name = "a"
recording = "../a.json"
command = ["a", "-b"]
[default]
tools = "deny"
roots = "approve"
[tools.a]
risk = "high"
modes = ["day"]
approval = ["day"]
timeout = 2.5
rate = { per_minute = 10, burst = 2, scope = "principal" }
secrets = ["sk-[0-9]+"]
results = { max_bytes = 100, strip_hidden = true, mask = ["x+"], lint = true }
reads_untrusted = true
sends_out = true
enforce = "deny"
reviewed = ""
removed = false
log_values = true
note = "n"
[tools.a.arguments]
size = { maximum = 5, absent = true }
"/b/c" = { fixed = "x" }
kind = { allowed = [1, "a"] }
text = { pattern = "[a-z]+", max_length = 10 }
[tools.a.paths]
path = { allowed = ["/data"], forbidden = ["/data/x"], filesystem = "local" }
[[tools.a.when]]
arguments.action = ["delete"]
approval = "always"
modes = ["day"]
absent = false
note = "n"
[methods."elicitation/create"]
deny = true
[resources."a://{b}"]
risk = "low"
arguments.uri = { pattern = "a://[0-9]*" }
[prompts.p.paths]
path = { allowed = ["/data"] }
[[cases]]
tool = "a"
expect = "deny"
"""
WRONG = (
    *("polcy = 1", 'unreviewed = "yes"', "modes = [1]", "[tools.a]\nrisc = 1"),
    *('[tools.a]\nrisk = "none"', "[tools.a]\ntimeout = 0", '[default]\ntool = "deny"'),
    *("[tools.a]\nrate = {}", "[tools.a.arguments]\nx = { most = 1 }"),
    *('[resources."a://b".paths]\nc = {}', "[prompts.a]\nrisc = 1"),
    *('[tools.a]\nreviewed = "yes"', "[tools.a]\nresults = { lint = 1 }"),
)


def fits(text: str) -> bool:
    """Return whether a file fits the schema."""
    validator = jsonschema.Draft202012Validator(SCHEMA)
    return bool(validator.is_valid(tomllib.loads(text)))


def test_a_file_with_all_keys_fits() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    parse(WHOLE.encode(), "policy.toml", None, with_features)
    assert fits(WHOLE)


def test_a_new_file_fits(tmp_path: Path) -> None:
    recording, file = tmp_path / "a.json", tmp_path / "a.toml"
    recording.write_bytes(RECORDING)
    result = CliRunner().invoke(app, ["policy", str(recording), "-o", str(file)])
    assert result.exit_code == 0
    assert fits(file.read_text(encoding="utf-8"))
    printed = CliRunner().invoke(app, ["policy", "schema"])
    assert json.loads(printed.stdout) == json.loads(json.dumps(SCHEMA))


@pytest.mark.parametrize("text", WRONG)
def test_what_the_reader_refuses_does_not_fit(text: str) -> None:
    with pytest.raises(PolicyFileError):
        parse(text.encode(), "policy.toml", None, with_features)
    assert not fits(text)
