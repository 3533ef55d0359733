"""A generated package as a wheel, made without a network or a build system.

A wheel of pure Python is a zip with three small files more. Writing it needs less code
than a build backend, and no installation. The same package gives the same bytes on each
machine: entries are sorted, dated 1980 and not compressed, since the output of a
compressor depends on its version.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.runtime.strict_json import members
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.manifest import MANIFEST, fingerprint, read_owned

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["NEEDS", "Wheel", "build"]

NEEDS = ("anyio>=4,<5", "httpx>=0.27,<1", "pydantic>=2.12,<3")
"""What the runtime in every generated package imports."""

_PYTHON = ">=3.11"
_HTTPX2 = "httpx2>=2,<3"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_ALONE = "generate it without --shared-runtime: a wheel holds all that it needs"
_ANEW = "generate it again with mcp-bindgen generate"
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel and the name of its file.

    Attributes:
        filename: Its name, which installers read.
        data: Its bytes, the same for the same package.
    """

    filename: str
    data: bytes


def build(
    package: Path, ours: str, *, name: str | None = None, version: str | None = None
) -> Wheel:
    """Return the wheel of a generated package.

    The distribution has the name of the folder, never the name of the server: a server
    named "httpx" would replace the distribution of that name.

    Args:
        package: The folder of the package.
        ours: The version of mcp-bindgen.
        name: Name of the distribution instead of the folder's.
        version: Its version instead of the server's.

    Raises:
        BindgenError: The folder is no generated package, a file in it is missing or
            was edited, or the name or version is not valid.
    """
    files = _files(package)
    if not package.name.isidentifier():
        _refuse(f"{package.name} cannot be imported under this name", "rename it")
    distribution = _distribution(name or package.name)
    number = _version(version) if version else _server_version(files["recording.json"])
    stem = f"{distribution.replace('-', '_')}-{number}"
    contents = {f"{package.name}/{path}": data for path, data in files.items()}
    info = f"{stem}.dist-info"
    contents[f"{info}/METADATA"] = _metadata(distribution, number, files).encode()
    contents[f"{info}/WHEEL"] = _tags(ours).encode()
    contents[f"{info}/RECORD"] = _record(contents, f"{info}/RECORD").encode()
    return Wheel(f"{stem}-py3-none-any.whl", _zip(contents))


def _files(package: Path) -> dict[str, bytes]:
    """Return the files that the manifest lists, each as it was generated."""
    try:
        manifest = disk.read(package / MANIFEST)
    except OSError:
        _refuse(f"{package} is no generated package: it has no {MANIFEST}", _ANEW)
    files = {MANIFEST: manifest}
    for path, expected in sorted(read_owned(manifest).written.items()):
        try:
            files[path] = disk.read(package / path)
        except OSError:
            _refuse(f"{package / path} is missing, or is no file", _ANEW)
        if fingerprint(files[path]) != expected:
            _refuse(f"{package / path} is not as it was generated", _ANEW)
    if "runtime" in json.loads(manifest):
        _refuse(f"{package} and its runtime are two packages", _ALONE)
    if "recording.json" not in files:
        _refuse(f"{package} has no recording.json", _ANEW)
    return files


def _distribution(name: str) -> str:
    if not _NAME.fullmatch(name):
        _refuse(f"{name!a} is no name of a distribution", "letters, digits and hyphens")
    return canonicalize_name(name)


def _version(version: str) -> str:
    try:
        return str(Version(version))
    except InvalidVersion:
        _refuse(f"{version!a} is no version", "a version looks like 1.2.3 (PEP 440)")


def _server_version(recording: bytes) -> str:
    """Return the server's version; another text becomes a local version of 0."""
    try:  # It was within the limits of whoever generated; here, no other counts.
        server = members(json.loads(recording)).get("server")
    except (ValueError, RecursionError):
        server = None
    text = members(server).get("version")
    version = text[:60] if isinstance(text, str) else ""
    try:
        return str(Version(version))
    except InvalidVersion:
        words = re.findall("[a-z0-9]+", version.lower())
        return f"0+{'.'.join(words)}" if words else "0"


def _metadata(name: str, version: str, files: Mapping[str, bytes]) -> str:
    extras = _extras(files[MANIFEST])
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        "Summary: Typed bindings of an MCP server, generated by mcp-bindgen.",
        f"Requires-Python: {_PYTHON}",
        *(f"Requires-Dist: {need}" for need in _needs(files)),
    ]
    for extra, need in extras.items():
        lines.append(f"Provides-Extra: {extra}")
        lines.append(f'Requires-Dist: {need}; extra == "{extra}"')
    return "\n".join(lines) + "\n"


def _extras(manifest: bytes) -> dict[str, str]:
    """Return extra to requirement, for each framework that a target is for.

    Raises:
        BindgenError: The manifest, which anybody may have edited, holds others.
    """
    extras: dict[str, str] = {}
    for extra, text in sorted(members(json.loads(manifest).get("extras")).items()):
        try:
            requirement = Requirement(str(text))
        except InvalidRequirement:
            _refuse(f"{MANIFEST} has the requirement {text!a}", _ANEW)
        if not _NAME.fullmatch(extra):
            _refuse(f"{MANIFEST} has the extra {extra!a}", _ANEW)
        extras[canonicalize_name(extra)] = str(requirement)
    return extras


def _needs(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the requirements of a package, with the HTTP client that it imports."""
    if b"\nimport httpx2 as httpx\n" in files.get(
        "_runtime/transport/connections.py", b""
    ):
        return tuple(_HTTPX2 if need.startswith("httpx") else need for need in NEEDS)
    return NEEDS


def _tags(ours: str) -> str:
    return (
        "Wheel-Version: 1.0\n"
        f"Generator: mcp-bindgen {ours}\n"
        "Root-Is-Purelib: true\n"
        "Tag: py3-none-any\n"
    )


def _record(contents: Mapping[str, bytes], itself: str) -> str:
    """Return the list of files that installers check and later remove."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    for path, data in sorted(contents.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
        writer.writerow((path, f"sha256={digest.decode()}", len(data)))
    writer.writerow((itself, "", ""))
    return table.getvalue()


def _zip(contents: Mapping[str, bytes]) -> bytes:
    """Return an archive; the metadata comes last, as installers like it."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as file:
        for path in sorted(contents, key=lambda path: (".dist-info/" in path, path)):
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.create_system = 3  # Unix, so that the mode below is read anywhere.
            entry.external_attr = 0o100644 << 16
            file.writestr(entry, contents[path])
    return archive.getvalue()


def _refuse(message: str, hint: str) -> NoReturn:
    raise BindgenError(Problem("", message, hint))
