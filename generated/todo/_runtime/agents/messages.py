# Copied by mcp-bindgen. Do not edit.
"""Runs the calls in messages of a model's API, and returns the messages to append."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .executor import BaseExecutor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .answers import Answer
    from .calls import ModelCall
    from .offers import Offers
    from .parameter_names import Rule
    from .toolset import AnyTool, Source

__all__ = ["MessageExecutor", "MessageForm"]


@dataclass(frozen=True, slots=True)
class MessageForm:
    """The form of the messages of one API.

    Attributes:
        names_of: Returns the names of the tools in an entry of a request's tools.
        calls_in: Returns the calls in a message of the model.
        replies: Returns the messages that hold the answers to calls.
    """

    names_of: Callable[[Any], Iterable[str]]
    calls_in: Callable[[object], Sequence[ModelCall]]
    replies: Callable[[Sequence[tuple[ModelCall, Answer]]], list[Any]]

    def names(self, offered: Iterable[Any] | None) -> set[str] | None:
        """Return the names of offered tools; None for None."""
        if offered is None:
            return None
        return {name for entry in offered for name in self.names_of(entry)}

    def run(
        self,
        offers: Offers,
        source: Source,
        message: object,
        offered: Iterable[Any] | None,
        *,
        leave_unknown: bool,
    ) -> list[Any]:
        """Run the calls in a message one after the other, and return the replies.

        Args:
            offers: The tools that this program has offered to models.
            source: The client to call with, a toolbox or a list of tools.
            message: The message of the model, as an object of a library or as JSON.
            offered: The tools that this model was offered, as JSON; None for `offers`.
            leave_unknown: Whether calls of other tools get no reply.

        Raises:
            ConfigError: The message has an unknown form, or the program offers a tool
                to some models only.
        """
        calls, names = self.calls_in(message), self.names(offered)
        answers = offers.run_each(source, calls, names, leave_unknown=leave_unknown)
        return self.replies(answers)

    async def run_async(
        self,
        offers: Offers,
        source: Source,
        message: object,
        offered: Iterable[Any] | None,
        *,
        leave_unknown: bool,
    ) -> list[Any]:
        """Run the calls in a message in a task; see `run`."""
        calls, names = self.calls_in(message), self.names(offered)
        answers = await offers.run_each_async(
            source, calls, names, leave_unknown=leave_unknown
        )
        return self.replies(answers)


class MessageExecutor(BaseExecutor):
    """The tools that a model was offered, and the way to run the calls in messages.

    Args:
        chosen: The tools.
        form: The form of the messages.
        rule: The names of parameters that the model's API takes; None for all names.
    """

    def __init__(
        self, chosen: Sequence[AnyTool], form: MessageForm, rule: Rule | None = None
    ) -> None:
        super().__init__(chosen, rule)
        self._form = form

    def run(self, message: object, /, *, leave_unknown: bool = False) -> list[Any]:
        """Run the calls in a model's message, and return the messages to append.

        Example:
            `messages += executor.run(message)`

        Args:
            message: The message, as an object of the API's package or as JSON.
            leave_unknown: Whether calls of other tools are left to the caller.

        Returns:
            The messages with all results, or nothing if there is no call.

        Raises:
            ConfigError: The message has an unknown form; no call was made.
            BaseException: An interrupt. Its notes have the progress of the calls.
        """
        calls = self._form.calls_in(message)
        return self._form.replies(self._run(calls, leave_unknown=leave_unknown))

    async def run_async(
        self, message: object, /, *, leave_unknown: bool = False
    ) -> list[Any]:
        """Run the calls in a model's message in a task; see `run`."""
        calls = self._form.calls_in(message)
        answers = await self._run_async(calls, leave_unknown=leave_unknown)
        return self._form.replies(answers)
