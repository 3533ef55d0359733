"""Tests of one group run in one worker; without groups each worker makes it all."""

from __future__ import annotations

import os

import pytest

from tests.conftest import TOGETHER

pytestmark = pytest.mark.xdist_group("grouped")


def test_xdist_knows_the_group_of_a_test(pytestconfig: pytest.Config) -> None:
    # It reads the group from the end of the id; a newer pytest may not let it write it.
    in_worker = "PYTEST_XDIST_WORKER" in os.environ
    distributed = in_worker and pytestconfig.getoption("loadgroup")
    test = os.environ["PYTEST_CURRENT_TEST"]
    assert test.endswith("@grouped (call)") is bool(distributed)


def test_a_folder_may_be_a_group(request: pytest.FixtureRequest) -> None:
    if "PYTEST_XDIST_WORKER" in os.environ and request.config.getoption("loadgroup"):
        tests = [i for i in request.session.items if i.path.parent.name in TOGETHER]
        assert [test.nodeid for test in tests if "@" not in test.nodeid] == []
