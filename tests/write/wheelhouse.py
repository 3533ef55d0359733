"""Turn installed distributions back into wheels, so that tests need no network."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from importlib.metadata import Distribution, distribution
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["fill"]


def fill(folder: Path, needs: Iterable[str]) -> dict[str, str]:
    """Put a wheel of each needed distribution, and of what it needs, into a folder.

    Args:
        folder: Where the wheels go.
        needs: Requirements, as in a wheel's metadata.

    Returns:
        Each distribution's name and version.
    """
    todo = [Requirement(need) for need in needs]
    pins: dict[str, str] = {}
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        marker = requirement.marker
        if name in pins or (marker and not marker.evaluate({"extra": ""})):
            continue
        installed = distribution(requirement.name)
        assert installed.version in requirement.specifier
        pins[name] = installed.version
        _pack(installed, folder)
        todo += [Requirement(need) for need in installed.requires or ()]
    return pins


def _pack(installed: Distribution, folder: Path) -> None:
    meta = installed.read_text("WHEEL") or ""
    tags = [line[5:] for line in meta.splitlines() if line.startswith("Tag: ")]
    parts = [".".join(sorted(set(part))) for part in zip(*_split(tags), strict=True)]
    stem = f"{canonicalize_name(installed.name).replace('-', '_')}-{installed.version}"
    contents = {
        str(path): path.read_binary()
        for path in installed.files or ()
        if ".." not in path.parts
        and path.suffix != ".pyc"
        and path.name not in {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}
    }
    info = next(p.rpartition("/")[0] for p in contents if p.endswith("/WHEEL"))
    rows = [
        f"{path},sha256={_digest(data)},{len(data)}" for path, data in contents.items()
    ]
    record = "\n".join([*rows, f"{info}/RECORD,,"])
    with zipfile.ZipFile(folder / f"{stem}-{'-'.join(parts)}.whl", "w") as archive:
        for path, data in contents.items():
            archive.writestr(path, data)
        archive.writestr(f"{info}/RECORD", record + "\n")


def _split(tags: list[str]) -> list[list[str]]:
    return [tag.split("-") for tag in tags]


def _digest(data: bytes) -> str:
    raw = hashlib.sha256(data).digest()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
