"""Reads a policy file for `generate` and `sync`: the marks of each tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.policy_marks import PolicyMarks, policy_marks

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["marks_in"]


def marks_in(file: Path | None) -> PolicyMarks | None:
    """Return the marks of a policy file, None without a file.

    Args:
        file: The policy file.

    Raises:
        BindgenError: It cannot be read, or has mistakes.
    """
    if file is None:
        return None
    from mcp_bindgen.contract.policy_status import document_of

    try:
        data = file.read_bytes()
    except OSError as error:
        hint = "write it with mcp-bindgen policy RECORDING -o FILE"
        problem = Problem("", f"{file}: {error.strerror}", hint)
        raise BindgenError(problem) from error
    return policy_marks(document_of(data, str(file), None))
