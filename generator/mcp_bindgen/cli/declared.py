"""The options --declare and --root: the capabilities that a recording declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from mcp_bindgen.cli.config_faults import CAPABILITIES

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["declare_option", "root_option"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def declare_option(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add --declare to a command: words that commas separate."""
    return click.option(
        "--declare",
        "declared",
        metavar="NAMES",
        default="",
        callback=_names,
        help="Declare these capabilities: elicitation, sampling, roots. Some servers"
        " list more tools then.",
    )(command)


def root_option(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add --root to a command: folders that the server may work in."""
    return click.option(
        "--root",
        "roots",
        multiple=True,
        metavar="DIR",
        type=click.Path(exists=True, file_okay=False),
        help="Tell the server that it may work in this folder (MCP roots).",
    )(command)


def _names(_ctx: click.Context, _param: click.Parameter, text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    unknown = [name[:80] for name in names if name not in CAPABILITIES]
    if unknown:
        listed = ", ".join(CAPABILITIES)
        raise click.UsageError(f"--declare: expected {listed}, got {unknown[0]!a}")
    return names
