"""Notes to users, wherever they are: it is their turn, a game ended, a penalty, why they lost their seat (13.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, Protocol

from qipai.accounts.model import User
from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.runner import TableRunner
from qipai.hall.rooms.people import People
from qipai.hall.rooms.rooms import Room
from qipai.hall.rooms.session import Session
from qipai.hall.table import messages as wire
from qipai.hall.table.events import Closed, DealCreated, RulingSecret, Settled, ShoulderSet, Stood, given
from qipai.hall.table.model import Chair
from qipai.hall.table.update import Applied
from qipai.store import Connection

__all__ = ["Notes"]


class Notice(Protocol):
    """What has happened for somebody, as the community keeps it."""

    @property
    def id(self) -> int:
        """Return its number."""
        ...

    @property
    def user(self) -> int:
        """Return for whom it is."""
        ...

    @property
    def kind(self) -> str:
        """Return which sentence it is."""
        ...

    @property
    def path(self) -> str:
        """Return the page it leads to."""
        ...

    @property
    def facts(self) -> Any:
        """Return what its sentence needs."""
        ...


class Keeper(Protocol):
    """Keeps for somebody's timeline what they are told (P-12)."""

    def keep(self, db: Connection, user: int, kind: str, ref: Any, facts: Mapping[str, Any], now: int) -> None:
        """Write down what somebody will be told, in the transaction of its cause; now: seconds."""
        ...

    def keep_later(self, user: int, kind: str, ref: Any, facts: Mapping[str, Any]) -> None:
        """Write down what somebody has been told, where its cause is in no transaction of this part."""
        ...

    def wake(self) -> None:
        """Let it be told elsewhere, too: its cause is on the disk."""
        ...


class Nothing:
    """Keeps nothing."""

    def keep(self, db: Connection, user: int, kind: str, ref: Any, facts: Mapping[str, Any], now: int) -> None:
        """Do nothing."""

    def keep_later(self, user: int, kind: str, ref: Any, facts: Mapping[str, Any]) -> None:
        """Do nothing."""

    def wake(self) -> None:
        """Do nothing."""


KEPT: Final = 10_000  # for so many people notes are kept


class Notes:
    """Sends notes."""

    def __init__(
        self, runner: TableRunner, people: People, correspondence: Correspondence, invitations: Callable[[int], int]
    ) -> None:
        """invitations: returns how many open invitations were sent to a user."""
        self._runner, self._people, self._correspondence, self._invitations = (
            runner,
            people,
            correspondence,
            invitations,
        )
        self._kept: dict[int, list[wire.Note]] = {}  # what somebody lost while they were away
        self.unread: Callable[[int], int] = lambda _: 0  # how many notices of the community somebody has not read
        self.unread_mail: Callable[[int], int] = lambda _: 0  # and how many mails
        self.keeper: Keeper = Nothing()

    def told(self, live: LiveTable, change: Applied) -> None:
        """Send notes about an event to people who are not looking at its table."""
        before, after = change.before.deal, change.table.deal
        what, ruled = change.event.what, change.event.hidden(RulingSecret)
        ruling = None if ruled is None else given(ruled.ruling)
        if ruling is not None and ruling.user is not None:
            facts = {key: getattr(ruling, key) for key in ("what", "reason", "until", "room")}
            self.keeper.keep_later(ruling.user, "penalty", None, facts)
            self.ruled(ruling.user, facts)
        elif type(what) is Stood:
            self._stood(live, change, what)
        elif type(what) is ShoulderSet and what.user is not None:
            whose = self._people.shown(change.event.actor)
            self._send(
                what.user,
                "shoulder",
                live.id,
                {"from": whose and whose.name, "game": change.table.setting.game},
            )
        elif type(what) is Closed and what.why == "fault":
            for chair in change.before.chairs:
                self._unseated(live, chair, "closed", {})
        if type(what) is DealCreated:
            self._programs(live, change, None)
        if after is None:
            return
        if type(what) is Settled:
            self._programs(live, change, after.game_id)
        if type(what) is Settled:
            for points, paid in zip(what.points, what.paid, strict=True):
                chair = change.table.chairs[paid.seat]
                if chair.user is None:
                    continue
                facts = {"table": live.id, "points": points, "score": paid.score}
                if str(paid.seat) in (what.left or {}):
                    penalty = {"table": live.id} | {
                        name: getattr(paid, name) for name in ("score", "credibility", "coins")
                    }
                    penalty["pass"] = paid.pass_ and paid.pass_["change"]
                    self._send(chair.user, "penalty", after.game_id, penalty)
                elif not self._looks(live, chair.user):
                    self._send(chair.user, "ended", after.game_id, facts)
        elif change.table.playing and (before is None or before.ids is not after.ids):
            old = before.ids if before is not None and before.game_id == after.game_id else (0,) * len(after.ids)
            here = live.listeners.values()
            for seat, kind in enumerate(after.asks):
                if kind is None or after.ids[seat] == old[seat] or seat in here:
                    continue
                last = None if live.ahead is None else live.ahead.deal
                if last is not None and (last.asks[seat] is None or last.ids[seat] != after.ids[seat]):
                    continue  # an answer given beforehand came in the same commit
                chair = change.table.chairs[seat]
                if chair.user is not None and not chair.away and not self._looks(live, chair.user):
                    self._send(chair.user, "turn", live.id, {"kind": kind})
                    if (slow := self._correspondence.find(live.id)) is not None:
                        self.keeper.keep_later(chair.user, "turn", live.id, {"game": slow.game})

    def _programs(self, live: LiveTable, change: Applied, ended: str | None) -> None:
        """Tell the programs of bots that a game begins, or has ended, where they sit (P-93)."""
        for seat, chair in enumerate(change.table.chairs):
            for session in () if chair.user is None else self._people.lines(chair.user):
                if session.user is not None and session.user.kind == "bot":
                    session.say(wire.Start(live.id, seat) if ended is None else wire.End(live.id, ended))

    def _stood(self, live: LiveTable, change: Applied, what: Stood) -> None:
        """Send a note why the hall has stood somebody up: they get the watchers' snapshot, never the event (RP-19)."""
        before = change.before
        why, chair = what.why, before.chairs[what.seat]
        facts: dict[str, Any] = {}
        if why in ("self", "over", "away") or (why == "removed" and change.event.actor == chair.user):
            return
        if chair.holdings is not None and why == "coins":
            facts = {"need": self._runner.limits.too_few + 1, "have": chair.holdings.coins}
        elif why == "moderator":
            facts = {"reason": what.reason}
        elif chair.holdings is not None and why == "pass":
            facts = {"need": before.setting.pass_, "have": chair.holdings.pass_.pass_}
        self._unseated(live, chair, why, facts)

    def _unseated(self, live: LiveTable, chair: Chair, why: str, facts: dict[str, Any]) -> None:
        if chair.user is not None and chair.presence != "left":
            self._send(chair.user, "stood", live.id, {"table": live.id, "why": why, **facts})

    def ruled(self, user: int, facts: Any) -> None:
        """Send somebody a note about a moderator's ruling."""
        self._send(user, "penalty", None, facts)

    def ruling(
        self, user: int, what: str, reason: str, until: int | None, room: int | None = None, level: int | None = None
    ) -> None:
        """Tell somebody what a moderator has done about them, and why (P-95)."""
        more = {name: value for name, value in (("room", room), ("level", level)) if value is not None}
        self.ruled(user, {"what": what, "reason": reason, "until": until, **more})

    def named(self, user: int, room: int, *, on: bool) -> None:
        """Send a note that somebody is now a moderator of a room, or no longer."""
        self.keeper.keep_later(user, "role", room, {"room": room, "on": on})
        self._send(user, "role", room, {"room": room, "on": on})

    def invited(self, user: int, invite: int, facts: Any) -> None:
        """Send a note about an invitation that has come or changed. invite: its number, 0: quick pairing."""
        self._send(user, "invite", invite, facts)

    def contest(self, user: int, contest: str, facts: Any) -> None:
        """Note that something has happened in a contest that somebody takes part in; contest: its stream."""
        self._send(user, "contest", contest, facts)

    def board(self, user: int, room: Room, no: int) -> None:
        """Tell somebody that a shared deal of a room that they have played is opened, with all its results (P-94)."""
        self._send(user, "contest", f"room:{room.id}", {"what": "opened", "game": room.game, "no": no})

    def followed(self, user: int, by: User) -> None:
        """Send a note that somebody has added this user as a friend (P-10)."""
        self._send(user, "friend", by.id, {"from": by.name})

    def notice(self, notice: Notice) -> None:
        """Send a note that a notice has been written (P-76); it is kept on its page for who is not here."""
        self._send(notice.user, "mail", notice.id, {**notice.facts, "what": notice.kind, "path": notice.path})

    def counts(self, user: int) -> dict[str, int]:
        """Return how many turns, invitations, mails and other news wait for a user."""
        return {
            "turns": self._turns(user),
            "invites": self._invitations(user),
            "mail": self.unread_mail(user),
            "news": self.unread(user),
        }

    def _looks(self, live: LiveTable, user: int) -> bool:
        return any(listener.user_id == user for listener in live.listeners)

    def welcomed(self, session: Session) -> None:
        """Send the kept notes to somebody who is back: lost seats, and what that cost."""
        if session.user_id is not None:
            for note in self._kept.pop(session.user_id, ()):
                session.say(note)

    def _keep(self, user: int, note: wire.Note) -> None:
        """Keep a note for somebody who is not here; the oldest are dropped when there are many."""
        while len(self._kept) >= KEPT and user not in self._kept:
            del self._kept[next(iter(self._kept))]
        self._kept[user] = [*self._kept.get(user, ()), note][-3:]

    def _send(
        self,
        user: int,
        kind: Literal["turn", "ended", "penalty", "invite", "stood", "role", "friend", "contest", "mail", "shoulder"],
        ref: Any,
        facts: Any,
    ) -> None:
        lines = self._people.lines(user)
        for session in lines:
            session.say(wire.Note(kind, ref, facts, self.counts(user)))
        # Rulings are listed on a page; for the cost of an absence, a note is the only way to learn of it.
        if not lines and (kind == "stood" or (kind == "penalty" and "what" not in facts)):
            self._keep(user, wire.Note(kind, ref, facts, self.counts(user)))
        if kind in ("invite", "friend", "contest", "penalty"):
            self.keeper.wake()

    def _turns(self, user: int) -> int:
        """Return at how many tables something is asked of a user."""
        days = self._correspondence.of(user)
        count = sum(any(slow.users[seat] == user for seat in slow.asked) for slow in days.values())
        for id in self._people.awake(user):
            if id in days:
                continue
            live = self._runner.tables.get(id)
            seat = None if live is None else live.table.seat_of(user)
            if live is not None and seat is not None and live.table.playing and live.table.deal is not None:
                count += live.table.deal.asks[seat] is not None
        return count
