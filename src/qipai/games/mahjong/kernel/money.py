"""Who pays whom: wins, rain, transfers, the checks of an empty wall, horses (6.3 to 6.6)."""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel
from qipai.games.mahjong.kernel.fan import GREATEST, LEAST, chips, fan
from qipai.games.mahjong.kernel.forms import is_pig, waits
from qipai.games.mahjong.kernel.table import (
    ADDED,
    AMOUNT,
    DIRECT,
    GONE,
    HORSES,
    KINDS,
    LIVE,
    NUMBER,
    O_BASE,
    O_HORSE_EAT,
    O_HORSE_PIG,
    O_HORSE_RAIN,
    O_HORSE_READY,
    O_PIG,
    O_PIG_READY,
    O_PIG_WINNERS,
    O_RAIN,
    O_REFUND,
    O_SELF,
    O_SMALL,
    P_KONG,
    P_PIG,
    P_READY,
    P_REFUND,
    P_TRANSFER,
    P_WIN,
    PAY_CELLS,
    PAYEE,
    PAYER,
    PAYS,
    SEATS,
    SELF,
    WHAT,
    Table,
    bits,
    give,
    take,
)


@kernel
def pay(s: Table, payer: int, payee: int, amount: int, what: int, number: int) -> None:
    """Record a payment unless it is zero."""
    b = s.b
    pays = s.pays
    if amount > 0:
        at = b[PAYS] * PAY_CELLS
        pays[at + PAYER] = payer
        pays[at + PAYEE] = payee
        pays[at + AMOUNT] = amount
        pays[at + WHAT] = what
        pays[at + NUMBER] = number
        pays[at + GONE] = 0
        b[PAYS] += 1


@kernel
def pay_kong(s: Table, seat: int, kind: int, giver: int, number: int) -> None:
    """Pay a kong (rain, R12): two base from the seat that gave the tile, or one or two from each other seat in play."""
    b = s.b
    live = b[LIVE]
    if not b[O_RAIN]:
        return
    if kind == DIRECT:
        pay(s, giver, seat, 2 * b[O_BASE], P_KONG, number)
        return
    for step in range(1, SEATS):
        other = (seat + step) % SEATS
        if live >> other & 1:
            pay(s, other, seat, b[O_BASE] * (1 if kind == ADDED else 2), P_KONG, number)


@kernel
def pay_win(s: Table, seat: int, by: int, giver: int, fans: int, number: int) -> None:
    """Pay a win. giver: who threw or added the tile; of a self-draw who pays it alone (R41), -1 for all in play."""
    b = s.b
    live = b[LIVE]
    value = chips(b, fans)
    if giver >= 0:
        pay(s, giver, seat, value, P_WIN, number)
        return
    if by == SELF and b[O_SELF] == 1:
        value += b[O_BASE]
    for step in range(1, SEATS):
        other = (seat + step) % SEATS
        if live >> other & 1:
            pay(s, other, seat, value, P_WIN, number)


@kernel
def transfer(s: Table, konger: int, number: int, winners: int) -> None:
    """Pass a kong's payments to the seats that won on the next discard (呼叫转移). winners: seats as bits."""
    b = s.b
    pays = s.pays
    total = 0
    for i in range(b[PAYS]):
        at = i * PAY_CELLS
        if pays[at + WHAT] == P_KONG and pays[at + NUMBER] == number and not pays[at + GONE]:
            total += pays[at + AMOUNT]
            pays[at + GONE] = 1
    among = bits(winners)
    rest = total % among
    for step in range(1, SEATS):
        other = (konger + step) % SEATS
        if winners >> other & 1:
            pay(s, konger, other, total // among + rest, P_TRANSFER, number)
            rest = 0


@kernel
def checked(s: Table, seat: int, which: int) -> int:
    """Return the fan of the greatest or smallest hand that 13 tiles wait for (6.5), -1 when they wait for none."""
    mask = waits(s, seat)
    found = -1
    for tile in range(KINDS):
        if mask >> tile & 1:
            give(s, seat, tile)
            value = fan(s, seat, tile, 0, False, which)
            take(s, seat, tile)
            if found < 0 or (value < found if which == LEAST else value > found):
                found = value
    return found


@kernel
def settle_checks(s: Table) -> None:
    """Settle an empty wall: pigs, 查叫, refunds (6.4)."""
    b = s.b
    pays = s.pays
    live = b[LIVE]
    pigs, ready = 0, 0
    for seat in range(SEATS):
        if live >> seat & 1:
            if is_pig(s, seat):
                pigs |= 1 << seat
            elif waits(s, seat):
                ready |= 1 << seat
    for pig in range(SEATS):
        if pigs >> pig & 1:
            for other in range(SEATS):
                if not pigs >> other & 1 and (live >> other & 1 or b[O_PIG_WINNERS]):
                    pay(s, pig, other, b[O_BASE] << b[O_PIG], P_PIG, 0)
    for seat in range(SEATS):
        if live >> seat & 1 and not ready >> seat & 1 and (b[O_PIG_READY] or not pigs >> seat & 1):
            for other in range(SEATS):
                if ready >> other & 1:
                    fans = checked(s, other, LEAST if b[O_SMALL] else GREATEST)
                    pay(s, seat, other, chips(b, fans), P_READY, 0)
    if b[O_REFUND]:
        for i in range(b[PAYS]):
            at = i * PAY_CELLS
            seat = pays[at + PAYEE]
            if pays[at + WHAT] == P_KONG and not pays[at + GONE] and live >> seat & 1 and not ready >> seat & 1:
                pay(s, seat, pays[at + PAYER], pays[at + AMOUNT], P_REFUND, pays[at + NUMBER])


@kernel
def balance(s: Table, out: Buffer) -> None:
    """Write the sum of each seat's payments to the first four cells; horses are not counted."""
    b = s.b
    pays = s.pays
    for i in range(SEATS):
        out[i] = 0
    for i in range(b[PAYS]):
        at = i * PAY_CELLS
        out[pays[at + PAYER]] -= pays[at + AMOUNT]
        out[pays[at + PAYEE]] += pays[at + AMOUNT]


@kernel
def shares(b: Buffer, what: int) -> bool:
    """Return whether horses share in payments of this kind (6.6)."""
    if what == P_PIG:
        return b[O_HORSE_PIG] != 0
    if what == P_READY:
        return b[O_HORSE_READY] != 0
    if what == P_WIN:
        return True
    return b[O_HORSE_RAIN] != 0


@kernel
def balance_all(s: Table, many: int, out: Buffer) -> None:
    """Write the winnings of the four seats and then of the horses to `out` (6.6).

    many: how many may have a horse.
    """
    b = s.b
    pays = s.pays
    balance(s, out)
    for h in range(many):
        out[SEATS + h] = 0
    for i in range(b[PAYS]):
        at = i * PAY_CELLS
        if not shares(b, pays[at + WHAT]):
            continue
        payer, payee, amount = pays[at + PAYER], pays[at + PAYEE], pays[at + AMOUNT]
        for h in range(many):
            seat = b[HORSES + 2 * h + 1]
            if seat == payer:
                out[SEATS + h] -= amount
                out[payee] += amount
                if b[O_HORSE_EAT]:
                    for other in range(many):
                        if b[HORSES + 2 * other + 1] == payee:
                            out[SEATS + h] -= amount
                            out[SEATS + other] += amount
            elif seat == payee:
                out[SEATS + h] += amount
                out[payer] -= amount
