"""The fixtures of pytest, in tests as a newcomer writes them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.contract.replay.answers import Answers
from mcp_bindgen.contract.replay.server import running
from mcp_bindgen.recording.document import load

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["pytester"]

GENERATED = Path(__file__).parents[2] / "generated"
RECORDING = GENERATED / "catalog" / "recording.json"
REPLAY = """
import catalog

def test_search(mcp_replay):
    client = mcp_replay(catalog.Client, "search.json", {server})
    assert client.search_metadata(query="{query}").hits[0].name

async def found(client):
    return await client.search_metadata(query="{query}")

def test_async(mcp_replay):
    import asyncio
    client = mcp_replay(catalog.AsyncClient, "search.json", {server})
    assert asyncio.run(found(client)).hits
"""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    loaded, _ = load(RECORDING.read_bytes())
    with running(Answers(loaded)) as address:
        yield address


@pytest.fixture
def project(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> pytest.Pytester:
    """An empty project that has the package `catalog`."""
    monkeypatch.setattr(sys, "path", [str(GENERATED), *sys.path])
    # Once for all runs, each of which forgets the modules that it imports.
    for name in ("client", "tools.search_metadata", "tools.get_entity_lineage"):
        import_module(f"catalog.{name}")
    # By its module, as an editable install may be older than the entry point.
    plugin = "-p no:mcp-bindgen -p mcp_bindgen.pytest_plugin"
    pytester.makeini(
        f"[pytest]\naddopts = -p no:cacheprovider {plugin}\npythonpath = {GENERATED}\n"
    )
    return pytester


def ran(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.runpytest_inprocess(*arguments)


def replay(project: pytest.Pytester, query: str = "sales", server: str = "") -> None:
    project.makepyfile(REPLAY.format(query=query, server=server))


def test_a_server_a_client_and_a_fake(project: pytest.Pytester) -> None:
    project.makepyfile(f"""
        import pytest
        import catalog

        RECORDING = {str(RECORDING)!r}

        def test_server(mcp_server):
            url = mcp_server(RECORDING)
            assert url == mcp_server(RECORDING)
            with catalog.Client.http(url) as client:
                assert client.search_metadata(query="sales").hits

        @pytest.fixture
        def catalog_client(mcp_client):
            return mcp_client(catalog.Client, RECORDING, seed=3)

        def test_client(catalog_client):
            assert catalog_client.search_metadata(query="sales").hits

        def test_fake(mcp_fake):
            fake = mcp_fake(catalog.Client)
            lineage = fake.when(catalog.get_entity_lineage)
            lineage.fails("no such table")
            search = fake.when(catalog.search_metadata)
            table = {{"total": 5, "from": 0, "nextFrom": None, "hits": []}}
            search.returns(table)
            six = {{**table, "total": 6}}
            fake.when(catalog.search_metadata, query="b").returns(six)
            assert fake.client.search_metadata(query="a").total == 5
            model = fake.client.search_metadata(query="b")
            fake.when(catalog.search_metadata, query="c").returns(model)
            assert fake.client.search_metadata(query="c").total == 6
            assert [call.arguments["query"] for call in fake.calls] == ["a", "b", "c"]
            with pytest.raises(ValueError, match="output schema"):
                fake.when(catalog.search_metadata).returns({{"total": "x"}})

        def test_nothing_chosen(mcp_fake):
            mcp_fake(catalog.Client).client.search_metadata(query="a")
        """)
    result = ran(project)
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["*no recorded call of search_metadata has*"])


def test_mistakes_are_messages_without_our_code(project: pytest.Pytester) -> None:
    (project.path / "bad.json").write_text("no JSON")
    project.makepyfile("""
        import pytest, catalog

        def test_none(mcp_server):
            mcp_server("none.json")

        def test_bad(mcp_client):
            mcp_client(catalog.Client, "bad.json")

        def test_bad_cassette(mcp_replay):
            mcp_replay(catalog.Client, "bad.json")

        def test_unreachable(mcp_replay):
            url = "http://127.0.0.1:9/mcp"
            client = mcp_replay(catalog.Client, "new.json", url=url)
            client.search_metadata(query="x")

        def test_names(mcp_fake):
            fake = mcp_fake(catalog.Client)
            with pytest.raises(ValueError, match="function of the package.*'search'"):
                fake.when("search")
            with pytest.raises(ValueError, match="wire names.* entityType.* got qurey"):
                fake.when(catalog.search_metadata, qurey="x")
    """)
    result = ran(project, "--mcp-record", "once")
    result.assert_outcomes(passed=1, failed=4)
    result.stdout.fnmatch_lines(
        [
            "none.json: No such file or directory",
            "bad.json: line 1*",
            "bad.json: line 1*",
            "new.json: *nothing listens there*",
        ]
    )
    result.stdout.no_fnmatch_line("*/mcp_bindgen/*.py:*")


def test_a_cassette_from_recording_to_change(
    project: pytest.Pytester, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project.path / "search.json"
    replay(project)
    missing = ran(project)
    missing.assert_outcomes(failed=2)
    missing.stdout.fnmatch_lines(["*pytest --mcp-record new*"])
    assert not file.exists()

    monkeypatch.setenv("TOKEN", "sales")  # a value that the cassette must not hold
    server = f'url="{url}", headers=["Authorization: Bearer ${{TOKEN}}"]'
    replay(project, "b sales", server)
    ran(project, "--mcp-record", "once").assert_outcomes(passed=2)
    recorded = json.loads(file.read_text("utf-8"))
    assert [tool["name"] for tool in recorded["tools"]] == ["search_metadata"]
    assert [call["arguments"] for call in recorded["calls"]] == [{"query": "b ***"}]

    replay(project, "c")
    ran(project, "--mcp-record", "once").assert_outcomes(failed=2)
    replay(project, "c", server)
    ran(project, "--mcp-record", "new").assert_outcomes(passed=2)
    replay(project, "c")
    again = ran(project)
    again.assert_outcomes(passed=2)
    again.stdout.fnmatch_lines(["search.json: no test made the recorded call *b **"])
    shared = ran(project, "-n", "2")  # workers tell the process that reports
    shared.assert_outcomes(passed=2)
    shared.stdout.fnmatch_lines(["search.json: no test made the recorded call *b **"])
    assert shared.stdout.str().count("no test made") == 1

    replay(project, "d")
    other = ran(project)
    other.assert_outcomes(failed=2)
    other.stdout.fnmatch_lines(['*/query: recorded *, is "d" now*'])

    change(file)
    replay(project, "c")
    changed = ran(project)
    changed.assert_outcomes(failed=2)
    changed.stdout.fnmatch_lines(["*search_metadata*", "*--mcp-record rewrite*"])
    replay(project, "c", server)
    ran(project, "--mcp-record", "rewrite").assert_outcomes(passed=2)


def change(file: Path) -> None:
    """Let the cassette be of a server whose tool had another parameter."""
    document: dict[str, Any] = json.loads(file.read_text("utf-8"))
    schema = document["tools"][0]["inputSchema"]
    schema["properties"]["older"] = {"type": "string"}
    schema["required"] = [*schema.get("required", []), "older"]
    schema["properties"].pop("size")
    document["tools"][0]["outputSchema"]["properties"].pop("total")
    file.write_text(json.dumps(document))


def test_it_costs_nothing_where_it_is_not_used() -> None:
    code = """
import sys, pytest
before = set(sys.modules)
import mcp_bindgen.pytest_plugin
loaded = set(sys.modules) - before
print([name for name in loaded if not name.startswith("mcp_bindgen")])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_wheel_has_it() -> None:
    project = tomllib.loads((GENERATED.parent / "pyproject.toml").read_text("utf-8"))
    entries = project["project"]["entry-points"]["pytest11"]
    assert entries == {"mcp-bindgen": "mcp_bindgen.pytest_plugin"}
