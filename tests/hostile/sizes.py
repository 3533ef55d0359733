"""Recordings of a size, and packages with limits of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings

from tests.hostile.shapes import LEAF, lone, many

if TYPE_CHECKING:
    from mcp_bindgen.pipeline.package import Package


def made(data: bytes, **limits: int) -> Package:
    return generate(data, "made", Settings(limits=replace(DEFAULT, **limits)))


def wide(count: int) -> bytes:
    return lone(many(count, lambda _: LEAF))


def union(count: int) -> bytes:
    branches: list[Any] = [{"type": "string", "minLength": n + 1} for n in range(count)]
    return lone({"type": "object", "properties": {"a": {"anyOf": branches}}})


def alike(count: int) -> bytes:
    branches: list[Any] = [{"type": "string", "title": f"{n}"} for n in range(count)]
    return lone({"type": "object", "properties": {"a": {"anyOf": branches}}})


def nested(count: int) -> bytes:
    parts: list[Any] = [{"type": "string", "minLength": n + 1} for n in range(count)]
    pairs: list[Any] = [{"anyOf": parts[n : n + 2]} for n in range(0, count, 2)]
    return lone({"type": "object", "properties": {"a": {"anyOf": pairs}}})


def listed(count: int) -> bytes:
    values = [f"v{n}" for n in range(count)]
    return lone({"type": "object", "properties": {"a": {"enum": values}}})
