"""Executors: they call functions here, in other processes, or on a cluster."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["HERE", "Executor", "batches"]

T = TypeVar("T")
R = TypeVar("R")


class Executor(Protocol):
    """Calls a function with batches of items, in this process or in others."""

    def map(
        self, function: Callable[[Sequence[T]], list[R]], items: Iterable[T], batch: int
    ) -> Iterator[R]:
        """Yield the result for each item, in the order of the items.

        Args:
            function: Returns a result for each item of a batch; it and the items may
                be pickled and sent away.
            items: The items; each is taken as late as possible.
            batch: The number of items in a call.
        """
        ...


class _Here:
    def map(
        self, function: Callable[[Sequence[T]], list[R]], items: Iterable[T], batch: int
    ) -> Iterator[R]:
        for part in batches(items, batch):
            yield from function(part)


HERE: Executor = _Here()
"""The executor that works in this process, one batch after the other."""


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of this size; the last may be shorter."""
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part
