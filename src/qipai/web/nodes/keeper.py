"""The thread of a node that looks after the lease: takes it when it is free, renews it, and tells what has changed."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Event, Thread
from typing import Final, Protocol

from msgspec import Struct

from qipai.store import Newer, Unwritten
from qipai.store.lease import Held, Lease

__all__ = ["Keeper", "KeeperPorts", "Pause"]

log = logging.getLogger("qipai.nodes")

RENEW_S: Final = 0.5
LOOK_S: Final = 0.25
FORGOTTEN_S: Final = 60.0  # after so long without a leader the hall may be led from another folder
HUNG: Final = 20  # renewals in which the loop has not run: it leads nobody
AGAIN_S: Final = 0.1  # between tries to reach the server
APART_S: Final = 0.5  # the word of a leader that it does not reach the server counts so long (0090)
YOUNG_S: Final = 15.0  # so long after its start a node has no copies of all tables yet (0096): …
YIELDS_S: Final = 0.3  # … so long it leaves a free lease to one that has


class KeeperPorts(Protocol):
    """What the keeper needs of its node; each is called on the loop."""

    def seen(self, held: Held) -> None:
        """Another node leads, or nobody does."""
        ...

    def taken(self, epoch: int, token: str) -> None:
        """This node leads from now on."""
        ...

    def lost(self) -> None:
        """It does no longer, though it has not given the lease back."""
        ...

    def refused(self, why: str) -> None:
        """This node may not stand here; the text is a sentence for whoever runs the hall."""
        ...


class Pause(Struct, frozen=True):
    """So long nothing is to be done. heard: or until somebody says that the row has changed."""

    s: float
    heard: bool = False


class Keeper:
    """Looks after the lease of a hall for one node."""

    def __init__(
        self,
        lease: Lease,
        known: Mapping[str, int],
        told: KeeperPorts,
        call: Callable[..., object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """known: the steps and editions of this program. call: runs a function on the loop, from any thread."""
        self._clock = clock
        self._lease, self._known, self._told, self._call = lease, known, told, call
        self.epoch: int | None = None  # that this node leads in
        self.unfit = ""  # why it never leads
        self._ending, self._hurry = Event(), Event()
        self._gone = 0  # looks in a row that have not found the leader's line to the server
        self._last: tuple[int, bool, bool] | None = None
        self._own = 0, ""  # an epoch in which another one leads from this node's own address, and until when
        self._missed = 0  # renewals since the loop was last known to run
        self.renewed = 0  # how often this node has renewed the lease
        self._apart: tuple[int, float] | None = None  # the epoch of who does not reach the server, and when it said so
        self._young_until = clock() + YOUNG_S
        self._free: tuple[int, float] | None = None  # the epoch whose lease was seen to be free, and since when
        self._thread = Thread(target=self._keep, name="lease", daemon=True)

    def start(self) -> None:
        """Start. The lease must be open."""
        self._thread.start()

    def end(self, wait_s: float = 2.0) -> None:
        """Give back the lease if this node has it, and stop; it waits for the server."""
        self._ending.set()
        self._hurry.set()
        self._thread.join(wait_s)

    def apart(self, epoch: int) -> None:
        """Note that the node that leads in this epoch says that it does not reach the server."""
        self._apart = epoch, self._clock()

    def _alone(self, held: Held) -> bool:
        """Tell whether who leads does not reach the server, by its own word and by the row."""
        if self._apart is None or held.left_s > self._lease.ttl_s - 2 * RENEW_S:  # it has renewed it since
            return False
        epoch, at = self._apart
        return epoch == held.epoch and self._clock() - at < APART_S

    def _keep(self) -> None:
        while not self._ending.is_set():
            pause = self.turn()
            if pause is None:
                return
            self._rest(pause)
        self.let_go()

    def _rest(self, pause: Pause) -> None:
        if not pause.heard:
            self._hurry.wait(pause.s)
            return
        try:
            self._lease.wait(pause.s)
        except Unwritten:
            self._hurry.wait(AGAIN_S)
        except Exception:
            log.exception("nothing can be heard of the lease")
            self._hurry.wait(1.0)

    def turn(self) -> Pause | None:
        """Look at the lease, take it or renew it once; return None where it is lost, and nothing is left to do."""
        try:
            if self.epoch is None:
                return self._stand_by()
            return Pause(RENEW_S) if self._lead(self.epoch) else None
        except Unwritten:  # the server is gone; who leads still does, and can write nothing
            return Pause(AGAIN_S)
        except Exception:
            log.exception("the lease cannot be looked after")
            return Pause(1.0)

    def let_go(self) -> None:
        """Give the lease back if this node has it."""
        epoch, self.epoch = self.epoch, None
        if epoch is not None:
            with suppress(Unwritten):
                self._lease.give_back(epoch)
        self._lease.close()

    def _lead(self, epoch: int) -> bool:
        """Renew the lease; return whether this node leads still."""
        if self._missed == HUNG or not self._lease.renew(epoch):
            self.epoch = None
            self._say(self._told.lost)
            return False
        self.renewed += 1
        self._missed += 1  # tries while the server is gone say nothing about the loop
        self._say(self._beats)
        return True

    def _beats(self) -> None:
        self._missed = 0

    def _stand_by(self) -> Pause:
        held = self._lease.look()
        if self._last is None:
            self._may()  # so that this node says from the first whether it could lead
        if (held.epoch, held.over, held.there) != self._last:
            self._last = held.epoch, held.over, held.there
            self._say(self._told.seen, held)
        self._gone = 0 if held.there else self._gone + 1
        if self._refused(held):
            return Pause(RENEW_S)
        free = held.over or (self._gone > 1 and held.epoch > 0) or self._alone(held)
        if free and self._lease.settled and self._may():
            if self._yields(held):
                return Pause(YIELDS_S / 3)
            token = secrets.token_urlsafe(24)
            epoch = self._lease.take(held, token)
            if epoch is not None:
                self._beats()
                self.epoch = epoch
                self._say(self._told.taken, epoch, token)
            return Pause(0)
        return Pause(LOOK_S if held.over or not held.there else min(LOOK_S, held.left_s), heard=True)

    def _yields(self, held: Held) -> bool:
        """Tell whether a node that has stood by for longer is to lead, if there is one: it need not read the tables."""
        now = self._clock()
        if now >= self._young_until or held.epoch == 0 or held.left_s < -YIELDS_S:
            return False
        if self._free is None or self._free[0] != held.epoch:
            self._free = held.epoch, now
        return now - self._free[1] < YIELDS_S

    def _may(self) -> bool:
        """Tell whether this program knows the tables as they are."""
        try:
            self._lease.fit(self._known)
        except Newer as wrong:
            if not self.unfit:
                self.unfit = str(wrong)
                log.error("this node passes connections on, but never leads: %s", wrong)
        return not self.unfit

    def _refused(self, held: Held) -> bool:
        """Tell those who must not stand here."""
        why = ""
        if held.hall not in ("", self._lease.hall) and held.left_s > -FORGOTTEN_S:
            why = (
                f"the hall in this database is led from another data folder, at {held.owner}; all nodes of a hall have"
                " one folder. Name that one with --data, or another database"
            )
        elif held.owner == self._lease.owner and held.epoch > 0 and not held.over:
            # It may be what this node was before it was started again; that does not renew.
            if self._own[0] != held.epoch:
                self._own = held.epoch, held.expires
            elif held.there and held.expires != self._own[1]:
                why = f"another node leads the hall at {held.owner}, too: each needs an address of its own (--node)"
        if why:
            self._say(self._told.refused, why)
        return bool(why)

    def _say(self, what: Callable[..., object], *values: object) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._call(what, *values)
