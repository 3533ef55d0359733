"""The pages of the documentation: which part of which file stands where."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

__all__ = ["PAGES", "ROOT", "Page", "text_of"]

ROOT = Path(__file__).parents[2]

_LINK = re.compile(r"\]\((?!https?://|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


class Page(NamedTuple):
    """One page.

    Attributes:
        group: The part of the navigation; "" for the first page.
        title: Its title.
        name: Its file in the site.
        source: The file that it comes from, relative to the project.
        sections: The sections that it shows, "" for the text before the first one; all
            of them without any.
    """

    group: str
    title: str
    name: str
    source: str
    sections: tuple[str, ...] = ()


# Part, title, file, source, sections.
_TABLE = """
 | mcp-bindgen | index | docs/site/index |
Tutorial | A first program | tutorial | README | A first program; The package; Calling
How to | Record a server | record | README | Recording
How to | Keep settings | configure | README | Settings
How to | Serve many servers | many | README | Many servers
How to | Read resources, use prompts | resources | README | Resources and prompts
How to | Give tools to agents | agents | README | Agent frameworks
How to | Generate for a framework | targets | templates/README |
How to | Check in CI | ci | README | In CI
How to | Release a package | release | docs/site/release |
How to | See what a new server breaks | breaks | README | What a new server breaks
How to | Work without a network | air-gap | README | Without a network
How to | Test without a server | testing | docs/testing |
How to | Log in by OAuth | oauth | docs/oauth |
How to | Write a policy | policy | docs/policy |
How to | Answer questions of servers | questions | docs/questions |
How to | Run long calls | tasks | docs/tasks |
How to | Show a catalogue | catalogue | README | A catalogue for people
How to | Use hooks of other tools | automation | docs/automation |
Reference | Rules of diff | rules | docs/rules |
Reference | Changes | changelog | CHANGELOG |
Explanation | How it works | how | README | How it works; Speed
Explanation | Names of models | names | CONTRIBUTING | Names of models
Explanation | Exactness | exact | CONTRIBUTING | black and datamodel-code-generator
Explanation | Safety | safety | SECURITY |
Explanation | Other ways | comparison | docs/site/comparison |
Explanation | Contribute | contributing | CONTRIBUTING | The map; Tests; Rules
"""


def _page(line: str) -> Page:
    group, title, name, source, sections = (part.strip() for part in line.split("|"))
    listed = tuple(filter(None, sections.split("; ")))
    return Page(group, title, f"{name}.md", f"{source}.md", listed)


PAGES = tuple(map(_page, _TABLE.strip("\n").splitlines()))
_NAMES = {
    **{page.source: page.name for page in reversed(PAGES)},
    "docs/settings.schema.json": "settings.md",
    **{
        f"docs/images/{path.name}": f"images/{path.name}"
        for path in (ROOT / "docs" / "images").iterdir()
    },
}
_MADE = {"commands.md", "settings.md", "api.md", "images/completion.svg"}


def text_of(page: Page) -> str:
    """Return the Markdown of a page: its links lead to pages of the site.

    Raises:
        ValueError: A section is missing, or a link leads to no page.
    """
    text = (ROOT / page.source).read_text("utf-8")
    if page.sections:
        parts = _sections(text)
        missing = [name for name in page.sections if name not in parts]
        if missing:
            raise ValueError(f"{page.source} has no section {missing[0]!r}")
        bodies = [f"## {name}\n{parts[name]}" for name in page.sections]
        one = len(bodies) == 1
        text = parts[page.sections[0]] if one else "\n".join(bodies)
        text = f"# {page.title}\n\n{text.strip()}\n"
    return _LINK.sub(lambda match: _link(match, page), text)


def _sections(text: str) -> dict[str, str]:
    _, *parts = _HEADING.split(text)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _link(match: re.Match[str], page: Page) -> str:
    path = PurePosixPath(page.source).parent / match[1]
    target = "/".join(_resolved(path.parts))
    if match[1] in {each.name for each in PAGES} | _MADE:
        return match[0]
    if target not in _NAMES:
        raise ValueError(f"{page.source}: {match[1]} is no page of the site")
    return f"]({_NAMES[target]}{match[2] or ''})"


def _resolved(parts: tuple[str, ...]) -> list[str]:
    steps: list[str] = []
    for part in parts:
        if part == "..":
            steps.pop()
        else:
            steps.append(part)
    return steps
