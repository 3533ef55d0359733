"""Start the catalog server: `python tests/servers/catalog (stdio | http)`."""

import sys
from pathlib import Path

# Run as a folder, from anywhere, Python knows only this folder.
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.servers.catalog.server import build, verifier
from tests.servers.serving import main

main(build(), verifier())
