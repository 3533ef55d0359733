"""Commands that take the command of a server after --."""

from __future__ import annotations

import click

__all__ = ["WithCommand", "command_words"]

_KEY = "mcp_bindgen.command"


class WithCommand(click.Command):
    """Takes the words after -- for the command of a server."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Split the words at the first --."""
        if "--" in args:
            first = args.index("--")
            ctx.meta[_KEY] = tuple(args[first + 1 :])
            args = args[:first]
        return super().parse_args(ctx, args)


def command_words() -> tuple[str, ...]:
    """Return the words after --, () where there are none."""
    words: tuple[str, ...] = click.get_current_context().meta.get(_KEY, ())
    return words
