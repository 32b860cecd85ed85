"""The pairings of a Swiss for two sides: FIDE Dutch (C.04.3) by a library, judged before they are used (RP-27). Pure.

The library is imported when the first round is paired; nobody else needs it. Where it finds no legal round, or there
are too many players for it, a matching of our own pairs: legal, with scores as near and colours as fair as can be.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, Literal

from msgspec import Struct

from qipai.contests.tournaments.model import Meeting, Stage, Tournament

__all__ = ["DUTCH_MOST", "Round", "SwissPlayer", "history", "legal", "paired", "played"]

DUTCH_MOST: Final = 48  # with more players the library takes many seconds a round (0049)
NEAR: Final = 40  # places in the order within which more players are paired, if that can be

Colour = Literal["white", "black"]
Float = Literal["down", "up", "none"]


class SwissPlayer(Struct, frozen=True):
    """What the pairing needs to know of an entrant. number: in the starting order, from 1.

    colours: of the rounds that they have played, white has the first seat; floats: of all rounds. forfeit_wins: rounds
    won without playing, which count as a bye.
    """

    no: int
    number: int
    score: float = 0.0
    colours: tuple[Colour, ...] = ()
    floats: tuple[Float, ...] = ()
    byes: int = 0
    forfeit_wins: int = 0
    met: frozenset[int] = frozenset()


class Round(Struct, frozen=True):
    """A round: who meets whom, the first with the first seat, in the order of the boards; bye: who stays out."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


def played(meeting: Meeting) -> bool:
    """Tell whether at least one game of a meeting was played, not only awarded."""
    return any(result.why != "absent" for result in meeting.results)


def history(state: Tournament, stage: Stage) -> dict[int, SwissPlayer]:
    """Return what is known of all entrants before the next round."""
    nos = stage.sections[0]
    score = dict.fromkeys(nos, 0.0)
    colours: dict[int, list[Colour]] = {no: [] for no in nos}
    floats: dict[int, list[Float]] = {no: [] for no in nos}
    byes, forfeits = dict.fromkeys(nos, 0), dict.fromkeys(nos, 0)
    met: dict[int, set[int]] = {no: set() for no in nos}
    for round in range(1, stage.round + 1):
        before = dict(score)
        floated: dict[int, Float] = dict.fromkeys(nos, "none")
        for meeting in stage.meetings:
            first, second = meeting.sides[0], meeting.sides[-1]
            if meeting.round != round or meeting.score is None or first is None or second is None:
                continue
            met[first].add(second)
            met[second].add(first)
            for no, other, got, colour in (
                (first, second, meeting.score[0], "white"),
                (second, first, meeting.score[1], "black"),
            ):
                score[no] += got
                if played(meeting):
                    colours[no].append("white" if colour == "white" else "black")
                    if before[no] != before[other]:
                        floated[no] = "down" if before[no] > before[other] else "up"
                elif got:
                    forfeits[no] += 1
                    floated[no] = "down"
        for at, no in stage.byes:
            if at == round:
                score[no] += 1
                byes[no] += 1
                floated[no] = "down"
        for no in nos:
            floats[no].append(floated[no])
    return {
        no: SwissPlayer(
            no, number, score[no], tuple(colours[no]), tuple(floats[no]), byes[no], forfeits[no], frozenset(met[no])
        )
        for number, no in enumerate(nos, 1)
    }


def paired(players: list[SwissPlayer], round: int, rounds: int) -> Round | None:
    """Return the next round, None where nobody can be paired without meeting twice or a second bye."""
    found = _dutch(players, round, rounds) if len(players) <= DUTCH_MOST else None
    if found is not None and legal(players, found):
        return found
    for near, strict in ((NEAR, True), (len(players), True), (len(players), False)):
        found = _matched(players, near, strict=strict)
        if legal(players, found):
            return found
    return None


def legal(players: list[SwissPlayer], found: Round) -> bool:
    """Tell whether everybody plays once, nobody meets the same twice, and nobody stays out twice."""
    by_no = {player.no: player for player in players}
    seated = [no for pair in found.pairs for no in pair] + ([] if found.bye is None else [found.bye])
    return (
        sorted(seated) == sorted(by_no)
        and all(second not in by_no[first].met for first, second in found.pairs)
        and (found.bye is None or by_no[found.bye].byes + by_no[found.bye].forfeit_wins == 0)
    )


def _dutch(players: list[SwissPlayer], round: int, rounds: int) -> Round | None:
    """Return a round as the library pairs it."""
    from caissify_pairings import generate_pairings

    rows = [
        {
            "id": player.no,
            "name": str(player.no),
            "score": player.score,
            "rating": 10_000 - player.number,
            "starting_number": player.number,
            "pairing_number": player.number,  # else it counts anew where somebody has left
            "color_hist": list(player.colours),
            "float_history": list(player.floats),
            "bye_count": player.byes,
            "forfeit_win_count": player.forfeit_wins,
        }
        for player in players
    ]
    met = {(player.no, other) for player in players for other in player.met if player.no < other}
    found: list[dict[str, Any]] = generate_pairings("dutch", rows, met, round, rounds)
    by_no = {player.no: player for player in players}
    pairs = tuple(
        coloured(by_no[row["white_id"]], by_no[row["black_id"]]) for row in found if row["black_id"] is not None
    )
    byes = [row["white_id"] for row in found if row["black_id"] is None]
    return Round(pairs, byes[0] if byes else None) if len(byes) < 2 else None


def _matched(players: list[SwissPlayer], near: int, *, strict: bool) -> Round:
    """Return a round of nearly equal scores, upper half against lower half, wishes for colours kept where they can be.

    near: how far apart two may stand in the order; strict: nobody gets a colour that they must not have.
    """
    import networkx as nx

    order = sorted(players, key=lambda player: (-player.score, player.number))
    wishes = [preference(player) for player in order]
    groups = Counter(player.score for player in order)
    graph = nx.Graph()
    graph.add_nodes_from(player.no for player in order)
    for at, one in enumerate(order):
        for to in range(at + 1, min(len(order), at + near + 1)):
            other, both = order[to], (wishes[at], wishes[to])
            clash = both[0].colour is not None and both[0].colour == both[1].colour
            force = min(wish.strength for wish in both) if clash else 0
            if other.no not in one.met and not (strict and force == 3):
                apart = round(2 * (one.score - other.score))
                fold = abs(to - at - groups[one.score] // 2)
                cost = 10_000 * apart**2 + 1_000 * (0, 1, 3, 9)[force] + min(fold, 200)
                graph.add_edge(one.no, other.no, weight=10_000_000 - cost)
    if len(order) % 2:  # nobody has the number 0: who meets it stays out
        for one in order:
            if one.byes + one.forfeit_wins == 0:
                above = round(2 * (one.score - order[-1].score))
                graph.add_edge(one.no, 0, weight=10_000_000 - 10_000 * above**2 - one.number)
    by_no = {player.no: player for player in players}
    pairs, bye = [], None
    for pair in nx.max_weight_matching(graph, maxcardinality=True):
        low, high = sorted(pair)
        if low == 0:
            bye = high
        else:
            pairs.append(coloured(by_no[low], by_no[high]))
    pairs.sort(key=lambda pair: (-max(by_no[no].score for no in pair), min(by_no[no].number for no in pair)))
    return Round(tuple(pairs), bye)


class Preference(Struct, frozen=True):
    """Which colour a player should have, None: any. strength: 3 absolute, 2 strong, 1 mild; ahead: whites more."""

    colour: Colour | None
    strength: int
    ahead: int


def preference(player: SwissPlayer) -> Preference:
    """Return a player's colour preference (FIDE C.04.3, A.6)."""
    colours = player.colours
    if not colours:
        return Preference(None, 0, 0)
    ahead = 2 * colours.count("white") - len(colours)
    twice = len(colours) > 1 and colours[-1] == colours[-2]
    last: Colour = colours[-1]
    other: Colour = "black" if last == "white" else "white"
    if abs(ahead) > 1 or twice:
        wish: Colour = ("black" if ahead > 0 else "white") if abs(ahead) > 1 else other
        return Preference(wish, 3, ahead)
    if ahead:
        return Preference("black" if ahead > 0 else "white", 2, ahead)
    return Preference(other, 1, 0)


def coloured(one: SwissPlayer, other: SwissPlayer) -> tuple[int, int]:
    """Return two players, white first (FIDE C.04.3, E). The library ranks them by number alone here, not by score."""
    high, low = sorted((one, other), key=lambda player: (-player.score, player.number))
    first, second = preference(high), preference(low)
    if first.colour != second.colour and (first.strength or second.strength):  # E.1, and who has no wish
        return _given(high, low, first.colour or ("black" if second.colour == "white" else "white"))
    if first.strength != second.strength:  # E.2
        stronger = first if first.strength > second.strength else second
        return _given(high, low, stronger.colour) if stronger is first else _given(low, high, stronger.colour)
    if first.strength == 3 and abs(first.ahead) != abs(second.ahead):
        return (
            _given(high, low, first.colour)
            if abs(first.ahead) > abs(second.ahead)
            else _given(low, high, second.colour)
        )
    for ours, theirs in zip(reversed(high.colours), reversed(low.colours), strict=False):  # E.3
        if ours != theirs:
            return _given(high, low, theirs)
    if first.colour:  # E.4
        return _given(high, low, first.colour)
    return _given(high, low, "white" if high.number % 2 else "black")  # E.5


def _given(player: SwissPlayer, other: SwissPlayer, colour: Colour | None) -> tuple[int, int]:
    return (player.no, other.no) if colour == "white" else (other.no, player.no)
