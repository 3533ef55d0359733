"""Packages of servers without resources and prompts carry nothing about them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.policy.counting import CountingServer

ABSENT = (
    *("client/uri_templates.py", "client/full.py", "client/policy/features.py"),
    *("client/policy/full_policy.py", "client/policy/read_features.py"),
    "client/policy/uris.py",
)


def test_no_module_of_resources_or_prompts_is_in_the_package(shop: Any) -> None:
    runtime = Path(shop.__file__).parent / "_runtime"
    assert (runtime / "client" / "policy" / "policy.py").exists()
    assert [path for path in ABSENT if (runtime / path).exists()] == []


def test_entries_of_what_the_server_does_not_have_are_mistakes(
    shop: Any, load: Callable[..., Any]
) -> None:
    with pytest.raises(shop.PolicyFileError) as caught:
        load('[resources."a://b"]\n[prompts.ask]\n')
    assert caught.value.faults == (
        (
            'resources."a://b"',
            "there is no such resource: the package was made without resources",
        ),
        (
            "prompts.ask",
            "there is no such prompt: the package was made without prompts",
        ),
    )


def test_what_the_server_had_once_stays_denied(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    entries = '[prompts.old]\nremoved = true\n[default]\nprompts = "allow"\n'
    client = server.client(shop.Client).with_options(policy=load(entries))
    with pytest.raises(shop.PolicyError, match="the server had none"):
        client.request("prompts/get", {"name": "old"})
    assert "prompts/get" not in server.methods
