"""`with_options(progress=True)`: a bar for each call that reports progress."""

from __future__ import annotations

import sys
from contextlib import nullcontext, redirect_stderr, suppress
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.client.progress import ProgressBars
from mcp_bindgen.runtime.errors import ConfigError

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver, Hostile

HOSTILE = "\x1b]0;x\x07[red]\u202e\n::error::" + "x" * 999


class Terminal(StringIO):
    """A terminal that keeps all that is written to it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(params=["rich", "line"])
def terminal(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Terminal:
    """Return a terminal, for a program with rich or without it."""
    if request.param == "rich":
        pytest.importorskip("rich", reason="needs the extra dev")
    else:
        monkeypatch.setitem(sys.modules, "rich.progress", None)
    for name in ("NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return Terminal()


def test_a_call_shows_its_progress(
    driver: Driver, hostile: Hostile, terminal: Terminal
) -> None:
    async def work(client: Any) -> None:
        watched = client.with_options(progress=True)
        await watched.call_tool("tool", {})
        await watched.with_options(progress=False).call_tool("tool", {})

    with redirect_stderr(terminal):
        driver.http(hostile.url("progress"), work)
    text = terminal.getvalue()
    assert "tool" in text
    assert "50%" in text
    assert text.count("half") == 1


def test_a_call_without_progress_shows_nothing(
    driver: Driver, hostile: Hostile, terminal: Terminal
) -> None:
    async def work(client: Any) -> None:
        await client.with_options(progress=True).call_tool("tool", {})

    with redirect_stderr(terminal):
        driver.http(hostile.url("good"), work)
    assert terminal.getvalue() == ""


def test_texts_of_a_server_are_escaped_and_cut(terminal: Terminal) -> None:
    with redirect_stderr(terminal):
        bars = ProgressBars()
        with bars.around(nullcontext(), HOSTILE):
            bars(1, None, HOSTILE)
    text = terminal.getvalue()
    assert "[red]" in text
    assert not any(sign in text for sign in ("\x1b]", "\x07", "\u202e", "\n::"))
    assert text.count("x") < 200


@pytest.mark.parametrize(
    ("done", "total"),
    [(10**400, 10**5), (1e308, 1e-308), (float("inf"), float("inf")), (-5, 1), (1, 0)],
)
def test_any_numbers_have_a_bar(terminal: Terminal, done: float, total: float) -> None:
    with redirect_stderr(terminal):
        bars = ProgressBars()
        with bars.around(nullcontext(), "tool"):
            bars(1, 2, "first")
            bars(done, total, "second")
    assert "first" in terminal.getvalue()


def test_calls_at_once_have_bars_of_their_own(terminal: Terminal) -> None:
    with redirect_stderr(terminal):
        bars = ProgressBars()
        with bars.around(nullcontext(), "outer"):
            bars(1, 2, "one")
            with suppress(OSError), bars.around(nullcontext(), "inner"):
                bars(1, 2, "two")
                raise OSError
            assert "inner" in terminal.getvalue()
            assert "two" in terminal.getvalue()
            bars(2, 2, "three")
        ended = terminal.getvalue()
        bars(1, 1, "no call")
    assert ended == terminal.getvalue()


def test_a_bar_and_a_function_are_refused() -> None:
    with (
        BaseClient.http("http://127.0.0.1:9") as client,
        pytest.raises(ConfigError, match="got both"),
    ):
        client.with_options(progress=True, on_progress=print)
