"""Words of a server in logs and in the status of a task: nothing hides in a line."""

from __future__ import annotations

import logging

import pytest
from mcp_bindgen.runtime.client.tasks import statuses
from mcp_bindgen.runtime.client.telemetry import observed
from mcp_bindgen.runtime.errors import McpError

NAME = "a\nWARNING forged: all is well\x1b[2J\u2028\u202eb"


def nobody() -> None:
    """Know no server."""


def test_a_name_of_a_tool_adds_no_line_to_a_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with observed("server", nobody, "tools/call", NAME):
        pass
    with (
        pytest.raises(McpError),
        observed("server", nobody, "tools/call", NAME),
    ):
        raise McpError("no")
    messages = [record.getMessage() for record in caplog.records]
    assert [message.isprintable() for message in messages] == [True, True]
    assert all("forged" in message for message in messages)


def test_a_status_is_one_line() -> None:
    raw = {"taskId": "7", "status": NAME, "statusMessage": NAME}
    (status,) = statuses([raw])
    assert status.status.isprintable()
    assert status.message.isprintable()
    assert statuses([{**raw, "status": "working"}])[0].status == "working"
