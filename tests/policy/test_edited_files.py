"""A person's file in any form of TOML: a command changes its keys, and nothing else."""

from __future__ import annotations

import tomllib
from difflib import ndiff
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.cli.policy_file import with_marks, with_reviews

NAMES = ("delete_item", "a b", 'q"uote', "lists", "x.y", "\u00e9")
LINES = (
    'modes = [ # c\n  "NORMAL", # [tools.x]\n  "ALERT",\n]',
    'note = """\n[tools.lists]\nreviewed = "fake"\n"""',
    "other = '''\n[tools.delete_item]\n'''",
    '# reviewed = "commented"',
    "",
    "arguments.size = { maximum = 5 }",
    '"approval" = "never" # removed = true',
    "rate = { per_minute = 5, burst = 2 } # hi",
    "since = 1979-05-27 07:32:00",
)
OLD = ('"sha256:old"', "'sha256:old'", '""', '"""sha256:old"""', '"""sha256:"old""""')
NEW = "sha256:new"
REVIEWED = st.tuples(
    st.sampled_from(["reviewed", '"reviewed"', "  'reviewed'", "reviewed\t"]),
    st.sampled_from(OLD),
    st.sampled_from(["", " # mine", "  "]),
).map(lambda parts: f"{parts[0]} = {parts[1]}{parts[2]}")
REMOVED = st.sampled_from(["removed = true", "removed = true # gone"])
FORMS = ("table", "table", "tables", "braces", "dotted", "below")


def key(name: str) -> st.SearchStrategy[str]:
    """Return the forms of a key."""
    basic = '"' + name.replace('"', '\\"') + '"'
    bare = [name] if name in {"delete_item", "lists"} else []
    return st.sampled_from([basic, f"'{name}'", *bare])


@st.composite
def entries(draw: Any, name: str) -> tuple[str, str]:
    """Return the text of an entry within `[tools]`, or that of its own tables."""
    written, form = draw(key(name)), draw(st.sampled_from(FORMS))
    more = [
        line
        for line in (draw(st.none() | REVIEWED), draw(st.none() | REMOVED))
        if line is not None
    ]
    if form == "below":
        return "", f"[tools.{written}.results]\nmax_bytes = 100"
    plain = ["risk = 'low'", *(line.partition(" # ")[0].strip() for line in more)]
    if form == "braces":
        comma = draw(st.sampled_from([", ", ",", " , "]))
        return f"{written} = {{ {comma.join(plain)} }} # c", ""
    if form == "dotted":
        return "\n".join(f"{written} . {line}" for line in plain), ""
    lines = draw(st.lists(st.sampled_from(LINES), unique=True, max_size=4))
    head = draw(st.sampled_from(["[tools.{}]", " [ 'tools' . {} ]", "[tools.{}] # c"]))
    whole = [head.format(written), *draw(st.permutations([*lines, *more]))]
    if form == "tables":
        whole += [f"[[tools.{written}.when]]", "deny = true", "removed = 1"]
    return "", "\n".join(whole)


@st.composite
def files(draw: Any) -> tuple[str, list[str]]:
    """Return a file, and the names of its entries."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    both = [draw(entries(name)) for name in names]
    inner = [inner for inner, _ in both if inner]
    tables = [own for _, own in both if own]
    tables += ["\n".join(["[tools]", *inner])] if inner else []
    tables += ["[[cases]]\ntool = 'lists'", "[prompts.lists]\nreviewed = ''"]
    between = draw(st.sampled_from(["\n", "\n\n", "\n \n# c\n"]))
    end = draw(st.sampled_from(["", "\n", "\n\n"]))
    text = "# top\nmodes = []\n" + between.join(draw(st.permutations(tables))) + end
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + text, names


def values(text: str) -> dict[str, Any]:
    """Return a file as TOML reads it."""
    return tomllib.loads(text.removeprefix("\ufeff"))


def changed(command: str, text: str, names: list[str]) -> str:
    """Return the file after a command."""
    if command == "review":
        return with_reviews(text, "tools", dict.fromkeys(names, NEW))
    marked, back = (names, []) if command == "mark" else ([], names)
    return with_marks(text, "tools", marked, back)


@pytest.mark.parametrize("command", ["review", "mark", "back"])
@given(st.data())
def test_only_the_key_of_the_command_changes(command: str, data: Any) -> None:
    text, known = data.draw(files())
    names = data.draw(st.lists(st.sampled_from(known), min_size=1, unique=True))
    wanted = values(text)
    for name in names:
        entry = wanted["tools"][name]
        entry |= {"review": {"reviewed": NEW}, "mark": {"removed": True}}.get(
            command, {}
        )
        if command == "back":
            entry.pop("removed", None)
    whole = changed(command, text, names)
    assert values(whole) == wanted
    assert changed(command, whole, names) == whole
    lines = [*ndiff(text.splitlines(keepends=True), whole.splitlines(keepends=True))]
    allowed = ("reviewed", "removed", "{", text.splitlines()[-1])
    for line in lines:
        assert line[0] != "-" or any(word in line for word in allowed), line
    assert whole.count("# ") >= text.count("# ") - text.count("# gone")
    if "\r\n" in text:
        assert "\n" not in whole.replace("\r\n", "")


def test_tables_of_other_kinds_stay_where_they_are() -> None:
    text = (
        "[tools.lists]\n[[cases]]\ntool = 'lists'\n[tools.x.results]\nmax_bytes = 9\n"
        "[prompts.p]\n[tools]\n'a b' = { risk = 'low' } # mine\n"
    )
    whole = with_marks(text, "tools", ["lists", "x", "a b"], ())
    assert whole == (
        "[tools.lists]\nremoved = true\n[[cases]]\ntool = 'lists'\n"
        "[tools.x]\nremoved = true\n\n[tools.x.results]\nmax_bytes = 9\n"
        "[prompts.p]\n[tools]\n'a b' = { risk = 'low', removed = true } # mine\n"
    )
    assert with_marks(whole, "tools", (), ["lists", "a b"]) == whole.replace(
        ", removed = true", ""
    ).replace("[tools.lists]\nremoved = true\n", "[tools.lists]\n")


@pytest.mark.parametrize(
    "line", ["tools.x.removed = true", "[tools]\nx.removed = true"]
)
def test_the_mark_of_an_entry_that_has_no_more_is_taken_back(line: str) -> None:
    text = f"{line} # gone\n"
    back = with_marks(text, "tools", [], ["x"])
    assert back == text.replace("true", "false")
    assert with_marks(back, "tools", ["x"], []) == text
