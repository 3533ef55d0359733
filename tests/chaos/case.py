"""A case, and the tally that it writes its attempts to."""

from __future__ import annotations

import json
import traceback
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

__all__ = ["Case", "Tally", "judge"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario; it runs in a process of its own and makes one attempt or many.

    Attributes:
        row: The number of the promise that it tries.
        name: A few words, without spaces.
        run: Makes the attempts.
        seconds: When the process is ended; that is a failure.
    """

    row: int
    name: str
    run: Callable[[Tally], None]
    seconds: float = 90.0


class Tally:
    """Writes how each attempt ends, line by line: a killed case keeps what it did.

    Args:
        pipe: Takes one JSON object in each line.
        folder: An empty folder of the case's own.
        quick: Whether the case is to make few attempts.
    """

    def __init__(self, pipe: IO[str], folder: Path, *, quick: bool) -> None:
        self._pipe = pipe
        self.folder = folder
        self.quick = quick

    @contextmanager
    def attempt(self, name: str) -> Generator[None]:
        """Count what is done within as one case; any exception is its failure."""
        self.say(begin=name)
        try:
            yield
        except Exception as error:  # noqa: BLE001, a failure is a line of the report
            self.say(fail=_reason(error))
        except BaseException as error:
            self.say(fail=f"{type(error).__name__} escaped")
            raise
        else:
            self.say(done=1)

    def some(self, few: int, many: int) -> int:
        """Return how much is to be done: less where it has to be quick."""
        return few if self.quick else many

    def first(self, few: int, items: Sequence[T]) -> Sequence[T]:
        """Return some items where it has to be quick, else all."""
        return items[:few] if self.quick else items

    def count(self, deliveries: int = 0, lost: int = 0, twice: int = 0) -> None:
        """Add to the totals of the whole run."""
        self.say(deliveries=deliveries, lost=lost, twice=twice)

    def note(self, text: str) -> None:
        """Put a line into the report."""
        self.say(note=text)

    def say(self, **line: object) -> None:
        """Write one line."""
        self._pipe.write(json.dumps(line) + "\n")
        self._pipe.flush()


def judge(error: Any, accepted: int) -> None:
    """Check that an error is not more hopeful than the truth.

    Args:
        error: What the call raised, or None.
        accepted: How often the call arrived and was not refused.
    """
    assert accepted <= 1, f"delivered {accepted} times"
    outcome = getattr(error, "outcome", None)
    if error is None:
        assert accepted == 1, "a result, but no delivery"
    elif outcome == "not sent":
        assert accepted == 0, f"{_brief(error)}: 'not sent', but it was delivered"
    elif outcome == "refused":
        assert accepted == 0, f"{_brief(error)}: 'refused', but it was accepted"
    elif outcome == "ran":
        assert accepted == 1, f"{_brief(error)}: 'ran', but it was not accepted"
    else:
        assert outcome == "unknown", f"no outcome: {_brief(error)}"


def _brief(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:160]}"


def _innermost(error: Exception) -> Exception:
    """Return the first error of a group, or the error."""
    match error:
        case ExceptionGroup(exceptions=(first, *_)):
            inner: Exception = first
            return _innermost(inner)
        case _:
            return error


def _reason(error: Exception) -> str:
    """Return one line: what, and the last line of the suite where it happened."""
    location, error = "", _innermost(error)
    with suppress(IndexError):
        frames = traceback.extract_tb(error.__traceback__)
        ours = [f for f in frames if "chaos" in f.filename and "src" not in f.filename]
        location = f" ({ours[-1].name}:{ours[-1].lineno})"
    message = str(error) if type(error) is AssertionError else _brief(error)
    return (
        " ".join((message or f"assert {type(error).__name__}").split())[:300] + location
    )
