"""`mcp-bindgen wheel`: a generated package as a file that pip installs."""

from __future__ import annotations

from importlib.metadata import version as version_of
from pathlib import Path

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.write.atomic import replace

__all__ = ["wheel"]


@click.command(epilog="Example: mcp-bindgen wheel generated/catalog -o dist")
@click.argument("package", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the wheel.",
)
@click.option("--name", help="Name of the distribution  [default: the folder's]")
@click.option("--version", help="Its version  [default: the server's]")
@screen.options
def wheel(package: Path, output: Path, name: str | None, version: str | None) -> int:
    """Build an installable wheel of a generated PACKAGE. No network is used."""
    from mcp_bindgen.write.wheel import build

    ours = version_of("mcp-bindgen")
    made = build(package.resolve(), ours, name=name, version=version)
    path = output / made.filename
    changed = replace(path, made.data)
    screen.result(str(path))
    screen.summary(f"{made.filename} {'written' if changed else 'unchanged'}")
    return 0
