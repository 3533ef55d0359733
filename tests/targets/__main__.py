"""Gives each tool of the corpus to every framework's own library, and counts them."""

from __future__ import annotations

import argparse
import copy
import json
import re
import sys
import tempfile
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click import echo
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings, package_name
from mcp_bindgen.runtime.json_values import elements, members
from mcp_bindgen.runtime.validation.references import is_object
from pydantic import TypeAdapter

from tests.shared import recordings
from tests.targets.conftest import TARGETS, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Checked = Iterator[tuple[str, str]]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


class Nothing:
    """A transport that is never used."""

    def call_tool(self, name: str, _arguments: object, /) -> Any:
        raise AssertionError(name)

    def close(self) -> None:
        """Have nothing to close."""


def client(package: str) -> Any:
    """Return a client that is never used."""
    return import_module(package).Client(Nothing())


def typed(path: str) -> Callable[[object], object]:
    """Return the validator of a library's own type for a tool."""
    module, _, name = path.rpartition(".")
    return TypeAdapter(getattr(import_module(module), name)).validate_python


def parameters(schema: Any) -> Iterator[str]:
    """Yield the names of all parameters in a schema, at any depth."""
    for part in elements(schema):
        yield from parameters(part)
    for keyword, part in members(schema).items():
        if keyword == "properties" and is_object(part):
            yield from part
            yield from parameters([*part.values()])
        elif keyword not in ("enum", "const", "default", "examples"):
            yield from parameters(part)


def chat(package: str) -> Checked:
    """Check tools for chat completions: their type, their limits."""
    validate = typed("openai.types.chat.ChatCompletionFunctionToolParam")
    for tool in import_module(f"{package}.openai").TOOLS:
        validate(tool)
        function = tool["function"]
        fits = NAME.fullmatch(function["name"]) and len(function["description"]) <= 1024
        yield function["name"], "" if fits else "name or description"


def responses(package: str) -> Checked:
    """Check tools for the Responses API: their type."""
    validate = typed("openai.types.responses.FunctionToolParam")
    for tool in import_module(f"{package}.openai").RESPONSES_TOOLS:
        validate(tool)
        yield tool["name"], ""


def strict(package: str) -> Checked:
    """Check strict variants: OpenAI's own converter must have nothing to change."""
    ensure = import_module("agents.strict_schema").ensure_strict_json_schema
    module = import_module(f"{package}.openai")
    for tool in module.tools(strict=True):
        function = tool["function"]
        if function.get("strict"):
            parameters_json = json.dumps(function["parameters"])
            same = (
                json.dumps(ensure(copy.deepcopy(function["parameters"])))
                == parameters_json
            )
            yield function["name"], "" if same else "not strict enough"
    for tool, reason in module.not_strict().items():
        yield tool, re.sub(r" \(.*|'[^']*' ", "", reason)


def langchain(package: str) -> Checked:
    """Check what LangChain makes of its tools for a model."""
    convert = import_module("langchain_core.utils.function_calling")
    tools = import_module(f"{package}.langchain").langchain_tools(client(package))
    for tool in tools:
        made = convert.convert_to_openai_tool(tool)["function"]
        same = made["parameters"]["properties"].keys() == tool.args.keys()
        yield tool.name, "" if same else "other parameters"


def anthropic(package: str) -> Checked:
    """Check tools for Messages: their type, and the API's rule for parameters."""
    validate = typed("anthropic.types.ToolParam")
    rule = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
    for tool in import_module(f"{package}.anthropic").TOOLS:
        validate(tool)
        fits = all(map(rule.fullmatch, parameters(tool["input_schema"])))
        yield tool["name"], "" if fits else "the name of a parameter"


def agents(package: str) -> Checked:
    """Check that the Agents SDK takes each tool, strict where it can be."""
    module = import_module(f"{package}.agents")
    for tool in module.agents_tools(client(package), strict=True):
        yield tool.name, ""


def pydantic_ai(package: str) -> Checked:
    """Check the definitions that Pydantic AI makes of the tools."""
    module = import_module(f"{package}.pydantic_ai")
    for name, tool in module.pydantic_ai_toolset(client(package)).tools.items():
        schema = tool.tool_def.parameters_json_schema
        yield name, "" if schema["type"] == "object" else "no object"


def gemini(package: str) -> Checked:
    """Check declarations: their type, and the API's rule for parameters."""
    kind = import_module("google.genai.types").FunctionDeclaration
    rule = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
    for declaration in import_module(f"{package}.gemini").declarations():
        made = kind.model_validate(declaration)
        names = parameters(declaration["parameters_json_schema"])
        fits = all(map(rule.fullmatch, names))
        yield made.name, "" if fits else "the name of a parameter"


FRAMEWORKS: dict[str, Callable[[str], Checked]] = {
    "OpenAI, chat completions": chat,
    "OpenAI, Responses": responses,
    "OpenAI, strict mode": strict,
    "LangChain": langchain,
    "Anthropic": anthropic,
    "OpenAI Agents SDK": agents,
    "Pydantic AI": pydantic_ai,
    "Google Gemini": gemini,
}


def counted(packages: list[str]) -> Iterator[tuple[str, int, Counter[str]]]:
    """Yield for each framework the tools it takes, and why it refuses the others."""
    for framework, check in FRAMEWORKS.items():
        reasons_of_all = Counter(
            reason for package in packages for _, reason in check(package)
        )
        yield framework, reasons_of_all.pop("", 0), reasons_of_all


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="scripts/frameworks", description=__doc__)
    parser.add_argument("names", nargs="*", help="some servers  [default: all]")
    chosen = parser.parse_args().names
    files = {n: f for n, f in recordings().items() if not chosen or n in chosen}
    if not files:
        echo("there is no corpus", err=True)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        packages: list[str] = []
        for name, file in files.items():
            package = package_name(f"c_{name}", exact=False)
            made = generate(file.read_bytes(), package, Settings(TARGETS))
            write(dict(made.files), Path(folder) / package)
            packages.append(package)
        echo("| framework | accepted | refused | reasons |\n|---|---|---|---|")
        for framework, accepted, refused in counted(packages):
            reasons = (f"{reason}: {n:,}" for reason, n in refused.most_common())
            line = "; ".join(reasons)
            echo(f"| {framework} | {accepted:,} | {refused.total():,} | {line} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
