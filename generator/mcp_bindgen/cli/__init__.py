"""The command line: reads arguments, prints lines, returns exit codes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Any

import click

from mcp_bindgen.cli import generate, lint, record, screen, sync, wheel
from mcp_bindgen.errors import BindgenError, Problem

__all__ = ["app", "main"]

_CANNOT = 2
_INTERRUPTED = 130


class _App(click.Group):
    """Turns the result or the exception of a command into an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command: 0 success, 1 findings, 2 failure, 130 interrupted."""
        ctx.color = _colour()
        try:
            code = super().invoke(ctx)
        except BindgenError as error:
            screen.problems(error.problems)
            code = _CANNOT
        except KeyboardInterrupt:
            code = _INTERRUPTED
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:  # The reader of a pipe has left; click exits silently.
            raise
        except Exception as error:  # noqa: BLE001, our bugs are reported too
            screen.bug(error, _bug(error))
            code = _CANNOT
        ctx.exit(code)


def _bug(error: Exception) -> Problem:
    hint = "run the command again with --verbose, and report the traceback"
    return Problem("", f"this is a bug in mcp-bindgen ({type(error).__name__})", hint)


def _colour() -> bool | None:
    """Return whether to use colours; None means only on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


@click.group(
    cls=_App,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 success, 1 findings or problems, 2 failure.",
)
@click.version_option(package_name="mcp-bindgen", message="mcp-bindgen %(version)s")
@screen.options
def app() -> None:
    """Record an MCP server, and generate a typed Python package from the recording."""


app.add_command(record.record)
app.add_command(generate.generate)
app.add_command(sync.sync)
app.add_command(lint.lint)
app.add_command(wheel.wheel)


def main() -> None:
    """Run the command line as a program."""
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal cannot show must not end the program.
        if isinstance(stream, TextIOWrapper):
            with suppress(OSError):
                stream.reconfigure(errors="backslashreplace")
    app(prog_name="mcp-bindgen")
