"""Options of the test run."""

from __future__ import annotations

import gc
import os
import tempfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.servers.launch import serve_http, start_quickly
from tests.temporary import folder_in_memory

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

# Expected files are no tests, whatever a tool is called.
collect_ignore_glob = ["cases/*", "typing/*"]

# Folders whose tests share packages or servers of their session.
TOGETHER = ("targets", "policy", "servers")

# The folder that the servers of a run start from, and its first process.
SHARED_START = "MCP_BINDGEN_TEST_SERVERS"

# A slow machine is no failure.
settings.register_profile(
    "suite", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    """Let the servers of all workers start from one process; choose their folders."""
    if "TMPDIR" not in os.environ and (memory := folder_in_memory()):
        # For pytest, for tests, and for the programs that they start.
        os.environ["TMPDIR"] = tempfile.tempdir = str(memory)
    if SHARED_START not in os.environ:
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ[SHARED_START] = f"{os.getpid()}:{folder.name}"
    owner, _, name = os.environ[SHARED_START].partition(":")
    start_quickly(name, owner)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the garbage collector pass over what stays to the end: modules and tests.

    Otherwise it looks at these half a million objects again and again, a tenth of the
    time of all tests. It still runs, less often than in other programs.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(5_000, 10, 100)
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests generate out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
            patch.setenv(name, str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def catalog_url() -> Iterator[str]:
    """The catalog server over HTTP, for all tests that change nothing in it."""
    with serve_http("catalog") as url:
        yield url


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups by the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep those together that share what is costly to make; begin with the longest.

    So no two workers make the same packages, and none ends the run alone with a group
    or with a slow test. The other tests go to the workers by the dozen.
    """
    for item in items:
        folder = item.path.parent.name
        if folder in TOGETHER and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(folder))
    items.sort(key=_begins_first, reverse=True)
    others = [item for item in items if not _begins_first(item)]
    for number, item in enumerate(others):
        item.add_marker(pytest.mark.xdist_group(f"dozen {number // 12}"))


def _begins_first(item: pytest.Item) -> bool:
    return any(map(item.get_closest_marker, ("slow", "xdist_group")))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite what tests/cases expects"
    )
