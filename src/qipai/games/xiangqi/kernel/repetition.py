"""The repetition code 棋例 (xiangqi 6.3): who checks, chases or threatens mate on every ply of a cycle.

Men keep their numbers through a game, so sets of men are bit masks. Nothing is captured inside a span.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import kernel
from qipai.games.xiangqi.kernel.asking import can_move, checked, strikes
from qipai.games.xiangqi.kernel.board import (
    ADVISOR,
    BLACK,
    CANNON,
    CHARIOT,
    ELEPHANT,
    EMPTY,
    HALF,
    HORSE,
    KIND,
    MEN,
    PLIES,
    RED,
    SIDE,
    SOLDIER,
    ZONE,
    Board,
    legal,
    line,
    make,
    unmake,
)

__all__ = ["ASIAN", "CHECK", "CXA", "KILL", "SIMPLE", "VICTIMS", "attackers", "chased", "levels", "occurrences", "span"]

SIMPLE: Final = 0
ASIAN: Final = 1
CXA: Final = 2

CHECK: Final = 1  # what a ply does, in `marks`
KILL: Final = 2
VICTIMS: Final = 2  # bits to shift; above them the set of chased men


@kernel
def occurrences(b: Board) -> int:
    """Return how often the present position has occurred since the last capture, this time included."""
    n = b.reg[PLIES]
    key = b.keys[n]
    count = 1
    # A ply changes the side to move, and two plies of one side cannot bring its men back under two of the other's.
    for i in range(n - 4, b.fresh[n] - 1, -2):
        if b.keys[i] == key:
            count += 1
    return count


@kernel
def span(b: Board, count: int) -> int:
    """Return the ply with which the span begins: the first of the last `count` occurrences; -1 when there are fewer."""
    n = b.reg[PLIES]
    key = b.keys[n]
    left = count - 1
    for i in range(n - 4, b.fresh[n] - 1, -2):
        if b.keys[i] == key:
            left -= 1
            if left == 0:
                return i
    return -1


@kernel
def attackers(b: Board, side: int) -> int:
    """Return the set of enemy men who attack a side's general; the enemy general is one when the generals face."""
    throne = b.where[side * MEN]
    rival = MEN - side * MEN
    found = 0
    for man in range(rival, rival + 16):
        origin = b.where[man]
        if origin == 0:
            continue
        if man == rival:
            # Only a file can join two palaces.
            if line(b.cells, origin, throne) == 0:
                found |= 1 << man
        elif strikes(b.cells, man, origin, throne):
            found |= 1 << man
    return found


@kernel
def take(b: Board, man: int, prey: int) -> int:
    """Let a man capture another, whoever's turn it is; return its origin, for `give_back`."""
    origin, target = b.where[man], b.where[prey]
    b.cells[origin] = EMPTY
    b.cells[target] = man
    b.where[man] = target
    b.where[prey] = 0
    return int(origin)


@kernel
def give_back(b: Board, man: int, prey: int, origin: int) -> None:
    """Undo `take`."""
    target = b.where[man]
    b.cells[target] = prey
    b.cells[origin] = man
    b.where[prey] = target
    b.where[man] = origin


@kernel
def spared(b: Board, man: int, prey: int, before: int) -> bool:
    """Return whether a capture is safe: no man attacks the capturer's general that did not before (6.3, rule 1).

    before: the men who attack that general now.
    """
    side = 1 if man > EMPTY else 0
    origin = take(b, man, prey)
    found = attackers(b, side) & ~before
    give_back(b, man, prey, origin)
    return found == 0


@kernel
def rooted(b: Board, man: int, prey: int, checking: int) -> bool:
    """Return whether a man that would be captured has a real root: a man that can recapture (6.3, rule 2).

    checking: the men who check the prey's general now; they forbid a recapture by the general alone.
    """
    side = 1 if prey > EMPTY else 0
    target = b.where[prey]
    origin = take(b, man, prey)
    found = False
    for keeper in range(side * MEN, side * MEN + 16):
        post = b.where[keeper]
        if post == 0 or not strikes(b.cells, keeper, post, target):
            continue
        back = take(b, keeper, man)
        threats = attackers(b, side)
        give_back(b, keeper, man, back)
        if keeper != side * MEN:
            threats &= ~checking
        if threats == 0:
            found = True
            break
    give_back(b, man, prey, origin)
    return found


@kernel
def chased(b: Board, side: int, soldiers: bool) -> int:
    """Return the set of enemy men whom a side chases, as if it were to move (6.3, chased set).

    soldiers: whether its soldiers count as chasers (only to answer an attacking opponent under cxa).
    """
    own = side * MEN
    foe = MEN - own
    own_attackers = attackers(b, side)
    foe_attackers = attackers(b, 1 - side)
    found = 0
    for prey in range(foe + 1, foe + 16):
        target = b.where[prey]
        kind = KIND[prey]
        if target == 0 or (kind == SOLDIER and ZONE[target] & (HALF << (1 - side))):
            continue
        for man in range(own + 1, own + (16 if soldiers else 11)):
            origin = b.where[man]
            if origin == 0 or not strikes(b.cells, man, origin, target) or not spared(b, man, prey, own_attackers):
                continue
            hunter = KIND[man]
            if kind == CHARIOT and hunter in (HORSE, CANNON):
                found |= 1 << prey
                break
            if kind in (CHARIOT, HORSE, CANNON) and hunter in (ADVISOR, ELEPHANT):
                found |= 1 << prey
                break
            if rooted(b, man, prey, foe_attackers):
                continue
            # Men of one kind that attack each other safely: an offer to exchange, no chase.
            if hunter == kind and strikes(b.cells, prey, target, origin) and spared(b, prey, man, foe_attackers):
                continue
            found |= 1 << prey
            break
    return found


@kernel
def mates(b: Board) -> bool:
    """Return whether the side to move can checkmate at once."""
    n = b.reg[PLIES]
    next_ply = b.past[n]  # a span being replayed goes on with it
    found = False
    for i in range(legal(b, b.moves, 0)):
        make(b, b.moves[i])
        found = checked(b, b.reg[SIDE]) and not can_move(b, -1)
        unmake(b)
        if found:
            break
    b.past[n] = next_ply
    return found


@kernel
def kills(b: Board) -> bool:
    """Return whether the ply just made newly threatens mate 杀: could it move again, its side would mate (6.3)."""
    b.reg[SIDE] ^= 1
    after = mates(b)
    b.reg[SIDE] ^= 1
    if not after:
        return False
    move = b.past[b.reg[PLIES] - 1]
    unmake(b)
    before = mates(b)
    make(b, move)
    return not before


@kernel
def deed(b: Board, move: int, rule: int, soldiers: bool) -> int:
    """Play a move and return what it does: CHECK, KILL, and the set of men it chases (6.3) shifted by VICTIMS."""
    side = b.reg[SIDE]
    before = chased(b, side, soldiers) if rule != SIMPLE else 0
    make(b, move)
    found = (chased(b, side, soldiers) & ~before) << VICTIMS if rule != SIMPLE else 0
    if checked(b, 1 - side):
        found |= CHECK
    elif rule == CXA and found == 0 and kills(b):
        found |= KILL
    return found


@kernel
def level(b: Board, start: int, side: int, rule: int) -> int:
    """Return a side's level over the plies from `start` to now, from what `marks` says of each."""
    n = b.reg[PLIES]
    always = CHECK
    attacking = True
    same = -1
    for i in range(start, n):
        if b.reg[SIDE] ^ ((n - i) & 1) == side:
            mark = b.marks[i]
            always &= mark
            attacking = attacking and mark != 0
            same &= mark >> VICTIMS
    if always:
        return 2
    if rule == ASIAN:
        return 1 if same != 0 else 0
    return 1 if rule == CXA and attacking else 0


@kernel
def levels(b: Board, start: int, rule: int) -> int:
    """Return red's level + 4 · black's over the plies from `start` to now (6.3): 2 perpetual check, 1 chase, 0 neither.

    rule: SIMPLE, ASIAN or CXA. What each ply does is left in `marks`.
    """
    n = b.reg[PLIES]
    for _ in range(start, n):
        unmake(b)
    for i in range(start, n):
        b.marks[i] = deed(b, b.past[i], rule, False)
    red, black = level(b, start, RED, rule), level(b, start, BLACK, rule)
    if rule == CXA and red + black == 1:
        # Soldiers' attacks count only against an opponent who attacks.
        answering = RED if black else BLACK
        for _ in range(start, n):
            unmake(b)
        for i in range(start, n):
            if b.reg[SIDE] == answering:
                b.marks[i] = deed(b, b.past[i], rule, True)
            else:
                make(b, b.past[i])
        red, black = level(b, start, RED, rule), level(b, start, BLACK, rule)
    return red + 4 * black
