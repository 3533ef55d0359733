"""Generates packages of real servers in the styles of projects, and again from changed
recordings: black, ruff and --check find nothing to change."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click import echo

from tests.packages import generate
from tests.shared import SHARED, recordings
from tests.styles.projects import OWN, PROJECTS
from tests.styles.widths import sweep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.styles.projects import Project

# Servers of different kinds: many branches, many fields, recursion, odd names, prose.
SERVERS = """
    antv_chart awslabs_ecs biomcp_rust calc_mcp chroma chrome_devtools contentful
    desktop_commander discourse elevenlabs everything filesystem hubspot kubernetes_go
    mcp_server_splunk notion office_word openmetadata pagerduty replicate sentry
    slack_ref supabase xcodebuild
    """.split()
_PATH = re.compile(r"^(?:would reformat (\S+)|(\S+): unformatted:.*)$", re.MULTILINE)
TOOLS = 5
"""Tools of each server; the later recording has two others and a changed one."""


def main() -> int:
    """Print a row for each project, and what the tools find in it."""
    parser = argparse.ArgumentParser(prog="scripts/styles", description=__doc__)
    parser.add_argument("names", nargs="*", help="some projects  [default: all]")
    parser.add_argument("--servers", type=int, help="the first servers alone")
    words = "instead: one package at the widths from the first to the last"
    parser.add_argument("--widths", type=int, nargs=2, help=words)
    chosen = parser.parse_args()
    if chosen.widths:
        first, last = chosen.widths
        return sweep(range(first, last + 1))
    files = recordings()
    names = chosen.names or [*PROJECTS]
    if not {*SERVERS} <= files.keys() or not {*names} <= PROJECTS.keys():
        echo(f"no {SHARED / 'corpus'}, or unknown: {' '.join(names)}", err=True)
        return 2
    recorded = {name: files[name] for name in SERVERS[: chosen.servers]}
    return max([row(name, PROJECTS[name], recorded) for name in names])


def row(name: str, project: Project, recorded: dict[str, Path]) -> int:
    """Generate in a style twice; return 1 where a tool finds anything."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve() / "project"
        write(home, project.files)
        write(home.parent / "own", OWN)
        findings: list[str] = []
        for later in (False, True):
            write_recordings(recorded, home / "recordings", later=later)
            findings += made(home, project)
            if project.crlf:
                check_out(home / project.source)
        count = sum(1 for _ in (home / project.source).rglob("*.py*"))
    clean = f"names {project.unlike}" if project.unlike else "clean"
    verdict = f"{len(findings)} FINDINGS" if findings else clean
    echo(f"{name:28} {len(recorded)} packages {count:6,} files {verdict}")
    for line in findings:
        echo(f"  {line}")
    return int(bool(findings))


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files: path to text."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def write_recordings(recorded: dict[str, Path], folder: Path, *, later: bool) -> None:
    """Write recordings of some tools each; the later ones differ."""
    folder.mkdir(exist_ok=True)
    for name, path in recorded.items():
        document: dict[str, Any] = json.loads(path.read_text())
        tools = document.get("tools") or document["result"]["tools"]
        first = 2 * later
        chosen = [dict(tool) for tool in tools[first : first + TOOLS] or tools[:TOOLS]]
        if later:
            words = chosen[0].get("description", "")
            chosen[0]["description"] = f"{words}\n\n{'Since version 2, longer. ' * 9}"
        (folder / f"{name}.json").write_text(json.dumps({"tools": chosen}))


def made(home: Path, project: Project) -> list[str]:
    """Generate the packages of a project; return what the tools say of them."""
    options = ("-o", home / project.source, "--shared-runtime", "mcp_runtime")
    targets = ("--target", f"python,langchain,agent_skill,{home.parent / 'own'}")
    command = (home / "recordings", *options, *targets)
    code, text = generate(*command, "--allow-empty")
    findings = [f"generate: exit {code}: {text[-300:]}"] if code else []
    findings += [line for line in text.splitlines() if "by hand" in line]
    if (code := generate(*command, "--check").code) != 0:
        findings.append(f"generate --check: exit {code}")
    if project.unlike:
        named = f"black has no {project.unlike} of ruff" in text
        return findings if named else [*findings, f"no word of {project.unlike}"]
    for tool in project.tools:
        findings += changes(home, tool)
    return findings


def check_out(folder: Path) -> None:
    """Give files the line ends that Git gives them on some machines."""
    for path in folder.rglob("*.*"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def changes(home: Path, command: Sequence[str]) -> list[str]:
    """Return the files that a formatter would change, one a line."""
    words = [sys.executable, "-m", *command, "."]
    done = subprocess.run(words, cwd=home, capture_output=True, text=True, check=False)
    if not done.returncode:
        return []
    text = done.stdout + done.stderr
    paths = re.findall(
        r"^(?:would reformat (\S+)|(\S+): unformatted:.*)$", text, re.MULTILINE
    )
    lines = [f"{command[0]}: {one}{other}" for one, other in paths]
    return lines or [f"{command[0]}: {text[-300:]}"]


if __name__ == "__main__":
    sys.exit(main())
