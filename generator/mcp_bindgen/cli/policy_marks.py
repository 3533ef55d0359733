"""Reads a policy file for `generate` and `sync`: the marks of each tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_bindgen.pipeline.jobs import Job
    from mcp_bindgen.pipeline.policy_marks import PolicyMarks

__all__ = ["marks_in", "refuse_unfit"]


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
    from mcp_bindgen.pipeline.policy_marks import policy_marks

    data = _bytes(file)
    return policy_marks(document_of(data, str(file), None), data)


def refuse_unfit(job: Job) -> None:
    """Refuse a policy whose tools or arguments the recording of its job does not have.

    Args:
        job: The job, with its data.

    Raises:
        BindgenError: There is such a mistake; all of them are listed.
    """
    if job.policy is None:
        return
    from mcp_bindgen.contract.policy_status import document_of
    from mcp_bindgen.recording.document import load

    try:
        recording, _ = load(job.data, job.settings.limits)
    except BindgenError:  # It is reported when the package is made.
        return
    document_of(_bytes(job.policy), str(job.policy), recording)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        hint = "write it with mcp-bindgen policy RECORDING -o FILE"
        problem = Problem("", f"{file}: {error.strerror}", hint)
        raise BindgenError(problem) from error
