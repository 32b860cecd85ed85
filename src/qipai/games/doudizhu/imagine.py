"""States that fit a view: hidden cards are dealt at random, the bottom cards go where they must be."""

from __future__ import annotations

from qipai.core.contract import Rng
from qipai.core.kernel import freeze_each, pour
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.notation import PACK, PHASES, counted, form_code
from qipai.games.doudizhu.observation import known_bottom
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import State, View
from qipai.kit.climbing import texts

__all__ = ["hidden", "imagine", "public_table", "summed_table"]


def public_table(options: Options, view: View) -> t.Table:
    """Return the kernel's buffers with all that a view tells; hidden hands are empty."""
    s = t.new_table()
    pour(s.reg, _registers(options, view))
    pour(s.calls, (-1 if n is None else n for n in view.calls))
    pour(s.sets, view.sets)
    pour(s.scores, view.scores or ())
    for seat, cards in enumerate(view.played):
        pour(s.played, counted(cards), seat * t.CARDS)
    if view.bottom:
        pour(s.bottom, counted(view.bottom))
    for hand in view.shown:
        pour(s.hands, counted(hand.cards), hand.seat * t.CARDS)
    if view.seat is not None and view.hand:
        pour(s.hands, counted(view.hand), view.seat * t.CARDS)
    return s


def _registers(options: Options, view: View) -> t.Registers:
    """Return the registers as a view tells them."""
    landlord = view.landlord
    if landlord is None and view.bid:
        landlord = view.calls.index(view.bid)  # the seat that becomes the landlord if nobody calls more
    return t.Registers(
        phase=PHASES.index(view.phase),
        turn=view.turn[0] if view.turn else -1,
        first=-1 if view.first is None else view.first,
        called=view.bid,
        landlord=-1 if landlord is None else landlord,
        top=form_code(view.form),
        owner=-1 if view.owner is None else view.owner,
        passes=len(view.passed),
        bombs=view.doublings - view.spring if view.doublings else 0,
        tricks=view.trick_no,
        redealt=view.redealt,
        winner=view.out[0] if view.out else -1,
        sprung=int(view.spring),
        left=-1 if view.left is None else view.left,
        redeals=options.redeals,
        spring=int(options.spring),
        most_doublings=options.max_doublings,
    )


def hidden(view: View, s: t.Table) -> tuple[list[int], list[int]]:
    """Add the bottom cards that the landlord must still hold to a public table (R5).

    Return how many more unknown cards each seat holds, and the unseen cards from which these come.
    """
    want = [0 if seat == view.seat else n for seat, n in enumerate(view.counts)]
    if view.phase in ("deal", "over"):
        return [0] * t.SEATS, []
    landlord = view.landlord
    if landlord is not None and landlord != view.seat and view.bottom:
        played = tuple(n for cards in view.played for n in counted(cards))
        for card, n in enumerate(known_bottom(counted(view.bottom), played, landlord)):
            kept = min(n, want[landlord])
            s.hands[landlord * t.CARDS + card] += kept
            want[landlord] -= kept
    return want, [card for card, n in enumerate(view.unseen) for _ in range(n)]


def imagine(options: Options, view: View, rng: Rng) -> State:
    """Return some state that fits this view: every deal of the unseen cards is as likely as any other."""
    s = public_table(options, view)
    want, cards = hidden(view, s)
    _deal(s, want, list(rng.shuffled(cards)), view)
    cells = tuple(freeze_each(s))
    return State(view.deal, view.trick, view.last, texts(PACK, cells[0], cells[1]), *cells)


def summed_table(options: Options, view: View) -> t.Table:
    """Return the public table with the unseen cards put into the hidden hands arbitrarily: only their sum is right."""
    s = public_table(options, view)
    want, cards = hidden(view, s)
    _deal(s, want, cards, view)
    return s


def _deal(s: t.Table, want: list[int], cards: list[int], view: View) -> None:
    """Deal cards in order to the seats that need some; during the calls the rest are the bottom cards."""
    at = 0
    for seat, n in enumerate(want):
        for card in cards[at : at + n]:
            s.hands[seat * t.CARDS + card] += 1
        at += n
    if view.phase == "bid":
        for card in cards[at : at + t.BOTTOM]:
            s.bottom[card] += 1
