"""Finds the material that is handed to the project and is no part of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

__all__ = ["SAMPLE", "SHARED", "needs", "recordings"]

_BESIDE = Path(__file__).resolve().parents[2] / "shared"
SHARED = Path(os.environ.get("MCP_BINDGEN_SHARED") or _BESIDE)

# Of the corpus: an action tool with many branches, hundreds of fields, recursion,
# residual validation, names that are no identifiers, output schemas.
SAMPLE = ("openmetadata", "notion", "xcodebuild", "mcp_server_splunk", "slack_ref")


def needs(path: str) -> pytest.MarkDecorator:
    """Return the mark of a test that is skipped where a path is absent."""
    reason = f"no {path} in {SHARED}: set MCP_BINDGEN_SHARED"
    return pytest.mark.skipif(not (SHARED / path).exists(), reason=reason)


def recordings() -> dict[str, Path]:
    """Return package name to recording of the real servers in the corpus."""
    corpus = SHARED / "corpus"
    files = [*corpus.glob("recordings/*.json"), *corpus.glob("openmetadata.json")]
    return {path.stem.replace("-", "_"): path for path in sorted(files)}
