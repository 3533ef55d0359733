"""Start the todo server: `python tests/servers/todo (stdio | http)`."""

import sys
from pathlib import Path

# Run as a folder, from anywhere, Python knows only this folder.
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.servers.serving import main
from tests.servers.todo.server import build

main(build())
