"""Disarms text in a docstring that tools would run or obey: examples, templates, links.

It looks at every position, not only at the start of a line: a tool that wraps text, or
reads it as a list, a table or a parameter, starts lines at other positions.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

__all__ = ["constant_parts", "first_active", "inert", "value_parts"]

# A link that stays: no tool takes it for a file beside the page.
_REMOTE = r"\s*<?(?:https?://|mailto:|\#)"
# A directive of docutils; three dots after a word are none.
_DIRECTIVE = r"(?<![\w.\\])(?=\.\.(?!\S))"
_MAY_BE_DIRECTIVE = re.compile(_DIRECTIVE)
# Backslashes go before what the last group matches, but after the marks of the first.
_ACTIVE = re.compile(
    # Each match begins with one of these; to look for them first is three times faster.
    r"(?=[`~{\[I\]!<s>.:\-%\#vVkelL])(?:"
    r"(?P<mark>(?<![\w`~])[`~]{3,}[^\S\n]*(?=[^\s`~\\])"  # "```python" is run
    r"|\{(?=[{%\#!])"  # templates, and inclusions of Markdown
    r"|\[\[(?=\[cog)"  # the generator cog
    r"|\bIn[ ](?=\[\d+\]:)"  # IPython's doctest
    rf"|\](?=\((?!{_REMOTE}))"  # links to local files, which are copied
    r"|!(?=\[)"  # images, the same
    r"|<(?=!--|\s*(?i:img)\b(?!\\)|(?:path|project|inv):)"  # images; Sybil
    r"|\bsrc=(?=[\"'](?!https?://|cid:|data:))"
    r"|`(?=\{\w+\}(?!\S)))"  # code of Quarto
    r"|(?:(?<![>\\])(?=>>>)"  # doctest
    rf"|{_DIRECTIVE}"  # these read files
    r"|(?<![\w:\\])(?=:::)"  # those of Markdown
    r"|(?<![-\\])(?=-+8<-)"  # and its inclusions
    r"|(?<![<\\])(?=<<<)"
    r"|(?<!\\)(?=%[ ]*invisible-code)"  # comments that Sybil runs
    r"|(?<!\\)(?=[:{][\w.+:-]{1,40}[:}]`[^`\s])"  # roles, which copy files
    r"|(?<=`)(?=:[\w.+:-]{1,40}:)"
    r"|(?<!\\)(?=\#[ ]*(?:flake8|mypy))"  # these are read in strings, too
    r"|(?<!\\)(?=!!python)"  # objects of YAML
    r"|(?<!\S)(?=(?:vi|[Vv]im(?:[<=>]?\d+)?|kate):)"  # settings of editors
    r"|(?<!\S)(?=ex:\s*(?:set?(?!\S)|\w+[-+^]?=))"
    r"|(?<!\\)(?=(?i:local[ ]variables:))))"
)
# Where a Markdown link of this label leads; a backslash in the label may be ours.
_TARGET = re.compile(
    rf"(?<![^\s>])\[(?:[^\[\]\\]|\\.){{1,999}}\](?=:(?!{_REMOTE}))", re.DOTALL
)
# Each match of the pattern has one of these, or a directive; the search for them is
# cheap, and most texts do not even have the characters in front.
_SIGNS = {
    "`": ("``", "`~", ":`", "}`", "`:", "`{"),
    "{": ("{{", "{%", "{#", "{!"),
    "[": ("[[[cog", "in [", "!["),
    "]": ("](", "]:"),
    "<": ("8<", "<!--", "<<<", "<path:", "<project:", "<inv:"),
    ":": (":::", "vi:", "kate:", "ex:", "local variables:"),
    "": (">>>", "~~", "img", "src=", "!!python", "invisible-code", "mypy", "flake8"),
    "v": ("vim",),
}

# sphinx-autodoc2 writes annotations into its pages as they are: a role in a value is
# obeyed there, and so is any markup behind a line break.
_IN_VALUES = re.compile(
    r"(?<=[:{\w.+-][:}])(?=`)|(?<=`)(?=:[\w.+:-]{1,40}:)"
    r"|(?<=[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])(?=.*(?:\.\.|>>>|:::|[\[{<`~]))"
)


def value_parts(text: str) -> list[str]:
    """Return a value in parts that are inert if each is quoted; often it is one part.

    Args:
        text: A value in an annotation.
    """
    return _IN_VALUES.split(text)


def constant_parts(text: str) -> list[str]:
    """Return the parts of a constant's value, several where a tool would act on it.

    sphinx-autodoc2 that writes MyST repeats the value of a constant as text of its
    page, but not that of a sum.

    Args:
        text: A value that is assigned to a name.
    """
    ends = [match.end() for match in _ACTIVE.finditer(text)] if _has_sign(text) else []
    cuts = sorted({0, *ends, len(text)})
    whole = [text[begin:end] for begin, end in pairwise(cuts)] or [text]
    return [part for piece in whole for part in value_parts(piece)]


def inert(text: str) -> str:
    """Return a text with a backslash before each mark that a tool would act on."""
    if _first_mark(text) < 0:
        return text
    return _TARGET.sub(r"\g<0>\\", _ACTIVE.sub(r"\g<mark>\\", text))


def first_active(text: str) -> str:
    """Return the line of a docstring that a tool would act on first, "" if none."""
    position = _first_mark(text)
    if position < 0:
        return ""
    begin = text.rfind("\n", 0, position) + 1
    return text[begin:].partition("\n")[0].strip()


# Both functions of a tool have one docstring, and the self-check reads what was
# written just before.
@lru_cache(maxsize=256)
def _first_mark(text: str) -> int:
    """Return the position of the first mark that a tool would act on, -1 if none."""
    if not _has_sign(text):
        return -1
    match = _ACTIVE.search(text) or _TARGET.search(text)
    return match.start() if match else -1


def _has_sign(text: str) -> bool:
    lower = text.lower()
    for character, signs in _SIGNS.items():
        if character in lower:
            for sign in signs:  # `any` with a generator costs half as much again
                if sign in lower:
                    return True
    return ".." in text and _MAY_BE_DIRECTIVE.search(text) is not None
