"""Unions that msgspec reads wrongly: a tuple beside a bound, and several numbers."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

from tests.models.test_builds import made

if TYPE_CHECKING:
    from pathlib import Path

PAIR = {
    "type": "array",
    "prefixItems": [{"type": "integer"}, {"type": "string"}],
    "minItems": 2,
    "maxItems": 2,
    "items": False,
}
BOUND = {"type": "string", "minLength": 1}
PAIR_OR_NULL = {"anyOf": [{"$ref": "#/$defs/pair"}, {"type": "null"}]}
SCHEMA: dict[str, Any] = {
    "properties": {
        "alone": PAIR,
        "unbound": {"anyOf": [PAIR, {"type": "integer"}]},
        "plain": {"anyOf": [PAIR, BOUND]},
        "named": {"anyOf": [{"$ref": "#/$defs/or_null"}, {"$ref": "#/$defs/bound"}]},
    },
    "$defs": {"pair": PAIR, "bound": BOUND, "or_null": PAIR_OR_NULL},
}
USES = """
import gc
import msgspec
decoder = msgspec.json.Decoder(FindArguments)
gc.collect()
value = {"alone": [1, "a"], "unbound": [1, "a"], "plain": [1, "a"], "named": None}
assert msgspec.to_builtins(decoder.decode(msgspec.json.encode(value))) == {
    **value, "alone": (1, "a"), "unbound": (1, "a")
}
"""


def test_a_tuple_beside_a_bound_is_a_list(tmp_path: Path) -> None:
    text = made("msgspec", SCHEMA, {})
    assert "    alone: tuple[int, str] | " in text
    assert "    plain: list[Any] | " in text
    assert "    named: list[Any] | None | " in text
    (tmp_path / "find.py").write_text(f"{text}{USES}")
    # In a process of its own: msgspec may end it.
    command = [sys.executable, str(tmp_path / "find.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_number_fits_one_member_of_a_union_at_least() -> None:
    number = {"type": "number"}
    schema = {
        "properties": {
            "three": {"anyOf": [{"const": 3}, number, {"const": 4}]},
            "mixed": {"enum": [1.5, 2]},
            "bound": {"anyOf": [{"type": "integer", "minimum": 9}, number, BOUND]},
            "whole": {"anyOf": [{"const": 3}, {"type": "string"}]},
        }
    }
    text = made("msgspec", schema, {})
    for member in ("three", "mixed"):
        assert f"    {member}: int | float | UnsetType" in text
    assert "    bound: int | float | Bound1 | UnsetType" in text
    assert "    whole: Literal[3] | str | UnsetType" in text
