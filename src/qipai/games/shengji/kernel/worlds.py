"""Imagined hands: the cards that a seat has not located are dealt to the seats that may hold them."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, lcg
from qipai.games.shengji.kernel import policy
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.kernel.table import CARDS, GROUPS, SEATS, Room, Table

__all__ = ["ASIDE", "bury_well", "imagine", "unseen"]

ASIDE: Final = SEATS  # one more place after the seats: the kitty, and the cards that are not dealt yet


@kernel
def unseen(s: Table, seat: int, pool: Buffer) -> int:
    """Write to pool, by card, what a seat has not located in a table as it knows it; return how many cards."""
    reg, hands, gone, kitty, shown = s.reg, s.hands, s.gone, s.kitty, s.shown
    n = 0
    for card in range(CARDS):
        left = reg[t.DECKS] - kitty[card]
        for other in range(SEATS):
            left -= gone[other * CARDS + card]
            left -= hands[other * CARDS + card] if other == seat else shown[other * CARDS + card]
        pool[card] = max(0, left)
        n += pool[card]
    return n


@kernel
def _may(s: Table, seat: int, card: int) -> bool:
    """Return whether a seat may hold one more copy of a card, by what its follows have shown."""
    lacks = s.lacks[seat * GROUPS + s.group[card]]
    if lacks & t.VOID:
        return False
    have = s.hands[seat * CARDS + card]
    if have >= 1 and lacks & t.NO_PAIR:
        return False
    return not (have >= 2 and lacks & t.NO_TRIPLE)


@kernel
def imagine(s: Table, world: Table, seat: int, room_for: Buffer, seed: int, room: Room) -> int:
    """Write a deal that fits what a seat knows to `world`; return the next seed.

    s: the table as the seat knows it, with the other hands empty. room_for: how many unknown cards each seat has, and
    how many lie aside (ASIDE); 0 where the cards are known. The cards that lie aside go to world.kitty.
    """
    t.copy(s, world)
    pool, order, free = room.trial, room.facts, room.keep
    hands, kitty, reg = world.hands, world.kitty, world.reg
    n = unseen(s, seat, pool)
    for other in range(SEATS):
        free[other] = room_for[other]
        if other != seat:
            for card in range(CARDS):
                held = s.shown[other * CARDS + card]
                if held > 0 and free[other] > 0:
                    hands[other * CARDS + card] = held
                    free[other] -= held
    free[ASIDE] = room_for[ASIDE]
    k = 0
    for card in range(CARDS):
        for _ in range(pool[card]):
            order[k] = card
            k += 1
    for i in range(n - 1, 0, -1):
        seed = lcg(seed)
        j = (seed >> 8) % (i + 1)
        swap = order[i]
        order[i] = order[j]
        order[j] = swap
    limit = reg[t.LIMIT]
    buried = t.points_in(kitty, 0)
    # Cards that some seat cannot hold are placed first, while there is room elsewhere.
    for bound in range(1, -1, -1):
        for i in range(n):
            card = order[i]
            narrow = 0
            for other in range(SEATS):
                if free[other] > 0 and s.lacks[other * GROUPS + world.group[card]] > 0:
                    narrow = 1
            if narrow != bound or order[i] < 0:
                continue
            points = t.worth_of(card)
            place = -1
            for strict in range(1, -1, -1):
                weight = 0
                for other in range(SEATS + 1):
                    if _open(world, other, card, free, strict, limit, buried + points):
                        weight += free[other]
                if weight == 0:
                    continue
                seed = lcg(seed)
                pick = (seed >> 8) % weight
                for other in range(SEATS + 1):
                    if _open(world, other, card, free, strict, limit, buried + points):
                        pick -= free[other]
                        if pick < 0:
                            place = other
                            break
                break
            if place < 0:
                continue
            order[i] = -1
            free[place] -= 1
            if place == ASIDE:
                kitty[card] += 1
                buried += points
            else:
                hands[place * CARDS + card] += 1
    return seed


@kernel
def _open(world: Table, place: int, card: int, free: Buffer, strict: int, limit: int, points: int) -> bool:
    if free[place] <= 0:
        return False
    if place == ASIDE:
        return strict == 0 or limit < 0 or world.reg[t.PHASE] < t.PLAYING or points <= limit
    return strict == 0 or _may(world, place, card)


@kernel
def bury_well(world: Table, room: Room) -> None:
    """Exchange cards between an imagined dealer's hand and kitty, so that the kitty is one that a dealer would bury.

    A random kitty has too many points and trumps, and leaves the dealer too weak. Known cards stay where they are.
    """
    reg, hands, kitty, gone, shown = world.reg, world.hands, world.kitty, world.gone, world.shown
    dealer = reg[t.DEALER]
    at = dealer * CARDS
    whole, keep = room.trial, room.keep
    for card in range(CARDS):
        whole[card] = hands[at + card] + gone[at + card] + kitty[card]
    policy.rate_burial(world, whole, 0, -1, keep)
    points = t.points_in(kitty, 0)
    for _ in range(2 * reg[t.KITTIES]):
        dear = -1
        cheap = -1
        for card in range(CARDS):
            if kitty[card] > 0 and (dear < 0 or keep[card] > keep[dear]) and _may(world, dealer, card):
                dear = card
            if hands[at + card] > shown[at + card] and (cheap < 0 or keep[card] < keep[cheap]):
                cheap = card
        if dear < 0 or cheap < 0 or keep[cheap] >= keep[dear]:
            return
        points += t.worth_of(cheap) - t.worth_of(dear)
        if reg[t.LIMIT] >= 0 and points > reg[t.LIMIT]:
            return
        kitty[dear] -= 1
        hands[at + dear] += 1
        hands[at + cheap] -= 1
        kitty[cheap] += 1
