"""Writes typed calls of many tools: right ones, and wrong ones with the broken rules.

python -m tests.fidelity.typed [FOLDER] writes and checks those of 200 tools: of real
servers, or of the schemas that `scripts/collect-schemas` wrote into the folder.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from click import echo
from pydantic import BaseModel, TypeAdapter

from tests.fidelity.__main__ import FOLDER, RAISED
from tests.packages import generate, mypy, pyright

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["REJECTED", "findings", "rejected", "write_calls"]

REJECTED = "# rejected: "
_CALL = "call-arg / reportCallIssue"
_TYPE = "arg-type / reportArgumentType"
_TOOLS = 200
# Where `Any` is allowed, strict checkers want types of empty literals.
_TYPED = ("ARRAY: list[Any] = []", "OBJECT: dict[str, Any] = {}")
_HAS_ANY = re.compile(r"\bAny\b")


@dataclass(frozen=True)
class _Call:
    """A call that a schema allows: the function and its arguments as source."""

    module: str
    function: str
    arguments: Mapping[str, str]
    annotations: Mapping[str, str]
    required: frozenset[str]

    def text(self, **changes: str | None) -> str:
        """Return the call with some arguments changed, or left out if None."""
        named = {**self.arguments, **changes}
        words = [f"{name}={text}" for name, text in named.items() if text is not None]
        return f"{self.module}.{self.function}({', '.join(['client', *words])})"


def write_calls(tools: Sequence[Mapping[str, Any]], folder: Path, name: str) -> int:
    """Write a package, `right_NAME.py` and `wrong_NAME.py`; return the count of calls.

    Args:
        tools: Schemas with valid instances, as the fidelity tests have them.
        folder: Where to write.
        name: Name of the package.
    """
    listed = [
        {"name": f"t{n}", "inputSchema": t["schema"]} for n, t in enumerate(tools)
    ]
    recording = folder / f"{name}.json"
    recording.write_text(json.dumps({"tools": listed}))
    generate(recording, "-o", folder, "--target", "python", "--quiet", *RAISED)
    recording.unlink()
    sys.path.insert(0, str(folder))
    try:
        calls = [*_calls(tools, folder / name)]
    finally:
        sys.path.remove(str(folder))
    modules = sorted({call.module for call in calls})
    head = [f"from {name}.tools import {module}" for module in modules]
    head += [f"from {name} import Client", "from typing import Any", "", *_TYPED, ""]
    head += ["", "def calls(client: Client) -> None:"]
    right = [f"    {call.text()}" for call in calls]
    wrong = [line for call in calls for line in _wrong(call)]
    (folder / f"right_{name}.py").write_text("\n".join([*head, *right]) + "\n")
    (folder / f"wrong_{name}.py").write_text("\n".join([*head, *wrong]) + "\n")
    return len(right) + len(wrong) // 2


def _calls(tools: Sequence[Mapping[str, Any]], package: Path) -> Iterator[_Call]:
    """Yield calls of each tool: one for each set of arguments."""
    written = json.loads((package / "manifest.json").read_text())["tools"]
    wire_names = json.loads((package / "info.json").read_text())
    for number, tool in enumerate(tools):
        entry = written[f"t{number}"]
        parameters = wire_names[f"t{number}"]["parameters"]
        names = {each["wire"]: each["name"] for each in parameters}
        module = importlib.import_module(f"{package.name}.{entry['module']}")
        adapter = TypeAdapter[Any](getattr(module, entry["arguments"]))
        signature = inspect.signature(getattr(module, entry["function"]))
        variants: set[frozenset[str]] = set()
        for data in tool["valid"]:
            known = frozenset(names.keys() & data.keys())
            if known in variants:
                continue
            variants.add(known)
            value = adapter.validate_python(data)
            if isinstance(value, BaseModel):
                last = entry["module"].rpartition(".")[2]
                yield _call(value, names, signature, last, entry["function"])


def _call(
    value: BaseModel,
    names: Mapping[str, str],
    signature: inspect.Signature,
    module: str,
    function: str,
) -> _Call:
    own = {n: p for n, p in signature.parameters.items() if n in {*names.values()}}
    annotations = {n: str(p.annotation) for n, p in own.items()}
    arguments = {
        names[wire]: _source(item, module, annotations[names[wire]])
        for wire, item in _fields(value).items()
        if wire in names
    }
    empty = inspect.Parameter.empty
    required = frozenset(n for n, p in own.items() if p.default is empty)
    return _Call(module, function, arguments, annotations, required)


def _fields(value: BaseModel) -> dict[str, Any]:
    """Return the fields that a model was made with, by wire name."""
    fields = type(value).model_fields
    return {
        name if fields[name].alias is None else str(fields[name].alias): getattr(
            value, name
        )
        for name in fields
        if name in value.model_fields_set
    }


def _source(value: object, module: str, annotation: str) -> str:
    """Return the expression that a person would write for a value.

    Args:
        value: The value.
        module: The module of its classes.
        annotation: What the parameter or the field allows.
    """
    if isinstance(value, BaseModel):
        words = (
            f"{name}={_source(getattr(value, name), module, str(field.annotation))}"
            for name, field in type(value).model_fields.items()
            if name in value.model_fields_set
        )
        return f"{module}.{type(value).__name__}({', '.join(words)})"
    if not value and isinstance(value, (list, dict)) and _HAS_ANY.search(annotation):
        return "ARRAY" if isinstance(value, list) else "OBJECT"
    if isinstance(value, (list, tuple)):
        elements = cast("Iterable[object]", value)
        items = [_source(element, module, annotation) for element in elements]
        inner = ", ".join(items)
        if isinstance(value, tuple):
            return f"({inner}{',' * (len(items) == 1)})"
        return f"[{inner}]"
    if isinstance(value, dict):
        members = (
            f"{key!r}: {_source(member, module, annotation)}"
            for key, member in cast("dict[str, object]", value).items()
        )
        return "{" + ", ".join(members) + "}"
    if isinstance(value, float) and value.is_integer():
        return repr(int(value))  # the same number in JSON, and an int for all checkers
    return ascii(value)


def _wrong(call: _Call) -> Iterator[str]:
    """Yield lines of wrong calls, each behind the rules that it breaks."""
    yield from (f"    {REJECTED}{_CALL}", f"    {call.text(no_such_parameter='1')}")
    for name in sorted(call.required & call.arguments.keys()):
        yield from (f"    {REJECTED}{_CALL}", f"    {call.text(**{name: None})}")
    for name in sorted(call.arguments.keys()):
        annotation = call.annotations[name]
        if not re.search(r"(?<![\w.\[])(?:Any|object|JsonValue)(?![\w\]])", annotation):
            wrong = f"    {call.text(**{name: 'object()'})}"
            yield from (f"    {REJECTED}{_TYPE}", wrong)
        if re.fullmatch(r"Literal\[[^\[\]]*\](?: \| MISSING)?", annotation):
            wrong = f"    {call.text(**{name: repr('no such value')})}"
            yield from (f"    {REJECTED}{_TYPE}", wrong)


def rejected(folder: Path, checker: int) -> dict[str, set[str]]:
    """Return what a checker has to find: location to rules, as the comments say.

    Args:
        folder: A folder with `wrong*.py`.
        checker: 0 for mypy, 1 for pyright.
    """
    rules: dict[str, set[str]] = {}
    for path in sorted(folder.glob("wrong*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.lstrip().startswith(REJECTED):
                each = line.partition(REJECTED)[2].split(" / ")[checker]
                rules[f"{path.name}:{number + 1}"] = {*each.split(", ")}
    return rules


def findings(output: str) -> dict[str, set[str]]:
    """Return location to rules of what a checker has found."""
    pattern = r"^([^:]+:\d+): (?:error|warning): .*\[([\w-]+)\]$"
    rules: dict[str, set[str]] = {}
    for location, rule in re.findall(pattern, output, re.MULTILINE):
        rules.setdefault(location, set()).add(rule)
    return rules


def main() -> int:
    """Print for each checker how many lines it judges otherwise than it should."""
    source = Path(sys.argv[1]) if sys.argv[1:] else FOLDER
    tools = json.loads((source / "instances.json").read_text())["tools"]
    chosen = tools[:: max(1, len(tools) // _TOOLS)][:_TOOLS]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        count = write_calls(chosen, home, "typed")
        quiet = {"reportUnusedCallResult": "none", "reportUnusedExpression": "none"}
        faults = 0
        for checker, ran in enumerate((mypy(home), pyright(home, **quiet))):
            said, wanted = findings(ran.stderr), rejected(home, checker)
            passed = wanted.keys() - said.keys()
            refused = said.keys() - wanted.keys()
            faults += len(passed) + len(refused)
            echo(
                f"{('mypy', 'pyright')[checker]:8} {len(chosen)} tools, {count} calls: "
            )
            echo(f"  {len(passed)} wrong ones pass, {len(refused)} right ones do not")
            for location in sorted(passed | refused)[:20]:
                name, _, number = location.partition(":")
                echo(f"  {location} {said.get(location)}")
                echo((home / name).read_text().splitlines()[int(number) - 1][:300])
    return int(faults > 0 or not count)


if __name__ == "__main__":
    sys.exit(main())
