# Copied by mcp-bindgen. Do not edit.
"""The policy of the command of a package: of its options, or of the settings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..client.config_file import settings_policy
from ..client.policy_class import policy_of
from ..errors import ConfigError, printable

if TYPE_CHECKING:
    from ..client.policy.policy import BasePolicy

__all__ = ["policy_for"]


def policy_for(package: str, chosen: str | None, mode: str | None) -> BasePolicy | None:
    """Return the policy of a call, None for none; the person at the terminal approves.

    The policy of the settings is for the tools of the package, wherever its server is:
    also with --url, and with the variables of the environment.

    Args:
        package: The import name of the package.
        chosen: The file of --policy, which takes the place of that of the settings.
        mode: The mode of --mode.

    Raises:
        ConfigError: There is no policy for the mode, or the policy has mistakes.
    """
    ours = settings_policy(package.rpartition(".")[2])
    file = Path(chosen) if chosen is not None else ours
    if file is None:
        if mode is not None:
            raise ConfigError(
                "--mode needs --policy, or a policy in the settings",
                hint="add --policy FILE",
            )
        return None
    if ours is not None and ours.resolve() != file.resolve():
        line = f"{printable(ours, 200)} of the settings: --policy takes its place"
        sys.stderr.write(f"note: this call does not obey {line}\n")
    from ..client.policy.terminal import approve_on_terminal  # few calls need it

    return policy_of(package).load(file, mode=mode, approve=approve_on_terminal)
