"""The command line: reads arguments, prints lines, returns exit codes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import generate, lint, record, screen, sync, wheel
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["app", "main"]

_CANNOT = 2
_INTERRUPTED = 130


class _App(click.Group):
    """Turns the result or the exception of a command into an exit code."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options before the name of a command."""
        ctx.color = _colour()
        if not args:  # click shows the help
            return super().parse_args(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.ClickException as error:
            _show_misuse(error)
            ctx.exit(_CANNOT)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command: 0 success, 1 findings, 2 failure, 130 interrupted."""
        try:
            code = super().invoke(ctx)
        except BindgenError as error:
            screen.problems(error.problems)
            code = _CANNOT
        except click.ClickException as error:
            _show_misuse(error)
            code = _CANNOT
        except KeyboardInterrupt:
            code = _INTERRUPTED
        except (click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:  # The reader of a pipe has left; click exits silently.
            raise
        except Exception as error:  # noqa: BLE001, our bugs are reported too
            screen.bug(error, _bug(error))
            code = _CANNOT
        ctx.exit(code)


def _show_misuse(error: click.ClickException) -> None:
    """Show an error of click: its place is the command, for which it knows a help."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context else "mcp-bindgen"
    similar: Sequence[str] = getattr(error, "possibilities", None) or ()
    message = error.message if similar else error.format_message()
    message = message[:1].lower() + message[1:].rstrip(".")
    hint = f"did you mean {similar[0]}?" if similar else f"see {command} --help"
    screen.problems([Problem("", message, hint)], command)


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
