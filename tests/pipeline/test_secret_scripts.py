"""A secret in a script of a shell becomes a variable; the rest of the script stays."""

from __future__ import annotations

import pytest
from mcp_bindgen.pipeline.secret_values import Variables


@pytest.mark.parametrize(
    ("script", "written"),
    [
        ("API_KEY=abc exec server --port 3", "API_KEY=${API_KEY} exec server --port 3"),
        ("TOKEN='a b' server", "TOKEN='${TOKEN}' server"),
        ("cd /x && TOKEN=abc server", "cd /x && TOKEN=${TOKEN} server"),
        ("API_KEY=abc", "API_KEY=${API_KEY}"),
        ("exec server", "exec server"),
    ],
)
@pytest.mark.parametrize("option", ["-c", "-lc"])
def test_the_rest_of_a_script_stays(option: str, script: str, written: str) -> None:
    assert Variables().words(["bash", option, script]) == ["bash", option, written]


def test_a_variable_of_a_container_is_one_value() -> None:
    words = ["docker", "run", "-e", "API_KEY=two words"]
    assert Variables().words(words) == [*words[:3], "API_KEY=${API_KEY}"]
