"""The Python API: the functions behind the command, for build backends and notebooks.

Import them from `mcp_bindgen`, which loads them on first use.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.pipeline.generate import Package
from mcp_bindgen.pipeline.generate import generate as _generate
from mcp_bindgen.pipeline.settings import Settings, package_name
from mcp_bindgen.recording.lint import Finding
from mcp_bindgen.recording.lint import lint as _lint
from mcp_bindgen.recording.recorder import Call, Options, Program, Recorded
from mcp_bindgen.recording.recorder import over_http as _over_http
from mcp_bindgen.recording.recorder import over_stdio as _over_stdio
from mcp_bindgen.recording.secrets import address, header, refuse_leak, variable
from mcp_bindgen.render.targets import HTTP, TARGETS
from mcp_bindgen.write.write import Changes
from mcp_bindgen.write.write import check as _check
from mcp_bindgen.write.write import write as _write

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "BindgenError",
    "Changes",
    "Finding",
    "Limits",
    "Package",
    "Problem",
    "Recorded",
    "check_package",
    "generate",
    "lint",
    "record",
    "write_package",
]

Source: TypeAlias = "bytes | str | os.PathLike[str] | Recorded"


def record(
    server: str | Sequence[str],
    *,
    headers: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    calls: Iterable[tuple[str, dict[str, Any]]] = (),
    timeout: float = 60.0,
    limits: Limits = DEFAULT,
) -> Recorded:
    """Record what a live server offers, as `mcp-bindgen record` does.

    Args:
        server: The URL of the server, or the words of a command that speaks on stdin
            and stdout. `${NAME}` in it is taken from the environment.
        headers: Header fields for a URL; `${NAME}` in values as well.
        env: Variables for a command, likewise.
        calls: Tools to call, with their arguments; the answers are kept.
        timeout: The time for everything together, in seconds.
        limits: How much of everything is allowed.

    Raises:
        BindgenError: The server fails, or its texts repeat a secret of yours.

    Example:
        recorded = record("https://catalog.example/mcp")
        Path("recordings/catalog.json").write_text(recorded.text, "utf-8")
    """
    listed = [Call(tool, arguments) for tool, arguments in calls]
    options = Options(limits=limits, calls=listed)
    if isinstance(server, str):
        url = address(server, os.environ)
        lines = (f"{name}: {value}" for name, value in (headers or {}).items())
        fields = [header(line, os.environ) for line in lines]
        sent = {name: value.text for name, value in fields}
        recorded = _over_http(url.text, sent, timeout, options)
        secrets = [*url.secrets, *(s for _, value in fields for s in value.secrets)]
    else:
        lines = (f"{name}={value}" for name, value in (env or {}).items())
        pairs = [variable(line, os.environ) for line in lines]
        values = {name: value.text for name, value in pairs}
        program = Program(tuple(server), values, None)
        recorded = _over_stdio(program, timeout, options)
        secrets = [secret for _, value in pairs for secret in value.secrets]
    refuse_leak(recorded.text, secrets)
    return recorded


def generate(
    recording: Source,
    name: str = "",
    *,
    targets: Sequence[str] = TARGETS,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    http: str = HTTP[0],
    limits: Limits = DEFAULT,
) -> Package:
    """Generate a package in memory, as `mcp-bindgen generate` does.

    Args:
        recording: The path of a recording, its bytes, or what `record` returns.
        name: The import name of the package; without it, made from the file's name.
        targets: Names of built-in targets, or paths of folders; also one text with
            commas between, as the command takes it.
        include: Globs of tools to keep, all if there is none.
        exclude: Globs of tools to leave out.
        http: "httpx" or "httpx2".
        limits: How much of everything is allowed.

    Returns:
        The package; its `problems` say which tools are left out, and why.

    Raises:
        BindgenError: There is no such file or target, it is no recording, or it is
            over a limit.

    Example:
        package = generate("recordings/catalog.json")
        write_package(package, "src")
    """
    if isinstance(targets, str):  # whose letters would each be a target
        targets = targets.split(",")
    is_path = isinstance(recording, str | os.PathLike)
    if not name and not is_path:
        hint = 'pass name="catalog", or the path of a recording'
        raise BindgenError(Problem("", "the package has no name", hint))
    stem = Path(recording).stem if isinstance(recording, str | os.PathLike) else ""
    settings = Settings(
        targets=tuple(targets),
        include=tuple(include),
        exclude=tuple(exclude),
        http=http,
        limits=limits,
    )
    package = package_name(name or stem, exact=bool(name))
    return _generate(_bytes(recording), package, settings)


def write_package(package: Package, output: str | os.PathLike[str]) -> Changes:
    """Write a package into a folder of packages: `output/NAME`.

    Files that are no longer generated go; files of others stay.

    Args:
        package: The package.
        output: The folder of the packages; it is made if it is missing.

    Raises:
        BindgenError: Something else stands in the way, or the system refuses.

    Example:
        changes = write_package(generate("recordings/catalog.json"), "src")
        print(changes.number, "files changed in src/catalog")
    """
    return _write(package.files, Path(output) / package.name)


def check_package(package: Package, output: str | os.PathLike[str]) -> str:
    """Return as a unified diff what `write_package` would do, "" for nothing.

    Args:
        package: The package.
        output: The folder of the packages.

    Raises:
        BindgenError: As for `write_package`.

    Example:
        assert check_package(generate("recordings/catalog.json"), "src") == ""
    """
    return _check(package.files, Path(output) / package.name)


def lint(recording: Source, *, limits: Limits = DEFAULT) -> list[Finding]:
    """Return the suspicious texts of a recording; none is no proof of safety.

    Args:
        recording: As for `generate`.
        limits: How much of everything is allowed.

    Raises:
        BindgenError: It is no recording, or over a limit.

    Example:
        for finding in lint("recordings/catalog.json"):
            print(finding.pointer, finding.rule, finding.message)
    """
    return _lint(_bytes(recording), limits)


def _bytes(recording: Source) -> bytes:
    if isinstance(recording, bytes):
        return recording
    if isinstance(recording, Recorded):
        return recording.text.encode()
    try:
        return Path(recording).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or str(error)
        wrong = f"cannot read {os.fspath(recording)!a}: {reason}"
        hint = "record it: mcp_bindgen.record or mcp-bindgen record"
        raise BindgenError(Problem("", wrong, hint)) from error
