"""Replaces the secrets in a configuration file by variables."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlsplit

from mcp_bindgen.python import names as naming
from mcp_bindgen.recording.secrets import is_sensitive

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Variables", "looks_secret"]

_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)(:-[^{}]*)?\}", re.ASCII)
_KNOWN = re.compile(
    r"(sk|pk|rk|ghp|gho|ghs|ghu|glpat|xox[abprs]|hf|ntn|secret|pat|npm|dop_v1|lin_api"
    r"|github_pat|AKIA|ASIA|AIza|eyJ)[-_A-Za-z0-9]{8,}"
)
_WORD = re.compile(r"[A-Za-z0-9+/=_\-.~]{20,}")
_PATH = re.compile(r"/.*/")
# Bits for each character; English words have less, random ones more.
_ENTROPY = 3.7
_HEADER_OPTIONS = ("--header", "-H")
# Without its value: a name of a variable is made of it.
_OPTION = re.compile(r"-[^=\s]*")
# The name of an option is no secret, whatever words it has: `--secret-access-key`.
_OPTION_NAME = re.compile(r"--?[A-Za-z]+(?:[-_.][A-Za-z]+)*")
_ASSIGNED = re.compile(r"-{0,2}[\w-]+")
_IS_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# The next word is a script of a shell: `bash -c "KEY=value exec program"`.
_SCRIPT_OPTION = re.compile(r"-[a-z]*c")
_SCHEMES = ("bearer ", "basic ", "token ")
_SIGNED = re.compile(r"(?i)(bearer|basic)\s+\S+")  # under any name
# The only text allowed beside a variable in a secret value: a scheme.
_BESIDE = re.compile(r"(?i)\s*((bearer|basic|token|key|apikey)\b)?[\s:=\"']*")
# `name=value`, `"name": "two words"` or `--name value` within a longer text; quotes may
# have a backslash before them.
_EMBEDDED = re.compile(
    r"""(?P<before>(?P<name>--?[A-Za-z][\w.-]*|[A-Za-z_][\w.-]*)\\?["']?\s*[=:]\s*"""
    r"""|(?P<option>--[A-Za-z][\w.-]*)\s+(?!-))"""
    r"""(?:(?P<open>\\?["'])(?P<in>(?:(?:Bearer|Basic|Token)\s+)?)"""
    r"""(?P<quoted>[^"'\\{}$]+)(?P=open)"""
    r"""|(?P<to>\\?["']?(?:(?:Bearer|Basic|Token)\s+)?)(?P<bare>(?!//)[^\s"'&;,{}$]+))"""
)
# `-u user:password` of curl; two numbers are a user and a group.
_LOGIN_OPTIONS = ("-u", "--user", "--proxy-user")
_LOGIN = re.compile(r"[^\s:\"']+:(?!\d+$)([^\s\"'${}]+)")
_LOGIN_INSIDE = re.compile(
    r"((?:^|\s)(?:-u|--user|--proxy-user)(?:\s+|=)[\"']?[^\s:\"']+:)"
    r"(?!\d+(?:[\s\"']|$))([^\s\"'${}]+)"
)
# Names of secrets besides those of headers and variables in general.
_NAMED = re.compile(r"(?i)pwd|bearer|jwt|(?<![a-z])(pat|pin|otp|dsn|psk|pw)(?![a-z])")


def looks_secret(value: str) -> bool:
    """Return whether a value looks like a key or a token, under any name.

    Example: `looks_secret("ghp_0123456789abcdef")`.
    """
    if "://" in value:
        return _has_password(value)
    if _KNOWN.search(value):
        return True
    words = (word for word in _WORD.findall(value) if not _PATH.search(word))
    return any(_entropy(w) > _ENTROPY and re.search(r"\d", w) for w in words)


def _has_password(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return True
    return parts.password is not None or looks_secret(parts.query.replace("&", " "))


def _entropy(word: str) -> float:
    counts = Counter(word).values()
    return -sum(n / len(word) * math.log2(n / len(word)) for n in counts)


def _names_a_secret(name: str) -> bool:
    """Return whether every value of this name is a secret."""
    return is_sensitive(name) or bool(_NAMED.search(name))


@dataclass(slots=True)
class Variables:
    """The variables in place of secrets, one for each value.

    Attributes:
        values: Name of each variable to the value that it replaces.
        prefix: The beginning of a name that another value has, or that is missing.
        used: The variables of one server.
    """

    values: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    prefix: str = ""
    used: list[str] = field(default_factory=list[str])

    def of_server(self, package: str) -> Variables:
        """Return the variables of one server, which share values with the others."""
        return Variables(self.values, f"{package.upper()}_")

    def names(self) -> tuple[str, ...]:
        """Return the variables that are needed, sorted."""
        return tuple(sorted({*self.used}))

    def named(self, name: str) -> str:
        """Return a variable that the user names."""
        self.used.append(name)
        return f"${{{name}}}"

    def token(self, value: str, name: str = "TOKEN") -> str:
        """Return the variable of a token, or of another secret, of any form."""
        if (written := self._written(value, secret=True)) is not None:
            return written
        return self._stand_in(name, value, own=True)

    def public(self, value: str) -> str:
        """Return a text that is no secret; the variables that it names are needed."""
        written = self._written(value, secret=False)
        return value if written is None else written

    def env(self, name: str, value: str) -> str:
        """Return the value of a variable of the program, or a variable for it."""
        secret = _names_a_secret(name) or looks_secret(value)
        if (written := self._written(value, secret=secret)) is not None:
            return written
        return self._stand_in(name, value) if secret and value else self._inner(value)

    def header(self, name: str, value: str) -> str:
        """Return a header's value, with a variable in place of its secret."""
        secret = (
            _names_a_secret(name)
            or looks_secret(value)
            or bool(_SIGNED.fullmatch(value))
        )
        if (written := self._written(value, secret=secret)) is not None:
            return written
        if not secret or not value:
            return self._inner(value)
        scheme = next((s for s in _SCHEMES if value.lower().startswith(s)), "")
        own = "TOKEN" if scheme else name
        rest = value[len(scheme) :]
        return value[: len(scheme)] + self._stand_in(own, rest, own=True)

    def words(self, words: Sequence[str]) -> list[str]:
        """Return the words of a command, with variables in place of secrets."""
        pairs = zip(("", *words), words, strict=False)
        return [w if _OPTION_NAME.fullmatch(w) else self._word(b, w) for b, w in pairs]

    def _word(self, before: str, word: str) -> str:
        option = before if _OPTION.fullmatch(before) else ""
        secret = bool(option) and _names_a_secret(option)
        if (written := self._written(word, secret=secret)) is not None:
            return written
        if (secret and not word.startswith("-")) or _KNOWN.fullmatch(word):
            return self._stand_in(option or "secret", word, own=True)
        if option in _LOGIN_OPTIONS and (login := _LOGIN.fullmatch(word)):
            stand_in = self._stand_in("password", login[1], own=True)
            return word[: login.start(1)] + stand_in
        name, colon, value = word.partition(":")
        if option in _HEADER_OPTIONS and colon:  # mcp-remote
            text = value.lstrip()
            gap = value[: len(value) - len(text)]
            return f"{name}:{gap}{self.header(name, text)}"
        name, equals, value = word.partition("=")
        if (
            equals
            and _ASSIGNED.fullmatch(name)
            and not _SCRIPT_OPTION.fullmatch(before)
        ):
            return f"{name}={self._assigned(name, value)}"
        return self._url_or_text(word, option)

    def _url_or_text(self, word: str, option: str) -> str:
        """Return a word of a command that is neither a header nor NAME=VALUE."""
        if "://" in word and not re.search(r"\s", word):
            return self.url(word)
        inner = self._inner(word)
        if inner == word and looks_secret(word):
            return self._stand_in(option or "secret", word, own=True)
        return inner

    def _assigned(self, name: str, value: str) -> str:
        """Return the value of NAME=VALUE or --name=VALUE in a command."""
        if name in _HEADER_OPTIONS:  # --header=NAME: VALUE
            return self._word(name, value)
        if value and (_names_a_secret(name) or looks_secret(value)):
            return self._stand_in(name, value, own=name.startswith("-"))
        return self._word("", value)  # --env=NAME=VALUE

    def _inner(self, text: str) -> str:
        """Return a text with variables for the secrets that it names within."""

        def one(match: re.Match[str]) -> str:
            name = match["name"] or match["option"]
            if not _names_a_secret(name):
                return match[0]
            if match["open"]:
                stand_in = self._stand_in(name, match["quoted"], own=True)
                start = f"{match['before']}{match['open']}{match['in']}"
                return f"{start}{stand_in}{match['open']}"
            stand_in = self._stand_in(name, match["bare"], own=True)
            return f"{match['before']}{match['to']}{stand_in}"

        def login(match: re.Match[str]) -> str:
            return match[1] + self._stand_in("password", match[2], own=True)

        return _LOGIN_INSIDE.sub(login, _EMBEDDED.sub(one, text))

    def url(self, text: str) -> str:
        """Return a URL with variables for its password and secret parameters."""
        if (written := self._written(text, secret=False)) is not None:
            return written
        try:
            parts = urlsplit(text)
        except ValueError:
            return text
        if parts.password:
            stand_in = self._stand_in("password", parts.password, own=True)
            text = text.replace(f":{parts.password}@", f":{stand_in}@", 1)
        elif parts.username and parts.scheme in {"http", "https"}:  # a token alone
            stand_in = self._stand_in("token", parts.username, own=True)
            text = text.replace(f"//{parts.username}@", f"//{stand_in}@", 1)
        for name, value in (*parse_qsl(parts.query), *parse_qsl(parts.fragment)):
            if value and (_names_a_secret(name) or looks_secret(value)):
                stand_in = self._stand_in(name, value, own=True)
                for written in (value, quote(value, safe=""), quote(value)):
                    text = text.replace(f"{name}={written}", f"{name}={stand_in}", 1)
        if any(map(looks_secret, parts.path.split("/"))):  # as in a webhook
            stand_in = self._stand_in("path", parts.path, own=True)
            text = text.replace(parts.path, stand_in, 1)
        return text

    def _written(self, text: str, *, secret: bool) -> str | None:
        """Return a text that holds variables, None where it holds none.

        A default that is a secret is left out, and the variable is needed then.
        """
        rest = _VARIABLE.sub(" ", text)
        if not _VARIABLE.search(text) or looks_secret(rest):
            return None
        if secret and not _BESIDE.fullmatch(rest):  # a secret beside the variable
            return None

        def variable(match: re.Match[str]) -> str:
            name, default = match[1], (match[2] or "")[2:]
            unsafe = default and (secret or looks_secret(default))
            if match[2] is not None and not unsafe:
                return match[0]
            self.used.append(name)
            return f"${{{name}}}"

        return _VARIABLE.sub(variable, text)

    def _stand_in(self, name: str, value: str, *, own: bool = False) -> str:
        """Return `${NAME}` for a secret value; equal values share a variable."""
        made = name if _IS_NAME.fullmatch(name) else naming.snake(name, "secret")
        made = f"{self.prefix if own else ''}{made.upper() if own else made}"
        if self.values.setdefault(made, value) != value:
            made = first = f"{self.prefix}{made}"
            number = 2
            while self.values.setdefault(made, value) != value:
                made, number = f"{first}_{number}", number + 1
        self.used.append(made)
        return f"${{{made}}}"
