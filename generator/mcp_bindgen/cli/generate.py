"""`mcp-bindgen generate`: recordings into packages, without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.intake import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.generate import Package

__all__ = ["generate"]


@click.command(
    epilog="Example: mcp-bindgen generate recordings/catalog.json -o generated"
)
@click.argument(
    "recordings",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder that gets a package for each FILE.",
)
@click.option("--name", help="Name of the package  [default: that of FILE]")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAMES",
    help="What to write, with commas between  [default: python,openai,langchain]",
)
@click.option("--include", multiple=True, metavar="GLOB", help="Only these tools.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Not these tools.")
@click.option(
    "--report",
    "reports",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what was renamed, inferred, checked twice or left out: JSON if FILE"
    " ends in .json, else a table.",
)
@click.option("--check", is_flag=True, help="Write nothing; show what would change.")
@screen.options
def generate(
    recordings: tuple[Path, ...],
    output: Path,
    name: str | None,
    targets: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    reports: tuple[Path, ...],
    *,
    check: bool,
) -> int:
    """Generate a typed package from each recording; the network is never used."""
    from mcp_bindgen.generate import TARGETS

    if name and len(recordings) > 1:
        raise click.UsageError("--name goes with one FILE")
    chosen = [part.strip() for target in targets for part in target.split(",")]
    places = _places(recordings, output, name)
    made = {
        place: _make(file, place.name, chosen or TARGETS, include, exclude)
        for place, file in places.items()
    }
    for report in reports:
        _report(report, list(made.values()))
    finish = _compare if check else _write
    return max(finish(package, place) for place, package in made.items())


def _places(
    recordings: Sequence[Path], output: Path, name: str | None
) -> dict[Path, Path]:
    """Return for each folder to be written the recording it comes from."""
    from mcp_bindgen.generate import package_name

    places: dict[Path, Path] = {}
    for file in recordings:
        place = output / package_name(name or file.stem, exact=bool(name))
        if place in places:
            message = f"{places[place]} and {file} would both go to {place}"
            hint = "generate them one by one, with --name"
            raise BindgenError(Problem("", message, hint))
        places[place] = file
    return places


def _make(
    file: Path,
    name: str,
    targets: Sequence[str],
    include: Sequence[str],
    exclude: Sequence[str],
) -> Package:
    from mcp_bindgen.generate import generate as generate_package

    screen.detail(f"generating {name} from {file}")
    try:
        with file.open("rb") as stream:
            data = stream.read(DEFAULT.bytes + 1)
    except OSError as error:
        problem = Problem("", f"cannot read {file}: {error.strerror}")
        raise BindgenError(problem) from error
    try:
        package = generate_package(
            data, name, targets=targets, include=include, exclude=exclude
        )
    except BindgenError as error:
        raise BindgenError(*(_placed(file, why) for why in error.problems)) from error
    screen.problems(package.problems, str(file))
    return package


def _placed(file: Path, problem: Problem) -> Problem:
    place = f"{file}#{problem.pointer}" if problem.pointer else str(file)
    return Problem("", f"{place}: {problem.message}", problem.hint)


def _report(file: Path, packages: Sequence[Package]) -> None:
    from mcp_bindgen import report
    from mcp_bindgen.atomic import replace

    write = report.as_json if file.suffix == ".json" else report.as_table
    texts = [write(package.catalog, package.problems) for package in packages]
    if file.suffix == ".json" and len(texts) > 1:
        texts = ["[\n" + ",\n".join(texts) + "]\n"]
    replace(file, "".join(texts).encode())


def _compare(package: Package, place: Path) -> int:
    from mcp_bindgen.output import check

    difference = check(package.files, place)
    if difference:
        screen.result(difference.rstrip("\n"))
    state = "is out of date" if difference else "is up to date"
    screen.summary(f"{_counted(package)}, {place} {state}")
    return 1 if difference or package.problems else 0


def _write(package: Package, place: Path) -> int:
    from mcp_bindgen.output import write

    changes = write(package.files, place)
    screen.problems(changes.problems)
    for path in changes.edited:
        screen.progress(f"{place / path} had been edited by hand and was replaced")
    changed = len(changes.added) + len(changes.changed) + len(changes.removed)
    files = screen.count(len(package.files), "file")
    screen.summary(f"{_counted(package)}, {files}, {changed:,} changed in {place}")
    return 1 if package.problems or changes.problems else 0


def _counted(package: Package) -> str:
    from mcp_bindgen.report import summary

    left_out = len(package.problems)
    more = f", {screen.count(left_out, 'problem')}" if left_out else ""
    notes = summary(package.catalog)
    told = f" ({notes})" if notes else ""
    tools = screen.count(len(package.catalog.tools), "tool")
    return f"{package.name}: {tools}{told}{more}"
