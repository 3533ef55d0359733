"""Where the tables and the values of a TOML file stand, by their keys.

A library that reads and writes TOML puts tables into another order where those of one
kind are not together; with these spans, all other bytes of a file stay.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

__all__ = ["Path", "Statement", "Table", "spans_of"]

Path = tuple[str, ...]
"""The keys from the root to a value; tables of an array have a number among them."""

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)""")
_TEXT = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}|'
    r"'''(?:[^']|'{1,2}(?!'))*'{3,5}|"
    r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'",
    re.DOTALL,
)
_BARE = re.compile(r"[^\s,\]}#]+(?: \d[^\s,\]}#]*)?")  # a date may have a space


@dataclass(frozen=True, slots=True)
class Statement:
    """A key with its value.

    Attributes:
        path: The keys from the root.
        table: The path of the table in which it is written.
        keys: Where each key that is written here begins and ends.
        begin: Where the value begins ...
        end: ... and ends.
        inline: Whether it is in braces.
    """

    path: Path
    table: Path
    keys: tuple[tuple[int, int], ...]
    begin: int
    end: int
    inline: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The line that begins a table.

    Attributes:
        path: The keys from the root.
        keys: Where each of them begins and ends.
        begin: Where the line of the table begins ...
        end: ... and the bracket that ends it.
    """

    path: Path
    keys: tuple[tuple[int, int], ...]
    begin: int
    end: int


def spans_of(text: str) -> tuple[list[Table], list[Statement]]:
    """Return where the tables and the values of a file stand, in their order.

    Args:
        text: The file, which is right TOML.

    Raises:
        ValueError: It is not.
    """
    reader = _Reader(text)
    reader.read()
    return reader.tables, reader.statements


class _Reader:
    """Reads a file from its begin to its end.

    Args:
        text: The file.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._rows: dict[Path, int] = {}
        self.tables: list[Table] = []
        self.statements: list[Statement] = []

    def read(self) -> None:
        """Read all tables and values."""
        table: Path = ()
        while self._next():
            table = self._table() if self._sees("[") else table
            if self._next() and not self._sees("["):
                self._statement(table, table, inline=False)

    def _next(self) -> bool:
        """Skip spaces and comments; return whether there is more."""
        self._at = self._match(_SPACE)
        return self._at < len(self._text)

    def _sees(self, mark: str) -> bool:
        return self._text.startswith(mark, self._at)

    def _match(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise ValueError(f"TOML of an unknown form at character {self._at}")
        return match.end()

    def _skip(self, mark: str) -> None:
        self._next()
        if not self._sees(mark):
            raise ValueError(f"expected {mark} at character {self._at}")
        self._at += len(mark)

    def _keys(self) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
        """Read a key with its dots; return its parts, and where they stand."""
        names: list[str] = []
        where: list[tuple[int, int]] = []
        while True:
            self._next()
            begin, self._at = self._at, self._match(_KEY)
            written = self._text[begin : self._at]
            quoted = written[0] in "\"'"
            names += tomllib.loads(f"{written} = 1") if quoted else [written]
            where.append((begin, self._at))
            self._next()
            if not self._sees("."):
                return (*names,), (*where,)
            self._at += 1

    def _table(self) -> Path:
        """Read the line of a table; return its path."""
        begin = self._text.rfind("\n", 0, self._at) + 1
        brackets = 2 if self._sees("[[") else 1
        self._at += brackets
        names, where = self._keys()
        self._skip("]" * brackets)
        path = self._numbered(names if brackets == 1 else names[:-1])
        if brackets > 1:
            row = self._rows.get((*path, names[-1]), -1) + 1
            self._rows[*path, names[-1]] = row
            path = (*path, names[-1], f"[{row}]")
        self.tables.append(Table(path, where, begin, self._at))
        return path

    def _numbered(self, names: Path) -> Path:
        """Return a path with the numbers of the last tables of its arrays."""
        path: Path = ()
        for name in names:
            path = (*path, name)
            if path in self._rows:
                path = (*path, f"[{self._rows[path]}]")
        return path

    def _statement(self, base: Path, table: Path, *, inline: bool) -> None:
        """Read a key and its value, with all that is in its braces."""
        names, where = self._keys()
        self._skip("=")
        self._next()
        number, begin = len(self.statements), self._at
        path = (*base, *names)
        self._value(path, table)
        statement = Statement(path, table, where, begin, self._at, inline)
        self.statements.insert(number, statement)

    def _value(self, path: Path, table: Path) -> None:
        if self._sees('"') or self._sees("'"):
            self._at = self._match(_TEXT)
        elif self._sees("["):
            self._values("]", path, table)
        elif self._sees("{"):
            self._values("}", path, table)
        else:
            self._at = self._match(_BARE)

    def _values(self, end: str, path: Path, table: Path) -> None:
        """Read what is in brackets or in braces."""
        self._at += 1
        row = 0
        while self._next() and not self._sees(end):
            if self._sees(","):
                self._at += 1
            elif end == "}":
                self._statement(path, table, inline=True)
            else:
                self._value((*path, f"[{row}]"), table)
                row += 1
        self._skip(end)
