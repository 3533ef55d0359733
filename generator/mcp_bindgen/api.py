"""The Python API: the functions of the command, for build backends and notebooks.

Import them from `mcp_bindgen`; it loads them at their first use.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from traceback import walk_stack
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from mcp_bindgen.api_arguments import (
    calls_of,
    expect,
    expect_server,
    fields_of,
    folder_of,
    in_python,
    limits_of,
    text_of,
    texts_of,
)
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.pipeline.generate import generate as _generate
from mcp_bindgen.pipeline.model_options import project_models
from mcp_bindgen.pipeline.package import Package
from mcp_bindgen.pipeline.project import project_style
from mcp_bindgen.pipeline.settings import Settings, package_name
from mcp_bindgen.recording.lint import Finding
from mcp_bindgen.recording.lint import lint as _lint
from mcp_bindgen.recording.recorder import Call, Options, Recorded
from mcp_bindgen.recording.source import Source as _Source
from mcp_bindgen.render.targets import HTTP, TARGETS
from mcp_bindgen.write.existing import read_existing, with_existing_version
from mcp_bindgen.write.write import Changes
from mcp_bindgen.write.write import check as _check
from mcp_bindgen.write.write import write as _write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

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

T = TypeVar("T")
_DEEP = 100  # frames of a caller; the work itself may need hundreds

AnyRecording: TypeAlias = "bytes | str | os.PathLike[str] | Recorded"


@in_python
def record(
    server: str | Sequence[str | os.PathLike[str]],
    *,
    headers: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    calls: Iterable[tuple[str, dict[str, Any]]] = (),
    timeout: float = 60.0,
    limits: Limits = DEFAULT,
) -> Recorded:
    """Record the tools of a live server, as `mcp-bindgen record` does.

    Args:
        server: The URL of the server, or a command and its arguments that speaks on
            stdin and stdout. `${NAME}` in a URL is replaced from the environment.
        headers: Header fields for a URL; `${NAME}` in values is replaced.
        env: Variables for a command; `${NAME}` in values is replaced.
        calls: Tools to call, with their arguments; the recording gets the answers.
        timeout: The time for the whole recording, in seconds.
        limits: The limits on the recording.

    Raises:
        BindgenError: An argument is wrong, the server fails, or its texts repeat a
            secret of yours.

    Example:
        recorded = record("https://catalog.example/mcp")
        Path("recordings/catalog.json").write_text(recorded.text, "utf-8")
    """
    if env if isinstance(server, str) else headers:
        wrong = "expected headers with a URL, and env with a command"
        raise BindgenError(Problem("", wrong, "remove headers or env"))
    expect("timeout", timeout, int | float, "a number of seconds")
    expect_server(server)
    options = Options(
        limits=limits_of(limits), calls=[Call(*each) for each in calls_of(calls)]
    )
    source = _Source(
        url=server if isinstance(server, str) else "",
        headers=[f"{k}: {v}" for k, v in fields_of("headers", headers, ":")],
        command=() if isinstance(server, str) else texts_of("server", server),
        env=[f"{name}={value}" for name, value in fields_of("env", env, "=")],
    )
    return source.expand(os.environ).record(timeout, options)


@in_python
def generate(
    recording: AnyRecording,
    name: str = "",
    *,
    targets: Sequence[str] = TARGETS,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    http: str = HTTP[0],
    limits: Limits = DEFAULT,
    style_of: str | os.PathLike[str] | None = None,
    allow_empty: bool = False,
) -> Package:
    """Generate a package in memory, as `mcp-bindgen generate` does.

    Args:
        recording: The path of a recording, its bytes, or the result of `record`.
        name: The import name of the package; "" to make one from the file's name.
        targets: Names of targets or paths of folders, also as one text with commas.
        include: Globs of the tools to generate, or one glob; () for all.
        exclude: Globs of the tools to leave out.
        http: "httpx" or "httpx2".
        limits: The limits on the recording and on the work.
        style_of: A folder whose project sets the style of the files; None for ours.
        allow_empty: Whether a glob may match no tool.

    Returns:
        The package; its `problems` say which tools are left out, and why.

    Raises:
        BindgenError: There is no such recording or target, a glob matches no tool, an
            argument is wrong, or a limit is exceeded.

    Example:
        package = generate("recordings/catalog.json")
        write_package(package, "src")
    """
    names = tuple(n.strip() for t in texts_of("targets", targets) for n in t.split(","))
    globs = texts_of("include", include), texts_of("exclude", exclude)
    output = None if style_of is None else folder_of("style_of", style_of)
    style, models = project_style(output), project_models(output, names)
    library = text_of("http", http)
    settings = Settings(names, *globs, library, "", limits_of(limits), style, models)
    data, name = _bytes(recording), _name(recording, name)
    package = _reading(recording, lambda: _generate(data, name, settings))
    if package.unmatched and not allow_empty:
        hint = "correct the glob, or pass allow_empty=True"
        wrong = (f"no tool matches {glob[:80]!a}" for glob in package.unmatched)
        raise BindgenError(*(Problem("", each, hint) for each in wrong))
    return package


@in_python
def write_package(
    package: Package, output: str | os.PathLike[str], *, allow_empty: bool = False
) -> Changes:
    """Write a package into `output/NAME`.

    Files that an earlier run wrote, and that the package no longer has, are removed.
    Files that mcp-bindgen did not write stay, and so does the version of the package.

    Args:
        package: The package.
        output: The folder of the packages; it is made if it is missing.
        allow_empty: Whether the package may lose all its tools.

    Raises:
        BindgenError: A file that is not ours, or a link, has the path of a file of the
            package, or the package would lose all its tools (then nothing was written),
            or the system refuses.

    Example:
        changes = write_package(generate("recordings/catalog.json"), "src")
        print(changes.number, "files changed in src/catalog")
    """
    folder = _package_folder(package, output)
    tools = read_existing(folder).tools
    if tools and not package.catalog.tools and not allow_empty:
        wrong = f"{package.name} would be empty: {folder} has {tools:,} tools"
        hint = "look at the recording, or pass allow_empty=True; nothing was written"
        raise BindgenError(Problem("", wrong, hint))
    return _write(with_existing_version(package.files, folder), folder)


@in_python
def check_package(package: Package, output: str | os.PathLike[str]) -> str:
    """Return the changes that `write_package` would make, as a unified diff.

    Args:
        package: The package.
        output: The folder of the packages.

    Returns:
        The diff, "" for no change.

    Raises:
        BindgenError: As for `write_package`.

    Example:
        assert check_package(generate("recordings/catalog.json"), "src") == ""
    """
    folder = _package_folder(package, output)
    return _check(with_existing_version(package.files, folder), folder)


@in_python
def lint(recording: AnyRecording, *, limits: Limits = DEFAULT) -> list[Finding]:
    """Return the suspicious texts of a recording; no finding is no proof of safety.

    Args:
        recording: As for `generate`.
        limits: The limits on the recording.

    Raises:
        BindgenError: It is no recording, or over a limit.

    Example:
        for finding in lint("recordings/catalog.json"):
            print(finding.pointer, finding.rule, finding.message)
    """
    data, limits = _bytes(recording), limits_of(limits)
    return _reading(recording, lambda: _lint(data, limits))


def _reading(recording: AnyRecording, work: Callable[[], T]) -> T:
    """Do work on a recording, whose file is named in errors."""
    try:
        return _on_a_free_stack(work)
    except BindgenError as error:
        if isinstance(recording, bytes | Recorded):
            raise
        raise BindgenError(*error.problems, file=os.fspath(recording)) from error


def _on_a_free_stack(work: Callable[[], T]) -> T:
    """Do work that recurses, however deep its caller is.

    Python limits the depth of a stack, so a deep caller would lose deeply nested tools.
    A thread begins with an empty one.
    """
    if sum(1 for _ in walk_stack(None)) < _DEEP:
        return work()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


def _package_folder(package: object, output: object) -> Path:
    expect("package", package, Package, "the result of generate")
    name = cast("Package", package).name
    return folder_of("output", output) / package_name(name, exact=True)


def _name(recording: AnyRecording, name: str) -> str:
    """Return the import name of a package.

    Raises:
        BindgenError: There is none, or it cannot be imported.
    """
    if name:
        return package_name(text_of("name", name), exact=True)
    if isinstance(recording, bytes | Recorded):
        hint = 'pass name="catalog", or the path of a recording'
        raise BindgenError(Problem("", "the package has no name", hint))
    return package_name(Path(recording).stem, exact=False)


def _bytes(recording: AnyRecording) -> bytes:
    if isinstance(recording, bytes):
        return recording
    if isinstance(recording, Recorded):
        return recording.text.encode()
    form = "a path, the bytes of a recording, or the result of record"
    expect("recording", recording, str | os.PathLike, form)
    try:
        return Path(recording).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        text = os.fspath(recording)
        reason = getattr(error, "strerror", None) or str(error)
        wrong = f"cannot read {text[:80]!a}: {reason}"
        hint = "record it: mcp_bindgen.record or mcp-bindgen record"
        if isinstance(error, IsADirectoryError):
            hint = "pass the path of one recording in it"
        elif text.lstrip().startswith("{"):
            hint = "pass the text of a recording as text.encode()"
        raise BindgenError(Problem("", wrong, hint)) from error
