"""Reads the pages of a list: of tools, of resources, of prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import LimitError
from .messages import page_items
from .request import Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from .steps import Flow
    from .wire import StepT

__all__ = ["entries"]


def entries(
    request: Callable[[Request], Flow[StepT, dict[str, Any]]], method: str, key: str
) -> Flow[StepT, list[dict[str, Any]]]:
    """Return the entries of all pages of a list.

    Args:
        request: Sends a request and returns its result.
        method: The method that gives one page, as "tools/list".
        key: The member of a page that holds its entries, as "tools".

    Raises:
        LimitError: If the pages go in a circle or do not end.
    """
    listed: list[dict[str, Any]] = []
    cursors: set[str] = set()
    params: dict[str, Any] = {}
    for _ in range(limits.PAGES):
        page = Request(method, params, retryable=True)
        more, cursor = page_items((yield from request(page)), key)
        listed += more
        if cursor is None:
            return listed
        long = len(cursor) > limits.CURSOR or len(listed) > limits.LISTED
        if cursor in cursors or long:
            break
        cursors.add(cursor)
        params = {"cursor": cursor}
    raise LimitError(f"the pages of {method} do not end", outcome="ran")
