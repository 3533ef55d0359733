"""Options of the test run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite what tests/cases expects"
    )


# Expected files are no tests, whatever a tool is called.
collect_ignore_glob = ["cases/*", "typing/*"]
