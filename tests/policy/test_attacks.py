"""Ways round a policy that an outsider's attack showed."""

from __future__ import annotations

import json
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app
from mcp_bindgen.runtime.client.policy.masks import fault_of_mask, masked

from tests.policy.counting import CountingServer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STAR = '[tools.list_items.paths]\n"/like/*/path" = { allowed = ["/data"] }\n'


@pytest.mark.parametrize(
    "files",
    [
        "/etc/passwd",
        ["/etc/passwd"],
        {"path": "/etc/passwd"},
        [[{"path": "/etc"}]],
        5,
        None,
        [{}],
        [{"path": "/data/a"}, {}],
        [{"path": "/data/a"}, "/etc/passwd"],
    ],
)
def test_a_value_of_another_type_passes_no_pointer(
    files: Any, shop: Any, load: Callable[..., Any]
) -> None:
    server = CountingServer()
    policy = load(STAR)
    client = server.client(shop.Client, "one").with_options(policy=policy)
    with pytest.raises(shop.DeniedError):
        client.call_tool("list_items", {"like": files})
    assert server.calls == []


def never(_tool: str, _arguments: object) -> bool:
    return False


def test_decide_denies_where_a_log_would_only_note(
    shop: Any, load: Callable[..., Any]
) -> None:
    server = CountingServer()
    policy = load(
        '[tools.list_items]\nenforce = "log"\ndeny = true\n',
        decide=never,
    )
    client = server.client(shop.Client, "one").with_options(policy=policy)
    with pytest.raises(shop.DeniedError):
        client.call_tool("list_items", {})
    assert server.calls == []


@pytest.mark.parametrize("before", [4000, 4041, 4090, 4095, 4096, 6143, 8190])
def test_a_secret_at_the_edge_of_a_piece_is_masked(before: int) -> None:
    text = "y" * before + " sk-" + "1234567890" * 3
    assert "123456" not in masked(text, ("sk-[0-9]+",))


def test_an_entry_that_is_marked_as_removed_frees_no_tool(
    shop: Any, load: Callable[..., Any]
) -> None:
    server = CountingServer()
    entry = "[tools.delete_item]\nremoved = true\n"
    policy = load(entry, '[default]\ntools = "allow"\n')
    client = server.client(shop.Client, "one").with_options(policy=policy)
    with pytest.raises(shop.DeniedError):
        client.call_tool("delete_item", {"id": 1})
    assert server.calls == []


@pytest.mark.parametrize(
    "pattern",
    [
        *("a*a*a*b", "(a?){24}a{24}", "([0-9]?){27}[0-9]{27}", "(?:a+b)+"),
        *("a+b?c*d?e+", ".*x.*x.*y", ".*x[^y]*x.*y", "a*(?:x|)a*(?:x|)a*b"),
        *("(a*)(a*)b", r"a*\u0061a*b", r"[a-f]*\x61[a-f]*!", r"(?i)k*\u212a*b"),
        *("a?" * 20 + "b", "(?:a|a?b?)" * 12 + "!", r"\w+é\w+!"),
    ],
)
def test_a_mask_that_may_take_for_ever_is_refused(pattern: str) -> None:
    assert fault_of_mask(pattern)


@pytest.mark.parametrize("pattern", ["[[a-z]+;", "x[a--b];", "[a&&b];", "[a||b]x"])
def test_a_set_that_a_later_python_may_read_otherwise_is_refused(pattern: str) -> None:
    assert "write a backslash" in fault_of_mask(pattern)


def test_a_look_at_a_mask_depends_on_no_warning_and_changes_no_filter() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        re.compile("[[0-7]+!")  # `re` warns of a pattern once, and caches it
    assert "write a backslash" in fault_of_mask("[[0-7]+!")
    filters = [*warnings.filters]
    meanwhile = list[list[object]]()
    compiled = re.compile

    def watched(pattern: str, flags: int = 0) -> object:
        meanwhile.append([*warnings.filters])
        return compiled(pattern, flags)

    with patch.object(re, "compile", watched):
        assert fault_of_mask("key [0-7]+!") == ""
    assert meanwhile
    assert all(each == filters for each in meanwhile)  # other threads have them, too


@pytest.mark.parametrize("pattern", ["x[^[]+;", r"x[\[\--]y", r"[\w.+-]-", r"\[[a-]--"])
def test_a_set_that_each_python_reads_alike_is_fine(pattern: str) -> None:
    assert fault_of_mask(pattern) == ""


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"[\[a-z]+;", "[ab;"),
        ("(?:ab)+", "abab"),
        ("(?i)(?:ab){2,}", "ABab"),
        ("(?:[0-9]{3} ){2,4}", "123 456 "),
        ("(?:[0-9]{4}[- ]?){4}", "1234-1234 12341234"),
        (r"[\w.+-]+@[\w-]+\.[\w.]+", "a.b@c-d.example"),
        (r"password\s*[:=]\s*\S+", "password = x"),
        (r"(?i)(?:pass|secret|token)\s*(?:=|:)\s*\S+", "Token: x"),
        (r"eyJ[\w-]+\.[\w-]+\.[\w-]+", "eyJa.b-c.d"),
        (r"(\w+)@(\w+)\.com", "a@b.com"),
        ("-+BEGIN [A-Z ]+-+[^-]+-+END [A-Z ]+-----", "--BEGIN A B---x--END A-----"),
        ("[a-z]+[0-9]+!", "abc12!"),
        (".*secret.*", "a secret b"),
    ],
)
def test_a_mask_of_every_day_masks(pattern: str, text: str) -> None:
    assert fault_of_mask(pattern) == ""
    assert masked(f"<{text}>"[1:-1], (pattern,)) == "[masked]"


@pytest.mark.parametrize("key", ["timeout", "rate.per_minute"])
def test_a_number_beyond_all_floats_has_a_location(
    key: str, shop: Any, load: Callable[..., Any]
) -> None:
    with pytest.raises(shop.ConfigError) as caught:
        load(f"[tools.list_items]\n{key} = 1{'0' * 400}\n")
    assert [path for path, _ in caught.value.faults] == [f"tools.list_items.{key}"]


def test_a_log_that_is_taken_out_is_missed(tmp_path: Path, shop: Any) -> None:
    file = tmp_path / "calls.jsonl"
    log = shop.AuditLog(file)
    for _ in range(2):
        log({"event": "decided"})
    file.unlink()
    log({"event": "decided"})
    assert json.loads(file.read_text("utf-8"))["seq"] == 2


def test_two_logs_of_one_file_write_one_chain(tmp_path: Path, shop: Any) -> None:
    file = tmp_path / "calls.jsonl"
    logs = [shop.AuditLog(file, max_bytes=2_000) for _ in range(3)]

    def write(number: int) -> None:
        logs[number % 3]({"event": "decided", "number": number})

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(60)))
    result = CliRunner().invoke(app, ["audit", str(file), "--verify"])
    assert result.exit_code == 0, result.output
    assert "60 records" in result.output
