# Copied by mcp-bindgen. Do not edit.
"""Lets threads wait for each other; no interrupt leaves one waiting for ever.

An exception may come out of a signal handler after any instruction. So nothing here
counts up and down: a table has the owner of each lock, and each change of it is a
single step.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias

from .. import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ..protocol.steps import LockName

    Left: TypeAlias = Callable[[], float | None]
    _Owners: TypeAlias = dict[LockName, tuple[object, int]]

__all__ = ["Bells", "Queue", "Turns"]


class Bells:
    """Lets threads wait for a change; a lost signal costs a moment."""

    def __init__(self) -> None:
        self._bells: deque[threading.Lock] = deque()

    def wait(self, left: float | None) -> None:
        """Wait until `ring`, for a moment at most."""
        bell = threading.Lock()
        bell.acquire()
        self._bells.append(bell)
        try:
            bell.acquire(timeout=min(left or limits.POLL, limits.POLL))
        finally:
            with suppress(ValueError):
                self._bells.remove(bell)

    def ring(self) -> None:
        """Wake up the thread that waits longest."""
        with suppress(IndexError, RuntimeError):
            self._bells.popleft().release()


class Ticket:
    """The turn of one thread in a queue.

    Attributes:
        bell: Released when it is the thread's turn.
        looked: When the thread last looked whether it is its turn.
    """

    __slots__ = ("bell", "looked")

    def __init__(self) -> None:
        self.bell = threading.Lock()
        self.bell.acquire()
        self.looked = time.monotonic()


class Queue:
    """Lets threads wait in the order in which they came; a lost signal costs a moment.

    A thread that an interrupt took away holds nobody up: it looks no more.
    """

    def __init__(self) -> None:
        self._tickets: deque[Ticket] = deque()

    def is_first(self, ticket: Ticket | None = None) -> bool:
        """Return whether nobody who still waits came before; None for a newcomer."""
        lost = time.monotonic() - limits.LOST_TURN
        for each in list(self._tickets):
            if each is ticket or each.looked > lost:
                return each is ticket
        return True

    @contextmanager
    def waiting(self) -> Generator[Ticket]:
        """Give a ticket to a thread, and take it back at the end."""
        ticket = Ticket()
        try:
            self._tickets.append(ticket)
            yield ticket
        finally:
            with suppress(ValueError):  # an interrupt came before it was there
                self._tickets.remove(ticket)
            self.ring()  # there may be more than it has taken

    def wait(self, ticket: Ticket, left: float | None) -> None:
        """Wait until `ring`, for a moment at most."""
        ticket.bell.acquire(timeout=min(left or limits.POLL, limits.POLL))
        ticket.looked = time.monotonic()

    def ring(self) -> None:
        """Wake up the thread that waits longest."""
        with suppress(IndexError, RuntimeError):
            self._tickets[0].bell.release()


class Turns:
    """Locks with known owners, so that any thread can release them."""

    def __init__(self) -> None:
        self._owners: _Owners = {}
        self._bells = Bells()

    def take(self, name: LockName, owner: object) -> bool:
        """Take a lock if it is free; return whether the owner has it now."""
        holder = (owner, threading.get_ident())
        return self._owners.setdefault(name, holder)[0] is owner

    def has(self, name: LockName, owner: object) -> bool:
        """Return whether an owner has a lock."""
        holder = self._owners.get(name)
        return holder is not None and holder[0] is owner

    def enter(self, name: LockName, owner: object, left: Left) -> None:
        """Wait in a thread for a lock and take it.

        Args:
            name: The lock.
            owner: The owner that takes it.
            left: Gives the seconds to wait, or raises.
        """
        thread = threading.get_ident()
        while not self.take(name, owner):
            holder = self._owners.get(name)
            if holder is not None and holder[1] == thread:
                # A call of this thread that was cut off before it could give it back.
                self.leave(holder[0], name)
            else:
                self._bells.wait(left())

    def leave(self, owner: object, name: LockName | None = None) -> None:
        """Give back one lock, or all that an owner has."""
        names: list[LockName] = [*self._owners] if name is None else [name]
        for each in names:
            if self.has(each, owner):
                del self._owners[each]
                self._bells.ring()
