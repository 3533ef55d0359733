"""Rows 29 to 32: hooks that hold, tools that were not offered, verify() of a part."""

from __future__ import annotations

import importlib
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.chaos.case import Case, Tally
from tests.chaos.drive import (
    KINDS,
    Twin,
    caught,
    client_class,
    nonces,
    package,
    run,
)
from tests.chaos.package import TOOLS, generate
from tests.chaos.server import ERAS, Script, serve

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.chaos.exchange import Exchange

__all__ = ["CASES"]


def _http(client: Any, url: str) -> Any:
    return client.http(url, timeout=4)


def _plain(client: Any) -> Any:
    return client.client if isinstance(client, Twin) else client


def _denies(reason: str, heard: list[str]) -> Callable[..., Any]:
    def hook(_tool: str, _arguments: object) -> Any:
        heard.append(reason)
        return package().Deny(reason)

    return hook


def _allows(name: str, heard: list[str]) -> Callable[..., Any]:
    def hook(_tool: str, _arguments: object) -> bool:
        heard.append(name)
        return True

    return hook


def composed(tally: Tally) -> None:
    """Row 29: the first denial wins, in the order in which hooks were added."""
    plans = (
        ("denies allows", (_denies, _allows), "one", ["one"]),
        ("allows denies", (_allows, _denies), "two", ["one", "two"]),
        ("denies denies", (_denies, _denies), "one", ["one"]),
        ("allows allows", (_allows, _allows), None, ["one", "two"]),
    )
    for name, (first, second), reason, order in plans:
        for kind in KINDS:
            with tally.attempt(f"{name} {kind}"), serve(Script()) as server:
                heard: list[str] = []
                hooks = first("one", heard), second("two", heard)
                error = run(
                    kind, partial(_http, url=server.url), partial(_hooked, hooks)
                )
                assert getattr(error, "reason", None) == reason, f"{error!r}"
                assert heard == order, f"these hooks were asked: {heard}"
                calls = len(server.log("tools/call"))
                assert calls == (reason is None), f"{calls} calls were sent"


async def _hooked(hooks: tuple[Any, Any], client: Any) -> Any:
    for hook in hooks:
        client = client.with_options(before_call=hook)
    return await caught(client.change_item(nonce=nonces()))


def replaced(tally: Tally) -> None:
    """Row 29: the second hook sees, and may deny, what the first one made."""
    for kind in KINDS:
        with tally.attempt(kind), serve(Script()) as server:
            heard: list[Any] = []

            def first(*_: object) -> Any:
                return package().Replace({"nonce": "replaced"})

            def second(_tool: str, arguments: Any, heard: list[Any] = heard) -> bool:
                heard.append(dict(arguments))
                return True

            make = partial(_http, url=server.url)
            error = run(kind, make, partial(_hooked, (first, second)))
            assert error is None, f"{error!r}"
            assert heard == [{"nonce": "replaced"}], f"the second hook saw {heard}"
            nonce = [r["nonce"] for r in server.log("tools/call")]
            assert nonce == ["replaced"], f"{nonce} was sent"


def langchain(tally: Tally) -> None:
    """Row 29: tools of a guarded client keep its guard, whatever hook they get."""
    make_tools = importlib.import_module("chaospkg.langchain").langchain_tools
    for kind in KINDS:
        with tally.attempt(f"langchain {kind}"), serve(Script()) as server:
            heard: list[str] = []

            async def work(client: Any, heard: list[str] = heard) -> Any:
                guarded = _plain(client).with_options(before_call=_denies("no", heard))
                tools = make_tools(guarded, before_call=_allows("yes", heard))
                (tool,) = [t for t in tools if t.name == "change_item"]
                if isinstance(client, Twin):
                    return tool.invoke({"nonce": nonces()})
                return await tool.ainvoke({"nonce": nonces()})

            text = run(kind, partial(_http, url=server.url), work)
            assert not server.log("tools/call"), f"the guard is dropped: {text}"
            assert "no" in heard, f"the guard was not asked: {heard}"


def requests(tally: Tally) -> None:
    """Row 30: a raw tools/call asks the hook; other requests do not."""
    for era in ERAS:
        for kind in KINDS:
            with tally.attempt(f"{era} {kind}"), serve(Script(era)) as server:
                heard: list[str] = []

                async def work(client: Any, heard: list[str] = heard) -> Any:
                    hooked = client.with_options(before_call=_denies("no", heard))
                    await hooked.request("tools/list")
                    call = {"name": "change_item", "arguments": {"nonce": nonces()}}
                    return await caught(hooked.request("tools/call", call))

                error = run(kind, partial(_http, url=server.url), work)
                assert not server.log("tools/call"), "it was sent without asking"
                assert getattr(error, "reason", None) == "no", f"{error!r}"
                assert heard == ["no"], f"these hooks were asked: {heard}"


def _chat(name: str) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps({"nonce": nonces()})}
    return {"tool_calls": [{"id": "1", "type": "function", "function": function}]}


def _responses(name: str) -> dict[str, Any]:
    arguments = json.dumps({"nonce": nonces()})
    call = {"type": "function_call", "call_id": "1", "name": name}
    return {"output": [{**call, "arguments": arguments}]}


def offered(tally: Tally, message: Callable[[str], Any], offer: str) -> None:
    """Row 31: what `tools(exclude=...)` left out does not run; the rest does."""
    module = importlib.import_module("chaospkg.openai")
    names = str(getattr(module, offer)(exclude=["change_item"]))
    with tally.attempt(f"{offer} offers"):
        assert "read_item" in names, "it offers nothing"
        assert "change_item" not in names, "it offers what is excluded"
    for kind in KINDS:
        for tool, times in (("change_item", 0), ("read_item", 1)):
            with tally.attempt(f"{tool} {kind}"), serve(Script()) as server:
                work = partial(_answers, module, message(tool))
                text = run(kind, partial(_http, url=server.url), work)
                calls = len(server.log("tools/call"))
                assert calls == times, f"{calls} calls were sent: {text}"


async def _answers(module: Any, message: Any, client: Any) -> str:
    if isinstance(client, Twin):
        return str(module.run_tool_calls(client.client, message))
    return str(await module.run_tool_calls_async(client, message))


def _more_tools(exchange: Exchange) -> None:
    tools = [*TOOLS, {"name": "read_new", "inputSchema": {"type": "object"}}]
    extra = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    exchange.result({"tools": tools, **extra})


def verified(tally: Tally) -> None:
    """Row 32: what was left out on purpose is no difference; what is new is one."""
    parts = {
        "chaospart": ("--exclude", "change_item"),
        "chaosread": ("--include", "read_*"),
    }
    for name, options in parts.items():
        generate(tally.folder, name, *options)
        for kind in KINDS:
            for new in (False, True):
                script = Script(on={"tools/list": _more_tools} if new else {})
                label = f"{options[0]} {kind} {'new tool' if new else 'as recorded'}"
                with tally.attempt(label), serve(script) as server:
                    client = client_class(kind, name).http(server.url, timeout=4)
                    outcome = run(kind, partial(_same, client), _verify)
                    expected = [("read_new", "added")] if new else []
                    assert outcome == expected, f"verify() tells {outcome}"


def _same(client: Any, _class: object) -> Any:
    return client


async def _verify(client: Any) -> list[tuple[str, str]]:
    return [(d.tool, d.kind) for d in await client.verify()]


CASES = (
    Case(29, "composed", composed),
    Case(29, "replaced", replaced),
    Case(29, "langchain", langchain),
    Case(30, "requests", requests),
    Case(31, "chat", partial(offered, message=_chat, offer="tools")),
    Case(
        31, "responses", partial(offered, message=_responses, offer="responses_tools")
    ),
    Case(32, "verify", verified),
)
