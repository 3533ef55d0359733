"""The parts of many tools, made a chunk at a time, elsewhere, in one shared time."""

from __future__ import annotations

import os
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import starmap
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.deadline import TimeUpError, deadline
from mcp_bindgen.pipeline.tool_files import make, pack, refuse_large, unpack
from mcp_bindgen.schema.compile import Bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mcp_bindgen.deadline import Tick
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.generate import Maker
    from mcp_bindgen.pipeline.plan import Order
    from mcp_bindgen.pipeline.tool_files import Part

__all__ = ["Spread", "Tell", "in_chunks", "in_turn", "make_packed"]

_CHUNK = 25  # tools: enough to outweigh the way to another process
_SHARE = 1 / 8  # of the time left: all chunks under way together never have more

Spread: TypeAlias = (
    "Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterator[Any]]"
)
Tell: TypeAlias = "Callable[[int, int], None]"


def in_turn(
    function: Callable[..., Any], given: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    """Call a function with each of some arguments, here."""
    return starmap(function, given)


def in_chunks(spread: Spread, tell: Tell) -> Maker:
    """Return a maker that makes many parts at once, elsewhere.

    Args:
        spread: Calls a function with each of some arguments, wherever it likes, and
            yields what comes back in their order.
        tell: Called with the number of tools done, and of all.
    """

    def make_many(
        orders: Sequence[Order], targets: Sequence[str], bounds: Bounds
    ) -> list[Part]:
        purse, home = _Purse(bounds.tick), os.getpid()
        parts: dict[int, Part] = {}
        weights: list[int] = []

        def ask(chunk: range, share: float) -> tuple[Any, ...]:
            chosen = [orders[number] for number in chunk]
            return chosen, tuple(targets), bounds.limits, home, purse.grant(share)

        def keep(chunk: range, packed: list[Any], seconds: float) -> range:
            """Keep what was made; return what was not."""
            purse.settle(seconds)
            done, rest = chunk[: len(packed)], chunk[len(packed) :]
            made = [unpack(orders[n], p) for n, p in zip(done, packed, strict=True)]
            parts.update(zip(done, made, strict=True))
            weights.append(sum(part.weight for part in made))
            refuse_large(sum(weights), bounds.limits)
            tell(len(parts), len(orders))
            return rest

        numbers = range(len(orders))
        chunks = [numbers[n : n + _CHUNK] for n in numbers[::_CHUNK]]
        done = spread(make_packed, (ask(chunk, _SHARE) for chunk in chunks))
        rests = [keep(c, *made) for c, made in zip(chunks, done, strict=True)]
        waiting = deque(filter(None, rests))
        while waiting:  # Its share was too small: it gets all the time that is left.
            rest = waiting.popleft()
            ((packed, seconds),) = spread(make_packed, [ask(rest, 1)])
            if more := keep(rest, packed, seconds):
                waiting.appendleft(more)
        return [parts[number] for number in numbers]

    return make_many


@dataclass(frozen=True, slots=True)
class _Purse:
    """The time that is left: granted to what is under way, and settled in that order.

    Attributes:
        tick: Says how much there is.
        granted: What those under way may take, in seconds.
    """

    tick: Tick
    granted: deque[float] = field(default_factory=deque[float])

    def grant(self, share: float) -> float:
        """Grant a share of the time that nobody has yet."""
        self.granted.append(share * (self.tick() - sum(self.granted)))
        return self.granted[-1]

    def settle(self, seconds: float) -> None:
        """Take back the first grant, of which another process took so much."""
        self.granted.popleft()
        self.tick(seconds)


def make_packed(
    orders: Sequence[Order],
    targets: Sequence[str],
    limits: Limits,
    home: int,
    share: float,
) -> tuple[list[dict[str, Any]], float]:
    """Make parts, in any process, until its time is up; return what it took elsewhere.

    Args:
        orders: What to make.
        targets: As for `generate`.
        limits: As for `generate`.
        home: The process that counts its own time.
        share: Seconds that it may take.
    """
    began = time.process_time()
    bounds = Bounds(limits, deadline(share))
    packed = [*_while_time_is_left(orders, targets, bounds)]
    elsewhere = time.process_time() - began if os.getpid() != home else 0.0
    return packed, elsewhere


def _while_time_is_left(
    orders: Sequence[Order], targets: Sequence[str], bounds: Bounds
) -> Iterator[dict[str, Any]]:
    with suppress(TimeUpError):
        for order in orders:
            yield pack(make(order, targets, bounds))
