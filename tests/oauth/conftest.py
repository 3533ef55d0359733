"""A server that asks for a login, for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.oauth.fake import serve

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.oauth.fake import Fake


@pytest.fixture
def fake() -> Generator[Fake]:
    with serve() as made:
        yield made
