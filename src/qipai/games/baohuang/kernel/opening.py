"""Before play (4.3): grab, yield, reveal, rebel, kick."""

from __future__ import annotations

from qipai.core.kernel import kernel
from qipai.games.baohuang.kernel.table import (
    ASKED,
    CARDS,
    CROWN,
    EMPEROR,
    GRAB,
    GUARD,
    KEEPER,
    KICK,
    KICKED,
    KICKERS,
    LEAD,
    LIVE,
    MAY_GRAB,
    MAY_KICK,
    MAY_YIELD,
    MODE,
    NEED,
    OPENED,
    PAIR,
    PHASE,
    PUBLIC,
    REBEL,
    REBELS,
    REVEAL,
    SAID,
    SEATS,
    SOLO_HIDDEN,
    SOLO_OPEN,
    SWORD,
    TRICKS,
    TURN,
    UNDECIDED,
    VOID,
    WINDOW,
    YIELD,
    YIELDED,
    Table,
)


@kernel
def begin(s: Table) -> None:
    """Begin the deal of the hands on the table: find the holders of the marked cards and ask the first question."""
    r, hands = s.reg, s.hands
    r[LIVE] = (1 << SEATS) - 1
    for seat in range(SEATS):
        if hands[seat * CARDS + CROWN]:
            r[EMPEROR] = seat
            r[KEEPER] = seat
        if hands[seat * CARDS + SWORD]:
            r[GUARD] = seat
    if r[MAY_GRAB]:
        open_window(s, GRAB, r[LIVE])
    else:
        settle_roles(s)


@kernel
def open_window(s: Table, phase: int, seats: int) -> None:
    """Ask several seats (as bits) the same question; each answers once, in any order."""
    r = s.reg
    r[PHASE] = phase
    r[WINDOW] = seats
    r[ASKED] = seats
    r[SAID] = 0
    r[TURN] = first_asked(s)


@kernel
def close_window(s: Table) -> None:
    """Forget who was asked what."""
    r = s.reg
    r[WINDOW] = 0
    r[ASKED] = 0
    r[SAID] = 0


@kernel
def first_asked(s: Table) -> int:
    """Return the first seat in order of play from the emperor that has not answered, -1 when all have."""
    r = s.reg
    for step in range(SEATS):
        seat = (r[EMPEROR] + step) % SEATS
        if r[ASKED] >> seat & 1:
            return seat
    return -1


@kernel
def number(seats: int) -> int:
    """Return how many seats there are in a mask."""
    n = 0
    for seat in range(SEATS):
        n += seats >> seat & 1
    return n


@kernel
def answer(s: Table, seat: int, yes: bool) -> None:
    """Take a seat's answer in a window, and close the window when the answers decide it."""
    r = s.reg
    r[ASKED] &= ~(1 << seat)
    if yes:
        r[SAID] |= 1 << seat
    r[TURN] = first_asked(s)
    phase = r[PHASE]
    if phase == GRAB:
        for step in range(SEATS):  # R9: the first seat in order of play takes precedence
            other = (r[EMPEROR] + step) % SEATS
            if r[SAID] >> other & 1:
                grab(s, other)
                return
            if r[ASKED] >> other & 1:
                return
        settle_roles(s)
    elif phase == REBEL:
        if number(r[SAID]) == 2:  # R11
            r[REBELS] = r[SAID]
            disclose(s)
            ask_kick(s, False)
        elif r[ASKED] == 0:
            start(s)
    elif number(r[SAID]) == r[NEED]:
        r[KICKED] = 1
        r[KICKERS] = r[SAID]
        start(s)
    elif r[ASKED] == 0:
        start(s)


@kernel
def grab(s: Table, seat: int) -> None:
    """Make a seat the soloist; the marked cards no longer assign roles (抢独, R9, R25)."""
    r = s.reg
    r[EMPEROR] = seat
    r[GUARD] = -1
    r[MODE] = SOLO_OPEN
    r[OPENED] = 1
    r[VOID] = 1
    ask_kick(s, True)


@kernel
def settle_roles(s: Table) -> None:
    """Go on when nobody has grabbed: the holder of both marks may yield, else the guard is asked to show himself."""
    r = s.reg
    close_window(s)
    r[TURN] = r[EMPEROR]
    if r[GUARD] != r[EMPEROR]:
        r[MODE] = PAIR
        ask_reveal(s)
    elif r[MAY_YIELD]:
        r[PHASE] = YIELD
        r[MODE] = UNDECIDED
    else:
        keep(s)


@kernel
def keep(s: Table) -> None:
    """Let the holder of both marks play alone, hidden for the time being (暗渡)."""
    r = s.reg
    r[MODE] = SOLO_HIDDEN
    r[GUARD] = -1
    ask_reveal(s)


@kernel
def yield_throne(s: Table) -> None:
    """Move the emperor card to the second seat on; the giver is the guard, for all to see (R12)."""
    r, hands = s.reg, s.hands
    giver = r[EMPEROR]
    heir = (giver + 2) % SEATS
    hands[giver * CARDS + CROWN] -= 1
    hands[heir * CARDS + CROWN] += 1
    r[EMPEROR] = heir
    r[KEEPER] = heir
    r[GUARD] = giver
    r[YIELDED] = giver
    r[PUBLIC] = giver
    r[MODE] = PAIR
    ask_reveal(s)


@kernel
def ask_reveal(s: Table) -> None:
    """Ask the guard, in a solo by cards the emperor."""
    r = s.reg
    r[PHASE] = REVEAL
    r[TURN] = r[GUARD] if r[MODE] == PAIR else r[EMPEROR]


@kernel
def disclose(s: Table) -> None:
    """Show the guard card before play: the deal is open (明)."""
    r = s.reg
    r[OPENED] = 1
    r[PUBLIC] = r[GUARD] if r[MODE] == PAIR else r[EMPEROR]


@kernel
def reveal(s: Table) -> None:
    """Show the guard card by choice (明保); a solo by cards becomes an open one (R14)."""
    r = s.reg
    disclose(s)
    if r[MODE] == SOLO_HIDDEN:
        r[MODE] = SOLO_OPEN
    ask_kick(s, True)


@kernel
def hide(s: Table) -> None:
    """Keep the guard card hidden: the others may rebel."""
    r = s.reg
    open_window(s, REBEL, r[LIVE] & ~(1 << r[EMPEROR]))


@kernel
def ask_kick(s: Table, rebels: bool) -> None:
    """Ask one side whether to double again (R13); without the option go on."""
    r = s.reg
    if not r[MAY_KICK]:
        start(s)
        return
    side = 1 << r[EMPEROR]
    if r[GUARD] >= 0:
        side |= 1 << r[GUARD]
    r[NEED] = 2 if rebels else 1
    open_window(s, KICK, r[LIVE] & ~side if rebels else side)


@kernel
def start(s: Table) -> None:
    """Begin the play: the emperor leads."""
    r = s.reg
    close_window(s)
    r[PHASE] = LEAD
    r[TURN] = r[EMPEROR]
    r[TRICKS] = 1
