"""The versions of the installed distributions.

`importlib.metadata` takes 20 ms for a few of them, most of it to import the parser of
mail headers: more than to make the files of ten tools takes.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["version"]

_FOLDER = re.compile(r"(?P<name>.+)-(?P<version>[A-Za-z0-9.!+]+)\.dist-info")


def version(distribution: str) -> str:
    """Return the version of an installed distribution, as `importlib.metadata` does.

    Args:
        distribution: The name of the distribution, as `pydantic-core`.

    Raises:
        importlib.metadata.PackageNotFoundError: It is not installed.

    Example: `version("jinja2") == "3.1.6"`.
    """
    versions = _installed((*sys.path,)).get(_normal(distribution), ())
    if len(versions) == 1:
        return versions[0]

    from importlib.metadata import version  # which knows older ways to install

    return version(distribution)


@cache
def _installed(path: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the versions of each distribution, by the names of their folders.

    They are those of the first folder on Python's path that has the distribution; one
    that is not sound may have several (PyPA, "Recording installed projects").
    """
    first: dict[str, tuple[str, ...]] = {}
    for folder in path:
        here: dict[str, tuple[str, ...]] = {}
        with suppress(OSError):
            names = [path.name for path in Path(folder).iterdir()]
            for match in filter(None, map(_FOLDER.fullmatch, names)):
                name = _normal(match["name"])
                here[name] = (*here.get(name, ()), match["version"])
        first = here | first
    return first


def _normal(name: str) -> str:
    """Return the one form of a name of a distribution (PyPA, "Names")."""
    return re.sub(r"[-_.]+", "-", name).lower()
