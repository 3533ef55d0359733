"""A server as a user names it: a URL or a command, with `${NAME}` for variables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.recording.live import LiveClient
from mcp_bindgen.recording.recorder import Program, over_http, over_stdio
from mcp_bindgen.recording.secrets import (
    address,
    command_words,
    expand,
    header,
    mask,
    refuse_leak,
    variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mcp_bindgen.recording.recorder import Options, Recorded
    from mcp_bindgen.runtime.transport.oauth.auth import OAuth

__all__ = ["LiveServer", "Source"]

_VARIABLE = "${"


@dataclass(frozen=True, slots=True)
class LiveServer:
    """A server to record, with the values of all variables.

    Attributes:
        url: Its endpoint, or "" for a program.
        headers: Header fields of every request to the endpoint.
        program: The program, started where `url` is "".
        secrets: The values that no file and no message may hold.
        oauth: The settings of OAuth, None without OAuth.
        hint: The advice if a login is needed.
    """

    url: str
    headers: Mapping[str, str]
    program: Program
    secrets: tuple[str, ...]
    oauth: Mapping[str, str] | None = None
    hint: str = ""

    def __repr__(self) -> str:
        """Return a text without secrets."""
        return "LiveServer(...)"

    def client(
        self, seconds: float, era: str, show: Callable[[str], None] | None = None
    ) -> LiveClient:
        """Return a client of the server; it connects at its first request.

        Args:
            seconds: The time for each request.
            era: "legacy" or "modern"; "" to take the era that the server prefers.
            show: Gets one line for each message; None for no one.

        Raises:
            McpError: The URL, a header or the command is unusable.
        """
        auth = self.auth() if self.url else None
        if self.url:
            # The user typed http://; a package asks for allow_http=True.
            client = LiveClient.http(
                self.url,
                headers=self.headers,
                auth=auth,
                allow_http=True,
                timeout=seconds,
                era=era or None,
            )
        else:
            command, env, cwd = self.program
            client = LiveClient.stdio(
                command, env=env, cwd=cwd, timeout=seconds, era=era or None
            )
        if show:
            client.trace(show, partial(self._hidden, auth))
        return client

    def record(self, seconds: float, options: Options) -> Recorded:
        """Record the server.

        Args:
            seconds: The time for the whole recording.
            options: The settings of the recording.

        Raises:
            BindgenError: The server fails, or its texts repeat a secret.
        """
        auth = self.auth() if self.url else None
        options = replace(options, hidden=partial(self._hidden, auth))
        if self.url:
            recorded = over_http(self.url, self.headers, seconds, options, auth)
            tokens = auth.secrets(self.url) if auth else ()
        else:
            recorded = over_stdio(self.program, seconds, options)
            tokens = ()
        refuse_leak(recorded.text, (*self.secrets, *tokens))
        return recorded

    def _hidden(self, auth: OAuth | None, text: str) -> str:
        """Return a message without the secrets of the server."""
        return mask(auth.hide(text) if auth else text, self.secrets)

    def auth(self) -> OAuth | None:
        """Return the OAuth of the server, without logins; None without OAuth.

        Raises:
            BindgenError: The settings of OAuth do not go together.
        """
        if self.oauth is None:
            return None
        from mcp_bindgen.recording.oauth import oauth_of  # few servers need it

        return oauth_of(self.oauth, self.hint)


class Source(NamedTuple):
    """A server as a user names it; `${NAME}` in its texts is not yet replaced.

    Attributes:
        url: Its endpoint, or "" for a program.
        headers: `Name: value` for each header field, only with a URL.
        command: The program and its arguments, only without a URL.
        env: `NAME=VALUE` or `NAME` for each variable of the program.
        cwd: The folder in which the program runs, None for the current one.
        oauth: The settings of OAuth, None without OAuth.
        name: The name of the server in the settings, or "".
    """

    url: str = ""
    headers: Sequence[str] = ()
    command: Sequence[str] = ()
    env: Sequence[str] = ()
    cwd: Path | None = None
    oauth: Mapping[str, str] | None = None
    name: str = ""

    def expand(self, environment: Mapping[str, str]) -> LiveServer:
        """Return the server with the values of its variables.

        Example: `Source("https://${HOST}/mcp").expand({"HOST": "a.example"}).url`.

        Args:
            environment: The variables for `${NAME}`.

        Raises:
            BindgenError: A variable is not set, or a header or variable is malformed.
        """
        endpoint = address(self.url, environment, "url" if self.name else "--url")
        headers = [header(line, environment) for line in self.headers]
        variables = [variable(line, environment) for line in self.env]
        env = {name: value.text for name, value in variables}
        words = command_words(self.command, environment)
        options = {
            key: expand(text, environment, f"oauth.{key}")
            for key, text in (self.oauth or {}).items()
        }
        texts = {key: value.text for key, value in options.items()}
        # Each part may hold secrets, which no recording and no output shows.
        values = [
            *options.values(),
            endpoint,
            *words,
            *(value for _, value in (*headers, *variables)),
        ]
        return LiveServer(
            url=endpoint.text,
            headers={name: value.text for name, value in headers},
            program=Program(
                tuple(word.text for word in words), env, self._folder(environment)
            ),
            secrets=tuple(secret for value in values for secret in value.secrets),
            oauth=None if self.oauth is None else texts,
            hint=f"run mcp-bindgen login {self.name}" if self.name else "",
        )

    def _folder(self, environment: Mapping[str, str]) -> Path | None:
        """Return the folder; a variable is left where it was not set before."""
        text = str(self.cwd or "")
        if _VARIABLE not in text:
            return self.cwd
        return Path(expand(text, environment, "cwd").text)
