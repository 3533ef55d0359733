"""Changes of resources, templates and prompts have rules and grades; mypy agrees."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.contract.diff import compare_recordings

from tests.contract.changes import recording
from tests.contract.mutations.test_mutations import findings
from tests.packages import generate, mypy, share_runtime

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_bindgen.contract.model import Report

# Of one number each, so that a package has the entries of all cases.
FILE: dict[str, Any] = {"uri": "file:///a_N", "name": "manual_N"}
ROWS: dict[str, Any] = {"uriTemplate": "db://n_N/{table}", "name": "rows_N"}
WHO: dict[str, Any] = {"name": "who", "required": True}
GREET: dict[str, Any] = {"name": "greet_N", "arguments": [WHO]}
TONE: dict[str, Any] = {"name": "tone"}
SPELLED: dict[str, Any] = {"name": "my_tone"}
NEEDED: dict[str, Any] = {**TONE, "required": True}
BOTH = "PROMPT_ARGUMENT_RESPELLED BC PROMPT_ARGUMENT_TEXT_CHANGED TT"


def prompt(*arguments: dict[str, Any]) -> dict[str, Any]:
    return {**GREET, "arguments": [WHO, *arguments]}


# The list, the old and the new entries, and the findings there.
CASES: list[tuple[str, list[Any], list[Any], str]] = [
    ("resources", [FILE], [], "RESOURCE_REMOVED BB"),
    ("resources", [FILE], [FILE, {**FILE, "uri": "file:///b_N", "name": "b_N"}],
     "RESOURCE_ADDED T-"),
    ("resources", [FILE], [{**FILE, "description": "words"}],
     "RESOURCE_TEXT_CHANGED TT"),
    ("resources", [FILE], [{**FILE, "mimeType": "text/html"}],
     "RESOURCE_TYPE_CHANGED CC"),
    ("resources", [FILE], [{**FILE, "name": "guide_N"}],
     "RESOURCE_TEXT_CHANGED TT PYTHON_SIGNATURE_CHANGED -B"),
    ("resourceTemplates", [ROWS], [], "RESOURCE_TEMPLATE_REMOVED BB"),
    ("resourceTemplates", [ROWS], [ROWS, {"uriTemplate": "b://n_N/{b}", "name": "b_N"}],
     "RESOURCE_TEMPLATE_ADDED T-"),
    ("resourceTemplates", [ROWS], [{**ROWS, "title": "Words"}],
     "RESOURCE_TEMPLATE_TEXT_CHANGED TT"),
    ("resourceTemplates", [ROWS], [{**ROWS, "mimeType": "text/html"}],
     "RESOURCE_TEMPLATE_TYPE_CHANGED CC"),
    ("resourceTemplates", [ROWS], [{**ROWS, "name": "lines_N"}],
     "RESOURCE_TEMPLATE_TEXT_CHANGED TT PYTHON_SIGNATURE_CHANGED -B"),
    ("resourceTemplates", [ROWS], [{**ROWS, "uriTemplate": "db://n_N/{schema}"}],
     "RESOURCE_TEMPLATE_REMOVED BB RESOURCE_TEMPLATE_ADDED T-"),
    ("prompts", [GREET], [], "PROMPT_REMOVED BB"),
    ("prompts", [GREET], [GREET, {"name": "other_N"}], "PROMPT_ADDED T-"),
    ("prompts", [GREET], [{**GREET, "title": "Words"}], "PROMPT_TEXT_CHANGED TT"),
    ("prompts", [GREET], [prompt(TONE)], "PROMPT_ARGUMENT_ADDED_OPTIONAL CC"),
    ("prompts", [GREET], [prompt(NEEDED)], "PROMPT_ARGUMENT_ADDED_REQUIRED BB"),
    ("prompts", [prompt(TONE)], [prompt(NEEDED)], "PROMPT_ARGUMENT_NOW_REQUIRED BB"),
    ("prompts", [prompt(NEEDED)], [prompt(TONE)], "PROMPT_ARGUMENT_NOW_OPTIONAL CC"),
    ("prompts", [prompt(TONE)], [GREET], "PROMPT_ARGUMENT_REMOVED BB"),
    ("prompts", [prompt(TONE)], [prompt({**TONE, "description": "words"})],
     "PROMPT_ARGUMENT_TEXT_CHANGED TT"),
    ("prompts", [prompt(SPELLED)], [prompt({**SPELLED, "name": "myTone"})],
     "PROMPT_ARGUMENT_RESPELLED BC"),
    ("prompts", [prompt(SPELLED)],
     [prompt({"name": "myTone", "required": True, "description": "words"})],
     f"PROMPT_ARGUMENT_NOW_REQUIRED BB {BOTH}"),
    ("prompts", [prompt(SPELLED)], [prompt({**SPELLED, "name": "my_tones"})],
     "PROMPT_ARGUMENT_RENAMED BB"),
    ("prompts", [prompt(SPELLED)], [prompt({**NEEDED, "name": "my_tones"})],
     "PROMPT_ARGUMENT_REMOVED BB PROMPT_ARGUMENT_ADDED_REQUIRED BB"),
    ("prompts", [prompt(SPELLED)],
     [prompt({**SPELLED, "name": "my_tones"}, {**SPELLED, "name": "my-tone"})],
     "PROMPT_ARGUMENT_RESPELLED BC PROMPT_ARGUMENT_ADDED_OPTIONAL CC"),
]  # fmt: skip


def compared(kind: str, *sides: list[Any]) -> Report:
    old, new = (recording(**{kind: side}) for side in sides)
    return compare_recordings(old, new)


@pytest.mark.parametrize(("kind", "old", "new", "expected"), CASES)
def test_an_entry_has_its_rules_and_grades(
    kind: str, old: list[Any], new: list[Any], expected: str
) -> None:
    words = expected.split()
    rules = zip(words[::2], words[1::2], strict=True)
    said = findings(compared(kind, old, new))
    assert said == sorted(f"{rule} {grades}" for rule, grades in rules)


def program(entry: dict[str, Any], package: str) -> str:
    """Return a program that uses an entry with all, and with the required arguments."""
    if "uri" in entry:
        member = entry["name"].upper()
        return f"from {package} import Resource\nprint(Resource.{member})\n"
    listed = entry.get("arguments", [{"name": "table", "required": True}])
    needed = [each for each in listed if each.get("required")]
    calls = [
        f"print({entry['name']}(client, "
        + ", ".join(f"{each['name']}='x'" for each in some)
        + "))"
        for some in (listed, needed)
    ]
    header = f"from {package} import Client, {entry['name']}\n"
    return f"{header}def use(client: Client) -> None:\n    {'; '.join(calls)}\n"


@pytest.mark.slow
def test_grades_of_entries_are_what_mypy_says(tmp_path: Path) -> None:
    sides: dict[str, dict[str, list[Any]]] = {"old": {}, "new": {}}
    expected: set[str] = set()
    for number, (kind, *both, _) in enumerate(CASES):
        text = json.dumps(both).replace("_N", f"_{number}")
        old, new = json.loads(text)
        sides["old"].setdefault(kind, []).extend(old)
        sides["new"].setdefault(kind, []).extend(new)
        for side in sides:
            name = f"on_{side}_{number}.py"
            (tmp_path / name).write_text(program(old[0], f"{side}_side"))
        if compared(kind, old, new).source == "breaking":
            expected.add(f"on_new_{number}.py")
    for side, entries in sides.items():
        file = tmp_path / f"{side}_side.json"
        file.write_bytes(recording(**entries))
        assert generate(file, "-o", tmp_path).code == 0
    share_runtime(tmp_path)
    said = mypy(tmp_path).stderr
    wrong = {*re.findall(r"^(\w+\.py):\d+: error", said, re.MULTILINE)}
    assert sorted(wrong ^ expected) == []
    assert expected
