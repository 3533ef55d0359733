"""One package for all tests of policies."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings

from tests.policy.counting import RECORDING, CountingServer, policy_text
from tests.runtime.conftest import driver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["driver", "load", "server", "shop"]


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The package of the server that counts; it uses the original runtime."""
    folder = tmp_path_factory.mktemp("policy_packages")
    settings = Settings(("python", "openai"), runtime="mcp_bindgen.runtime")
    made = generate(RECORDING, "policy_shop", settings)
    for name, text in made.files.items():
        path = folder / "policy_shop" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    yield import_module("policy_shop")
    sys.path.remove(str(folder))


@pytest.fixture
def server() -> CountingServer:
    """A server without any call so far."""
    return CountingServer()


@pytest.fixture
def load(shop: Any, tmp_path: Path) -> Callable[..., Any]:
    """Return what loads a policy from the text of its entries."""

    def loaded(tools: str, begin: str = "", **options: Any) -> Any:
        file = tmp_path / "policy.toml"
        file.write_text(policy_text(tools, begin), encoding="utf-8")
        return shop.Policy.load(file, **options)

    return loaded
