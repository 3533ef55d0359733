"""All hostile recordings, in one order and by name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tests.hostile.bombs import BOMBS
from tests.hostile.payloads import RAW, TEXTS, VALUES
from tests.hostile.positions import KEYWORDS, MEMBERS, PLACES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.hostile.positions import Make

__all__ = ["Case", "bombs", "cases"]

_HOLE = "@RAW@"

_FILES: dict[str, bytes] = {
    "nothing": b"",
    "blank": b" \n",
    "null": b"null",
    "list": b"[]",
    "text": b'"tools"',
    "no tools": b"{}",
    "tools null": b'{"tools": null}',
    "tools object": b'{"tools": {"good_one": {}}}',
    "tools text": b'{"tools": "good_one"}',
    "tools twice": b'{"tools": [], "tools": []}',
    "tools nan": b'{"tools": NaN}',
    "tools empty": b'{"tools": []}',
    "tools of all kinds": b'{"tools": [null, true, 1, 1.5, "x", [], {}, [{}]]}',
    "error": b'{"jsonrpc": "2.0", "error": {"code": 1, "message": "x"}}',
    "result null": b'{"result": null}',
    "result tools": b'{"result": {"tools": [{}]}}',
    "utf-16": '{"tools": []}'.encode("utf-16"),
    "latin-1": b'{"tools": [], "a": "\xe9"}',
    "overlong": b'{"tools": [], "a": "\xc0\xaf"}',
    "surrogate": b'{"tools": [], "a": "\xed\xa0\x80"}',
    "mark": b'\xef\xbb\xbf{"tools": []}',
    "nul": b'{"tools": []}\x00',
    "two": b'{"tools": []} {"tools": []}',
    "python": b"__import__('hostile_canary').fire()",
    "yaml": b"tools: !!python/object/apply:os.system [x]",
    "pickle": b"\x80\x04cos\nsystem\n.",
    "gzip": b"\x1f\x8b\x08\x00",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One hostile recording.

    Attributes:
        name: What and where, as `place: payload`.
        make: Makes its bytes.
    """

    name: str
    make: Callable[[], bytes]


def cases() -> list[Case]:
    """Return every recording that needs no process of its own."""
    every = [
        Case(f"{location}: {name}", partial(_json, make, text))
        for location, make in PLACES.items()
        for name, text in TEXTS.items()
    ]
    every += [
        Case(f"{location}: {name}", partial(_json, make, value))
        for location, make in {**KEYWORDS, **MEMBERS}.items()
        for name, value in VALUES.items()
    ]
    every += [
        Case(f"{location}: raw {name}", partial(_raw, make, text))
        for location, make in {**_ANY_JSON, **MEMBERS}.items()
        for name, text in RAW.items()
    ]
    return every + [Case(f"whole: {k}", partial(bytes, v)) for k, v in _FILES.items()]


# Of the keywords those whose value is any JSON.
_ANY_JSON = {
    key: KEYWORDS[key]
    for key in ("property default", "property const", "property minimum", "root enum")
}


def bombs() -> list[Case]:
    """Return every recording whose time and memory are measured alone."""
    return [Case(f"bomb: {name}", make) for name, make in BOMBS.items()]


def _json(make: Make, value: object) -> bytes:
    return json.dumps(make(value)).encode()


def _raw(make: Make, text: str) -> bytes:
    return json.dumps(make(_HOLE)).replace(json.dumps(_HOLE), text).encode()
