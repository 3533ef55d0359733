"""The bytes of a recording to the files of a package: all that needs no disk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from mcp_bindgen.deadline import deadline
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.plan import catalogue, plan
from mcp_bindgen.pipeline.shared_runtime import passed_on
from mcp_bindgen.pipeline.tool_files import make, refuse_large
from mcp_bindgen.recording.document import load
from mcp_bindgen.render.target_folders import allowlists, chosen
from mcp_bindgen.render.targets import USUAL, Settings
from mcp_bindgen.render.templates import copied_files, render
from mcp_bindgen.schema.compile import Bounds
from mcp_bindgen.selfcheck import check as selfcheck
from mcp_bindgen.write.manifest import MANIFEST, fingerprint, manifest_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from mcp_bindgen.pipeline.plan import Order
    from mcp_bindgen.pipeline.tool_files import Part
    from mcp_bindgen.schema.ir import Catalog

__all__ = ["Maker", "Package", "generate", "make_all"]

Maker: TypeAlias = "Callable[[Sequence[Order], Sequence[str], Bounds], Sequence[Part]]"


def make_all(
    orders: Sequence[Order], targets: Sequence[str], bounds: Bounds
) -> list[Part]:
    """Make the parts here, one after the other."""
    return [make(order, targets, bounds) for order in orders]


@dataclass(frozen=True, slots=True)
class Package:
    """What was generated.

    Attributes:
        name: Its import name.
        files: Path, relative and with "/", to text; the manifest is one of them.
        catalog: What it was made from.
        problems: What was left out, and why.
    """

    name: str
    files: Mapping[str, str]
    catalog: Catalog
    problems: tuple[Problem, ...]


def generate(
    data: bytes,
    name: str,
    wanted: Settings = USUAL,
    maker: Maker = make_all,
    known: Mapping[str, str] = MappingProxyType({}),
) -> Package:
    """Return the package for a recording: the same bytes in, the same files out.

    Args:
        data: The recording, in any format that `recording.load` reads.
        name: The import name of the package.
        wanted: What to make of it.
        maker: Makes the parts of tools, in their order: here or elsewhere.
        known: Path to fingerprint of files that have passed our check before.

    Raises:
        BindgenError: It is no recording, there is no such target, it takes too long,
            or what we made of it does not pass our own check.
    """
    bounds = Bounds(wanted.limits, deadline(wanted.limits.seconds))
    recording, refused = load(data, wanted.limits)
    orders = plan(recording, wanted.include, wanted.exclude)
    parts = maker(orders, wanted.targets, bounds)
    refuse_large(sum(part.weight for part in parts), wanted.limits)
    tools = [part.tool for part in parts if part.tool]
    catalog = catalogue(recording, orders, tools, name)
    files = _files(catalog, parts, wanted, bounds, known)
    left_out = list(_left_out(orders, parts))
    problems = sorted([*refused, *left_out], key=_position)
    if recording.tools and not catalog.tools and not left_out:
        hint = "a glob matches the whole name that the server gives, as in 'get_*'"
        problems.append(Problem("", "no tool is left by --include, --exclude", hint))
    return Package(name, files, catalog, tuple(problems))


def _files(
    catalog: Catalog,
    parts: Sequence[Part],
    wanted: Settings,
    bounds: Bounds,
    known: Mapping[str, str],
) -> Mapping[str, str]:
    """Return the files of a package; all have passed our check, here or before."""
    own = {path: text for part in parts for path, text in part.files.items()}
    files = render(catalog, wanted.targets, own, bounds.tick, wanted.http)
    facts, shared = _facts(catalog, wanted), dict[str, str]()
    if wanted.runtime:
        facts |= {"runtime": wanted.runtime}
        shared = passed_on(files, wanted.runtime)
    files |= shared
    files[MANIFEST] = manifest_text(files, version("mcp-bindgen"), facts)
    copied = {**copied_files(wanted.targets, wanted.http), **shared}.items()
    passed = {p for p, t in files.items() if own.get(p) == t or _is_known(p, t, known)}
    untouched = frozenset(path for path, _ in copied & files.items())
    rules = allowlists(chosen(wanted.targets), files)
    if faults := selfcheck.check(files, untouched, passed, rules):
        raise BindgenError(*faults)
    return files


def _left_out(orders: Sequence[Order], parts: Sequence[Part]) -> Iterator[Problem]:
    for order, part in zip(orders, parts, strict=True):
        if part.problem:
            yield replace(part.problem, pointer=order.pointer + part.problem.pointer)


def _is_known(path: str, text: str, known: Mapping[str, str]) -> bool:
    return path in known and known[path] == fingerprint(text.encode())


def _position(problem: Problem) -> list[tuple[bool, int, str]]:
    """Return where in the file a problem stands: a reader meets them in this order."""
    steps = problem.pointer.split("/")
    return [(not s.isdecimal(), len(s) if s.isdecimal() else 0, s) for s in steps]


def _facts(catalog: Catalog, wanted: Settings) -> dict[str, object]:
    """Return what the manifest tells besides the files."""
    targets = chosen(wanted.targets)
    extras = {target.extra: target.requirement for target in targets if target.extra}
    tools = {
        tool.wire.text: {
            "module": f"tools.{tool.function}",
            "function": tool.function,
            "arguments": tool.arguments.name,
            "result": tool.result,
        }
        for tool in sorted(catalog.tools, key=lambda tool: tool.wire)
    }
    server = {"name": catalog.server.text, "version": catalog.version.text}
    digest = {"digest": f"sha256:{catalog.digest}"}
    globs = {"include": wanted.include, "exclude": wanted.exclude}
    filters = {option: list(texts) for option, texts in globs.items() if texts}
    more: dict[str, object] = {"extras": extras} if extras else {}
    if filters:  # `client.verify()` leaves out what the package was told to
        more["filter"] = filters
    return {"server": server, **digest, **more, "tools": tools}
