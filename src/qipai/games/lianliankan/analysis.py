"""A race gone through: how long each link took, which links were overlooked, and which pair would have left more.

What a link leaves is what `strong` looks at: how many pairs can be linked when it is gone. A wrong pair is in no record
of a race, so what is counted as missed is a link that took a seat twice its usual time or longer though pairs were
there to be seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Final

from msgspec import to_builtins

from qipai.core.analysis import Analysis, Course, Progress, SeatAccount, Verdict, Weighed
from qipai.core.entry import Record
from qipai.core.kernel import buffer, thawed
from qipai.core.record import options_of, replay
from qipai.games.lianliankan.board import Found, index, pairs
from qipai.games.lianliankan.bots.ahead import DEAD, NOW, look_ahead
from qipai.games.lianliankan.kernel.layout import new_bench
from qipai.games.lianliankan.notation import cell_name
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import GRAVITY
from qipai.games.lianliankan.state import Link, Pair, State

__all__ = ["EDITION", "analysed", "left_by"]

EDITION: Final = 2
MISSED: Final = 2.0  # times the usual time that a link takes from which on it counts as missed
FEWER: Final = 4  # pairs less than the best link leaves, from which on a link is an inaccuracy
SHOWN: Final = 3  # pairs that a verdict lists beside the one that was linked
STUCK: Final = -1.0  # what a link is worth that leaves tiles and no pair


def left_by(options: Options, state: State, seat: int, found: Sequence[Found]) -> list[float]:
    """Return for each pair of a seat's board how many pairs can be linked when it is gone; STUCK for none."""
    grid = state.boards[seat].cells
    size, cols = len(grid), state.cols
    bench = new_bench(size, state.rows * cols, max(1, *grid))
    places = thawed([index(cell, cols) for each in found for cell in each.pair], 16)
    worth = buffer(len(found))
    way = GRAVITY[options.gravity]
    look_ahead(thawed(grid, 16), state.rows, cols, way, places, len(found), 1, bench, buffer(size, 16), worth)
    return [STUCK if int(one) == NOW * DEAD else int(one) / NOW for one in worth]


def said(pair: Pair) -> str:
    """Return a pair as people type it."""
    return f"{cell_name(pair[0])}-{cell_name(pair[1])}"


def analysed(record: Record, engines: Mapping[str, str], tell: Progress) -> Analysis:
    """Return the analysis of a race (`Entry.analysis`)."""
    from qipai.games.lianliankan import ENTRY

    options = options_of(ENTRY, record)
    states: list[State] = [step.state for step in replay(ENTRY, record)]
    seats = len(states[-1].remaining)
    links = [(n, row) for n, row in enumerate(record.rows, 1) if row[0] >= 0 and row[1].get("a") == "link"]
    times = {n: row[2] for n, row in links}
    usual = [
        median(taken) if (taken := [times[n] for n, row in links if row[0] == seat]) else 0 for seat in range(seats)
    ]
    rows, missed = [], [0] * seats
    for i, (n, (seat, raw, _ms)) in enumerate(links):
        tell(i, len(links))
        state, action = states[n - 1], ENTRY.act(raw)
        assert isinstance(action, Link)
        played = tuple(sorted(action.p))
        found = pairs(state.boards[seat].cells, state.cols)
        worth = left_by(options, state, seat, found)
        at = next(j for j, one in enumerate(found) if tuple(sorted(one.pair)) == played)
        best = max(range(len(found)), key=lambda j: (worth[j], j == at, -j))
        loss = worth[best] - worth[at]
        slow = times[n] >= MISSED * usual[seat] > 0 and len(found) > 1
        missed[seat] += slow
        mark = "mistake" if worth[at] == STUCK and worth[best] > 0 else "inaccuracy" if loss >= FEWER else ""
        ranked = sorted(range(len(found)), key=lambda j: (-worth[j], j != at, j))
        shown = ranked[:SHOWN] + [j for j in (at,) if j not in ranked[:SHOWN]]
        line = ((seat, to_builtins(Link(found[best].pair))),) if best != at else ()
        rows.append(
            Verdict(
                n=n,
                seat=seat,
                said=said(found[at].pair),
                best=said(found[best].pair),
                loss=loss,
                worth=worth[best],
                mark=mark,
                kind="slow" if slow else "link",
                line=line,
                said_line=(said(found[best].pair),) if line else (),
                tried=tuple(Weighed(said(found[j].pair), worth[j]) for j in shown),
                weighed=len(found),
            )
        )
    tell(len(links), len(links))
    accounts = []
    for seat in range(seats):
        own = [row for row in rows if row.seat == seat]
        taken = [times[row.n] for row in own]
        figures = {"links": float(len(own)), "missed": float(missed[seat])}
        if taken:
            figures |= {"pace_ms": round(fmean(taken)), "usual_ms": round(usual[seat]), "slowest_ms": float(max(taken))}
        accounts.append(
            SeatAccount(
                seat=seat,
                decisions=len(own),
                loss=round(fmean(row.loss for row in own), 2) if own else 0.0,
                marks=dict(Counter(row.mark for row in own if row.mark)),
                figures=figures,
            )
        )
    curves = [
        Course(seat, tuple((row.n, times[row.n] / 1000) for row in rows if row.seat == seat)) for seat in range(seats)
    ]
    return Analysis("qipai", "pairs", tuple(rows), EDITION, tuple(accounts), tuple(curves))
