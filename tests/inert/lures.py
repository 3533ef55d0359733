"""Texts that documentation tools run or obey, and what shows that one did.

Each lure writes a file of its own (its code) or brings the text of a secret file into
what a tool builds (its path). So the names of the lures that worked can be read off.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LURES", "Trap"]

LURES: dict[str, str] = {
    # Examples, which are run
    "doctest": ">>> {code}",
    "ipython": "In [1]: {code}",
    "fence": "```python\n{code}\n```",
    "fence-exec": '~~~ python exec="1"\n{code}\n~~~',
    "fence-space": "```\u00a0python\n{code}\n```",
    "testcode": ".. testcode::\n\n   {code}",
    "code-block": ".. code-block:: python\n\n   {code}",
    "invisible": ".. invisible-code-block: python\n\n   {code}",
    "comment": "<!--- invisible-code-block: python\n{code}\n--->",
    "percent": "% invisible-code-block: python\n% {code}",
    "cog": "[[[cog\n{code}\n]]]\n[[[end]]]",
    "cog-1": "[[[cog {code} ]]]\n[[[end]]]",
    "inline": "A sum is `{{python}} {code}`.",
    # Templates, which are run
    "jinja": "{{{{ cycler.__init__.__globals__.os.mkdir('{canary}') }}}}",
    "jinja-tight": "{{{{cycler.__init__.__globals__.os.mkdir('{canary}')}}}}",
    "jinja-block": ("{{% set x = cycler.__init__.__globals__.os.mkdir('{canary}') %}}"),
    # Inclusions, which read files
    "include": ".. include:: {site}",
    "literal-include": ".. literalinclude:: {site}",
    "include-in-fence": "```{{include}} {site}\n```",
    "fence-escaped": "```\\{{include}} {site}\n```",
    "colon-fence": ":::{{literalinclude}} {site}\n:::",
    "eval-rst": "```{{eval-rst}}\n.. include:: {site}\n```",
    "markdown-include": "{{! {file} !}}",
    "jinja-include": '{{% include "{file}" %}}',
    "snippet": '--8<-- "{file}"',
    "snippet-block": "--8<--\n{file}\n--8<--",
    "literal": "<<< {file}",
    # Links and images, which copy files
    "role": ":download:`x <{site}>`",
    "role-after": "`x <{site}>`:download:",
    "myst-role": "{{download}}`x <{site}>`",
    "link": "[x]({site})",
    "link-title": '[x]( <{site}> "t")',
    "link-entity": "[x](&#47;secrets/link-entity.png)",
    "link-up": "[x](../../secrets/link-up.png)",
    "link-scheme": "[x](path:{site})",
    "link-defined": "[x-defined]\n\n[x-defined]: {site}",
    "link-folded": "[x-folded][]\n\n[x-folded]:\n  {site}",
    "auto-link": "<path:{site}>",
    "image": "![x]({file})",
    "image-site": "![x]({site})",
    "image-defined": "![x][y-defined]\n\n[y-defined]: {site}",
    "image-html": '<img src="{site}">',
    "image-html-file": '<img src="{file}">',
    "source": 'The attribute src="{file}" is set.',
}
"""Name to a text: it may use its code, the file it writes and a secret's path.

`code` is a statement without a space, `canary` the file that it writes; `file` is the
absolute path of a secret and `site` the same from the root of a site's source.
"""

# The smallest image, so that what reads images takes a secret for one.
_IMAGE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAA"
    "SUVORK5CYII="
)


@dataclass(frozen=True)
class Trap:
    """A folder with a secret file for each lure, and room for the files they write."""

    folder: Path

    def lay(self) -> None:
        """Make the folder, with no canary in it."""
        for name in ("secrets", "canaries"):
            (self.folder / name).mkdir(parents=True)
        for name in LURES:
            self._secret(name).write_bytes(_content(name))

    def texts(self) -> dict[str, str]:
        """Return the name and the text of each lure."""
        return {name: self._text(name) for name in LURES}

    def sprung(self, *built: Path) -> set[str]:
        """Return the names of the lures that ran, or whose secret is in some folder."""
        pages = [p.read_bytes() for b in built for p in b.rglob("*") if p.is_file()]
        canaries = (path.name for path in (self.folder / "canaries").iterdir())
        ran = {name.replace("_", "-") for name in canaries}
        return ran | {
            name
            for name in LURES
            for sign in (_mark(name).encode(), base64.b64encode(_content(name)))
            if any(sign in page for page in pages)
        }

    def _text(self, name: str) -> str:
        # Tools that wrap texts break long lines, at hyphens too.
        canary = self.folder / "canaries" / name.replace("-", "_")
        return LURES[name].format(
            canary=canary,
            code=f"open({str(canary)!r},'w').close()",
            file=self._secret(name),
            site="/" + self._secret(name).relative_to(self.folder).as_posix(),
        )

    def _secret(self, name: str) -> Path:
        # Images are read by tools that read nothing else, and as text by all others.
        kind = "png" if "image" in name or "link" in name else "txt"
        kind = "png" if name == "source" else kind
        return self.folder / "secrets" / f"{name}.{kind}"


def _content(name: str) -> bytes:
    is_image = "image" in name or "link" in name or name == "source"
    return (_IMAGE if is_image else b"") + _mark(name).encode()


def _mark(name: str) -> str:
    """Return text that stands in one secret, and in no lure."""
    return "k" + hashlib.sha256(name.encode()).hexdigest()[:24]
