"""Policies of real servers: each resource, template and prompt obeys its own entry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp_bindgen.runtime.client.policy.decide import decide
from mcp_bindgen.runtime.client.policy.features import entry_for
from mcp_bindgen.runtime.client.policy.read import parse
from mcp_bindgen.runtime.client.policy.read_features import with_features
from mcp_bindgen.runtime.client.uri_templates import Expression, expand
from mcp_bindgen.runtime.client.uri_templates import parse as parts_of

from tests.commands import run
from tests.shared import needs, recordings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LISTS = ("resources", "resourceTemplates", "prompts")


def requests(recorded: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the key of each entry, and a request that it is for."""
    for resource in recorded.get("resources", []):
        yield resource["uri"], "resources/read", {"uri": resource["uri"]}
    for prompt in recorded.get("prompts", []):
        yield prompt["name"], "prompts/get", {"name": prompt["name"]}
    for template in recorded.get("resourceTemplates", []):
        text = template["uriTemplate"]
        expressions = [part for part in parts_of(text) if isinstance(part, Expression)]
        names = [v.name for each in expressions for v in each.variables]
        for value in ("5", "a b/c", "x.y~é"):
            uri = expand(text, dict.fromkeys(names, value))
            yield text, "resources/read", {"uri": uri}


@needs("corpus/recordings")
def test_each_entry_is_for_what_the_server_lists(tmp_path: Path) -> None:
    servers = 0
    for name, file in recordings().items():
        recorded = json.loads(file.read_bytes())
        if not any(recorded.get(kind) for kind in LISTS):
            continue
        policy = tmp_path / f"{name}.toml"
        for words in (
            ("policy", str(file), "-o", str(policy)),
            ("policy", "review", "--all", "-p", str(policy)),
            ("policy", str(file), "-o", str(policy), "--check"),
        ):
            assert run(*words).exit_code == 0, words
        document = parse(policy.read_bytes(), name, None, with_features)
        for key, method, params in requests(recorded):
            entry = entry_for(document, method, params)
            decision = decide(document, entry, "NORMAL", params)
            assert (entry.name, decision.effect) == (key, "allow"), (name, params)
        servers += 1
    assert servers > 20
