"""Resources, templates and prompts of all real servers that list some, as functions."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

import pytest
import uritemplate  # type: ignore[import-untyped, unused-ignore]
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.runtime.client.uri_templates import expand

from tests.fidelity.typed import findings
from tests.packages import mypy, pyright
from tests.shared import needs, recordings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = [needs("corpus"), pytest.mark.xdist_group("corpus features")]

LEAST = {"resources": 100, "resourceTemplates": 20, "prompts": 130}
LISTS = (*LEAST,)
SETTINGS = Settings(("python",), runtime="mcp_bindgen.runtime")


@pytest.fixture(scope="module")
def listed() -> dict[str, dict[str, Any]]:
    """Return package name to recording, without tools, of servers that list some."""
    documents = {name: json.loads(p.read_bytes()) for name, p in recordings().items()}
    return {
        f"f_{name}": {**document, "tools": []}
        for name, document in documents.items()
        if any(document.get(kind) for kind in LISTS)
    }


@pytest.fixture(scope="module")
def folder(
    listed: dict[str, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """Generate a package of each; nothing of the lists is left out."""
    folder = tmp_path_factory.mktemp("corpus_features")
    for name, document in listed.items():
        made = generate(json.dumps(document).encode(), name, SETTINGS)
        assert [*made.problems] == [], name
        for path, text in made.files.items():
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def entries_of(document: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Return a list of a recording, or the arguments of a prompt."""
    entries: list[dict[str, Any]] | None = document.get(kind)
    return entries or []


class Echo:
    """In place of a client: returns what it has to read or to get."""

    def read_template(self, template: str, arguments: Any) -> Any:
        """Return the template and the arguments."""
        return template, arguments

    def get_prompt(self, prompt: str, arguments: Any) -> Any:
        """Return the name and the arguments."""
        return prompt, arguments


class AsyncEcho(Echo):
    """The same for functions of tasks."""

    async def read_template(self, template: str, arguments: Any) -> Any:
        """Return the template and the arguments."""
        return super().read_template(template, arguments)

    async def get_prompt(self, prompt: str, arguments: Any) -> Any:
        """Return the name and the arguments."""
        return super().get_prompt(prompt, arguments)


def both(package: Any, name: str) -> Callable[..., Any]:
    """Return a function that calls both functions of a feature, which agree."""

    def call(**arguments: Any) -> Any:
        result = getattr(package, name)(Echo(), **arguments)
        later = getattr(package, f"{name}_async")(AsyncEcho(), **arguments)
        assert asyncio.run(later) == result
        return result

    return call


def values(function: Any) -> dict[str, str]:
    """Return a text of its own, with characters to encode, for each parameter."""
    _, *parameters = signature(function).parameters
    return {name: f"{number}/\u00e9 %?#&" for number, name in enumerate(parameters)}


def test_every_entry_is_a_member_or_a_function(
    folder: Path, listed: dict[str, dict[str, Any]]
) -> None:
    counts = dict.fromkeys(LISTS, 0)
    for name, document in listed.items():
        package = import_module(name)
        for kind, table, key in (
            ("resources", "RESOURCES", "uri"),
            ("resourceTemplates", "RESOURCE_TEMPLATES", "uriTemplate"),
            ("prompts", "PROMPTS", "name"),
        ):
            entries = entries_of(document, kind)
            infos = getattr(package, table, {})
            assert {*map(str, infos)} == {entry[key] for entry in entries}, (name, kind)
            counts[kind] += len(infos)
    assert (folder / min(listed)).is_dir()
    assert len(listed) >= 27
    assert all(counts[kind] >= least for kind, least in LEAST.items())


def test_arguments_are_exact(folder: Path, listed: dict[str, dict[str, Any]]) -> None:
    assert folder.is_dir()
    for name, document in listed.items():
        package = import_module(name)
        made = json.loads((folder / name / "manifest.json").read_text())
        for template, facts in made.get("templates", {}).items():
            variables = {*uritemplate.URITemplate(template).variable_names}
            sent = values(getattr(package, facts["function"]))
            wire, arguments = both(package, facts["function"])(**sent)
            assert (wire, {*arguments}) == (template, variables)
            assert {*arguments.values()} == {*sent.values()}
            uri = expand(template, arguments)
            assert uri == uritemplate.expand(template, arguments), template
        for prompt in entries_of(document, "prompts"):
            name_of = made["prompts"][prompt["name"]]["function"]
            _, *parameters = signature(getattr(package, name_of)).parameters.values()
            wanted = entries_of(prompt, "arguments")
            required = [p for p in parameters if p.default is Parameter.empty]
            assert len(parameters) == len(wanted)
            assert len(required) == sum(bool(a.get("required")) for a in wanted)
            sent = values(getattr(package, name_of))
            wire, arguments = both(package, name_of)(**sent)
            assert wire == prompt["name"]
            assert {*arguments} == {argument["name"] for argument in wanted}
            assert {*arguments.values()} == {*sent.values()}


@pytest.mark.slow
def test_checkers_find_each_wrong_completion_and_nothing_else(
    folder: Path, listed: dict[str, dict[str, Any]]
) -> None:
    right, wrong = ["from __future__ import annotations"], set[int]()
    for name in listed:
        package = import_module(name)
        lines = [*completions(package, name)]
        if lines:
            right.append(f"import {name}; c_{name} = {name}.Client.stdio([''])")
        for line, is_wrong in lines:
            right.append(line)
            if is_wrong:
                wrong.add(len(right))
    (folder / "calls.py").write_text("\n".join([*right, ""]))
    assert len(wrong) > 50
    for ran in (mypy(folder), pyright(folder, reportUnusedExpression="none")):
        assert {*findings(ran.stderr)} == {f"calls.py:{n}" for n in wrong}, ran.stderr


def completions(package: Any, name: str) -> Iterator[tuple[str, bool]]:
    """Yield calls for each argument, and a wrong one for each feature."""
    for table, kind in (("PROMPTS", "prompt"), ("RESOURCE_TEMPLATES", "template")):
        for member, info in getattr(package, table, {}).items():
            if kind == "prompt":
                wires = [argument.name for argument in info.arguments]
            else:
                names = uritemplate.URITemplate(str(member)).variable_names
                wires = [str(variable) for variable in names]
            reference = f"{kind}={name}.{type(member).__name__}.{member.name}"
            for wire in wires:
                yield f"c_{name}.complete({wire!r}, {reference})", False
            if wires:
                yield f"c_{name}.complete('no such', {reference})", True
