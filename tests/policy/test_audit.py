"""The audit log: two records a call, a chain, no secrets, a disk that is full."""

from __future__ import annotations

import hmac
import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app
from mcp_bindgen.contract.audit_log import calls_of
from mcp_bindgen.runtime.client import telemetry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.policy.counting import CountingServer

ENTRIES = "[tools.list_items]\n[tools.send_mail]\nlog_values = true\n"


def records(file: Path) -> list[dict[str, Any]]:
    """Return the records of a log."""
    return [json.loads(line) for line in file.read_text().splitlines()]


def verify(file: Path) -> int:
    """Run `mcp-bindgen audit --verify`, and return its exit code."""
    return CliRunner().invoke(app, ["audit", str(file), "--verify"]).exit_code


def test_two_records_a_call(
    shop: Any, server: CountingServer, load: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "calls.jsonl"
    policy = load(ENTRIES, audit=shop.AuditLog(file), principal="nightly")
    client = server.client(shop.Client).with_options(policy=policy)

    def decided_first(message: dict[str, Any]) -> list[dict[str, Any]]:
        if message["method"] == "tools/call":
            assert records(file)[-1]["event"] == "decided"
        return []

    server.before = decided_first
    client.list_items(query="hunter2")
    server.result = {"content": [], "isError": True}
    client.call_tool("send_mail", {"to": "a", "body": "hi", "api_key": "k-1"})
    with pytest.raises(shop.DeniedError) as caught:
        client.delete_item(id=1)
    listed = records(file)
    events = [record["event"] for record in listed]
    assert events == ["decided", "ended", "decided", "ended", "decided"]
    assert [record["seq"] for record in listed] == [0, 1, 2, 3, 4]
    first, end, mail, failed, denied = listed
    assert first["decision_id"] == end["decision_id"]
    assert first["arguments.names"] == ["query"]
    assert first["principal"] == "nightly"
    assert first["policy.mode"] == "NORMAL"
    assert "hunter2" not in file.read_text()
    assert end["outcome"] == "ran"
    assert end["result.bytes"] > 0
    assert mail["arguments"] == {"to": "a", "body": "hi", "api_key": "[masked]"}
    assert failed["error.type"] == "tool_error"
    assert denied["decision"] == "deny"
    assert denied["decision_id"] == caught.value.decision_id
    assert verify(file) == 0
    printed = CliRunner().invoke(app, ["audit", str(file)]).stdout
    assert "delete_item" in printed
    assert "default.tools" in printed


def test_the_chain_shows_what_was_changed(
    shop: Any, server: CountingServer, load: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "calls.jsonl"
    for _ in range(2):  # The second log goes on where the first one ended.
        audit = shop.AuditLog(file, max_bytes=2_000)
        client = server.client(shop.Client)
        client = client.with_options(policy=load(ENTRIES, audit=audit))
        for number in range(3):
            client.list_items(size=number)
    assert (tmp_path / "calls.jsonl.2").exists()
    assert verify(file) == 0
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    changed = lines[0].replace(b'"allow"', b'"deny"').replace(b'"ran"', b'"not"')
    for text in (changed + b"".join(lines[1:]), b"x\n" + whole):
        file.write_bytes(text)
        assert verify(file) == 1, text
    result = CliRunner().invoke(app, ["audit", str(file), "--verify"])
    assert f"{file}: line 1: no JSON" in result.stdout  # and not one of an older file
    file.write_bytes(whole)
    (tmp_path / "calls.jsonl.1").unlink()
    assert verify(file) == 1


def alone(data: bytes) -> bytes:
    """Return a log with one line, which somebody changed."""
    return data.splitlines(keepends=True)[0].replace(b'"n": 0', b'"n": 7')


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "last": lambda data: data.replace(b'"n": 2', b'"n": 3'),
    "alone": alone,
    "line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "seals": lambda data: re.sub(rb', "seal": "[0-9a-f]*"', b"", data),
    "last seal": lambda data: re.sub(rb', "seal": "[0-9a-f]*"}\n\Z', b"}\n", data),
    "empty line": lambda data: data + b"\n",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_only_the_key_makes_lines(
    change: Callable[[bytes], bytes], shop: Any, tmp_path: Path
) -> None:
    file = tmp_path / "calls.jsonl"
    audit = shop.AuditLog(file)
    for number in range(3):
        audit({"event": "decided", "n": number})
    whole = file.read_bytes()
    assert verify(file) == 0
    file.write_bytes(change(whole))
    assert verify(file) == 1
    file.write_bytes(whole)
    (tmp_path / "calls.jsonl.key").write_bytes(b"another" * 5)
    assert verify(file) == 1
    (tmp_path / "calls.jsonl.key").unlink()
    result = CliRunner().invoke(app, ["audit", str(file), "--verify"])
    assert result.exit_code == 0
    assert "no seal is checked" in result.stderr


def test_the_hash_of_arguments_is_no_seal(shop: Any, tmp_path: Path) -> None:
    audit = shop.AuditLog(tmp_path / "calls.jsonl")
    audit({"event": "decided"})
    line = (tmp_path / "calls.jsonl").read_bytes()
    text, _, seal = line.rpartition(b', "seal": "')
    chosen = hmac.new(audit.key, text + b"}", "sha256").hexdigest()
    assert not seal.startswith(chosen.encode())


def test_a_call_that_is_decided_again_is_one_call() -> None:
    facts = {"event": "decided", "decision_id": "1", "gen_ai.tool.name": "t"}
    first, again = ({**facts, "decision": word} for word in ("allow", "deny"))
    end = {"event": "ended", "decision_id": "1", "outcome": "not sent"}
    (call,) = calls_of([first, again, end])
    assert (call.decision, call.outcome) == ("deny", "not sent")


def test_another_log_of_the_file_may_begin_a_file_of_the_same_size(
    shop: Any, tmp_path: Path
) -> None:
    file = tmp_path / "calls.jsonl"
    first, second = (shop.AuditLog(file, max_bytes=700) for _ in range(2))
    record = {"event": "decided", "text": "x" * 200}
    for log in (first, first, second, first):  # each line begins a file
        log(record)
        assert verify(file) == 0
    assert (tmp_path / "calls.jsonl.3").exists()


def test_a_log_that_cannot_be_written(
    shop: Any,
    server: CountingServer,
    load: Callable[..., Any],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    file = tmp_path / "calls.jsonl"
    for strict in (False, True):
        audit = shop.AuditLog(file, strict=strict)
        file.mkdir(exist_ok=True)  # as on a full disk, no record can be written
        client = server.client(shop.Client)
        client = client.with_options(policy=load(ENTRIES, audit=audit))
        if strict:
            with pytest.raises(shop.PolicyError, match="audit log"):
                client.list_items()
        else:
            client.list_items()
            client.list_items()
    assert len(server.calls) == 2
    assert caplog.text.count("cannot be written") == 1
    with pytest.raises(shop.ConfigError):
        shop.AuditLog(tmp_path / "missing" / "calls.jsonl")


def test_any_callable_takes_records_and_a_supervisor_events(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    taken: list[Any] = []
    events: list[Any] = []
    supervisor = shop.Supervisor(on_event=events.append)
    policy = load(ENTRIES, audit=taken.append, supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    client.list_items()
    with pytest.raises(shop.DeniedError):
        client.delete_item(id=1)
    assert [record["event"] for record in taken] == ["decided", "ended", "decided"]
    assert [event["event"] for event in events] == ["connected", "denied"]


def test_a_record_names_the_span_of_the_moment(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    trace = pytest.importorskip("opentelemetry.sdk.trace")
    taken: list[Any] = []
    tracer = trace.TracerProvider().get_tracer("test")
    client = server.client(shop.Client)
    client = client.with_options(policy=load(ENTRIES, audit=taken.append))
    with tracer.start_as_current_span("outer") as span:
        client.list_items()
    wanted = f"{span.get_span_context().trace_id:032x}"
    assert {record["trace_id"] for record in taken} == {wanted}


def test_a_failure_that_a_tool_reports_is_in_span_and_log(
    shop: Any,
    server: CountingServer,
    load: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    sdk: Any = pytest.importorskip("opentelemetry.sdk.trace")
    api: Any = pytest.importorskip("opentelemetry.trace")
    loaded: Any = vars(telemetry)["_open_telemetry"]
    records: list[Any] = []

    exported: Any = pytest.importorskip(
        "opentelemetry.sdk.trace.export.in_memory_span_exporter"
    )
    export: Any = pytest.importorskip("opentelemetry.sdk.trace.export")
    exporter, provider = exported.InMemorySpanExporter(), sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    monkeypatch.setattr(api, "get_tracer_provider", lambda: provider)
    loaded.cache_clear()
    request.addfinalizer(loaded.cache_clear)
    server.result = {"content": [], "isError": True}
    client = server.client(shop.Client)
    client = client.with_options(policy=load(ENTRIES, audit=records.append))
    assert client.call_tool("list_items", {}).is_error
    (span,) = exporter.get_finished_spans()
    assert span.attributes["error.type"] == "tool_error"
    assert span.attributes["jsonrpc.request.id"] == "2"
    assert span.status.status_code == api.StatusCode.ERROR
    assert records[-1]["error.type"] == "tool_error"
    trace_id = f"{span.context.trace_id:032x}"
    assert {record["trace_id"] for record in records} == {trace_id}


@pytest.mark.parametrize("kind", ["device", "pipe", "link"])
def test_a_log_is_a_regular_file(kind: str, shop: Any, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/full" if kind == "device" else "regular.jsonl")
    if kind == "link":  # The user's own: what it leads to is made.
        shop.AuditLog(path)({"event": "test"})
        assert (tmp_path / "regular.jsonl").read_bytes().count(b"\n") == 1
        return
    with pytest.raises(shop.ConfigError, match="expected a regular file"):
        shop.AuditLog(path)
    assert not path.with_name("calls.jsonl.key").exists()


def test_the_table_tells_letters_that_look_alike_apart(tmp_path: Path) -> None:
    names = ("delete_task", "delete_t\u0430sk")  # the second has a Cyrillic letter
    lines = [
        {"event": "decided", "gen_ai.tool.name": name, "decision": "allow"}
        for name in names
    ]
    file = tmp_path / "calls.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    result = CliRunner().invoke(app, ["audit", str(file)])
    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert result.stdout.count("delete_t\\u0430sk") == 2
    missing = CliRunner().invoke(app, ["audit", "no-such-file"])
    assert missing.exit_code == 2
    assert "hint: name the file that AuditLog" in missing.stderr
