"""A login at a terminal: the URL is shown, and the person pastes the answer."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.oauth.fake import browse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tests.oauth.fake import Fake

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")

SETTINGS = """
[tool.mcp-bindgen.servers.guarded]
url = "{url}"
auth = "oauth"
"""
CALLBACK = b"http://127.0.0.1/callback?code=1&state=2\n"


def answer_to(url: str) -> bytes:
    """Return the URL at which a browser ends, as a person pastes it."""
    location: str = httpx.get(url).headers["location"]
    return location.encode() + b"\n"


def log_in(
    folder: Path, fake: Fake, typed: Callable[[str], Iterable[bytes]]
) -> tuple[int, str]:
    """Log in at a terminal; return the exit code and what the person reads."""
    (folder / "pyproject.toml").write_text(SETTINGS.format(url=fake.url))
    ours, theirs = os.openpty()
    store = {"MCP_BINDGEN_CREDENTIALS": str(folder / "credentials")}
    lines: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-m", "mcp_bindgen", "login", "guarded", "--no-browser"],
        cwd=folder,
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **store},
    ) as process:
        os.close(theirs)
        assert process.stderr
        for line in process.stderr:
            lines.append(line)
            if line.startswith("or paste"):
                (url,) = re.findall(r"^http\S+", "".join(lines), re.MULTILINE)
                for text in typed(url):
                    os.write(ours, text)
    os.close(ours)
    return process.returncode, "".join(lines)


def test_a_pasted_answer_after_empty_lines(fake: Fake, tmp_path: Path) -> None:
    code, text = log_in(tmp_path, fake, lambda url: (b"\n", b"  \n", answer_to(url)))
    assert code == 0, text
    assert f"logged in at {fake.origin}" in text


def test_an_answer_to_another_login(fake: Fake, tmp_path: Path) -> None:
    code, text = log_in(tmp_path, fake, lambda _: (CALLBACK,))
    assert code == 2
    assert "the pasted URL is not the one" in text
    assert fake.count("/token") == 0


def test_the_browser_is_first(fake: Fake, tmp_path: Path) -> None:
    def go(url: str) -> tuple[bytes, ...]:
        threading.Thread(target=browse, args=[url]).start()
        return ()

    code, text = log_in(tmp_path, fake, go)
    assert code == 0, text
    assert "Traceback" not in text
