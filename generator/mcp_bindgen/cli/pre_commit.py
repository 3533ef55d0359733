"""Adds our hook to `.pre-commit-config.yaml`; all other lines stay as they are."""

from __future__ import annotations

import re

__all__ = ["with_hook"]

_NAME = "mcp-bindgen"
_LIST = re.compile(r"repos:\s*(#.*)?$")
_ENTRY = re.compile(r"( *)- +\S")
_HOOK = """\
- repo: local
  hooks:
    - id: mcp-bindgen
      name: packages of MCP servers are up to date
      entry: mcp-bindgen sync --offline --check
      language: system
      pass_filenames: false
"""


def with_hook(text: str) -> str | None:
    """Return the text with our hook at the end of `repos`.

    Args:
        text: A file of pre-commit, YAML.

    Returns:
        The same text where it has our hook; None where it has another form than
        pre-commit writes it: `repos:` with a list below.
    """
    if _NAME in text:
        return text
    lines = text.splitlines(keepends=True)
    begin = next((n for n, line in enumerate(lines) if _LIST.match(line)), None)
    if begin is None:
        return None
    entries = [match for line in lines[begin + 1 :] if (match := _ENTRY.match(line))]
    if not entries:
        return None
    margin = entries[0][1]
    end = next((n for n in range(begin + 1, len(lines)) if _ends(lines[n])), len(lines))
    while not lines[end - 1].strip():
        end -= 1
    if not lines[end - 1].endswith("\n"):
        lines[end - 1] += "\n"
    hook = [f"{margin}{line}" for line in _HOOK.splitlines(keepends=True)]
    return "".join([*lines[:end], *hook, *lines[end:]])


def _ends(line: str) -> bool:
    """Return whether a line is the next key of the file, behind the list."""
    return bool(re.match(r"[A-Za-z_]", line))
