"""The summary of a report: its grades, its counts, and its last line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from mcp_bindgen.contract.diff import compare_recordings, rank
from mcp_bindgen.contract.model import BUMPS, Change, Grade, Report, worst
from mcp_bindgen.contract.tools import NOT_COMPARED
from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.pipeline.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.model import Bump
    from mcp_bindgen.limits import Limits

__all__ = ["Axis", "Choice", "Compared", "Total", "compared", "last_line", "total"]

Axis: TypeAlias = Literal["wire", "wire_strict", "source", "both"]


@dataclass(frozen=True, slots=True)
class Choice:
    """How recordings are compared.

    Attributes:
        limits: The limits of the generator.
        unsure: The grade of undecided changes.
        include: Globs of the tools that count, () for all.
        exclude: Globs of the tools that do not count.
    """

    limits: Limits = DEFAULT
    unsure: Grade = "breaking"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


_USUAL = Choice()


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of one server.

    Attributes:
        name: Its name in the settings, "" where files are named.
        label: The file of the new recording, as messages name it.
        old: The bytes of the old recording.
        new: The bytes of the new recording.
        report: The changes.
        accepted: How many findings are accepted, and not in the report.
    """

    name: str
    label: str
    old: bytes
    new: bytes
    report: Report
    accepted: int = 0


@dataclass(frozen=True, slots=True)
class Total:
    """All comparisons together.

    Attributes:
        wire: The worst grade on the wire.
        wire_strict: The same by the letter of JSON Schema.
        source: The worst grade in source.
        counts: How many findings have each grade.
        accepted: How many findings are accepted.
        problems: How many parts could not be read.
    """

    wire: Grade
    wire_strict: Grade
    source: Grade
    counts: Counter[Grade]
    accepted: int
    problems: int

    @property
    def grade(self) -> Grade:
        """The worse of the two axes."""
        return worst((self.wire, self.source))

    @property
    def bump(self) -> Bump:
        """The part of a version that the changes ask for."""
        return BUMPS[self.grade]

    def on(self, axis: Axis) -> Grade:
        """Return the grade of one axis."""
        grades: dict[Axis, Grade] = {
            "wire": self.wire,
            "wire_strict": self.wire_strict,
            "source": self.source,
            "both": self.grade,
        }
        return grades[axis]


def total(servers: Sequence[Compared]) -> Total:
    """Return the grades and the counts of comparisons."""
    reports = [each.report for each in servers]
    return Total(
        wire=worst(report.wire for report in reports),
        wire_strict=worst(report.wire_strict for report in reports),
        source=worst(report.source for report in reports),
        counts=Counter(change.grade for r in reports for change in r.changes),
        accepted=sum(each.accepted for each in servers),
        problems=sum(len(report.problems) for report in reports),
    )


def compared(
    name: str, label: str, old: bytes, new: bytes, choice: Choice = _USUAL
) -> Compared:
    """Return the comparison of two recordings of one server.

    Args:
        name: The server's name in the settings, "" where files are named.
        label: The file of the new recording, as messages name it.
        old: The bytes of the old recording.
        new: The bytes of the new recording.
        choice: How to compare them.

    Raises:
        BindgenError: One of them is no recording, or over a limit.
    """
    settings = Settings(include=choice.include, exclude=choice.exclude)
    report = compare_recordings(old, new, settings, choice.limits)
    changes = (_decided(change, choice.unsure) for change in report.changes)
    ranked = Report(tuple(sorted(changes, key=rank)), report.problems)
    return Compared(name, label, old, new, ranked)


def _decided(change: Change, grade: Grade) -> Change:
    """Return a change with the grade that undecided ones get, if it is one.

    Source is decided by what is generated, except where nothing can be.
    """
    if not change.unsure:
        return change
    source = grade if change.rule == NOT_COMPARED else change.source
    return replace(change, wire=grade, wire_strict=grade, source=source)


def last_line(servers: Sequence[Compared], all_: Total, more: str) -> str:
    """Return the counts, the bump, and the advice.

    Args:
        servers: The comparisons.
        all_: Their total.
        more: The words that show findings of the grade `text`, "" where they are shown.
    """
    parts = [
        f"{all_.counts[grade]:,} {grade}"
        + (f" ({more})" if grade == "text" and more else "")
        for grade in ("breaking", "compatible", "text")
        if all_.counts[grade]
    ]
    if all_.accepted:
        parts.append(f"{all_.accepted:,} accepted")
    if all_.problems:
        number = f"{all_.problems:,} problem{'' if all_.problems == 1 else 's'}"
        parts.append(f"{number}: not all was compared")
    if not parts:
        return "no changes"
    line = f"{', '.join(parts)}{_bump(all_)}"
    changes = (change for each in servers for change in each.report.changes)
    first = next((c for c in changes if c.grade == "breaking"), None)
    return f"{line}; mcp-bindgen diff --explain {first.rule}" if first else line


def _bump(all_: Total) -> str:
    """Return the end of the last line; what was not compared may ask for more."""
    return "" if all_.problems and all_.bump == "none" else f": {all_.bump}"
