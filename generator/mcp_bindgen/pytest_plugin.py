"""Fixtures for tests of programs that use a generated package, without its server.

pytest loads this module in every project that has mcp-bindgen: it imports the rest
when a test asks for a fixture.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from mcp_bindgen.contract.replay.through import Through
    from mcp_bindgen.recording.document import Recording
    from mcp_bindgen.recording.source import LiveServer

__all__ = [
    "mcp_client",
    "mcp_fake",
    "mcp_replay",
    "mcp_server",
    "pytest_addoption",
    "pytest_runtest_makereport",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
]

_USED = pytest.StashKey["dict[Path, set[str]]"]()
_BEGUN = pytest.StashKey["set[Path]"]()
_FAILED = pytest.StashKey[bool]()
_OUTPUT = "mcp-bindgen"
_SECONDS = 60.0


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --mcp-record."""
    parser.getgroup("mcp-bindgen").addoption(
        "--mcp-record",
        choices=("once", "new", "rewrite"),
        help="record calls of mcp_replay at the real server: cassettes that are not"
        " there (once), their new calls too (new), or all calls again (rewrite)",
    )


@pytest.fixture(scope="session")
def mcp_server() -> Iterator[Callable[..., str]]:
    """Start servers of recordings.

    Example: `url = mcp_server("recordings/catalog.json")`.

    Options are those of `mcp-bindgen serve`: `strict`, `seed`, `latency`, `fixed`,
    `failing`. Equal ones share a server, which ends with the session.
    """
    try:
        from mcp_bindgen.contract.replay.server import running
    except ImportError as error:
        reason = f"mcp_server needs {error.name}: pip install 'mcp-bindgen[serve]'"
        pytest.fail(reason, pytrace=False)
    from mcp_bindgen.contract.replay.answers import Answers, Options

    urls: dict[str, str] = {}
    with ExitStack() as stack:

        def start(recording: str | Path, **options: Any) -> str:
            file = Path(recording).resolve()
            key = f"{file} {sorted(options.items())!r}"
            if key not in urls:
                with _failing(recording):
                    loaded = _loaded(file)
                answers = Answers(loaded, Options(file=str(recording), **options))
                urls[key] = stack.enter_context(running(answers))
            return urls[key]

        yield start


@pytest.fixture
def mcp_client(mcp_server: Callable[..., str]) -> Iterator[Callable[..., Any]]:
    """Make clients of served recordings: `mcp_client(catalog.Client, recording)`.

    A blocking client is closed after the test; an async one by `async with`.
    """
    with ExitStack() as stack:

        def make(client: Any, recording: str | Path, **options: Any) -> Any:
            made = client.http(mcp_server(recording, **options))
            if hasattr(made, "__enter__"):
                stack.enter_context(made)
            return made

        yield make


@pytest.fixture
def mcp_fake() -> Callable[[type], Any]:
    """Make clients whose answers a test chooses.

    After `fake = mcp_fake(catalog.Client)`, use `fake.client`, `fake.calls`, and
    `fake.when(catalog.search).returns(...)`.
    """
    from mcp_bindgen.contract.replay.fake import Fake

    return Fake


@pytest.fixture
def mcp_replay(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Make clients that replay calls: `mcp_replay(catalog.Client, "cassettes/a.json")`.

    `url=` and `headers=`, or `command=` and `env=`, say which server --mcp-record
    calls; `${NAME}` in them is replaced, and its value becomes *** in the cassette.
    """
    from mcp_bindgen.contract.replay.cassette import Cassette
    from mcp_bindgen.contract.replay.packages import client_of, package_of

    mode = request.config.getoption("--mcp-record") or ""
    test = _test_of(request)
    command = f"pytest --mcp-record new {test.nodeid!r}"
    cassettes: list[Cassette] = []
    with ExitStack() as stack:

        def make(client: type, cassette: str | Path, **server: Any) -> Any:
            file, stash = Path(cassette).resolve(), request.config.stash
            # Tests share a cassette: what one has recorded, another may add to.
            begun = stash.setdefault(_BEGUN, set())
            with _failing(cassette):
                reads = file.exists() and (mode != "rewrite" or file in begun)
                recording = _loaded(file) if reads else None
            package = package_of(client).recording
            if recording is not None and package.exists():
                _refuse_changed(file, recording, package, test.nodeid)
            if mode in {"new", "rewrite"} or (mode == "once" and recording is None):
                begun.add(file)
            live = _live(server)
            through = _Live(file, recording, live, stack) if file in begun else None
            made = Cassette(recording, through, command, live.secrets if live else ())
            used = stash.setdefault(_USED, {})
            made.used = used.setdefault(file, set())
            cassettes.append(made)
            return client_of(client, made.answer)

        yield make
    misses = [miss for cassette in cassettes for miss in cassette.misses]
    # The program under test may have caught the error.
    if misses and not test.stash.get(_FAILED, False):
        pytest.fail("\n".join(misses), pytrace=False)


@contextmanager
def _failing(name: object) -> Generator[None]:
    """Let a test fail, without our code in the report, where a file or server does."""
    from mcp_bindgen.errors import BindgenError

    try:
        yield
    except OSError as error:
        text = f"{name}: {error.strerror}\n  hint: make it with: mcp-bindgen record"
        pytest.fail(text, pytrace=False)
    except BindgenError as error:
        pytest.fail(f"{name}: {error}", pytrace=False)


def _loaded(file: Path) -> Recording:
    from mcp_bindgen.recording.document import load

    return load(file.read_bytes())[0]


def _test_of(request: Any) -> pytest.Item:
    test: pytest.Item = request.node  # which has no type before pytest 9.2
    return test


def _live(server: dict[str, Any]) -> LiveServer | None:
    """Return the real server, None where the test or the environment has none."""
    from mcp_bindgen.errors import BindgenError
    from mcp_bindgen.recording.source import Source

    try:
        return Source(**server).expand(os.environ) if server else None
    except BindgenError:  # a variable is not set: nothing can be recorded
        return None


def _refuse_changed(file: Path, recording: Recording, package: Path, node: str) -> None:
    """Fail if a tool of a cassette has changed in the package."""
    from mcp_bindgen.contract.replay.cassette import tools_now

    now = tools_now(recording, _loaded(package))
    if now.tools == recording.tools:
        return
    from mcp_bindgen.contract.replay.changed import breaking_changes

    if lines := breaking_changes(recording, now):
        hint = f"hint: record it again with pytest --mcp-record rewrite {node!r}"
        text = f"{file.name}: tools have changed since it was recorded"
        pytest.fail("\n".join([text, *lines, hint]), pytrace=False)


class _Live:
    """Connects to the real server of a cassette at the first call that needs it."""

    def __init__(
        self,
        file: Path,
        recording: Recording | None,
        server: LiveServer | None,
        stack: ExitStack,
    ) -> None:
        self._file = file
        self._recording = recording
        self._server = server
        self._stack = stack
        self._through: Through | None = None

    def __call__(self) -> Through:
        if self._through is None:
            self._through = self._connected()
        return self._through

    def _connected(self) -> Through:
        from mcp_bindgen.contract.replay.through import Through, with_calls
        from mcp_bindgen.recording.recorder import Options
        from mcp_bindgen.write.save import save

        live = self._server
        if live is None:
            hint = (
                "mcp_replay(Client, FILE, url=...) or command=[...], and its variables"
            )
            pytest.fail(f"--mcp-record needs a server: {hint}", pytrace=False)
        with _failing(self._file.name):
            listed = live.record(_SECONDS, Options()).recording
        if self._recording is not None:
            calls = [dict(call) for call in self._recording.calls]
            listed = with_calls(listed, calls)
        client = self._stack.enter_context(live.client(_SECONDS, ""))

        def write(text: str) -> None:
            save(self._file, text.encode())

        return Through(client, listed, live.secrets, write, whole=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note which tests failed: they need no second report at their end."""
    report = yield
    item.stash[_FAILED] = item.stash.get(_FAILED, False) or report.failed
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the calls that a worker of pytest-xdist made to the process that reports."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    used = session.config.stash.get(_USED, None)
    if output is not None and used:
        output[_OUTPUT] = {str(file): sorted(keys) for file, keys in used.items()}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the calls that a worker of pytest-xdist made."""
    output: dict[str, Any] = getattr(node, "workeroutput", {})
    for file, keys in output.get(_OUTPUT, {}).items():
        used = node.config.stash.setdefault(_USED, {})
        used.setdefault(Path(file), set()).update(keys)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the recorded calls that no test made, of cassettes that tests opened."""
    opened = config.stash.get(_USED, None)
    for file, used in (opened or {}).items():
        for line in _stale(file, used):
            terminalreporter.write_line(line)


def _stale(file: Path, used: set[str]) -> Iterator[str]:
    from mcp_bindgen.contract.replay.matching import key_of
    from mcp_bindgen.hidden import one_line
    from mcp_bindgen.runtime.json_values import members

    recording = _loaded(file) if file.exists() else None
    for call in recording.calls if recording else ():
        key = key_of(str(call["name"]), members(call.get("arguments")))
        if key not in used:
            call_text = one_line(key[:200])
            yield f"{file.name}: no test made the recorded call {call_text}"
