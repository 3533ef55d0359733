"""Dates, UUIDs, paths and decimals are sent as texts, where the format says so."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.runtime.client.binding import Binding, raw
from mcp_bindgen.runtime.errors import InvalidArgumentsError
from mcp_bindgen.runtime.validation.models import Model
from mcp_bindgen.runtime.validation.scalars import MISSING, String
from mcp_bindgen.runtime.validation.texts import FORMATS

from tests.hostile.positions import document, tool
from tests.hostile.shapes import fields


class Arguments(Model):
    text: String | MISSING | None = MISSING
    other: String | MISSING = MISSING


EAST = timezone(timedelta(hours=2))
SENT: list[tuple[str, Any, str]] = [
    ("date", date(2026, 1, 31), "2026-01-31"),
    ("date-time", datetime(2026, 1, 31, 12, tzinfo=UTC), "2026-01-31T12:00:00+00:00"),
    (
        "date-time",
        datetime(2026, 1, 31, 1, 2, 3, 4, EAST),
        "2026-01-31T01:02:03.000004+02:00",
    ),
    ("time", time(12, 30), "12:30:00"),
    ("uuid", UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ("path", PurePosixPath("a/b"), "a/b"),
    ("file-path", PurePosixPath("/a b"), "/a b"),
    ("directory-path", PurePosixPath(), "."),
    ("decimal", Decimal("12.50"), "12.50"),
    ("decimal", Decimal("1E+3"), "1000"),
]


@pytest.mark.parametrize(("format_", "value", "sent"), SENT)
def test_a_value_is_sent_as_its_text(format_: str, value: object, sent: str) -> None:
    tool_ = Binding("tool", Arguments, raw, formats={"text": format_})
    assert tool_.prepare({"text": value}) == {"text": sent}
    for plain in (sent, None):
        assert tool_.prepare({"text": plain}) == {"text": plain}
    assert tool_.prepare({"text": MISSING}) == tool_.prepare({}) == {}
    with pytest.raises(InvalidArgumentsError):
        tool_.prepare({"other": value})
    assert {format_ for format_, *_ in SENT} == FORMATS.keys()


@pytest.mark.parametrize(
    ("format_", "value", "reason"),
    [
        ("date", datetime(2026, 1, 31, tzinfo=UTC), "pass value.date()"),
        ("decimal", Decimal("NaN"), "finite"),
        ("date-time", date(2026, 1, 31), "valid string"),
        ("uuid", date(2026, 1, 31), "valid string"),
    ],
)
def test_a_value_without_such_a_text_is_refused(
    format_: str, value: object, reason: str
) -> None:
    tool_ = Binding("tool", Arguments, raw, formats={"text": format_})
    with pytest.raises(InvalidArgumentsError, match=reason) as caught:
        tool_.prepare({"text": value})
    assert caught.value.faults[0].path == "/text"


@pytest.mark.parametrize(
    ("schema", "annotation"),
    [
        ({"type": "string", "format": "uuid"}, "UuidLike"),
        ({"type": ["string", "null"], "format": "date"}, "DateLike | None"),
        (
            {"anyOf": [{"type": "string", "format": "time"}, {"type": "null"}]},
            "TimeLike | None",
        ),
        ({"type": "string", "format": "path", "pattern": "^/"}, "PathTextLike"),
        # No text, no text alone, no format of Python.
        ({"type": "number", "format": "decimal"}, "float"),
        ({"type": ["string", "integer"], "format": "date"}, None),
        ({"type": "string", "format": "uri"}, "str"),
        ({"enum": ["a"], "format": "date"}, None),
        ({"type": "string", "format": ["date"]}, "str"),
    ],
)
def test_signatures_say_so(schema: dict[str, Any], annotation: str | None) -> None:

    package = generate(json.dumps(document(tool(fields(p=schema)))).encode(), "made")
    text = package.files["tools/bad.py"]
    if annotation is not None:
        assert text.count(f"    p: {annotation} | MISSING = MISSING,") == 2
    assert ("formats=" in text) is ("Like" in (annotation or ""))
    assert ("Like" in text) is ("Like" in (annotation or ""))
