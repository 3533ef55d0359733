"""Compares generated packages with ajv, the validator of JavaScript.

python -m tests.fidelity.ajv [FOLDER]

Reads set B, and set C from the folder of `scripts/collect-schemas`: each instance goes
to the arguments of a tool with its schema, and to ajv. Without Node, npm or the sets,
it says so, and is no failure.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from click import echo
from pydantic import ValidationError

from tests.fidelity.__main__ import SETS, Set, generate_set
from tests.fidelity.adapter import Check, arguments

CACHE = Path(__file__).resolve().parents[2] / ".venv" / "ajv"
AJV = "ajv@8.20.0"
# Reads [dialect, schema, instances] from each line, writes the verdicts or an error.
PROGRAM = """
const makers = {7: require('ajv'), 2020: require('ajv/dist/2020')};
for (const line of require('fs').readFileSync(0, 'utf8').trim().split('\\n')) {
  const [dialect, schema, instances] = JSON.parse(line);
  const ajv = new makers[dialect].default({strict: false, validateFormats: false});
  try {
    const accepts = ajv.compile(schema);
    console.log(JSON.stringify(instances.map((value) => accepts(value))));
  } catch (error) {
    console.log(JSON.stringify(String(error).slice(0, 200)));
  }
}
"""


def main() -> int:
    """Compare each set, and print where the verdicts differ."""
    sets = [each for each in SETS if each.option == "instances"]
    sets += [Set("C", "instances", Path(f) / "instances.json") for f in sys.argv[1:]]
    sets = [each for each in sets if each.file.exists()]
    if not sets or not _has_ajv():
        echo("skipped: it needs set B or C, Node, and ajv from npm")
        return 0
    return max(map(compare, sets))


def _has_ajv() -> bool:
    """Return whether Node and ajv are there; ajv is installed once."""
    if not shutil.which("node") or not shutil.which("npm"):
        return False
    if (CACHE / "node_modules" / "ajv").exists():
        return True
    CACHE.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", AJV]
    return subprocess.run(command, cwd=CACHE, check=False).returncode == 0


def compare(each: Set) -> int:
    """Print how many schemas of a set have other verdicts than from ajv; 1 for any."""
    tools = json.loads(each.file.read_text("utf-8"))["tools"]
    values = [[*t["valid"], *(wrong["data"] for wrong in t["invalid"])] for t in tools]
    said = _verdicts_of_ajv([t["schema"] for t in tools], values)
    different: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        made = generate_set(each, Path(folder))
        lookup = arguments(f"{folder}/{each.package}")
        for tool, verdicts, instances in zip(made, said, values, strict=True):
            title = tool["description"]
            if isinstance(verdicts, str):
                echo(f"  ajv cannot read {title}: {verdicts}")
                continue
            check = lookup(tool["name"], None)
            for instance, verdict in zip(instances, verdicts, strict=True):
                if _accepts(check, instance) is not verdict:
                    different.append(title)
                    text = json.dumps(instance)[:300]
                    echo(f"  {title}: ajv says {verdict} of {text}")
    read = [verdicts for verdicts in said if not isinstance(verdicts, str)]
    schemas = f"{len(set(different))} of {len(read)} schemas"
    total = sum(map(len, read))
    echo(f"{each.letter} {schemas} differ from ajv, {len(different)} of {total} values")
    return 1 if different else 0


def _verdicts_of_ajv(
    schemas: list[dict[str, Any]], values: list[list[object]]
) -> list[list[bool] | str]:
    """Return for each schema the verdicts of ajv, or why it cannot read the schema."""
    dialects = (
        7 if "draft-07" in schema.get("$schema", "") else 2020 for schema in schemas
    )
    lines = map(json.dumps, zip(dialects, schemas, values, strict=True))
    ran = subprocess.run(
        ["node", "-e", PROGRAM],
        cwd=CACHE,
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def _accepts(check: Check, instance: object) -> bool:
    try:
        check(instance)
    except ValidationError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
