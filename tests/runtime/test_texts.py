"""Dates, UUIDs, paths and decimals are sent as texts, where the format says so."""

from __future__ import annotations

import json
import sys
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.runtime.client.binding import Binding, raw
from mcp_bindgen.runtime.errors import InvalidArgumentsError
from mcp_bindgen.runtime.validation.models import Model
from mcp_bindgen.runtime.validation.scalars import MISSING, Number, String
from mcp_bindgen.runtime.validation.texts import FORMATS
from pydantic import ValidationError

from tests.hostile.positions import document, tool
from tests.hostile.shapes import fields

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


class Arguments(Model):
    text: String | MISSING | None = MISSING
    other: String | MISSING = MISSING


class Numbers(Model):
    n: Number | MISSING = MISSING
    all: list[Number] | MISSING = MISSING


EAST = timezone(timedelta(hours=2))
BERLIN_1890 = timezone(timedelta(minutes=53, seconds=28))
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
        ("date-time", datetime(2026, 1, 31), "pass value.astimezone"),  # noqa: DTZ001
        ("date-time", datetime(1890, 1, 1, tzinfo=BERLIN_1890), "whole minutes"),
        ("time", time(12, tzinfo=BERLIN_1890), "whole minutes"),
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


DAY = {"type": "string", "format": "date"}
DEFINITIONS: dict[str, Any] = {
    "day": DAY,
    "again": {"$ref": "#/$defs/day"},
    "text": {"type": "string"},
}


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
        ({"oneOf": [{"type": "null"}, DAY]}, "None | DateLike"),
        ({"$ref": "#/$defs/day"}, "DateLike"),
        ({"$ref": "#/$defs/again", "description": "A day."}, "DateLike"),
        ({"anyOf": [{"$ref": "#/$defs/day"}, {"type": "null"}]}, "DateLike | None"),
        ({"allOf": [{"$ref": "#/$defs/day"}], "minLength": 3}, "DateLike"),
        ({"allOf": [{"type": "string"}, DAY]}, "DateLike"),
        ({"$ref": "#/$defs/text", "format": "date"}, "DateLike"),
        ({"anyOf": [DAY, {"$ref": "#/$defs/day"}]}, "DateLike"),
        # Texts of which some are none.
        ({"anyOf": [DAY, {"type": "string"}]}, "str"),
        ({"oneOf": [DAY, {"type": "string", "format": "uuid"}]}, "str"),
        ({"allOf": [DAY, {"format": "date-time"}]}, "str"),
        # No text, no text alone, no format of Python.
        ({"type": "number", "format": "decimal"}, "float"),
        ({"type": ["string", "integer"], "format": "date"}, None),
        ({"type": "string", "format": "uri"}, "str"),
        ({"enum": ["a"], "format": "date"}, None),
        ({"type": "string", "format": ["date"]}, "str"),
    ],
)
def test_signatures_say_so(schema: dict[str, Any], annotation: str | None) -> None:

    schema = {**fields(p=schema), "$defs": DEFINITIONS}
    package = generate(json.dumps(document(tool(schema))).encode(), "made")
    text = package.files["tools/bad.py"]
    if annotation is not None:
        assert text.count(f"    p: {annotation} | MISSING = MISSING,") == 2
    assert ("formats=" in text) is ("Like" in (annotation or ""))
    assert ("Like" in text) is ("Like" in (annotation or ""))


EVENT = fields(
    start={"type": "string", "format": "date-time"},
    day={"type": ["string", "null"], "format": "date", "minLength": 10},
    price={"type": "number", "minimum": 1},
    sum={"type": "string", "format": "decimal"},
)
REFERRED = fields(
    start={"$ref": "#/$defs/time"},
    day={"oneOf": [{"$ref": "#/$defs/day"}, {"type": "null"}]},
    price={"type": "number", "minimum": 1},
    sum={"allOf": [{"$ref": "#/$defs/sum"}]},
)
TYPES = {
    "time": {"type": "string", "format": "date-time"},
    "day": {"type": "string", "format": "date", "minLength": 10},
    "sum": {"type": "string", "format": "decimal"},
}
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that modules are imported from."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in [name for name in sys.modules if name.partition(".")[0] == "dated"]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def _module(schema: dict[str, Any], folder: Path, **more: Any) -> ModuleType:
    """Import the module of a tool from a package that is written into a folder."""
    package = generate(json.dumps(document(tool(schema) | more)).encode(), "dated")
    for name, text in package.files.items():
        (folder / "dated" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "dated" / name).write_text(text, "utf-8")
    return import_module("dated.tools.bad")


@pytest.mark.parametrize("event", [EVENT, REFERRED], ids=["inline", "referred"])
@pytest.mark.parametrize("rule", [{}, {"not": {"required": ["never"]}}])
def test_fields_of_arguments_take_them_too(
    folder: Path, rule: dict[str, Any], event: dict[str, Any]
) -> None:
    schema = fields(events={"type": "array", "items": {**event, **rule}})
    module = _module({**schema, "$defs": TYPES}, folder)
    made = module.Event(start=NOON, day=date(2026, 1, 31), price=Decimal("12.50"))
    sent = {"start": NOON.isoformat(), "day": "2026-01-31", "price": 12.5}
    assert made.model_dump() == sent
    assert module._TOOL.prepare({"events": [made]}) == {"events": [sent]}
    for wrong in ({"start": date(2026, 1, 31)}, {"day": NOON}, {"sum": Decimal("NaN")}):
        with pytest.raises(ValidationError):
            module.Event(**wrong)
    with pytest.raises(ValidationError, match="must have a time zone"):
        module.Event(start=datetime(2026, 1, 31))  # noqa: DTZ001
    with pytest.raises(ValidationError, match="whole minutes"):
        module.Event(start=datetime(1890, 1, 1, tzinfo=BERLIN_1890))


@pytest.mark.parametrize("event", [EVENT, REFERRED], ids=["inline", "referred"])
def test_results_stay_texts(folder: Path, event: dict[str, Any]) -> None:
    whole = {**fields(event=event), "required": ["event"], "$defs": TYPES}
    module = _module(whole, folder, outputSchema=whole)
    assert module.Event(start=NOON)
    with pytest.raises(ValidationError):
        module.BadEvent(start=NOON)


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (Decimal("12.50"), 12.5),
        (Decimal(5), 5),
        (Decimal("1E+3"), 1000),
        (Decimal("-0.1"), -0.1),
        (Decimal(2**53), 2**53),
    ],
)
def test_a_decimal_is_the_nearest_number(value: Decimal, sent: float) -> None:
    tool_ = Binding("tool", Numbers, raw)
    assert repr(tool_.prepare({"n": value, "all": [value]})) == repr(
        {"n": sent, "all": [sent]}
    )
    members: dict[str, Any] = {"n": value, "all": [value]}
    assert Numbers(**members).model_dump() == {"n": sent, "all": [sent]}


def test_a_decimal_may_be_one_of_listed_numbers(folder: Path) -> None:
    listed = fields(
        half={"enum": [0.1, 2.5, 2]}, one={"const": 1}, many={"enum": [1, 10**20, "a"]}
    )
    module = _module(fields(events={"type": "array", "items": listed}), folder)
    made = module.Event(half=Decimal("0.10"), one=Decimal("1.0"), many=Decimal("1E20"))
    assert repr(made.model_dump()) == repr({"half": 0.1, "one": 1, "many": 10**20})
    assert module.Event(half=Decimal(2)).half == 2
    for wrong in ("0.3", "NaN", "sNaN", "Infinity", "1E+400"):
        with pytest.raises(ValidationError):
            module.Event(half=Decimal(wrong))


@pytest.mark.parametrize("value", ["NaN", "sNaN", "Infinity", "-1E+400"])
def test_a_decimal_that_is_no_number_of_json_is_refused(value: str) -> None:
    members: dict[str, Any] = {"n": Decimal(value)}
    with pytest.raises(InvalidArgumentsError, match="/n: "):
        Binding("tool", Numbers, raw).prepare(members)
    with pytest.raises(ValidationError):
        Numbers(**members)
