"""One recording to what a command writes and tells, here or in another process."""

from __future__ import annotations

import os
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import starmap
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from mcp_bindgen import report, selfcheck
from mcp_bindgen.cache import Cache, key, ours
from mcp_bindgen.clock import TimeUpError, deadline
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.generate import generate, make_all
from mcp_bindgen.manifest import fingerprint
from mcp_bindgen.part import make, pack, refuse_large, unpack
from mcp_bindgen.render import is_ours
from mcp_bindgen.roots import Work
from mcp_bindgen.targets import USUAL, Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from mcp_bindgen.generate import Maker
    from mcp_bindgen.intake import Budget
    from mcp_bindgen.part import Part
    from mcp_bindgen.plan import Order

__all__ = ["Outcome", "Request", "Spread", "Tell", "in_chunks", "in_turn", "produce"]

_SHELF = 128  # tools whose parts are kept in one entry
_CHUNK = 25  # tools: enough to outweigh the way to another process
_SHARE = 1 / 8  # of the time left: all chunks under way together never have more

Spread: TypeAlias = (
    "Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterator[Any]]"
)
Tell: TypeAlias = "Callable[[int, int], None]"


@dataclass(frozen=True, slots=True)
class Request:
    """What to make of a recording; all of it may go to another process.

    Attributes:
        name: The import name of the package.
        wanted: What to make.
        reports: Kinds of report to make, `json` or `table`.
        made_by: Whose output it must be: `cache.ours` of whoever asks.
        cache: Where parts are kept, if anywhere.
        slot: The name under which those of this package are kept.
        known: Path to fingerprint of each file that stands as it was written before.
    """

    name: str
    wanted: Wanted = USUAL
    reports: tuple[str, ...] = ()
    made_by: str = field(default_factory=ours)
    cache: Cache | None = None
    slot: str = ""
    known: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made, or why nothing could be.

    Attributes:
        files: As in `Package`.
        tools: How many tools there are in it.
        notes: What is noted of them, counted, as a part of a sentence.
        problems: What was left out, and why.
        reports: Kind of report to its text.
        failure: Why there is nothing at all.
    """

    files: Mapping[str, str] = field(default_factory=dict[str, str])
    tools: int = 0
    notes: str = ""
    problems: tuple[Problem, ...] = ()
    reports: Mapping[str, str] = field(default_factory=dict[str, str])
    failure: tuple[Problem, ...] = ()


def produce(data: bytes, request: Request, maker: Maker = make_all) -> Outcome:
    """Generate a package; an error is an outcome too.

    Args:
        data: The recording.
        request: What to make of it.
        maker: As for `generate`; asked for what the cache does not have.
    """
    if request.made_by != ours():
        message = "the worker's mcp-bindgen or Python is another one than here"
        hint = "install the same on all machines, or the bytes would differ"
        return Outcome(failure=(Problem("", message, hint),))
    wanted = request.wanted
    if not all(map(is_ours, wanted.targets)):
        maker = make_all  # A user's templates see tools with their types.
    elif request.cache:
        maker = _keeping(request, request.cache, maker)
    try:
        package = generate(data, request.name, wanted, maker, request.known)
    except BindgenError as error:
        return Outcome(failure=error.problems)
    catalog, problems = package.catalog, package.problems
    writers = {"json": report.as_json, "table": report.as_table}
    return Outcome(
        files=package.files,
        tools=len(catalog.tools),
        notes=report.summary(catalog),
        problems=problems,
        reports={k: writers[k](catalog, problems) for k in request.reports},
    )


def _keeping(request: Request, cache: Cache, maker: Maker) -> Maker:
    """Return a maker that makes only what the cache does not have."""

    def make_missing(
        orders: Sequence[Order], targets: Sequence[str], work: Work
    ) -> list[Part]:
        shelves = _shelves(orders)
        parts: dict[int, Part] = {}
        keys: dict[int, str] = {}
        stale: list[str] = []
        for shelf, numbers in shelves.items():
            name = f"{request.slot}.{shelf}"
            kept = _entry(cache, name)
            for number in numbers:
                keys[number] = wanted = _key(orders[number], work.budget)
                if part := _revived(orders[number], kept.get(wanted), request.known):
                    parts[number] = part
            if kept.keys() != {keys[number] for number in numbers}:
                stale.append(shelf)
        missing = [number for number in range(len(orders)) if number not in parts]
        made = maker([orders[number] for number in missing], targets, work)
        parts |= zip(missing, made, strict=True)
        for shelf in stale:
            packed = {keys[number]: pack(parts[number]) for number in shelves[shelf]}
            cache.write(f"{request.slot}.{shelf}", packed)
        return [parts[number] for number in range(len(orders))]

    return make_missing


def _shelves(orders: Sequence[Order]) -> dict[str, list[int]]:
    """Return the entries that parts are kept in: one changed tool costs one of them."""
    count = 1 << (len(orders) // _SHELF).bit_length()
    shelves: dict[str, list[int]] = {}
    for number, order in enumerate(orders):
        place = int.from_bytes(sha256(order.function.encode()).digest()[:4]) % count
        shelves.setdefault(f"{place}-{count}", []).append(number)
    return shelves


def _key(order: Order, budget: Budget) -> str:
    asked = [order.raw, order.function, order.exported, order.samples]
    return key([*asked, repr(budget)])


def _entry(cache: Cache, name: str) -> dict[str, Any]:
    entry = cache.read(name)
    return cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}


def _revived(order: Order, packed: Any, known: Mapping[str, str]) -> Part | None:
    """Return a part from the cache if it is sound: a file that stands already is."""

    def is_sound(path: str, text: str) -> bool:
        stands = known.get(path) == fingerprint(text.encode())
        return stands or not selfcheck.check({path: text})

    if packed is None:
        return None
    try:
        return unpack(order, packed, is_sound)
    except (LookupError, TypeError, AttributeError, ValueError):
        return None


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
        orders: Sequence[Order], targets: Sequence[str], work: Work
    ) -> list[Part]:
        parts: dict[int, Part] = {}
        granted: deque[float] = deque()
        home, weight = os.getpid(), 0

        def ask(chunk: range, share: float) -> tuple[Any, ...]:
            """Grant a share of the time that nobody has yet."""
            granted.append(share * (work.tick() - sum(granted)))
            chosen = [orders[number] for number in chunk]
            return chosen, tuple(targets), work.budget, home, granted[-1]

        def keep(chunk: range, packed: list[Any], seconds: float) -> range:
            """Keep what was made; return what was not."""
            nonlocal weight
            granted.popleft()
            work.tick(seconds)
            for number, each in zip(chunk, packed, strict=False):
                parts[number] = unpack(orders[number], each)
                weight += parts[number].weight
            refuse_large(weight, work.budget)
            tell(len(parts), len(orders))
            return chunk[len(packed) :]

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


def make_packed(
    orders: Sequence[Order],
    targets: Sequence[str],
    budget: Budget,
    home: int,
    share: float,
) -> tuple[list[dict[str, Any]], float]:
    """Make parts, in any process, until its time is up; return what it took elsewhere.

    Args:
        orders: What to make.
        targets: As for `generate`.
        budget: As for `generate`.
        home: The process that counts its own time.
        share: Seconds that it may take.
    """
    began = time.process_time()
    work = Work(budget, deadline(share))
    packed = [*_while_time_is_left(orders, targets, work)]
    elsewhere = time.process_time() - began if os.getpid() != home else 0.0
    return packed, elsewhere


def _while_time_is_left(
    orders: Sequence[Order], targets: Sequence[str], work: Work
) -> Iterator[dict[str, Any]]:
    with suppress(TimeUpError):
        for order in orders:
            yield pack(make(order, targets, work))
