"""The Chromium of this machine, for tests of pages and for their pictures."""

import shutil

__all__ = ["CHROMIUM", "FLAGS"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
