# Copied by mcp-bindgen. Do not edit.
"""Runs the calls of a model that was offered one choice of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .calls import ModelCall, answer_each, answer_each_async
from .toolset import run, run_async

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .answers import Answer
    from .calls import Arguments
    from .parameter_names import Rule
    from .toolset import AnyTool

__all__ = ["BaseExecutor"]


class BaseExecutor:
    """The tools that a model was offered; it runs their calls and no others.

    Args:
        chosen: The tools.
        rule: The names of parameters that the model's API takes; None for all names.
    """

    def __init__(self, chosen: Sequence[AnyTool], rule: Rule | None = None) -> None:
        self._chosen = chosen
        self._rule = rule

    def __repr__(self) -> str:
        """Return how many tools there are."""
        return f"<{type(self).__name__} of {len(self._chosen)} tools>"

    def __call__(self, name: str, arguments: Arguments) -> dict[str, Any]:
        """Run one call of a model, and return its outcome as JSON.

        Example:
            `executor("add_task", '{"title": "Buy milk"}')`

        Args:
            name: The name that the model called.
            arguments: The arguments, as JSON text or as an object.

        Returns:
            `{"result": ...}` with the structured value of the result, or with its text
            where it has none; `{"error": text}` for any failure.

        Raises:
            BaseException: An interrupt; its notes say whether the call was made.
        """
        ((_, answer),) = self._run([ModelCall(str(name), arguments)])
        return _outcome(answer)

    async def call_async(self, name: str, arguments: Arguments) -> dict[str, Any]:
        """Run one call of a model in a task; see `__call__`."""
        ((_, answer),) = await self._run_async([ModelCall(str(name), arguments)])
        return _outcome(answer)

    def _run(
        self, calls: Sequence[ModelCall], *, leave_unknown: bool = False
    ) -> list[tuple[ModelCall, Any]]:
        """Run the calls of one message, and return each with its answer."""
        return answer_each(
            self._ours(calls, leave_unknown=leave_unknown),
            lambda call: run(self._chosen, call.name, call.arguments, self._rule),
        )

    async def _run_async(
        self, calls: Sequence[ModelCall], *, leave_unknown: bool = False
    ) -> list[tuple[ModelCall, Any]]:
        """Run the calls of one message in a task, one after the other."""
        return await answer_each_async(
            self._ours(calls, leave_unknown=leave_unknown),
            lambda call: run_async(self._chosen, call.name, call.arguments, self._rule),
        )

    def _ours(
        self, calls: Sequence[ModelCall], *, leave_unknown: bool
    ) -> Sequence[ModelCall]:
        names = {tool.name for tool in self._chosen}
        return [call for call in calls if not leave_unknown or call.name in names]


def _outcome(answer: Answer) -> dict[str, Any]:
    if answer.is_error:
        return {"error": answer.text}
    result = answer.result
    if result is not None and result.has_structured:
        return {"result": result.structured}
    return {"result": answer.text}
