"""Install the authorization servers of others that we test against."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conformance.suite import NODE, NPM, install_node

FOLDER = Path(__file__).resolve().parents[2] / ".venv" / "oauth"
PROVIDER = FOLDER / "node_modules" / "oidc-provider"
MOCK = FOLDER / "mock"


def main() -> int:
    """Install what is missing: oidc-provider (npm), oidc-provider-mock (PyPI)."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    install_node()
    if not PROVIDER.exists():
        path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
        npm = [str(NODE), str(NPM), "install", "--silent", "--no-audit"]
        subprocess.run(
            [*npm, "oidc-provider@9"],
            check=True,
            cwd=FOLDER,
            env={**os.environ, "PATH": path},
        )
    if not MOCK.exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target", str(MOCK)]
        subprocess.run([*pip, "oidc-provider-mock>=0.3"], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
