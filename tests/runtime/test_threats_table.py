"""What a hostile server can do, row by row, and the tests that show it borne."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent

ROWS: dict[str, str] = {
    "redirects, to any origin": (
        "test_threats.test_no_other_redirect_is_followed "
        "test_threats.test_a_redirect_within_the_server_is_followed"
    ),
    "gzip bombs and layers": "test_threats.test_bombs",
    "size of a body": "test_threats.test_too_large_an_answer",
    "slow drip": "test_deadlines.test_the_deadline_holds",
    "CR, LF, NUL in header fields": (
        "test_caller_threats.test_headers_that_the_caller_must_not_send"
    ),
    "non-ASCII in header fields": "test_core.test_header_values",
    "NaN, surrogates in arguments": (
        "test_caller_threats.test_arguments_that_are_not_json"
    ),
    "NaN, duplicate keys, digits, depth in answers": (
        "test_core.test_json_that_is_refused test_core.test_json_under_limits"
    ),
    "repr of what holds secrets": "test_secrets.test_no_secret_shows",
    "logs of the HTTP client": "test_secrets.test_httpx_logs_no_secret_of_ours",
    "values in validation errors": "test_secrets.test_kinds_of_values",
    "proxies of the environment": (
        "test_outside.test_proxies_come_from_the_environment"
    ),
    "URL schemes and user names": "test_caller_threats.test_urls_that_are_refused",
    "http to other machines": (
        "test_caller_threats.test_http_to_other_machines_only_when_allowed"
    ),
    "TLS": (
        "test_outside.test_tls_is_verified"
        " test_outside.test_no_check_of_a_certificate_is_ever_left_out"
    ),
    "headers that are ours": "test_core.test_headers_of_a_modern_call",
    "header annotations of tools": (
        "test_core.test_header_annotations_that_are_wrong"
        " test_threats.test_tools_with_bad_headers_are_left_out"
    ),
    "secrets in pickles": (
        "test_secrets.test_a_client_is_not_pickled"
        " test_secrets.test_errors_survive_pickling"
    ),
    "retries": (
        "test_calls.test_only_what_is_safe_is_sent_again"
        " test_calls.test_retries_come_to_an_end"
    ),
    "cancelling": "test_calls.test_cancelling_a_task_ends_the_request",
    "a deadline told to the server": (
        "test_deadlines.test_a_legacy_server_hears_of_the_deadline"
        " test_deadlines.test_a_deadline_before_the_call_itself"
    ),
    "SSE: chunks, line ends, fields": (
        "test_core.test_events_do_not_depend_on_chunks test_threats.test_event_streams"
    ),
    "SSE: lines, events, comments": "test_core.test_events_under_limits",
    "SSE: a stream that breaks": (
        "test_threats.test_a_stream_that_ends_early_leaves_doubt"
        " test_calls.test_a_broken_stream_is_resumed"
    ),
    "JSON-RPC: malformed answers": "test_threats.test_malformed_answers",
    "JSON-RPC: requests of the server": (
        "test_threats.test_server_requests_are_refused"
        " test_stdio.test_server_requests_are_answered"
        " test_threats.test_elicitation_goes_to_the_handler"
        " test_threats.test_a_modern_server_asks_for_input"
    ),
    "what is no MCP server": "test_threats.test_what_is_no_mcp_server",
    "results that do not fit": "test_client.test_a_typed_call",
    "blocks of results": "test_core.test_what_a_result_holds",
    "foreign text": "test_secrets.test_foreign_text_is_escaped_and_capped",
    "pages without end": (
        "test_threats.test_pages_without_end test_threats.test_malformed_pages"
        " test_threats.test_an_empty_cursor_is_followed"
    ),
    "session ids": "test_threats.test_hostile_session_ids",
    "sessions that are forgotten": (
        "test_sessions.test_a_forgotten_session_is_made_anew"
        " test_sessions.test_a_session_forgotten_again_is_an_error"
    ),
    "refused credentials": (
        "test_caller_threats.test_refused_credentials"
        " test_caller_threats.test_a_token_is_fetched_anew_once"
    ),
    "unknown tools": "test_threats.test_an_unknown_tool",
    "unknown versions": "test_threats.test_versions_that_nobody_shares",
    "crossed answers": (
        "test_calls.test_a_hundred_threads_get_their_own_answers"
        " test_calls.test_a_hundred_tasks_get_their_own_answers"
    ),
    "doubt whether a call ran": "test_threats.test_only_a_call_of_a_tool_leaves_doubt",
    "forks": "test_outside.test_a_fork_has_connections_of_its_own",
    "use after close": (
        "test_calls.test_a_closed_client_says_so"
        " test_stdio.test_a_closed_client_says_so"
    ),
    "stdio: environment": "test_stdio.test_the_environment_is_an_allow_list",
    "stdio: no shell": "test_stdio.test_commands_that_are_refused",
    "stdio: the whole group ends": (
        "test_stdio.test_the_whole_group_is_ended"
        " test_stdio.test_who_does_not_end_is_ended"
    ),
    "stdio: stderr": "test_stdio.test_last_words_show",
    "stdio: junk, endless lines": (
        "test_stdio.test_junk_on_stdout_is_borne_up_to_a_limit"
        " test_stdio.test_an_endless_line"
    ),
}


def names() -> set[str]:
    """Return the tests of this folder: module and function."""
    return {
        f"{file.stem}.{node.name}"
        for file in HERE.glob("test_*.py")
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_its_tests(row: str) -> None:
    assert ROWS[row]
    assert {*ROWS[row].split()} <= names()


def test_every_test_of_threats_is_in_a_row() -> None:
    in_table = {name for row in ROWS.values() for name in row.split()}
    of_threats = {name for name in names() if name.startswith("test_threats.")}
    assert sorted(of_threats - in_table) == []
