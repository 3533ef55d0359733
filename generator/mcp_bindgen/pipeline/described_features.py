"""The resources, resource templates and prompts of a recording as texts for readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.described import Described, parameter_texts
from mcp_bindgen.pipeline.features import features
from mcp_bindgen.python.expressions import flat
from mcp_bindgen.python.literals import clean
from mcp_bindgen.render.one_line import sentence_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.schema.ir import Feature, Field

__all__ = ["described_features"]

_TEMPLATE, _PROMPT = "resource template", "prompt"


def described_features(
    recording: Recording, functions: Iterable[str], limits: Limits = DEFAULT
) -> Iterator[Described]:
    """Yield the resources, then the templates and the prompts of a package.

    Entries that `generate` leaves out are missing; `generate` says why.

    Args:
        recording: The lists of the server.
        functions: The names of the functions of tools: they have their names first.
        limits: The limits on the recording.
    """
    named = features(recording, functions, limits)
    for resource in named.resources:
        call = f"read_resource(Resource.{resource.member})"
        yield _texts("resource", resource, call, call, "ResourceContents")
    for kind, listed in ((_TEMPLATE, named.templates), (_PROMPT, named.prompts)):
        returned = "PromptMessages" if kind == _PROMPT else "ResourceContents"
        for feature in listed:
            short = f"{feature.function}({_parameters(feature, everything=False)})"
            whole = f"{feature.function}({_parameters(feature, everything=True)})"
            yield _texts(kind, feature, short, whole, returned)


def _texts(
    kind: str, feature: Feature, short: str, whole: str, returned: str
) -> Described:
    required = [p for p in feature.parameters if p.required]
    arguments = ", ".join(f'{p.name}="..."' for p in required)
    call, function = f"{feature.function}({arguments})", str(feature.function)
    if kind == "resource":
        call, function = short, f"Resource.{feature.member}"
    return Described(
        kind=kind,
        name=feature.wire.text,
        function=function,
        signature=f"{short} -> {returned}",
        whole=f"{whole} -> {returned}",
        summary=sentence_of(feature.description) or sentence_of(feature.title),
        description=clean(feature.description),
        parameters=[*map(parameter_texts, feature.parameters)],
        hints=[],
        notes=[n.detail for n in feature.notes if n.kind == "ambiguous"],
        call=f"client.{call}",
        schema={},
        label=str(feature.info["name"]),
    )


def _parameters(feature: Feature, *, everything: bool) -> str:
    required = [_parameter(p) for p in feature.parameters if p.required]
    optional = [p for p in feature.parameters if not p.required]
    if everything:
        return ", ".join([*required, *(f"{_parameter(p)} = None" for p in optional)])
    return ", ".join([*required, *([f"...{len(optional)}"] if optional else [])])


def _parameter(field: Field) -> str:
    return f"{field.name}: {flat(field.type)}"
