"""Names the resources, resource templates and prompts of a recording."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mcp_bindgen.errors import Problem
from mcp_bindgen.pipeline.feature_entries import (
    UnusableError,
    prompt,
    resource,
    template,
)
from mcp_bindgen.pipeline.plan import derived
from mcp_bindgen.python.names import allocate, snake, upper
from mcp_bindgen.python.reserved import TOOLS
from mcp_bindgen.render.target_folders import reserved
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.ir import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.python.literals import PyName
    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.recording.mismatch import JsonObject
    from mcp_bindgen.schema.ir import Feature

__all__ = ["Features", "features"]

# Names of a package with features, besides those that no package gives to a tool.
_TAKEN = frozenset("""
    anthropic_messages gemini_contents langchain_blobs langchain_documents
    langchain_messages openai_messages prompts_as_tools resources_as_tools
    """.split())


@dataclass(frozen=True, slots=True)
class Features:
    """The rest of a package besides its tools.

    Attributes:
        problems: Why some of them are left out, with pointers into the file.
    """

    resources: tuple[Feature, ...] = ()
    templates: tuple[Feature, ...] = ()
    prompts: tuple[Feature, ...] = ()
    problems: tuple[Problem, ...] = ()


def features(
    recording: Recording, functions: Iterable[str], limits: Limits
) -> Features:
    """Return the resources, templates and prompts of a recording, with their names.

    A tool has its name first: a prompt `fetch` beside a tool `fetch` is
    `fetch_prompt`, a template is `fetch_resource`.

    Args:
        recording: The lists of the server.
        functions: The names of the functions of tools.
        limits: The limits on a recording.
    """
    problems: list[Problem] = []

    def read(
        kind: str, entries: Sequence[JsonObject], make: Callable[[JsonObject], Feature]
    ) -> list[Feature]:
        pointers = recording.others.get(kind, [""] * len(entries))
        return _readable(entries, pointers, make, limits, problems)

    resources = read("resources", recording.resources, resource)
    templates = read("resourceTemplates", recording.resource_templates, template)
    prompts = read("prompts", recording.prompts, prompt)
    others = functions if templates or prompts else ()
    of_tools = {name for function in others for name in derived(function)}
    of_both = {_first(f) for f in templates} & {_first(f) for f in prompts}
    templates = _named(templates, "resource", of_tools, of_both)
    of_templates = {name for f in templates for name in derived(f.function)}
    prompts = _named(prompts, "prompt", of_tools | of_templates, of_both)
    return Features(
        tuple(_with_members(resources)),
        tuple(templates),
        tuple(prompts),
        tuple(problems),
    )


def _with_members(resources: Sequence[Feature]) -> Iterator[Feature]:
    """Yield resources with the names of their members of the enumeration."""
    words = _words(resources)
    members = allocate(
        words,
        kind="resource",
        reserved=frozenset(),
        derived=lambda name: (upper(name),),
    )
    for word, feature in zip(words, resources, strict=True):
        yield replace(feature, member=upper(members[word]))


def _readable(
    entries: Sequence[JsonObject],
    pointers: Sequence[str],
    make: Callable[[JsonObject], Feature],
    limits: Limits,
    problems: list[Problem],
) -> list[Feature]:
    """Return the features of a list, sorted; the others become problems."""
    readable: dict[str, Feature] = {}
    for raw, pointer in zip(entries, pointers, strict=True):
        try:
            made = _checked(raw, make, limits, readable)
        except UnusableError as error:
            hint = "it is left out; report this to the server's authors"
            problems.append(Problem(pointer + error.pointer, error.message, hint))
        else:
            readable[made.wire.text] = made
    return [readable[wire] for wire in sorted(readable)]


def _checked(
    raw: JsonObject,
    make: Callable[[JsonObject], Feature],
    limits: Limits,
    others: Collection[str],
) -> Feature:
    """Return the feature of an entry.

    Raises:
        UnusableError: It is malformed, too large, or one of `others`.
    """
    if len(canonical(raw)) > limits.tool_made:
        raise UnusableError("", f"expected at most {limits.tool_made:,} characters")
    made = make(raw)
    if made.wire.text in others:
        raise UnusableError("", f"{made.wire.text[:80]!a} is listed twice")
    return made


def _words(listed: Sequence[Feature]) -> list[str]:
    """Return the text that each feature is named after.

    It is the name that the server gives it; where two share one, the whole URI.
    """
    names = Counter(str(feature.info.get("name")) for feature in listed)
    return [
        name if names[name := str(f.info.get("name"))] == 1 else f.wire.text
        for f in listed
    ]


def _first(feature: Feature) -> str:
    """Return the name that a function has if no other name is taken."""
    return snake(str(feature.info.get("name")), "feature")


def _named(
    listed: Sequence[Feature],
    kind: str,
    taken: Collection[str],
    contested: Collection[str],
) -> list[Feature]:
    """Return templates or prompts with the names of their functions.

    Args:
        listed: Those of one list.
        kind: "resource" or "prompt".
        taken: Names of other functions of the package.
        contested: Names that a template and a prompt would both have.
    """
    words: list[str] = []
    for word in _words(listed):
        name = snake(word, kind)
        is_free = name not in contested and not {*taken} & {*derived(name)}
        words.append(word if is_free else f"{name}_{kind}")
    # A name that another has by itself is nobody's: the hash of the wire name decides.
    counted = Counter(words)
    words = [
        word if counted[word] == 1 else f"{word} {feature.wire.text}"
        for word, feature in zip(words, listed, strict=True)
    ]
    names = allocate(
        words,
        kind=kind,
        reserved=TOOLS | reserved() | _TAKEN | frozenset(taken),
        derived=derived,
    )
    return [
        _with_name(feature, names[word])
        for word, feature in zip(words, listed, strict=True)
    ]


def _with_name(feature: Feature, name: PyName) -> Feature:
    notes = feature.notes
    if name != feature.info.get("name"):
        notes = (Note("renamed", "/name", name), *notes)
    return replace(feature, function=name, member=upper(name), notes=notes)
