"""Variables in settings mean the same to the commands and to `Client.from_config`."""

from __future__ import annotations

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.recording.secrets import expand
from mcp_bindgen.runtime.client.config_file import from_configuration
from mcp_bindgen.runtime.errors import ConfigError

SET = {"A": "va", "EMPTY": "", "DOLLAR": "a$b${A}"}
RIGHT = {
    "${A}": "va",
    "x${A}y${A}": "xvayva",
    "${EMPTY}": "",
    "${EMPTY:-d}": "d",
    "${NO:-d}": "d",
    "${NO:-}": "",
    "${NO:-a:b/c?d=e f}": "a:b/c?d=e f",
    "${NO:--x}": "-x",
    "${NO:-}}": "}",
    "${DOLLAR}": "a$b${A}",
    "$${A}": "$va",
    "\\${A}": "\\va",
    **{text: text for text in ("$A", "$$", "{A}", "%A%")},
}
WRONG = (
    *("${NO}", "${", "${}", "${A", "${A-d}", "${A:d}", "${A:+x}", "${a}"),
    *("${1A}", "${A B}", "${\u00c4B}", "${A:-${B}}"),
)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SET.items():
        monkeypatch.setenv(name, value)
    for name in ("NO", "a", "B"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(("text", "value"), RIGHT.items())
def test_both_read_a_variable_alike(text: str, value: str) -> None:
    assert expand(text, SET, "url").text == value
    assert from_configuration({"a": {"url": text}}, "a", None)["url"] == value


@pytest.mark.parametrize("text", WRONG)
def test_both_refuse_what_is_no_variable(text: str) -> None:
    with pytest.raises(BindgenError):
        expand(text, SET, "url")
    with pytest.raises(ConfigError):
        from_configuration({"a": {"url": text}}, "a", None)
