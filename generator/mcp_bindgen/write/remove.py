"""Removes a generated package: the files that mcp-bindgen wrote, and no other."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.manifest import MANIFEST, manifest_text
from mcp_bindgen.write.write import write

if TYPE_CHECKING:
    from mcp_bindgen.write.write import Changes

__all__ = ["remove"]

_CACHE = "__pycache__"


def remove(directory: Path, version: str) -> Changes | None:
    """Remove a package, and its folder where nothing else is in it.

    Files of others stay, and so do edited ones of ours.

    Example: `remove(Path("generated/catalog"), "1.0.0")`.

    Args:
        directory: The folder of the package.
        version: Our own version, for the manifest of a removal that is interrupted.

    Returns:
        The changes; None without a package of ours.

    Raises:
        BindgenError: The manifest is damaged, or the system refuses.
    """
    manifest = directory / MANIFEST
    if not manifest.is_file():
        return None
    # First a package without files: an interrupted removal is completed by the next.
    changes = write({MANIFEST: manifest_text({}, version, {})}, directory)
    if changes.problems:  # remaining files must stay listed
        return changes
    try:
        manifest.unlink()
        _remove_caches(directory)
    except OSError as error:
        reason = f"cannot remove {error.filename}: {error.strerror}"
        hint = "fix the folder's permissions, then run the same command"
        raise BindgenError(Problem("", reason, hint)) from error
    with suppress(OSError):
        directory.rmdir()
    return changes


def _remove_caches(directory: Path) -> None:
    """Remove Python's caches of removed files, and the folders around them."""
    for folder, folders, _ in os.walk(directory, topdown=False):
        path = Path(folder)
        if _CACHE in folders and not any(path.glob("*.py")):
            shutil.rmtree(path / _CACHE)
        if path != directory:
            with suppress(OSError):
                path.rmdir()
