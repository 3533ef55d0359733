"""The table of patterns is what Node says today, where there is a Node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TABLE = Path(__file__).with_name("ecma_patterns.jsonl")
PROGRAM = """
const rows = require('fs').readFileSync(process.argv[1], 'utf8').trim().split('\\n');
for (const [pattern, fits, fails] of rows.map((row) => JSON.parse(row))) {
  const read = new RegExp(pattern, 'u');
  for (const text of fits) if (!read.test(text)) console.log(pattern, text, 'fails');
  for (const text of fails) if (read.test(text)) console.log(pattern, text, 'fits');
}
console.log(rows.length);
"""


def test_the_table_is_what_node_says() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    ran = subprocess.run(
        [node, "-e", PROGRAM, str(TABLE)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split("\n") == [str(len(TABLE.read_text().splitlines())), ""]
