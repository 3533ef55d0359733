"""A handle returns what its method returns, though another call gave the result."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from mcp_bindgen.runtime.client.binding import Binding, raw
from mcp_bindgen.runtime.client.methods import call_of, result_of
from mcp_bindgen.runtime.errors import ConfigError
from mcp_bindgen.runtime.validation.models import Model


class _Arguments(Model):
    """The arguments of the tool."""

    year: int


_TOOL: Binding[Any] = Binding("report", _Arguments, raw)


def part(client: Any, /, *, year: int, month: int = 1) -> Any:
    """Return a part of the result, as the function of some tools does."""
    result = client.call(_TOOL, {"year": year, "month": month})
    return result.result


async def part_async(client: Any, /, *, year: int, month: int = 1) -> Any:
    """Return a part of the result, as the function of some tools does."""
    result = await client.call(_TOOL, {"year": year, "month": month})
    return result.result


def whole(client: Any, /, *, year: int) -> Any:
    """Return the whole result."""
    return client.call(_TOOL, {"year": year})


RESULT = SimpleNamespace(result=[1, 2])


@pytest.mark.parametrize("function", [part, part_async])
def test_the_part_that_a_method_returns(function: Any) -> None:
    method = function.__get__(object())
    assert call_of(method, (), {"year": 1}) == (_TOOL, {"year": 1, "month": 1})
    assert result_of(method, RESULT) == [1, 2]


def test_the_whole_result() -> None:
    assert result_of(whole.__get__(object()), RESULT) is RESULT


@pytest.mark.parametrize("wrong", [whole, print, "report"])
def test_anything_else_is_no_tool(wrong: Any) -> None:
    with pytest.raises(ConfigError, match="as a method of the client"):
        call_of(wrong, (), {})
