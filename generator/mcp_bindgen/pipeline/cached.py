"""One recording to what a command writes and tells, here or in another process."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline import report
from mcp_bindgen.pipeline.cache import Cache, key, ours
from mcp_bindgen.pipeline.generate import generate, make_all
from mcp_bindgen.pipeline.tool_files import pack, unpack
from mcp_bindgen.pipeline.up_to_date import digest_of
from mcp_bindgen.render.target_folders import is_built_in
from mcp_bindgen.render.targets import USUAL, Settings
from mcp_bindgen.selfcheck import check as selfcheck
from mcp_bindgen.write.manifest import fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.generate import Maker
    from mcp_bindgen.pipeline.plan import Order
    from mcp_bindgen.pipeline.tool_files import Part
    from mcp_bindgen.schema.compile import Bounds

__all__ = ["Outcome", "Request", "produce"]

_SHELF = 128  # tools whose parts are kept in one entry


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
    wanted: Settings = USUAL
    reports: tuple[str, ...] = ()
    made_by: str = field(default_factory=ours)
    cache: Cache | None = None
    slot: str = ""
    known: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made, or why nothing could be.

    Attributes:
        digest: Of what it was made, by `latest.digest_of`.
        files: As in `Package`.
        tools: How many tools there are in it.
        notes: What is noted of them, counted, as a part of a sentence.
        problems: What was left out, and why.
        reports: Kind of report to its text.
        failure: Why there is nothing at all.
    """

    digest: str = ""
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
    if not all(map(is_built_in, wanted.targets)):
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
        digest=digest_of(data, request.name, wanted),
        files=package.files,
        tools=len(catalog.tools),
        notes=report.summary(catalog),
        problems=problems,
        reports={k: writers[k](catalog, problems) for k in request.reports},
    )


def _keeping(request: Request, cache: Cache, maker: Maker) -> Maker:
    """Return a maker that makes only what the cache does not have."""

    def make_missing(
        orders: Sequence[Order], targets: Sequence[str], bounds: Bounds
    ) -> list[Part]:
        shelves = _shelves(orders)
        parts: dict[int, Part] = {}
        keys: dict[int, str] = {}
        stale: list[str] = []
        for shelf, numbers in shelves.items():
            name = f"{request.slot}.{shelf}"
            kept = _entry(cache, name)
            for number in numbers:
                keys[number] = wanted = _key(orders[number], bounds.limits)
                if part := _revived(orders[number], kept.get(wanted), request.known):
                    parts[number] = part
            if kept.keys() != {keys[number] for number in numbers}:
                stale.append(shelf)
        missing = [number for number in range(len(orders)) if number not in parts]
        made = maker([orders[number] for number in missing], targets, bounds)
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


def _key(order: Order, limits: Limits) -> str:
    asked = [order.raw, order.function, order.exported, order.samples]
    return key([*asked, repr(limits)])


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
