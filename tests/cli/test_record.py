"""`mcp-bindgen record`: files, exit codes, and no secret anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import (
    SCRIPTED,
    last,
    names,
    run,
    snapshot,
)
from tests.servers.launch import CATALOG_TOKEN

pytestmark = pytest.mark.usefixtures("folder")

BEARER = "Authorization: Bearer ${CATALOG_KEY}"


def test_record_twice_and_change_nothing(catalog_url: str) -> None:
    options = ["record", "--url", catalog_url, "--header", BEARER, "-o", "new/c.json"]
    first = run(*options, CATALOG_KEY=CATALOG_TOKEN)
    assert (first.exit_code, first.stdout) == (0, "")
    counts = "6 tools, 1 resource, 1 resource template, 2 prompts"
    assert last(first) == f"catalog: {counts}, new/c.json written"
    before = snapshot(Path("new"))
    second = run(*options, CATALOG_KEY=CATALOG_TOKEN)
    assert last(second) == f"catalog: {counts}, new/c.json unchanged"
    assert snapshot(Path("new")) == before
    assert names("new") == ["c.json"]
    assert CATALOG_TOKEN not in Path("new/c.json").read_text()


def test_a_url_of_another_scheme_is_no_command() -> None:
    result = run("record", "htp://127.0.0.1/mcp", "-o", "x.json")
    assert "expected http:// or https://, got 'htp'://" in result.stderr
    assert result.exit_code == 2


def test_record_a_command() -> None:
    result = run("record", "-o", "x.json", "--", *SCRIPTED, "pages")
    assert result.exit_code == 0
    assert last(result) == "scripted: 2 tools, 1 resource, x.json written"


def test_record_reports_bad_tools_and_is_1() -> None:
    result = run("record", "-o", "x.json", "--", *SCRIPTED, "bad-tools")
    assert result.exit_code == 1
    assert "x.json#/tools/0: expected an object" in result.stderr
    assert last(result).startswith("scripted: 1 tool, 1 resource, 2 problems")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--url", "http://127.0.0.1:1/mcp"], "cannot connect to the server"),
        (["--url", "mailto:x"], "expected a URL that begins with http:// or https://"),
        (["--url", "http://x/${NOT_SET}"], "--url: the environment variable NOT_SET"),
        (["--url", "CATALOG"], "the server refused the credentials (HTTP 401)"),
        (
            ["--url", "CATALOG", "--header", "nonsense"],
            "--header: expected Name: value",
        ),
        (["--url", "CATALOG", "--header", "Host: x"], "the header host is set by"),
        (["--", "no-such-program-anywhere"], "there is no program"),
        (["--", *SCRIPTED, "dies"], "the server's program ended (exit code 3)"),
        (["--", *SCRIPTED, "same-cursor"], "tools/list: expected a new string"),
        (
            ["--timeout", "0.7", "--", *SCRIPTED, "silent"],
            "the recording was not complete",
        ),
    ],
)
def test_record_cannot_and_leaves_the_file_as_it_was(
    catalog_url: str, arguments: list[str], message: str
) -> None:
    Path("x.json").write_text("precious")
    url = {"CATALOG": catalog_url}
    words = [url.get(argument, argument) for argument in arguments]
    result = run("record", "-o", "x.json", *words)
    assert result.exit_code == 2
    problem, hint = result.stderr.splitlines()
    assert problem.startswith(f"error: {message}")
    assert hint.startswith("  hint: ")
    assert Path("x.json").read_text() == "precious"
    assert names(".") == ["x.json"]


@pytest.mark.parametrize("header", [BEARER, "X-Api-Key: ${CATALOG_KEY}"])
@pytest.mark.parametrize("verbose", [[], ["--verbose"]])
def test_record_shows_no_secret(
    catalog_url: str, header: str, verbose: list[str]
) -> None:
    secret = "planted-secret-value"
    url = f"{catalog_url}?token=${{IN_URL}}"
    result = run(
        *("record", "-o", "x.json", "--url", url, "--header", header, *verbose),
        CATALOG_KEY=secret,
        IN_URL="another-planted-value",
    )
    assert result.exit_code == 2
    assert "planted" not in result.output
    assert not Path("x.json").exists()


def test_record_refuses_what_repeats_a_secret(catalog_url: str) -> None:
    common = "Search"  # This word stands in the catalogue's own texts.
    options = ["record", "--url", catalog_url, "-o", "x.json", "--header", BEARER]
    fine = run(
        *options, "--header", "X-Other: ${WORD}", CATALOG_KEY=CATALOG_TOKEN, WORD=common
    )
    assert fine.exit_code == 0  # Too short to be anything but chance.
    long = json.loads(Path("x.json").read_text())["tools"][0]["description"]
    before = Path("x.json").read_bytes()
    result = run(
        *options,
        "--header",
        "X-Other: ${WORD}",
        CATALOG_KEY=CATALOG_TOKEN,
        WORD=long[:20],
    )
    assert result.exit_code == 2
    assert "the server's own texts repeat the value of a header" in result.stderr
    assert Path("x.json").read_bytes() == before


@pytest.mark.parametrize(
    "arguments", ["[1]", "{", '{"a": 1, "a": 2}', '"x"', '"\udcff"']
)
def test_record_a_call_with_bad_arguments_is_2(arguments: str) -> None:
    result = run(
        *("record", "-o", "x.json", "--call", "ping", arguments),
        *("--", *SCRIPTED, "pages"),
    )
    assert result.exit_code == 2
    assert result.stderr.startswith("error: --call 'ping': ")
    assert """  hint: write the arguments as '{"name": "value"}'""" in result.stderr
    assert not Path("x.json").exists()


def test_record_a_variable_without_a_name_is_2() -> None:
    result = run("record", "-o", "x.json", "--env", "1A", "--", *SCRIPTED, "pages")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: --env: expected NAME or NAME=VALUE\n  hint: write --env NAME\n",
    )


def test_record_cannot_write() -> None:
    Path("file").write_text("")
    result = run("record", "-o", "file/x.json", "--", *SCRIPTED, "pages")
    assert result.exit_code == 2
    assert "cannot write file/x.json" in result.stderr


def test_verbose_shows_the_messages_and_masks_secrets(catalog_url: str) -> None:
    environment = {"CATALOG_KEY": CATALOG_TOKEN}
    arguments = ["record", "--url", catalog_url, "--header", BEARER, "-o", "x.json"]
    result = run(*arguments, "--verbose", **environment)
    assert result.exit_code == 0
    lines = result.stderr.splitlines()
    assert any(line.startswith("> POST /mcp {") for line in lines)
    assert any(line.startswith("< HTTP 200") for line in lines)
    assert CATALOG_TOKEN not in result.stderr
    refused = run(*arguments, "--verbose", CATALOG_KEY="wrong-value-of-it")
    assert refused.exit_code == 2
    assert "< HTTP 401" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "wrong-value-of-it" not in refused.stderr


def test_a_recording_on_standard_output() -> None:
    result = run("record", "-o", "-", "--", *SCRIPTED, "pages")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["tools"]
    assert last(result).endswith("standard output written")
    assert not Path("-").exists()


def test_a_variable_that_is_not_set_has_the_name_of_its_key() -> None:
    Path("pyproject.toml").write_text(
        '[tool.mcp-bindgen.servers.demo]\nurl = "http://127.0.0.1:1/${NOT_SET}"\n'
    )
    for command, code in (("record", 2), ("test", 1)):
        result = run(command)
        assert result.exit_code == code
        assert "url: the environment variable NOT_SET is not set" in result.output
        assert "--url" not in result.output
