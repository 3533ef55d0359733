"""Runs the server with all acts."""

from tests.runtime.acts import old, plain, states, texts, versions
from tests.runtime.hostile import listen

__all__ = ["old", "plain", "states", "texts", "versions"]

if __name__ == "__main__":
    listen()
