"""A package from a server that says lures everywhere; a module that has them raw."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["LEADS", "write_control", "write_package"]

# Before a lure, and so that a line ends shortly before it.
LEADS = ("", "Words, then ", "- ", "> ", "key: ", "w" * 74 + " ", "a\n\n    ")


def write_package(folder: Path, texts: Mapping[str, str], led: int) -> None:
    """Write the package `made` into a folder.

    Args:
        folder: The folder.
        texts: The lures.
        led: How many tools have all texts, each behind another of `LEADS`.
    """
    said = "\n\n".join(texts.values())
    recording = {
        "serverInfo": {"name": "s", "title": said, "version": said},
        "instructions": said,
        "tools": [
            *(_led(number, texts.values()) for number in range(led)),
            *(_titled(text) for text in texts.values()),
            _valued("values", texts.values()),
            # Behind a line break, a text begins a paragraph where a value is printed.
            _valued("later", [f"a\n\n{text}" for text in texts.values()]),
        ],
        **_features(texts.values()),
    }
    package = generate(json.dumps(recording).encode(), "made", Settings(("python",)))
    assert not package.problems
    for path, source in package.files.items():
        file = folder / "made" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")


def _led(offset: int, texts: Iterable[str]) -> dict[str, Any]:
    """Return a tool with a parameter for each text, which stands behind a lead."""
    leads = LEADS[offset:] + LEADS[:offset]
    properties = {
        f"p{number}": {
            "type": "string",
            "description": leads[number % len(leads)] + text,
            "default": text,
            "examples": [text],
        }
        for number, text in enumerate(texts)
    }
    return {
        "name": f"led{offset}",
        "inputSchema": {"type": "object", "properties": properties},
    }


def _titled(text: str) -> dict[str, Any]:
    """Return a tool of which a text says what it is."""
    inner = {
        "type": "object",
        "title": text,
        "description": text,
        "properties": {"x": {"description": text}},
    }
    return {
        "name": text,
        "title": text,
        "description": f"{text}\n\nArgs:\n    x: {text}\n\n{text}",
        "annotations": {"title": text},
        "inputSchema": {"type": "object", "description": text},
        "outputSchema": {"type": "object", "properties": {"inside": inner}},
    }


def _features(texts: Iterable[str]) -> dict[str, Any]:
    """Return resources, resource templates and prompts that say the texts."""
    features: dict[str, Any] = {"resources": [], "resourceTemplates": [], "prompts": []}
    for number, text in enumerate(texts):
        said = {"title": text, "description": text, "mimeType": text}
        arguments = [{"name": name, "description": text} for name in (text, "other")]
        features["resources"] += [
            {**said, "uri": uri, "name": text} for uri in (f"x://{number}", text)
        ]
        features["resourceTemplates"].append(
            {**said, "uriTemplate": f"x://{number}/{{p}}", "name": text}
        )
        features["prompts"] += [
            {"name": name, "title": text, "description": text, "arguments": arguments}
            for name in (text, f"a\n\n{text}")
        ]
    return features


def _valued(name: str, texts: Iterable[str]) -> dict[str, Any]:
    """Return a tool with each text as a name and as a value."""
    properties: dict[str, Any] = {}
    for number, text in enumerate(texts):
        properties |= {
            f"listed{number}": {"enum": [text, "other"]},
            f"fixed{number}": {"const": text},
            f"usual{number}": {"default": {text: [text]}, "examples": [{text: text}]},
            f"formed{number}": {"type": "string", "pattern": text, "format": text},
            f"matched{number}": {"type": "string", "pattern": re.escape(text)},
            f"mixed{number}": {"enum": [text, 1, None]},
            text: {"type": "string"},
        }
    return {
        "name": name,
        "inputSchema": {"type": "object", "properties": properties},
    }


def write_control(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the module `control` into a folder, with a function for each lure."""
    functions = [
        f'def f{number}():\n    """Say it.\n\n{_indented(text)}\n    """\n'
        for number, text in enumerate(texts.values())
    ]
    functions += [f"c{n} = {text!r}" for n, text in enumerate(texts.values())]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "control.py").write_text("\n\n".join(functions), encoding="utf-8")


def _indented(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"""', '\\"""')
    return "\n".join(f"    {line}" if line else "" for line in plain.split("\n"))
