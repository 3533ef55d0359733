"""The records that the templates of the catalogue show, with every decision taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp_bindgen.python.literals import PyName

__all__ = ["Change", "Example", "Listed", "Model", "Row", "ServerPage", "ToolPage"]


@dataclass(frozen=True, slots=True)
class Row:
    """One parameter of a tool, or one field of a model.

    Attributes:
        name: Its name in Python.
        wire: Its name in JSON, "" where that is the same.
        type: Its type in Python, as type checkers see it: texts, each with the name
            of the model that it links to, or "".
        required: Whether it must be there.
        doc: Its description in the schema, with its default.
    """

    name: str
    wire: str
    type: tuple[tuple[str, str], ...]
    required: bool
    doc: str


@dataclass(frozen=True, slots=True)
class Model:
    """A nested model.

    Attributes:
        name: The name of its class.
        path: Its path in the arguments or in the result, "" if that is unclear.
        doc: Its description in the schema.
        rows: Its fields.
        definition: The type that it names, where it is no class.
    """

    name: PyName
    path: str
    doc: str
    rows: tuple[Row, ...]
    definition: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A call to copy.

    Attributes:
        label: Its language or library.
        code: The text to copy.
        note: Its requirements.
    """

    label: str
    code: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a tool between two versions.

    Attributes:
        grade: `breaking`, `compatible` or `text`.
        rule: The name of its rule.
        symbol: The name in Python.
        message: One sentence.
    """

    grade: str
    rule: str
    symbol: str
    message: str


@dataclass(frozen=True, slots=True)
class ToolPage:
    """One tool.

    Attributes:
        function: The name of its function, and of its page.
        wire: Its name on the server.
        title: Its title, "" if it only repeats the name.
        summary: The first sentence of its description.
        description: All of its description.
        read_only: Whether the server says that it only reads.
        destructive: Whether it may destroy something, by MCP's defaults.
        idempotent: Whether the server says that it is idempotent.
        signature: Its function in Python.
        parameters: Its parameters.
        returns: The type of its result, as in `Row.type`.
        fields: The fields of its result.
        models: Nested models of arguments and result.
        examples: Calls to copy.
        schemas: Titles and texts of its raw schemas.
        changes: The changes since an older version.
    """

    function: PyName
    wire: str
    title: str
    summary: str
    description: str
    read_only: bool
    destructive: bool
    idempotent: bool
    signature: str
    parameters: tuple[Row, ...]
    returns: tuple[tuple[str, str], ...]
    fields: tuple[Row, ...]
    models: tuple[Model, ...]
    examples: tuple[Example, ...]
    schemas: tuple[tuple[str, str], ...]
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """One resource, resource template or prompt.

    Attributes:
        kind: Which of them it is.
        signature: How a program calls it.
        address: Its URI or URI template, or the name of the prompt.
        doc: The server's description of it.
    """

    kind: str
    signature: str
    address: str
    doc: str


@dataclass(frozen=True, slots=True)
class ServerPage:
    """One server.

    Attributes:
        package: The import name of its package, and the folder of its pages.
        name: Its name, as the server says it.
        version: Its version, "" if it has none.
        instructions: Its instructions for its users.
        tools: Its tools, sorted by wire name.
        others: Its resources, resource templates and prompts.
        changes: Changes beyond its tools' pages, such as removed tools.
    """

    package: PyName
    name: str
    version: str
    instructions: str
    tools: tuple[ToolPage, ...]
    others: tuple[Listed, ...]
    changes: tuple[Change, ...] = ()
