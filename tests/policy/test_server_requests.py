"""Requests of the server: a policy decides about them as about calls."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.policy.counting import CountingServer

TOOL = "[tools.list_items]\n"
ASKS: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": "q1",
    "method": "elicitation/create",
    "params": {"message": "Your password?"},
}
ALLOWED = '[default]\nelicitation = "allow"\n'


class Person:
    """Answers the questions of a server, and counts them."""

    def __init__(self, content: object = "yes") -> None:
        self.questions: list[Any] = []
        self.content = content

    def __call__(self, params: Any) -> dict[str, Any]:
        self.questions.append(params)
        return {"action": "accept", "content": {"word": self.content}}


def asking(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the server's question, in the middle of each call."""
    return [ASKS] if message.get("method") == "tools/call" else []


@pytest.mark.parametrize(
    ("begin", "answered"),
    [
        ("", False),
        ('[default]\nelicitation = "deny"\n', False),
        ('[default]\nelicitation = "approve"\n', False),
        ('[methods."elicitation/create"]\ndeny = true\n', False),
        ('[methods."elicitation/create"]\nmodes = ["ALERT"]\n', False),
        (ALLOWED, True),
        ('[methods."elicitation/create"]\n', True),
        ('enforce = "log"\n', True),
        (ALLOWED + '[methods."elicitation/create"]\ndeny = true\n', False),
    ],
)
def test_a_question_of_the_server_obeys(
    begin: str,
    answered: Any,
    shop: Any,
    server: CountingServer,
    load: Callable[..., Any],
) -> None:
    person, records = Person(), list[Any]()
    plain = server.client(shop.Client, on_elicit=person)
    client = plain.with_options(policy=load(TOOL, begin, audit=records.append))
    server.before = asking
    client.list_items()
    assert len(person.questions) == int(answered)
    sent = server.answers[-1]["result"]["action"]
    assert sent == ("accept" if answered else "decline")
    decided = [r for r in records if r.get("mcp.method.name") == "elicitation/create"]
    assert len(decided) == 1
    ended = [r["outcome"] for r in records if r["event"] == "ended"]
    assert ended == (["answered", "ran"] if answered else ["ran"])
    # The connection obeys: also where another client on it makes the call.
    plain.list_items()
    assert len(person.questions) == 2 * int(answered)


def test_a_person_approves_a_question_of_the_server(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    person, answers, requests = Person(), [True, False, None], list[Any]()

    def approve(request: Any) -> object:
        requests.append(request)
        return answers.pop(0)

    begin = '[default]\nelicitation = "approve"\n'
    client = server.client(shop.Client, on_elicit=person)
    client = client.with_options(policy=load(TOOL, begin, approve=approve))
    server.before = asking
    for _ in range(3):
        client.list_items()
    assert [r.arguments["message"] for r in requests] == ["Your password?"] * 3
    actions = [answer["result"]["action"] for answer in server.answers]
    assert actions == ["accept", "decline", "decline"]
    assert len(person.questions) == 1


def test_an_answer_with_a_secret_is_not_sent(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    entry = '[methods."elicitation/create"]\nsecrets = ["^sk-[0-9]+$"]\n'
    person = Person(("a", {"sk-1": "sk-12"}))
    client = server.client(shop.Client, on_elicit=person)
    client = client.with_options(policy=load(TOOL, entry))
    server.before = asking
    client.list_items()
    assert server.answers[-1]["result"] == {"action": "decline"}
    person.content = "a word"
    client.list_items()
    assert server.answers[-1]["result"]["content"] == {"word": "a word"}


def test_a_mode_that_changes_while_the_person_writes_counts(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()

    def answer(_params: Any) -> dict[str, Any]:
        supervisor.switch("ALERT")
        return {"action": "accept", "content": {}}

    entry = '[methods."elicitation/create"]\nmodes = ["NORMAL"]\n'
    client = server.client(shop.Client, on_elicit=answer)
    client = client.with_options(policy=load(TOOL, entry, supervisor=supervisor))
    server.before = asking
    client.list_items()
    assert server.answers[-1]["result"] == {"action": "decline"}


def test_a_policy_leaves_with_its_clients(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    person = Person()
    client = server.client(shop.Client, on_elicit=person)
    policy = load(TOOL)
    other = client.with_options(policy=policy)
    server.before = asking
    other.list_items()
    assert person.questions == []
    del other
    gc.collect()
    client.list_items()
    assert len(person.questions) == 1
