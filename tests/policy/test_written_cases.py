"""`policy test`: the cases that a person writes into the policy file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.commands import run
from tests.policy.counting import RECORDING, policy_text

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = """
[tools.delete_item]
modes = ["NORMAL"]
approval = "always"
[tools.list_items.arguments]
size = { maximum = 5, absent = true }
[tools.old_tool]
removed = true
"""
SERVER = '[server]\nrecording = "shop.json"\n'
RIGHT = """
[[cases]]
tool = "delete_item"
expect = "approve"
[[cases]]
tool = "delete_item"
mode = "ALERT"
expect = "deny"
rule = "tools.delete_item.modes"
[[cases]]
tool = "list_items"
arguments = { size = 5 }
expect = "allow"
[[cases]]
tool = "send_mail"  # it has no entry
expect = "deny"
rule = "default.tools"
[[cases]]
tool = "old_tool"
expect = "deny"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a policy file without cases, beside its recording."""
    (tmp_path / "shop.json").write_bytes(RECORDING)
    path = tmp_path / "policy.toml"
    path.write_text(policy_text(TOOLS, SERVER), encoding="utf-8")
    return path


def add(file: Path, cases: str) -> str:
    """Write cases at the end of a file, and return its name."""
    file.write_text(f"{file.read_text('utf-8')}\n{cases}", encoding="utf-8")
    return str(file)


def test_cases_that_hold(file: Path) -> None:
    result = run("policy", "test", add(file, RIGHT), "--format", "json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {"file": str(file), "cases": 5, "failures": []}


def test_a_case_with_another_decision_is_named(file: Path) -> None:
    case = '[[cases]]\ntool = "list_items"\narguments = { size = 6 }\n'
    result = run("policy", "test", add(file, f'{RIGHT}{case}expect = "allow"\n'))
    assert result.exit_code == 1
    assert "cases[5] (list_items): expected allow, got deny by" in result.stdout
    assert "6 cases, 1 failed" in result.stderr


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (
            'tool = "delete_itm"',
            "tool: no tool 'delete_itm'\n  hint: did you mean delete_",
        ),
        (
            'tool = "zzz"',
            "tool: no tool 'zzz'\n  hint: there are delete_item,",
        ),
        ("tool = 5", "tool: expected a text"),
        (
            'tool = "list_items"\nmode = "ALRT"',
            "mode: no mode 'ALRT'\n  hint: did you mean ALERT?",
        ),
        (
            'tool = "list_items"\nmode = 1',
            "mode: no mode '1'\n  hint: there are NORMAL",
        ),
        (
            'tool = "list_items"\nexpects = "x"',
            "no key 'expects'\n  hint: did you mean expect?",
        ),
        ('tool = "list_items"\narguments = 1', "arguments: expected a table"),
    ],
)
def test_a_mistake_in_a_case_names_the_case(case: str, words: str, file: Path) -> None:
    more = f'{RIGHT}[[cases]]\nexpect = "deny"\n{case}\n'
    result = run("policy", "test", add(file, more))
    assert result.exit_code == 2
    assert f"{file}: cases[5]: {words}" in result.stderr
    assert not result.stdout


def test_all_mistakes_are_reported_at_once(file: Path) -> None:
    wrong = '[[cases]]\ntool = "x"\nmode = "y"\n[[cases]]\nexpect = "maybe"\n'
    result = run("policy", "test", add(file, wrong))
    assert result.exit_code == 2
    places = ["cases[0]: tool", "cases[0]: expect", "cases[0]: mode"]
    for path in (*places, "cases[1]: tool", "cases[1]: expect"):
        assert path in result.stderr


def test_without_a_recording_the_tools_of_the_file_count(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    case = '[[cases]]\ntool = "delete_item"\nexpect = "approve"\n'
    file.write_text(policy_text(TOOLS) + case, encoding="utf-8")
    assert run("policy", "test", str(file)).exit_code == 0
    result = run("policy", "test", add(file, case.replace("_item", "_itm")))
    assert result.exit_code == 2
    assert "cases[1]: tool: no tool 'delete_itm'" in result.stderr


def test_cases_are_a_list(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(policy_text('[cases]\ntool = "x"\n'), encoding="utf-8")
    result = run("policy", "test", str(file))
    assert result.exit_code == 2
    assert "cases: expected [[cases]]" in result.stderr
