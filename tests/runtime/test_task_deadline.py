"""The deadline of a call that waits for its task is the driver's, not the flow's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from mcp_bindgen.runtime.errors import DeadlineError
from mcp_bindgen.runtime.protocol.request import Request
from mcp_bindgen.runtime.protocol.steps import Sleep
from mcp_bindgen.runtime.protocol.tasks import Conversation, followed

if TYPE_CHECKING:
    from collections.abc import Generator

CREATED = {"task": {"taskId": "task-1", "status": "working"}}


class _Requests:
    """Has each request of a session performed by the test."""

    settings = negotiated = None

    def request(self, request: Request) -> Generator[Any, Any, dict[str, Any]]:
        result: dict[str, Any] = yield request.method
        return result

    def tell(self, request: Request) -> Generator[Any, Any, None]:
        yield request.method


def test_a_flow_without_time_left_goes_on_until_the_driver_ends_it() -> None:
    session = cast("Conversation", _Requests())
    flow = followed(session, Request("tools/call"), CREATED)
    step, slept = cast("Any", next(flow)), False
    while isinstance(step, Sleep):
        step = flow.send(slept)
    assert step == "tasks/get"
    assert flow.throw(DeadlineError("no answer in time")) == "tasks/cancel"
    with pytest.raises(DeadlineError, match="no answer in time"):
        next(flow)
