"""Calls that a server answers later: their requests, their results, their records."""

from __future__ import annotations

import json
from dataclasses import replace
from inspect import isawaitable
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.client.policy.errors import PolicyError
from mcp_bindgen.runtime.client.policy.policy import BasePolicy
from mcp_bindgen.runtime.client.policy.supervisor import Supervisor
from mcp_bindgen.runtime.errors import DeadlineError

from tests.policy.counting import policy_text
from tests.runtime.test_tasks import TaskServer, method_of, slow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.runtime.conftest import Driver

RAW = "key sk-abc12345\u200b and\u202e more"
CLEAN = "key [masked] and more"
RULE = 'results = { strip_hidden = true, mask = ["sk-[a-z0-9]+"], lint = true }\n'


@pytest.fixture(params=["legacy", "modern"])
def server(request: pytest.FixtureRequest) -> Iterator[TaskServer]:
    with TaskServer(modern=request.param == "modern") as running:
        running.said = RAW
        yield running


@pytest.fixture
def policy(tmp_path: Path) -> Callable[..., BasePolicy]:
    """Return what loads a policy with an entry of the tool."""

    def loaded(entry: str = RULE, **options: Any) -> BasePolicy:
        file = tmp_path / "policy.toml"
        file.write_text(policy_text(f"[tools.slow]\n{entry}"), encoding="utf-8")
        return BasePolicy.load(file, **options)

    return loaded


async def ended(value: Any) -> Any:
    """Return what a method of a handle gives, of either kind."""
    return await value if isawaitable(value) else value


def test_the_result_of_a_handle_is_cleaned_and_logged(
    driver: Driver, server: TaskServer, policy: Callable[..., BasePolicy]
) -> None:
    records: list[Any] = []
    texts: list[Any] = []

    async def work(client: Any) -> None:
        task = await client.submit(method_of(driver, client))
        resumed = await ended(
            client.resume_task(method_of(driver, client), task.to_json())
        )
        for each in (task, resumed):
            result = await ended(each.result(10))
            texts.append(result.json())
            (finding,) = result.raw["_meta"]["mcp-bindgen/findings"]
            assert finding == {"rule": "hidden", "pointer": "/content/0/text"}

    driver.http(server.url, work, policy=policy(audit=records.append))
    assert texts == [CLEAN, CLEAN]
    facts = [
        (r.get("mcp.method.name"), r.get("decision"), r.get("outcome")) for r in records
    ]
    reads = [("tasks/result", "allow", None), (None, None, "ran")]
    assert facts == [
        *(("tools/call", "allow", None), (None, None, "task")),
        *reads,
        *reads,
    ]
    assert [r["result.modified"] for r in records if r.get("outcome") == "ran"] == [
        *(True, True)
    ]


def test_a_task_that_is_small_and_a_result_that_is_cut(
    driver: Driver, server: TaskServer, policy: Callable[..., BasePolicy]
) -> None:
    server.said = "x" * 5_000

    async def work(client: Any) -> Any:
        task = await client.submit(method_of(driver, client))
        assert task.id == "task-1"
        return (await ended(task.result(10))).text

    # The size is for results: the id of a task is no part of one.
    rule = 'results = { max_bytes = 300, mask = ["task"] }\n'
    text = driver.http(server.url, work, policy=policy(rule))
    assert "cut by the policy" in text
    assert len(text) < 300


def test_a_handle_asks_about_its_own_task(
    driver: Driver, server: TaskServer, policy: Callable[..., BasePolicy]
) -> None:
    supervisor = Supervisor()

    async def work(client: Any) -> None:
        task = await client.submit(method_of(driver, client))
        assert (await ended(task.status())).status == "working"
        assert await client.ping() > 0
        # The stop of a tool does not keep anybody from stopping its tasks.
        supervisor.revoke("slow")
        await ended(task.cancel())
        for method in ("tasks/get", "tasks/result", "tasks/cancel", "tasks/update"):
            with pytest.raises(PolicyError, match="no entry"):
                await client.request(method, {"taskId": task.id})
        with pytest.raises(PolicyError, match="revoked"):
            await client.submit(method_of(driver, client))

    driver.http(server.url, work, policy=policy(supervisor=supervisor))
    assert server.methods().count("tasks/get") == 1
    assert server.methods().count("tasks/cancel") == 1
    assert server.methods().count("tools/call") == 1


def test_no_handle_leads_round_the_policy(
    driver: Driver, server: TaskServer, policy: Callable[..., BasePolicy]
) -> None:
    with BaseClient.http(server.url) as client:
        task: Any = client.submit(slow.__get__(client))
        server.end = "at once"
        answered: Any = client.submit(slow.__get__(client))
    texts = (task.to_json(), answered.to_json())
    server.end = "completed"

    async def read(client: Any) -> list[str]:
        method = method_of(driver, client)
        return [
            (
                await ended((await ended(client.resume_task(method, text))).result(10))
            ).json()
            for text in texts
        ]

    async def fail(client: Any) -> None:
        method = method_of(driver, client)
        with pytest.raises(PolicyError):
            await client.submit(method)
        with pytest.raises(PolicyError):
            await ended((await ended(client.resume_task(method, texts[0]))).result(10))
        with pytest.raises(PolicyError):
            await ended(client.resume_task(method, texts[1]))

    assert driver.http(server.url, read, policy=policy()) == [CLEAN, CLEAN]
    server.messages.clear()
    driver.http(server.url, fail, policy=policy("deny = true\n"))
    assert not {"tools/call", "tasks/result", "tasks/get"} & {*server.methods()}


def test_the_policy_shortens_the_wait_for_a_result(
    driver: Driver, server: TaskServer, policy: Callable[..., BasePolicy]
) -> None:
    server.end = "never"

    async def work(client: Any) -> None:
        task = await client.submit(method_of(driver, client))
        with pytest.raises(DeadlineError):
            await ended(task.result(None))

    driver.http(server.url, work, policy=policy("timeout = 1\n"))


def test_the_policy_bounds_all_waits_for_a_result_together(
    driver: Driver, server: TaskServer, policy: Callable[..., BasePolicy]
) -> None:
    hour = 3_600.0

    async def work(client: Any) -> None:
        method = method_of(driver, client)
        task = await client.submit(method)
        facts = json.loads(task.to_json())
        earlier = json.dumps({**facts, "begun": facts["begun"] - hour})
        late = [replace(task, begun=task.begun - hour)]
        late.append(await ended(client.resume_task(method, earlier)))
        for each in late:
            with pytest.raises(DeadlineError):
                await ended(each.result(10))
        assert not {"tasks/get", "tasks/result"} & {*server.methods()}
        # A clock that went back, or no moment, gives no more time than one call has.
        for begun in (facts["begun"] + hour, None, 10**400, "now"):
            text = json.dumps({**facts, "begun": begun})
            again = await ended(client.resume_task(method, text))
            assert monotonic() - 60 < again.begun <= monotonic()
        assert (await ended(again.result())).json() == RAW

    driver.http(server.url, work, policy=policy("timeout = 1800\n"))


def test_the_time_of_a_task_begins_with_the_sending_of_its_call(
    driver: Driver,
    server: TaskServer,
    policy: Callable[..., BasePolicy],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments: list[float] = []
    answer = server.result

    def noting(message: dict[str, Any], send: Any) -> dict[str, Any]:
        if message["method"] == "tools/call":
            moments.append(monotonic())
        return answer(message, send)

    def approve(_request: object) -> bool:  # a person may take long
        moments.append(monotonic())
        return True

    async def work(client: Any) -> None:
        task = await client.submit(method_of(driver, client))
        approved, arrived = moments
        assert approved <= task.begun <= arrived

    monkeypatch.setattr(server, "result", noting)
    always = policy('approval = "always"\n', approve=approve)
    driver.http(server.url, work, policy=always)


def test_a_result_with_texts_of_strangers_marks_the_session(
    driver: Driver, server: TaskServer, tmp_path: Path
) -> None:
    with BaseClient.http(server.url) as client:
        text = client.submit(slow.__get__(client)).to_json()
    entries = "[tools.slow]\nreads_untrusted = true\n[tools.mail]\nsends_out = true\n"
    file = tmp_path / "policy.toml"
    file.write_text(policy_text(entries), encoding="utf-8")

    async def work(client: Any) -> None:
        await client.call_tool("mail", {})
        task = await ended(client.resume_task(method_of(driver, client), text))
        await ended(task.result(10))
        with pytest.raises(PolicyError, match="texts of strangers"):
            await client.call_tool("mail", {})

    driver.http(server.url, work, policy=BasePolicy.load(file))
    assert server.methods().count("tools/call") == 2
