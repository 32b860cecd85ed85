"""Hints for the client, computed from the view alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from qipai.core.kernel import buffer, frozen, thawed
from qipai.games.mahjong.imagine import public_table
from qipai.games.mahjong.kernel import bars, fan, forms, policy, shape
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.notation import KONGS, LINES, NAMES, SUITS, action_of, items_of, line, named, tile
from qipai.games.mahjong.options import ITEMS, Options
from qipai.games.mahjong.rules import cells
from qipai.games.mahjong.state import Discard, Swap, View, Void

__all__ = ["Barred", "Hints", "KongHint", "Lock", "Throw", "Wait", "Worth", "hints", "tables"]


class Worth(Struct, frozen=True):
    """What a win on the tile in question would bring."""

    fan: int  # uncapped
    value: int  # chips from each payer, extra base included
    total: int  # chips from all payers
    items: dict[str, int]  # item -> fan, those that are worth something


class Wait(Struct, frozen=True):
    """A tile that completes the hand."""

    t: str
    left: int  # copies this viewer has not seen
    fan: int  # of a win by discard, uncapped
    self_fan: int  # of a win on one's own draw
    value: int  # chips of a win by discard


class Throw(Struct, frozen=True):
    """A tile that may be discarded."""

    t: str
    calls: tuple[Literal["sing", "dance"], ...]  # what may be called with it
    waits: tuple[Wait, ...]  # what the hand left waits for
    shanten: int  # tiles the hand left is short of being ready; 0 is ready


class Barred(Struct, frozen=True):
    """A tile of the hand that may not be discarded plainly, and why."""

    t: str
    why: Literal["must_discard_void", "must_stay_ready", "must_keep_waits", "danced_tile"]
    seats: tuple[int, ...]  # the dancers who wait for it
    calls: tuple[Literal["sing", "dance"], ...]  # with one of these calls it may be discarded


class KongHint(Struct, frozen=True):
    """A kong that may be made."""

    t: str
    kind: Literal["direct", "added", "concealed"]
    each: int  # chips from each payer, 0 where no rain falls
    payers: tuple[int, ...]


class Lock(Struct, frozen=True):
    """A line locked by passing (过水): own wins on others' tiles of it need more fan."""

    line: str  # "m147"
    tiles: tuple[str, ...]
    fan: int  # that a win must exceed


class Hints(Struct, frozen=True):
    """What this viewer may do, and what can be worked out for it."""

    ask: str | None  # horse swap void turn claim rob; None: it is not asked now
    win: Worth | None  # a win is open
    forced: bool  # 后四张必胡: it must be taken
    barred: Worth | None  # the tile would complete the hand, but the lock is on
    pong: bool
    kongs: tuple[KongHint, ...]
    may_pass: bool
    passing: Lock | None  # what declining this win would lock
    locks: tuple[Lock, ...]  # what is locked now
    throws: tuple[Throw, ...]
    off: tuple[Barred, ...]
    waits: tuple[Wait, ...]  # of the hand as it is, when it is not one's turn
    shanten: int | None  # of the hand as it is
    best: str | None  # a good discard
    swap: tuple[str, ...]  # three good tiles to give away
    swap_suits: tuple[str, ...]  # the suits of which one holds three
    void: str | None  # a good suit to do without
    suits: dict[str, int]  # own tiles by suit, melds included
    horse: int  # tiles to choose from


def tables() -> None:
    """Make the lookup tables of complete hands and of the costs of suits (a quarter of a second)."""
    forms.forms()
    shape.costs()


def hints(options: Options, view: View) -> Hints | None:
    """Return what the viewer may do and may know; None without a hand, after a win, or on the bench when not asked."""
    seat = view.seat
    if seat is None or view.phase in ("dice", "deal", "die", "end"):
        return None
    if seat >= t.SEATS:
        return _blank(ask="horse", may_pass=True, horse=view.wall_left) if seat in view.turn else None
    if any(win.seat == seat for win in view.wins):
        return None
    return _Reader(options, view, seat).read()


def _blank(
    ask: str | None = None,
    *,
    may_pass: bool = False,
    horse: int = 0,
    locks: tuple[Lock, ...] = (),
    suits: dict[str, int] | None = None,
    shanten: int | None = None,
    win: Worth | None = None,
    forced: bool = False,
    barred: Worth | None = None,
    pong: bool = False,
    kongs: tuple[KongHint, ...] = (),
    passing: Lock | None = None,
    throws: tuple[Throw, ...] = (),
    off: tuple[Barred, ...] = (),
    waits: tuple[Wait, ...] = (),
    best: str | None = None,
    swap: tuple[str, ...] = (),
    swap_suits: tuple[str, ...] = (),
    void: str | None = None,
) -> Hints:
    return Hints(
        ask=ask,
        win=win,
        forced=forced,
        barred=barred,
        pong=pong,
        kongs=kongs,
        may_pass=may_pass,
        passing=passing,
        locks=locks,
        throws=throws,
        off=off,
        waits=waits,
        shanten=shanten,
        best=best,
        swap=swap,
        swap_suits=swap_suits,
        void=void,
        suits=suits or {},
        horse=horse,
    )


def _lock(at: int, fans: int) -> Lock:
    suit, first = divmod(at, 3)
    return Lock(LINES[at], tuple(NAMES[suit * 9 + first + step] for step in (0, 3, 6)), fans)


class _Reader:
    """Works out one viewer's hints from the kernel's buffers, hidden hands empty."""

    def __init__(self, options: Options, view: View, seat: int) -> None:
        self.options, self.view, self.seat = options, view, seat
        self.s = public_table(cells(options), view)
        self.b = self.s.b
        self.at = seat * t.CELLS
        shape.unseen(self.s, seat)
        self.left = frozen(self.b[t.SEEN : t.SEEN + t.KINDS])
        self.payers = tuple(other for other in range(t.SEATS) if other != seat and self.b[t.LIVE] >> other & 1)

    def read(self) -> Hints:
        """Return the hints."""
        view, seat = self.view, self.seat
        locks = tuple(_lock(LINES.index(name), fans) for name, fans in view.locks.items())
        sizes = {suit: int(policy.suit_size(self.s, seat, i)) for i, suit in enumerate(SUITS)}
        if view.phase == "turn" and seat in view.turn:
            return self._turn(locks, sizes)
        short = int(shape.short(self.s, shape.costs(), seat))
        shanten = max(0, short - 1) if short < shape.FAR else None
        waits = self._waits(int(forms.waits(self.s, seat)))
        if view.phase in ("claim", "rob") and seat in view.turn:
            return self._claim(locks, sizes, waits, shanten)
        ask = view.phase if seat in view.turn and view.phase in ("swap", "void") else None
        if ask is None:
            return _blank(locks=locks, suits=sizes, waits=waits, shanten=shanten)
        choice = action_of(int(policy.before_play(self.s, shape.costs(), seat, buffer(t.MOST))))
        own = [sum(self.b[t.HANDS + seat * t.KINDS + i * 9 + rank] for rank in range(9)) for i in range(3)]
        return _blank(
            ask,
            suits=sizes,
            shanten=shanten,
            swap=choice.t if isinstance(choice, Swap) else (),
            swap_suits=tuple(suit for suit, n in zip(SUITS, own, strict=True) if n >= 3) if ask == "swap" else (),
            void=choice.suit if isinstance(choice, Void) else None,
        )

    def _turn(self, locks: tuple[Lock, ...], sizes: dict[str, int]) -> Hints:
        s, b, seat = self.s, self.b, self.seat
        win = self._worth(t.SELF, b[t.DRAWN]) if bars.wins_now(s, seat) else None
        if win is not None and bars.closing(s):
            return _blank("turn", win=win, forced=True, locks=locks, suits=sizes, shanten=0)
        shown, void = int(bars.shown_to(s, seat)), int(bars.clearing(s, seat))
        shape.lacks(s, shape.costs(), seat)
        throws, off = [], []
        first = t.HANDS + seat * t.KINDS
        for kind in range(t.KINDS):
            if not b[first + kind]:
                continue
            lack = int(b[t.LACKS + kind])
            mask = int(forms.waits_without(s, seat, kind)) if lack == 1 else 0  # a hand that lacks more has no waits
            calls = self._calls(kind, shown, void, mask) if mask else ()
            code = int(bars.bar_throw(s, seat, kind, 0, shown, void, mask))
            if code:
                off.append(self._barred(kind, bars.CODES[code], calls))
            if not code or calls:
                waits: tuple[Wait, ...] = ()
                if mask:
                    t.take(s, seat, kind)
                    waits = self._waits(mask)
                    t.give(s, seat, kind)
                throws.append(Throw(NAMES[kind], calls, waits, max(0, lack - 1)))
        choice = action_of(int(policy.sound_turn(s, shape.costs(), thawed(policy.TASTE), seat, buffer(t.MOST))))
        return _blank(
            "turn",
            win=win,
            kongs=tuple(self._kongs()),
            locks=locks,
            throws=tuple(throws),
            off=tuple(off),
            shanten=min((throw.shanten for throw in throws), default=None),
            best=choice.t if isinstance(choice, Discard) else None,
            suits=sizes,
        )

    def _calls(self, kind: int, shown: int, void: int, waits: int) -> tuple[Literal["sing", "dance"], ...]:
        found: list[Literal["sing", "dance"]] = []
        if not bars.bar_throw(self.s, self.seat, kind, t.SUNG, shown, void, waits):
            found.append("sing")
        if not bars.bar_throw(self.s, self.seat, kind, t.DANCED, shown, void, waits):
            found.append("dance")
        return tuple(found)

    def _barred(self, kind: int, why: str, calls: tuple[Literal["sing", "dance"], ...]) -> Barred:
        name = NAMES[kind]
        dancers = (shown.seat for shown in self.view.danced if name in shown.waits and shown.seat in self.payers)
        return Barred(name, why, tuple(dancers) if why == "danced_tile" else (), calls)  # type: ignore[arg-type]

    def _kongs(self) -> Iterable[KongHint]:
        s, b, seat = self.s, self.b, self.seat
        rain = self.options.base if b[t.O_RAIN] else 0
        melds = b[self.at + t.MELDS]
        for kind in range(t.KINDS):
            held = b[t.HANDS + seat * t.KINDS + kind]
            if held and (held == 4 or melds) and not bars.bar_kong(s, seat, kind):
                how = int(bars.kind_of_kong(s, seat, kind))
                each = 2 * rain
                if how == t.ADDED:
                    each = rain if kind == b[t.DRAWN] or b[t.O_LATE] == 1 else 0
                yield KongHint(NAMES[kind], KONGS[how], each, self.payers if each else ())  # type: ignore[arg-type]

    def _claim(
        self, locks: tuple[Lock, ...], sizes: dict[str, int], waits: tuple[Wait, ...], shanten: int | None
    ) -> Hints:
        s, b, seat, view = self.s, self.b, self.seat, self.view
        assert view.last is not None
        kind, by = tile(view.last.t), t.ROBBED if view.phase == "rob" else t.DISCARD
        found = int(b[self.at + t.OPEN])
        giver = view.last.seat
        whole = bool(forms.completes(s, seat, kind))
        worth = self._worth(by, kind) if whole else None
        won = bool(found & t.HU)
        passing = None
        if won and self.options.pass_lock and not bars.closing(s):
            at = int(line(kind))
            locked = max(int(b[self.at + t.WORTH]), int(b[t.LOCKS + seat * 9 + at]))
            passing = _lock(at, locked)
        rain = 2 * self.options.base if b[t.O_RAIN] else 0
        return _blank(
            view.phase,
            win=worth if won else None,
            forced=won and bool(bars.closing(s)),
            barred=None if won else worth,
            pong=bool(found & t.PONG),
            kongs=(KongHint(NAMES[kind], "direct", rain, (giver,) if rain else ()),) if found & t.KONG else (),
            may_pass=not (won and bars.closing(s)),
            passing=passing,
            locks=locks,
            waits=waits,
            shanten=shanten,
            suits=sizes,
        )

    def _worth(self, by: int, kind: int) -> Worth:
        """Return what a win now would bring."""
        s, b, seat = self.s, self.b, self.seat
        fans = int(bars.value_self(s, seat) if by == t.SELF else bars.value_on(s, seat, kind, by))
        items = items_of(int(b[t.ITEMS]), frozen(b[t.O_FAN : t.O_FAN + len(ITEMS)]))
        value = int(fan.chips(b, fans))
        payers = 1
        if by == t.SELF:
            alone = b[t.O_FLOWER] and b[t.REPLACED] == t.DIRECT
            payers = 1 if alone else len(self.payers)
            value += self.options.base if b[t.O_SELF] == 1 and not alone else 0
        return Worth(fans, value, value * payers, items)

    def _waits(self, mask: int) -> tuple[Wait, ...]:
        """Return the waits of the hand as it is, with 13 tiles."""
        s, b, seat = self.s, self.b, self.seat
        if not mask:
            return ()
        found = []
        sole = t.bits(mask) == 1
        for name in named(mask):
            kind = tile(name)
            t.give(s, seat, kind)
            thrown = int(fan.fan(s, seat, kind, 0, sole, fan.BEST))
            drawn = int(fan.fan(s, seat, kind, 1 << fan.ZI_MO if b[t.O_SELF] == 2 else 0, sole, fan.BEST))
            t.take(s, seat, kind)
            found.append(Wait(name, self.left[kind], thrown, drawn, int(fan.chips(b, thrown))))
        return tuple(found)
