"""Positions of mahjong as text: hands with melds by seat, who is to throw, rivers, voids, the wall (P-74).

`123m55p(444s<2)/…/…/… turn:0 drawn:5p dealer:1 void:mps- river:1m2p/-/3s/- wall:7m1p…`; a pong is (444s), with the seat
that gave the tile (444s<2), a kong (4444s<2), one added to a pong (444+4s<2), a concealed one (4444s). Where no wall is
named, it is the tiles that lie nowhere, in an order that follows from the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from qipai.core.contract import BadNotation, Seat
from qipai.core.entry import Setup
from qipai.core.rng import Stream
from qipai.games.mahjong import observation
from qipai.games.mahjong.kernel import forms
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.notation import KONGS, LINES, NAMES, SUITS, tile, tiles_of, written
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import Mahjong, freeze
from qipai.games.mahjong.state import Action, Discard, Hu, Kong, Pass, Pong, State, Swap, Void
from qipai.kit.positions import parts_of, played_on, unfit, words
from qipai.kit.seats import mask

__all__ = ["SETUP", "read", "write"]

NAMED: Final = (
    *("turn", "drawn", "dealer", "void", "river", "wall", "won", "sung", "danced", "replaced", "kongs", "lock"),
    "by",
)
FLAGS: Final = ("fresh", "swap", "voiding")
SEAT: Final = re.compile(r"([1-9mps]*)((?:\([1-9+mps<0-3]+\))*)")
MELD: Final = re.compile(r"\(([1-9])\1\1(\1?|\+\1)([mps])(?:<([0-3]))?\)")
WORDS: Final[dict[str, Action]] = {"hu": Hu(), "pong": Pong(), "pass": Pass()}
LOCK: Final = re.compile(r"([0-3])\.([mps](?:147|258|369))\.([0-9]{1,2})")
NONE: Final = "-"
Meld = tuple[int, int, int]  # kind, what it is, who gave it: -1 for nobody


def read(options: Options, text: str, seats: int | None = None) -> State:
    """Return the hand that a text stands for; raises BadNotation("bad_position")."""
    found = words(text, NAMED, FLAGS)
    rules = Mahjong(options)
    s = t.new_table(rules.cells, forms.forms())
    b = s.b
    hands, melds = _hands(found.place)
    rivers = _by_seat(found.named.get("river", "/".join(NONE * t.SEATS)), "river")
    wall = None if "wall" not in found.named else _tiles("" if found.named["wall"] == NONE else found.named["wall"])
    left = _left(hands, melds, rivers, wall or ())
    if wall is None:
        pool = [kind for kind, n in enumerate(left) for _ in range(n)]
        wall = list(Stream.of_seed(text).shuffled(pool))
    before = bool(found.flags & {"swap", "voiding"})
    dealer = found.seat("dealer", t.SEATS, 0)
    turn = dealer if before else found.seat("turn", t.SEATS, dealer)
    won = found.seats("won", t.SEATS)
    drawn = _drawn(found.named.get("drawn"), hands[turn], before)
    for seat in range(t.SEATS):
        if seat not in won:
            _check_count(seat, len(hands[seat]), len(melds[seat]), seat == turn)
    if turn in won or len(won) > t.SEATS - 2:
        raise unfit("won_acts", seat=turn) if turn in won else unfit("over")
    if before and (won or any(melds) or any(rivers)):
        raise unfit("too_early")
    for seat in range(t.SEATS):
        for kind in hands[seat]:
            t.give(s, seat, kind)
        for kind, what, giver in melds[seat]:
            t.add_meld(s, seat, kind, what, giver)
        b[seat * t.CELLS + t.DRAWS] = len(rivers[seat]) + (seat == turn)
    for i, kind in enumerate(wall):
        b[t.WALL + i] = kind
    b[t.BACK] = len(wall)
    b[t.DEALER], b[t.ACTOR] = dealer, turn
    b[t.DRAWN] = drawn
    b[t.LIVE] = (1 << t.SEATS) - 1 & ~mask(won)
    b[t.FRESH] = int("fresh" in found.flags or before)
    b[t.PHASE] = t.SWAP if "swap" in found.flags else t.VOIDING if "voiding" in found.flags else t.TURN
    if before:
        if not (options.exchange == "three" if "swap" in found.flags else options.void_rule == "declare"):
            raise unfit("no_phase", phase="swap" if "swap" in found.flags else "voiding")
        b[t.ASKED] = 15
    for i, (seat, kind) in enumerate((seat, kind) for seat, river in enumerate(rivers) for kind in river):
        b[t.RIVERS + i] = kind | seat << 5
    b[t.RIVER] = sum(map(len, rivers))
    kongs = sum(what != t.PUNG for own in melds for _, what, _ in own)
    b[t.KONGS] = found.number("kongs", kongs, 16, kongs)
    replaced = found.named.get("replaced")
    if replaced is not None:
        if replaced not in KONGS[1:] or not any(what == KONGS.index(replaced) for _, what, _ in melds[turn]):
            raise unfit("no_kong", seat=turn)
        b[t.REPLACED] = KONGS.index(replaced)
        b[t.GIVER] = found.seat("by", t.SEATS, -1)
    _write_seats(s, found.named, found.seats("sung", t.SEATS), found.seats("danced", t.SEATS))
    state = freeze(s, State(1, None, (), None, (), ()))
    return played_on(rules, state, found.moves, _act)


def _tiles(text: str) -> list[int]:
    try:
        return tiles_of(text)
    except BadNotation as wrong:
        raise unfit("not_a_tile", tile=str(wrong.facts["tile"])) from wrong


def _by_seat(text: str, word: str) -> list[list[int]]:
    """Return tiles by seat; raises BadNotation."""
    return [_tiles(part) for part in parts_of(text, t.SEATS)]


def _hands(place: str) -> tuple[list[list[int]], list[list[Meld]]]:
    """Return the tiles in the hands and the melds beside them; raises BadNotation."""
    hands, melds = [], []
    for seat, part in enumerate(parts_of(place, t.SEATS)):
        found = SEAT.fullmatch(part)
        if found is None:
            raise unfit("bad_word", word=part[:40])
        hands.append(_tiles(found[1]))
        own: list[Meld] = []
        for text in re.findall(r"\([^)]*\)", found[2]):
            meld = MELD.fullmatch(text)
            if meld is None or (meld[4] is not None and int(meld[4]) == seat):
                raise unfit("not_a_meld", meld=text[:20])
            what = (
                t.PUNG
                if not meld[2]
                else t.ADDED
                if meld[2][0] == "+"
                else t.CONCEALED
                if meld[4] is None
                else t.DIRECT
            )
            own.append((tile(meld[1] + meld[3]), what, -1 if meld[4] is None else int(meld[4])))
        if len(own) > t.MELD_CELLS:
            raise unfit("too_many_melds", seat=seat, most=t.MELD_CELLS)
        melds.append(own)
    return hands, melds


def _left(
    hands: Sequence[Sequence[int]],
    melds: Sequence[Sequence[Meld]],
    rivers: Sequence[Sequence[int]],
    wall: Sequence[int],
) -> list[int]:
    """Return how many tiles of each kind lie nowhere; raises BadNotation where there would be more than four."""
    left = [4] * t.KINDS
    for tiles in (*hands, *rivers, wall):
        for kind in tiles:
            left[kind] -= 1
    for own in melds:
        for kind, what, _ in own:
            left[kind] -= 3 if what == t.PUNG else 4
    for kind, n in enumerate(left):
        if n < 0:
            raise unfit("too_many_tiles", tile=NAMES[kind], n=4 - n)
    return left


def _drawn(name: str | None, hand: Sequence[int], needed: bool) -> int:
    if name is None:
        return max(hand, default=-1) if needed else -1
    kind = tile(name)
    if kind not in hand:
        raise unfit("drawn_not_held", tile=name[:4])
    return kind


def _check_count(seat: Seat, held: int, melds: int, acts: bool) -> None:
    need = 13 - 3 * melds + acts
    if held != need:
        raise unfit("tiles", seat=seat, n=held, need=need)


def _write_seats(s: t.Table, said: dict[str, str], sung: Sequence[Seat], danced: Sequence[Seat]) -> None:
    """Write the voids, calls and locks of the seats; raises BadNotation."""
    b = s.b
    voids = said.get("void", NONE * t.SEATS)
    if len(voids) != t.SEATS or any(sign not in SUITS + NONE for sign in voids):
        raise unfit("bad_word", word=f"void:{voids}"[:40])
    for seat, sign in enumerate(voids):
        b[seat * t.CELLS + t.VOID] = SUITS.find(sign)
    for seat in sung:
        b[seat * t.CELLS + t.CALLED] |= t.SUNG
    for seat in danced:
        b[seat * t.CELLS + t.CALLED] |= t.DANCED
        shown = _waits(s, seat)
        if not shown:
            raise unfit("not_ready", seat=seat)
        b[seat * t.CELLS + t.SHOWN] = shown
    for word in filter(None, said.get("lock", "").split(",")):
        lock = LOCK.fullmatch(word)
        if lock is None:
            raise unfit("bad_word", word=f"lock:{word}"[:40])
        b[t.LOCKS + int(lock[1]) * 9 + LINES.index(lock[2])] = int(lock[3])


def _waits(s: t.Table, seat: Seat) -> int:
    """Return what a seat with thirteen tiles waits for, as bits; 0 where it holds one more."""
    held, melds = s.b[seat * t.CELLS + t.HELD], s.b[seat * t.CELLS + t.MELDS]
    return int(forms.waits(s, seat)) if held == 13 - 3 * melds else 0


def _act(state: State, word: str) -> Action | None:
    """Return the action that a word stands for: a tile that is thrown, or a verb with what it needs."""
    if (plain := WORDS.get(word)) is not None:
        return plain
    verb = re.match("(kong|void|swap|)", word)
    assert verb is not None
    rest = word[verb.end() :]
    if verb[1] == "kong":
        return Kong(rest)
    if verb[1] == "void":
        return Void(rest) if rest in tuple(SUITS) else None  # type: ignore[arg-type]
    if verb[1] == "swap":
        try:
            return Swap(tuple(NAMES[kind] for kind in tiles_of(rest)))
        except BadNotation:
            return None
    name, _, call = rest.partition("!")
    if call and call not in ("sing", "dance"):
        return None
    return Discard(name, call) if call else Discard(name)  # type: ignore[arg-type]


def write(options: Options, state: State) -> str:
    """Return the text of a hand; raises BadNotation for one that has not begun or is over."""
    b = list(state.cells)
    phase = b[t.PHASE]
    if phase == t.END:
        raise unfit("over")
    if phase in (t.DICE, t.DEAL, t.HORSE):
        raise unfit("not_begun")
    hands = [tiles_of(observation.hand_of(b, seat)) for seat in range(t.SEATS)]
    rivers: list[list[int]] = [[] for _ in range(t.SEATS)]
    for code in b[t.RIVERS : t.RIVERS + b[t.RIVER]]:
        if code >> 9 & 3 in (0, 3):
            rivers[code >> 5 & 3].append(code & 31)
    moves: list[str] = []
    actor, replaced = b[t.ACTOR], b[t.REPLACED]
    drawn: int = b[t.DRAWN]
    if phase == t.CLAIM:
        thrown, replaced = b[t.TILE], b[t.AFTER]
        code = b[t.RIVERS + b[t.RIVER] - 1]
        rivers[actor].pop()
        hands[actor].append(thrown)
        call = code >> 7 & 3
        moves.append(f"{actor}:{NAMES[thrown]}{('', '!sing', '!dance')[call] if call < 3 else ''}")
        drawn = thrown if b[actor * t.CELLS + t.DRAWS] else -1
    elif phase == t.ROB:
        hands[actor].append(b[t.TILE])
        moves.append(f"{actor}:kong{NAMES[b[t.TILE]]}")
        drawn = b[t.TILE]
    elif phase == t.DIE:
        moves += [
            f"{seat}:swap{written(sorted(b[t.SWAPS + seat * 3 : t.SWAPS + seat * 3 + 3]))}" for seat in range(t.SEATS)
        ]
    place = "/".join(written(sorted(hand)) + _melds(b, seat) or NONE for seat, hand in enumerate(hands))
    said = [place, f"turn:{actor}"]
    if drawn >= 0:
        said.append(f"drawn:{NAMES[drawn]}")
    said.append(f"dealer:{b[t.DEALER]}")
    if phase not in (t.SWAP, t.DIE, t.VOIDING):
        voids = [b[seat * t.CELLS + t.VOID] for seat in range(t.SEATS)]
        if max(voids) >= 0:
            said.append("void:" + "".join(NONE if suit < 0 else SUITS[suit] for suit in voids))
    if any(rivers):
        said.append("river:" + "/".join(written(river) or NONE for river in rivers))
    said += _of_seats(b, moves)
    if replaced:
        said.append(f"replaced:{KONGS[replaced]}")
        if b[t.GIVER] >= 0:
            said.append(f"by:{b[t.GIVER]}")
    laid = sum(kong != t.PUNG for seat in range(t.SEATS) for kong in _kinds(b, seat))
    if b[t.KONGS] > laid:
        said.append(f"kongs:{b[t.KONGS]}")
    said.append("wall:" + (written(b[t.WALL + b[t.FRONT] : t.WALL + b[t.BACK]]) or NONE))
    flag = {t.SWAP: "swap", t.DIE: "swap", t.VOIDING: "voiding"}.get(phase, "fresh" if b[t.FRESH] else "")
    return " ".join([*said, *filter(None, [flag]), *moves])


def _kinds(b: Sequence[int], seat: Seat) -> list[int]:
    """Return what the melds of a seat are."""
    at = t.LAID + seat * t.MELD_CELLS
    return [code >> 5 & 3 for code in b[at : at + b[seat * t.CELLS + t.MELDS]]]


def _melds(b: Sequence[int], seat: Seat) -> str:
    """Return the melds of a seat."""
    found = ""
    at = t.LAID + seat * t.MELD_CELLS
    for code in b[at : at + b[seat * t.CELLS + t.MELDS]]:
        rank, suit = NAMES[code & 31][0], NAMES[code & 31][1]
        more = {t.PUNG: "", t.ADDED: f"+{rank}"}.get(code >> 5 & 3, rank)
        giver = code >> 7
        found += f"({rank * 3}{more}{suit}{f'<{giver - 1}' if giver else ''})"
    return found


def _of_seats(b: Sequence[int], moves: Sequence[str]) -> list[str]:
    """Return the words for who has won, called and let a win pass."""
    said = []
    won = [seat for seat in range(t.SEATS) if not b[t.LIVE] >> seat & 1]
    if won:
        said.append("won:" + "".join(map(str, won)))
    now = {int(move[0]): move.partition("!")[2] for move in moves}
    for name, bit, word in (("sung", t.SUNG, "sing"), ("danced", t.DANCED, "dance")):
        seats = [seat for seat in range(t.SEATS) if b[seat * t.CELLS + t.CALLED] & bit and now.get(seat) != word]
        if seats:
            said.append(f"{name}:" + "".join(map(str, seats)))
    locks = [
        f"{seat}.{LINES[i]}.{b[t.LOCKS + seat * 9 + i]}"
        for seat in range(t.SEATS)
        for i in range(9)
        if b[t.LOCKS + seat * 9 + i] >= 0
    ]
    if locks:
        said.append("lock:" + ",".join(locks))
    return said


SETUP: Final = Setup(read, write)
