"""Texts of files by path, in the memory that their bytes take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Texts"]


@dataclass(frozen=True, slots=True, eq=False)
class Texts(Mapping[str, str]):
    """Path to text of files; equal to a dict of them.

    One character outside ASCII makes Python store each of a text in two or four bytes.
    Such a text is here as UTF-8, and decoded for each reader.

    Attributes:
        stored: Path to text in ASCII, or to the bytes of another text.
        hashes: Path to the hash of a text, where it was made.
    """

    stored: Mapping[str, str | bytes]
    hashes: dict[str, str] = field(default_factory=dict[str, str], repr=False)

    @classmethod
    def of(cls, *groups: Mapping[str, str]) -> Self:
        """Return the texts of all groups; where two have a path, the last one wins."""
        stored: dict[str, str | bytes] = {}
        hashes: dict[str, str] = {}
        for group in groups:
            for path in hashes.keys() & group.keys():
                del hashes[path]
            if isinstance(group, Texts):
                stored.update(group.stored)
                hashes.update(group.hashes)
            else:
                stored.update((path, _stored(text)) for path, text in group.items())
        return cls(stored, hashes)

    def __or__(self, others: Mapping[str, str]) -> Texts:
        """Return these texts and others, which win where both have a path."""
        return Texts.of(self, others)

    def __getitem__(self, path: str) -> str:
        """Return the text of a file."""
        text = self.stored[path]
        return text if isinstance(text, str) else text.decode()

    def __iter__(self) -> Iterator[str]:
        """Yield the paths."""
        return iter(self.stored)

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self.stored)


def _stored(text: str) -> str | bytes:
    """Return a text as it is stored; half a character, which no file has, stays."""
    if text.isascii():
        return text
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text
