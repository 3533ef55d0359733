"""Completion in IPython and notebooks: Jedi reads the package and runs nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

jedi: Any = pytest.importorskip("jedi", reason="needs the extra dev")
PROJECT = jedi.Project(Path(__file__).parents[2] / "generated")
pytestmark = pytest.mark.xdist_group("jedi")  # they share a cache
CLIENT = "from todo import Client\nclient = Client.http('http://x')\n"


@pytest.fixture(scope="module", autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what Jedi parses in a folder that no other process reads or writes."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("jedi")
        patch.setattr(jedi.settings, "cache_directory", str(folder))
        yield


def completed(code: str) -> list[str]:
    return [each.name for each in jedi.Script(code, project=PROJECT).complete()]


@pytest.mark.parametrize(
    "start",
    [
        f"{CLIENT}client.",
        f"{CLIENT}client.with_options(timeout=1).",
        f"{CLIENT}with client as one:\n    one.",
        "from todo import Client\nClient.from_env().connect().",
        "from todo import AsyncClient\nAsyncClient.stdio(['x']).",
    ],
)
def test_a_client_has_the_methods_of_its_server(start: str) -> None:
    assert completed(f"{start}add_t") == ["add_task"]
    assert completed(f"{start}plan_d") == ["plan_day"]
    assert completed(f"{start}call_t") == ["call_tool"]


def test_parameters_and_results_are_known() -> None:
    assert completed(f"{CLIENT}client.add_task(use") == ["user_id="]
    called = f"{CLIENT}client.complete_task(user_id=u, task_id=1)."
    assert "completed_at" in completed(called)
    assert "blocks" in completed(f"{CLIENT}client.open_tasks(user_id=u).")
