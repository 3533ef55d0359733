"""The changes of a new recording for the users of an existing package.

The old contract is the `recording.json` in the package: it holds the very tools that
the package was made from, also where the settings, the file or the last commit have
others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.contract.summary import Compared
from mcp_bindgen.pipeline.settings import DEFAULTS

if TYPE_CHECKING:
    from mcp_bindgen.pipeline.settings import Settings

__all__ = ["package_changes"]


def package_changes(
    name: str, label: str, made_from: bytes, new: bytes, settings: Settings
) -> Compared:
    """Return the changes for the users of a package that is made anew.

    Args:
        name: How messages name the package.
        label: The file of the new recording, as messages name it.
        made_from: The recording in the package.
        new: The bytes of the new recording.
        settings: The settings of the new package; tools that they leave out are gone.

    Raises:
        BindgenError: One of them is no recording, or over a limit.
    """
    limits = settings.limits
    report = compare_recordings(made_from, new, settings, limits, DEFAULTS)
    return Compared(name, label, made_from, new, report)
