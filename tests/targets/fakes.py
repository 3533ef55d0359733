"""Transports that answer by themselves, for what no example server says."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BLOCKS", "DONE", "ONE", "TASK", "Fake", "FakeAsync"]

BLOCKS: list[dict[str, Any]] = [
    {"type": "text", "text": "hello"},
    {"type": "image", "data": "aGk=", "mimeType": "image/png"},
    {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
    {"type": "resource_link", "uri": "https://example.org/a.pdf", "name": "a"},
    {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "inner"}},
    {
        "type": "resource",
        "resource": {
            "uri": "file:///a.bin",
            "blob": "aGk=",
            "mimeType": "application/pdf",
        },
    },
    {"type": "hologram"},
]

TASK: dict[str, Any] = {
    "id": 1,
    "user_id": "6f1c2b5e-3d7a-4a89-9c55-0d6a1b2c3d4e",
    "title": "t",
    "notes": None,
    "status": "open",
    "priority": "normal",
    "tags": [],
    "due_on": None,
    "created_at": "2026-01-01T00:00:00Z",
    "completed_at": None,
}

ONE: dict[str, Any] = {"user_id": TASK["user_id"], "task_id": 1}
"""Arguments of complete_task."""
DONE: dict[str, Any] = {"content": [], "structuredContent": TASK}
"""What it answers."""


class Fake:
    """Answers every call with one result and keeps the calls."""

    def __init__(self, package: str, result: dict[str, Any]) -> None:
        results = import_module(f"{package}._runtime.results")
        self.result = results.ToolResult.from_wire(result)
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> Any:
        self.calls.append((name, dict(arguments)))
        return self.result

    def close(self) -> None:
        pass


class FakeAsync:
    """The same for tasks."""

    def __init__(self, package: str, result: dict[str, Any]) -> None:
        self.inner = Fake(package, result)
        self.calls = self.inner.calls

    async def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> Any:
        return self.inner.call_tool(name, arguments)

    async def close(self) -> None:
        pass
