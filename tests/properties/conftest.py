"""A package that is written once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime import limits

from tests.properties.models import generated, write

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Write a package, whose runtime the modules of all examples use."""
    folder = tmp_path_factory.mktemp("random")
    schema = {"type": "object", "minProperties": 1}  # needs residual validation too
    write(folder / "randomly", generated({"name": "checked", "inputSchema": schema}))
    sys.path.insert(0, str(folder))
    with pytest.MonkeyPatch.context() as patch:
        # Answers that count as large pass a check of their own; here all do.
        patch.setattr(limits, "LARGE_ANSWER", -1)
        yield
    sys.path.remove(str(folder))
