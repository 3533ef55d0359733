"""Mistakes in the entries of resources and prompts are reported at once."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from mcp_bindgen.runtime.client.policy.errors import PolicyFileError
from mcp_bindgen.runtime.client.policy.read import parse
from mcp_bindgen.runtime.client.policy.read_features import listed_in, with_features

RECORDED: dict[str, Any] = {
    "resources": [{"uri": "a://b", "name": "b"}],
    "resourceTemplates": [
        {"uriTemplate": "a://{x}/y", "name": "y"},
        {"uriTemplate": "b://" + "{x,y,z}" * 2_000, "name": "large"},
    ],
    "prompts": [{"name": "ask", "arguments": [{"name": "style"}]}],
}

READER = partial(with_features, listed=listed_in(RECORDED))


@pytest.mark.parametrize(
    ("entries", "location", "reason"),
    [
        ('[resources."a://c"]', 'resources."a://c"', "did you mean a://b?"),
        ('[resources."a://{x}"]', 'resources."a://{x}"', "no such resource"),
        ("[prompts.aks]", "prompts.aks", "no such prompt; did you mean ask?"),
        ("[prompts.ask.arguments]\nx={fixed=1}", "prompts.ask.arguments.x", "no such"),
        (
            '[resources."a://b".arguments]\nx={fixed="1"}',
            'resources."a://b".arguments.x',
            "no such argument",
        ),
        (
            '[resources."a://b"]\npaths={}',
            'resources."a://b".paths',
            "unknown key",
        ),
        ("[prompts.ask]\nrisc='low'", "prompts.ask.risc", "did you mean risk?"),
        ("[prompts.ask]\nresults={max_bytes=500}", "prompts.ask.results", "max_bytes"),
        ("[prompts]\nask = 5", "prompts.ask", "expected a table"),
        (
            '[resources."a://b"]\n[methods."resources/subscribe"]',
            'methods."resources/subscribe"',
            "got both",
        ),
        ('[prompts.ask]\n[methods."prompts/get"]', 'methods."prompts/get"', "got both"),
        (
            f'[resources."{"{x,y,z}" * 2_000}"]\nremoved = true',
            f'resources."{"{x,y,z}" * 2_000}"',
            "too large",
        ),
    ],
)
def test_mistakes_are_reported_when_the_file_is_loaded(
    entries: str, location: str, reason: str
) -> None:
    with pytest.raises(PolicyFileError) as caught:
        parse(entries.encode(), "policy.toml", {}, READER)
    assert {at for at, _ in caught.value.faults} <= {location, f"{location}.fixed"}
    assert reason in caught.value.faults[0][1]


def test_entries_of_what_there_is_are_right() -> None:
    text = '[resources."a://b"]\n[resources."a://{x}/y"]\n[resources."a://1/y"]\n'
    text += '[prompts.ask]\narguments.style={fixed="kind"}\n'
    text += "[prompts.old]\nremoved = true\n"
    document = parse(text.encode(), "policy.toml", {}, READER)
    assert [*document.resources] == ["a://b", "a://{x}/y", "a://1/y"]
    assert document.prompts["old"].effect == "deny"
