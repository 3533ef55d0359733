"""Options of the test run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import pytest

# Expected files are no tests, whatever a tool is called.
collect_ignore_glob = ["cases/*", "typing/*"]

# A slow machine is no failure.
settings.register_profile(
    "suite", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite what tests/cases expects"
    )
