"""`mcp-bindgen wheel`: makes a file that pip installs from a generated package."""

from __future__ import annotations

from pathlib import Path

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.pipeline.versions import version as version_of
from mcp_bindgen.write.atomic import replace

__all__ = ["wheel"]


@click.command(epilog="Example: mcp-bindgen wheel generated/catalog -o dist")
@click.argument("package", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder for the wheel; it is made if it is missing.",
)
@click.option("--name", help="Name of the distribution  [default: name of the folder]")
@click.option(
    "--version", help="Version of the distribution  [default: version of the package]"
)
@format_option
@screen.options
def wheel(
    package: Path, output: Path, name: str | None, version: str | None, form: str
) -> int:
    """Build a wheel from PACKAGE, the folder of a generated package.

    The command uses no network.
    """
    from mcp_bindgen.write.wheel import build

    generator_version = version_of("mcp-bindgen")
    built = build(package.resolve(), generator_version, name=name, version=version)
    path = output / built.filename
    changed = replace(path, built.data)
    if form == "json":
        show_json({"file": str(path), "changed": changed})
    else:
        screen.result(str(path))
    screen.summary(f"{built.filename} {'written' if changed else 'unchanged'}")
    return 0
