"""The command line: reads arguments, prints lines, returns exit codes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.signals import Terminated, finish_renewals, heed
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["COMMANDS", "app", "main"]

_CANNOT = 2
_INTERRUPTED = 130  # as shells say it

COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("init", "Prepare a project: settings and folders."),
    "add": ("add", "Add a server to the settings, and generate its package."),
    "import": ("import_servers", "Take servers from an mcp.json into the settings."),
    "remove": ("remove", "Take a server out of the settings, with its files."),
    "list": ("list_servers", "List the servers of the settings."),
    "show": ("show", "Show the tools of a server, or one of them."),
    "login": ("login", "Log in to a server of the settings that wants OAuth."),
    "logout": ("logout", "Forget the credentials for a server."),
    "record": ("record", "Record the tools of a server into a file."),
    "generate": ("generate", "Generate packages from recordings."),
    "sync": ("sync", "Record servers again, and regenerate their packages."),
    "test": ("test_servers", "Ask servers whether they work, and how they differ."),
    "call": ("call", "Call a tool."),
    "serve": ("serve", "Serve a recording, without the real server."),
    "lint": ("lint", "Report suspicious texts in recordings."),
    "check": ("check", "Compare live servers with their recordings."),
    "diff": ("diff", "Compare two recordings, and grade each change."),
    "docs": ("docs", "Make a catalogue of tools as static pages."),
    "policy": ("policy", "Write, review and test the policy that calls obey."),
    "audit": ("audit", "Show the calls in an audit log, and check its chain."),
    "wheel": ("wheel", "Make an installable file of a package."),
}
"""Each command with its module, whose function has the same name, and its summary."""


class _App(click.Group):
    """Imports a command when it runs; turns its result into an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        del ctx
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None where there is none of this name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(
            import_module(f"mcp_bindgen.cli.{module}"), module
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name; suggest one for a wrong name."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            near = get_close_matches(args[0], COMMANDS, 1)
            message = f"there is no command {args[0][:80]!a}"
            raise click.NoSuchOption(args[0], message, near, ctx)
        return super().resolve_command(ctx, args)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the list of commands without an import of any."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options before the name of a command."""
        ctx.color = _colour()
        ctx.meta["words"] = tuple(args)
        if not args:  # click shows the help
            return super().parse_args(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.ClickException as error:
            _show_misuse(error, ctx)
            ctx.exit(_CANNOT)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command: 0 success, 1 findings, 2 failure, above 128 interrupted."""
        try:
            code = super().invoke(ctx)
        except BindgenError as error:
            screen.problems(error.problems)
            _answer(error.problems)
            code = _CANNOT
        except click.ClickException as error:
            _show_misuse(error, ctx)
            code = _CANNOT
        except KeyboardInterrupt as error:  # A note says whether a call was made.
            notes = [Problem("", note, "") for note in getattr(error, "__notes__", ())]
            screen.problems(notes)
            code = error.code if isinstance(error, Terminated) else _INTERRUPTED
        except (click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:  # The reader of a pipe has left; click exits silently.
            raise
        except Exception as error:  # noqa: BLE001, our bugs are reported too
            screen.bug(error, _refusal(error) or _bug(error))
            code = _CANNOT
        ctx.exit(code)


def _show_misuse(error: click.ClickException, root: click.Context) -> None:
    """Show an error of click, with the command that was used wrongly in front."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()  # the help of a group that was run alone
        return
    context = error.ctx if isinstance(error, click.UsageError) else None
    # Click's parser of options names no command.
    words = (root.command_path, root.invoked_subcommand or "")
    command = context.command_path if context else " ".join(words).rstrip()
    similar: Sequence[str] = getattr(error, "possibilities", None) or ()
    from mcp_bindgen.cli.misuse import in_our_words  # few runs need it

    message = error.message if similar else in_our_words(error.format_message())
    message = message[:1].lower() + message[1:].rstrip(".")
    hint = f"did you mean {similar[0]}?" if similar else f"see {command} --help"
    problem = Problem("", message, hint)
    screen.problems([problem], command)
    if _names_json(root.meta["words"]):  # the option may not have been read
        screen.expect_json()
    _answer([problem])


def _names_json(words: Sequence[str]) -> bool:
    """Return whether the words of a command line ask for JSON."""
    ours = words[: words.index("--")] if "--" in words else words
    pairs = zip(ours, (*ours[1:], ""), strict=True)
    return "--format=json" in ours or ("--format", "json") in pairs


def _answer(problems: Sequence[Problem]) -> None:
    """Print the problems that ended a command as JSON, where JSON is expected."""
    if screen.is_json() and not screen.is_answered():
        from mcp_bindgen.cli.output import problems_json, show_json

        show_json({"problems": problems_json(problems)})


def _refusal(error: Exception) -> Problem | None:
    """Return the system's refusal of a path that the user named, None for a bug."""
    if not isinstance(error, OSError) or not error.filename:
        return None
    message = f"{error.filename}: {error.strerror or type(error).__name__}"
    return Problem("", message, remedy(error, "choose another path"))


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


def main() -> None:
    """Run the command line as a program."""
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal cannot show must not end the program.
        if isinstance(stream, TextIOWrapper):
            with suppress(OSError):
                stream.reconfigure(errors="backslashreplace")
    heed()
    try:
        app(prog_name="mcp-bindgen")
    finally:
        finish_renewals()
