"""Puts the files of a package together, and checks each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError
from mcp_bindgen.limits import Budget
from mcp_bindgen.pipeline.formatting import cached, formatted, mended
from mcp_bindgen.pipeline.model_session import session_file
from mcp_bindgen.pipeline.package import Package
from mcp_bindgen.pipeline.parts import rendered
from mcp_bindgen.pipeline.shared_runtime import passed_on
from mcp_bindgen.pipeline.versions import version
from mcp_bindgen.python import selfcheck
from mcp_bindgen.python.literals import columns
from mcp_bindgen.python.model_kinds import FOLDER
from mcp_bindgen.python.style import OURS
from mcp_bindgen.render.agent_skill import TARGET, skill_files, skill_tokens
from mcp_bindgen.render.target_folders import (
    allowlists,
    chosen,
    is_built_in,
    origins,
    path_of,
    sources,
)
from mcp_bindgen.render.templates import copied_files, offered, render
from mcp_bindgen.write.manifest import (
    FIRST_VERSION,
    MANIFEST,
    hashes_of,
    manifest_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from mcp_bindgen.pipeline.parts import Parts
    from mcp_bindgen.pipeline.settings import Settings
    from mcp_bindgen.pipeline.tool_cache import ToolCache
    from mcp_bindgen.schema.ir import Catalog
    from mcp_bindgen.texts import Texts

__all__ = ["assemble"]


def assemble(
    parts: Parts, settings: Settings, cache: ToolCache | None = None
) -> Package:
    """Return a package with all its files.

    Args:
        parts: The parts of the package; where nobody else holds them, those that
            templates alone need are free after rendering.
        settings: The settings of the package.
        cache: Files of earlier runs: those in the folder have passed the self-check.

    Raises:
        BindgenError: There is no such target, or a file fails the self-check.
    """
    files = _rendered(parts.catalog, parts.own, settings)
    parts = rendered(parts, settings)
    catalog, own = parts.catalog, parts.own
    shared = passed_on(files, settings.runtime) if settings.runtime else {}
    files |= shared
    # A user's template may have replaced a copied file, or a tool's own.
    copied = {**copied_files(settings.targets, settings.http), **shared}
    as_copied = frozenset(path for path, _ in copied.items() & files.items())
    if settings.style == OURS:
        users = origins(chosen(settings.targets), files)
        files |= formatted({path: files[path] for path in users}, OURS, users)
    as_made = {path for path, text in files.items() if own.get(path) == text}
    if settings.style != OURS:
        files |= _styled(files, as_copied, as_made, settings, cache)
    hashes = hashes_of(files)
    files |= {MANIFEST: _manifest(catalog, files, hashes, settings)}
    checked = cache.checked.items() if cache else ()
    stand = {path for path, file in checked if hashes.get(path) == file.hash}
    _self_check(files, as_copied, as_made | stand, settings)
    return Package(catalog.package, files, catalog, parts.problems, parts.unmatched)


def _rendered(catalog: Catalog, own: Mapping[str, str], settings: Settings) -> Texts:
    """Return the files of a package before the style of a project.

    Args:
        catalog: The catalogue of the package.
        own: The files of single tools.
        settings: The settings of the package.

    Raises:
        BindgenError: There is no such target, or a template is wrong.
    """
    with columns(settings.style.line_length):
        files = render(catalog, settings.targets, own, settings.http)
    if _has_models(settings):
        path = f"{FOLDER}/{{}}.py"
        modelled = [t for t in catalog.tools if path.format(t.function) in own]
        files |= session_file(modelled, settings)
    if TARGET in settings.targets:
        files |= skill_files(offered(TARGET, catalog))
    return files | mended(_templated(files, own, settings), Budget(settings.limits))


def _self_check(
    files: Mapping[str, str],
    copied: Collection[str],
    passed: Collection[str],
    settings: Settings,
) -> None:
    """Refuse a package with a file that fails the self-check.

    Args:
        files: All files of the package: path to text.
        copied: Paths of exact copies.
        passed: Paths of files that have passed it already.
        settings: The settings of the package.

    Raises:
        BindgenError: There are such files; there is one problem for each fault.
    """
    targets = chosen(settings.targets)
    rules, users = allowlists(targets, files), origins(targets, files)
    if faults := selfcheck.check(files, copied, passed, rules, users):
        raise BindgenError(*faults)


def _styled(
    files: Mapping[str, str],
    copied: Collection[str],
    made: Collection[str],
    settings: Settings,
    cache: ToolCache | None,
) -> dict[str, str]:
    """Return the files that black lays out here: all but those of single tools."""
    sources = {p: text for p, text in files.items() if p.endswith(".py")}
    copies = {path: sources.pop(path) for path in sorted(copied)}
    others = {path: sources[path] for path in sources.keys() - set(made)}
    users = origins(chosen(settings.targets), others)
    return {
        **cached(copies, settings.style, cache.cache if cache else None),
        **formatted(others, settings.style, users),
    }


def _templated(
    files: Mapping[str, str], own: Mapping[str, str], settings: Settings
) -> dict[str, str]:
    """Return the files that templates of ours make of all tools together."""
    targets = (t for t in chosen(settings.targets) if is_built_in(t.name))
    paths = {path_of(s) for t in targets for s in sources(t) if path_of(s) != s}
    return {path: files[path] for path in paths & files.keys() - own.keys()}


def _has_models(settings: Settings) -> bool:
    """Return whether a target asks for models of another kind."""
    return FOLDER in {target.library for target in chosen(settings.targets)}


def _manifest(
    catalog: Catalog,
    files: Mapping[str, str],
    hashes: Mapping[str, str],
    settings: Settings,
) -> str:
    """Return the text of the manifest."""
    facts = _facts(catalog, settings)
    if TARGET in settings.targets:
        facts["skill"] = {"tokens": skill_tokens(offered(TARGET, catalog), files)}
    return manifest_of(hashes, version("mcp-bindgen"), facts)


def _facts(catalog: Catalog, settings: Settings) -> dict[str, object]:
    """Return the members of the manifest besides the files."""
    targets = chosen(settings.targets)
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
    globs = {"include": settings.include, "exclude": settings.exclude}
    filters = {option: list(texts) for option, texts in globs.items() if texts}
    more: dict[str, object] = {"extras": extras} if extras else {}
    if filters:  # `client.verify()` does not miss the tools that they leave out
        more["filter"] = filters
    for kind, listed in (
        ("templates", catalog.templates),
        ("prompts", catalog.prompts),
    ):
        if listed:
            more[kind] = {f.wire.text: {"function": f.function} for f in listed}
    own = {"version": FIRST_VERSION, "server": server}
    return {**own, **digest, **more, "tools": tools, **_making(settings)}


def _making(settings: Settings) -> dict[str, object]:
    """Return the members of the manifest that say how the files are made."""
    facts: dict[str, object] = {}
    if _has_models(settings):
        made_by = {"datamodel-code-generator": version("datamodel-code-generator")}
        facts["models"] = {"kind": settings.models.kind, **made_by}
    if settings.runtime:
        facts["runtime"] = settings.runtime
    if settings.style != OURS:
        facts["format"] = {"black": version("black"), **settings.style.options()}
    return facts
