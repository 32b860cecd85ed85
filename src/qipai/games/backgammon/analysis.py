"""Analysis of a finished match: what each play cost, what would have been best, how lucky each throw was.

    python -m qipai.games.backgammon.analysis match.mat

The adviser is gnubg where it is installed and knows the game, else our own net. Worths are points in a series and
chances of the match in a match, for the side that moved; luck is what a throw was better than the mean of all.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from qipai.core.analysis import Analysis, Course, Progress, SeatAccount, Unweighed, Verdict, Weighed
from qipai.core.entry import Record
from qipai.core.kernel import JIT
from qipai.core.record import UNFINISHED, options_of, replay
from qipai.games.backgammon.bots import ending
from qipai.games.backgammon.bots.cube import Chances, Choice, Stake, decide
from qipai.games.backgammon.bots.net import UNIT, brain, outcomes
from qipai.games.backgammon.bots.players import Player, live_of, stake_of
from qipai.games.backgammon.bots.search import after_replies, new_look
from qipai.games.backgammon.external import Gnubg, fibs_board, found, knows
from qipai.games.backgammon.kernel.plays import apply_way
from qipai.games.backgammon.notation import mat, sgf
from qipai.games.backgammon.notation.sheet import Sheet, score_of, sheet_of
from qipai.games.backgammon.observation import laid
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of, cells_of, start_cells
from qipai.games.backgammon.results import crawford_due, result_of
from qipai.games.backgammon.rules import Backgammon, try_double
from qipai.games.backgammon.sage import Sage
from qipai.games.backgammon.state import Cube, Played, Rolled, State
from qipai.games.backgammon.turns import all_plays

__all__ = ["Adviser", "GnubgAdviser", "Judged", "OwnAdviser", "adviser_for", "analysed", "judged"]

EDITION: Final = 4
MARKS: Final = ((0.16, "blunder"), (0.08, "mistake"), (0.04, "inaccuracy"))  # points of a cube on 1: gnubg's
CLOSE: Final = 0.16  # a throw instead of a double is a decision when a double costs less, as gnubg counts
SHOWN: Final = 4  # plays that a verdict lists
EVEN: Final = Stake(value=1, mine=False, centred=True, need=0, his_need=0)  # replies are chosen for points


class Adviser(Protocol):
    """An engine that can value a board."""

    name: str

    @property
    def quick(self) -> Adviser | None:
        """Return one that looks less far, for what is valued many times."""
        ...

    def chances(self, cells: tuple[int, ...], roller: int) -> Chances:
        """Return the outcomes for the side on roll, without the cube."""
        ...

    def close(self) -> None:
        """Release what it holds."""
        ...


class OwnAdviser:
    """The net of our own players, behind every reply where kernels are compiled."""

    name = "qipai"

    def __init__(self, options: Options, plies: int | None = None) -> None:
        """plies: 1 looks at every reply, 0 does not; None: what there is time for."""
        self.options, self.plies = options, (1 if JIT else 0) if plies is None else plies
        self.quick: Adviser | None = OwnAdviser(options, 0) if self.plies else None
        self.net, self.look, self.his = (
            brain(options.variant),
            new_look(),
            Player(options).terms(EVEN.terms(options), 1),
        )

    def chances(self, cells: tuple[int, ...], roller: int) -> Chances:
        """Return the outcomes for the side on roll."""
        board = board_of(self.options, cells)
        if not self.plies:
            outcomes(board, roller, self.net)
            return replace(Chances(*(int(value) / UNIT for value in self.net.value)), live=live_of(board, roller))
        after_replies(board, 1 - roller, self.his, self.net, self.look)
        mean = [int(value) / UNIT for value in self.look.mean]
        return Chances(1 - mean[0], mean[3], mean[4], mean[1], mean[2], live_of(board, roller))

    def close(self) -> None:
        """Do nothing: it holds no resources."""


class GnubgAdviser:
    """GNU Backgammon through its socket."""

    name = "gnubg"
    quick: Adviser | None = None

    def __init__(self, options: Options, plies: int = 0, path: str | None = None) -> None:
        self.rules, self.plies = Backgammon(replace(options, cube=True)), plies
        self.gnubg = Gnubg(options, path=path)

    def chances(self, cells: tuple[int, ...], roller: int) -> Chances:
        """Return the outcomes for the side on roll."""
        shown = laid(self.rules.options, cells)
        state = State(phase="to_roll", cells=cells, laid=shown, turn=roller, on_roll=roller, first=False)
        line = fibs_board(self.rules.observe(state, roller), roller)
        words = self.gnubg.ask(f"evaluation fibsboard {line} plies {self.plies} cube off").split()
        return replace(Chances(*map(float, words[:5])), live=live_of(board_of(self.rules.options, cells), roller))

    def close(self) -> None:
        """End the program."""
        self.gnubg.close()


def adviser_for(options: Options, engines: Mapping[str, str]) -> Adviser:
    """Return the fastest installed engine that knows the game, else our own net."""
    if knows(options):
        if "bgsage" in engines:
            return Sage(options, engines["bgsage"])
        if "gnubg" in engines:
            return GnubgAdviser(options, path=engines["gnubg"])
    return OwnAdviser(options)


def analysed(record: Record, engines: Mapping[str, str], tell: Progress) -> Analysis:
    """Return what an adviser says of each turn and of each use of the cube in a match (`Entry.analysis`)."""
    from qipai.games.backgammon import ENTRY

    options: Options = options_of(ENTRY, record)
    unit = "points" if options.series else "match"
    if not options.row.dice:  # grasshopper: its players search, and value nothing
        return Analysis("qipai", unit, (), EDITION)
    steps = list(replay(ENTRY, record))
    frames = [
        n
        for n, step in enumerate(steps)
        for told in step.told
        if isinstance(told.event, Played) or (isinstance(told.event, Rolled) and told.event.dance)
    ]
    adviser = adviser_for(options, engines)
    rows: list[Verdict] = []
    try:
        for n, turn in zip(frames, judged(record, adviser), strict=True):
            tell(len(rows), len(frames))
            rows.append(
                Verdict(
                    n=n,
                    seat=turn.seat,
                    said=turn.m,
                    best=turn.best,
                    loss=round(turn.loss, 4),
                    luck=round(turn.luck, 4),
                    worth=round(turn.worth, 4),
                    mark=mark_of(turn.loss, turn.step),
                    line=((turn.seat, {"a": "play", "m": turn.best}),) if turn.loss > 0 else (),
                    said_line=(turn.best,) if turn.loss > 0 else (),
                    tried=tuple(Weighed(text, round(worth, 4)) for text, worth in turn.tried),
                    weighed=turn.weighed,
                    chances=turn.chances,
                )
            )
        told, unweighed = cubes(options, record, [step.state for step in steps], adviser)
        rows += told
        name = adviser.name
    finally:
        adviser.close()
    rows.sort(key=lambda row: row.n)
    tell(len(frames), len(frames))
    points = tuple(
        (row.n, row.worth if row.seat == 0 else turned(options, row.worth)) for row in rows if row.kind == "play"
    )
    sheet = accounts(options, record, rows)
    return Analysis(name, unit, tuple(rows), EDITION, sheet, (Course(0, points),), unweighed=tuple(unweighed))


def turned(options: Options, worth: float) -> float:
    """Return what is worth so much to one side, seen by the other."""
    return -worth if options.series else 1 - worth


def mark_of(loss: float, step: float) -> str:
    """Return how bad a mistake is, as GNU Backgammon names it: doubtful, bad, very bad from 0.04, 0.08, 0.16 on.

    step: what a point of a cube on 1 is worth, so that mistakes at every score and cube are measured alike.
    """
    return next((name for least, name in MARKS if loss >= least * step), "")


def accounts(options: Options, record: Record, rows: Sequence[Verdict]) -> tuple[SeatAccount, ...]:
    """Return what the verdicts come to: each player's skill is what they have lost against the best play."""
    outcome = record.outcome
    result: list[float] | None = None
    if outcome is not None and outcome.get("why") not in UNFINISHED:
        points = outcome["points"]
        result = [float(each) for each in points]
        if not options.series:
            result = [0.0 if points[0] == points[1] else 0.5 if each == max(points) else -0.5 for each in points]
    lost = [sum(row.loss for row in rows if row.seat == seat) for seat in (0, 1)]
    found = []
    for seat in (0, 1):
        own = [row for row in rows if row.seat == seat]
        cube = [row for row in own if row.kind == "cube"]
        skill, others = -lost[seat], lost[1 - seat]
        found.append(
            SeatAccount(
                seat=seat,
                decisions=len(own),
                loss=round(lost[seat] / len(own), 4) if own else 0.0,
                marks=dict(Counter(row.mark for row in own if row.mark)),
                throws=round(sum(row.luck or 0.0 for row in own), 4),
                figures={
                    "checker_loss": round(lost[seat] - sum(row.loss for row in cube), 4),
                    "cube_loss": round(sum(row.loss for row in cube), 4),
                },
                result=None if result is None else round(result[seat], 4),
                skill=round(skill, 4),
                others=round(others, 4),
                luck=None if result is None else round(result[seat] - skill - others, 4),
            )
        )
    return tuple(found)


def cubes(
    options: Options, record: Record, states: Sequence[State], adviser: Adviser
) -> tuple[list[Verdict], list[Unweighed]]:
    """Return the verdicts on doubles, takes and drops, and on throws where a double was near; and the other answers."""
    found, unweighed = [], []
    for n, (seat, raw, _ms) in enumerate(record.rows, 1):
        state, did = states[n - 1], raw.get("a")
        if did in ("resign", "offer_draw", "accept", "reject"):
            unweighed.append(Unweighed(n, "rule"))
        if seat < 0 or did not in ("roll", "double", "take", "drop"):
            continue
        if did in ("roll", "double"):
            if state.phase != "to_roll" or try_double(options, state, seat) is not None:
                unweighed.append(Unweighed(n, "only"))
                continue
            stake = stake_of(options, state, seat)
            choice = choice_of(options, stake, adviser, state, seat)
            worths = {"roll": choice.hold, "double": min(choice.taken, choice.dropped)}
        else:
            if state.phase != "double_offered":
                continue
            stake = stake_of(options, state, 1 - seat)
            choice = choice_of(options, stake, adviser, state, 1 - seat)
            worths = {"take": turned(options, choice.taken), "drop": turned(options, choice.dropped)}
        step = stake.terms(options)[1] / 2
        best = max(worths, key=lambda name: (worths[name], name == did))
        loss = worths[best] - worths[did]
        if did == "roll" and loss <= 0 and worths["roll"] - worths["double"] > CLOSE * step:
            unweighed.append(Unweighed(n, "clear"))
            continue
        found.append(
            Verdict(
                n=n,
                seat=seat,
                said=did,
                best=best,
                loss=round(loss, 4),
                worth=round(worths[best], 4),
                mark=mark_of(loss, step),
                kind="cube",
                line=((seat, {"a": best}),) if loss > 0 else (),
                said_line=(best,) if loss > 0 else (),
                tried=tuple(Weighed(name, round(worths[name], 4)) for name in sorted(worths, key=lambda w: -worths[w])),
            )
        )
    return found, unweighed


def choice_of(options: Options, stake: Stake, adviser: Adviser, state: State, roller: int) -> Choice:
    """Return what each use of the cube is worth: of the last checkers exactly, else by the adviser's chances."""
    exact = ending.choice(options, stake, board_of(options, state.cells), roller)
    return exact or decide(options, stake, adviser.chances(state.cells, roller))


class Judged(Struct, frozen=True):
    """One turn, judged."""

    game: int  # from 1
    seat: int
    dice: tuple[int, int]
    m: str  # "" for a dance
    best: str
    loss: float  # what the play gave away, ≥ 0
    luck: float
    worth: float  # of the board after the best play
    step: float = 1.0  # what a point of a cube on 1 is worth
    tried: tuple[tuple[str, float], ...] = ()  # the best plays and the one chosen, the best first
    weighed: int = 0  # how many plays there were
    chances: tuple[float, float, float] | None = None  # after the play: to win, to win double, to lose double


def judged(source: Record | Sheet, adviser: Adviser) -> Iterator[Judged]:
    """Yield each turn of a match, judged."""
    sheet = sheet_of(source) if isinstance(source, Record) else source
    options = sheet.options
    if not options.row.dice:
        return
    done = False
    for number, game in enumerate(sheet.games):
        cells, cube = start_cells(options), Cube()
        score = score_of(sheet, number)
        crawford = game.crawford or crawford_due(options, score, done)
        for line in game.lines:
            if line.kind == "take":
                cube = Cube(line.value, cube.owner if cube.owner is not None and cube.owner != line.seat else line.seat)
            elif line.kind == "beaver":
                cube = Cube(line.value // 2, line.seat)
            elif line.kind == "auto":
                cube = Cube(line.value)
            if line.kind != "play" or line.dice is None:
                continue
            state = State(
                phase="to_play",
                cells=cells,
                laid=laid(options, cells),
                cube=cube,
                score=score,
                crawford=crawford,
                crawford_done=done,
            )
            value = Valuer(options, adviser, stake_of(options, state, line.seat), line.seat)
            plays = value.plays(cells, line.dice)
            best = max(plays, key=lambda text: plays[text])
            yield Judged(
                number + 1,
                line.seat,
                line.dice,
                line.text,
                best,
                plays[best] - plays[line.text],
                plays[best] - value.mean(cells),
                plays[best],
                value.terms[1] / 2,
                tuple((text, plays[text]) for text in sorted(plays, key=lambda t: -plays[t])[:SHOWN]),
                len(plays),
                value.chances(cells, line.dice, line.text),
            )
            if line.text:
                board = board_of(options, cells)
                apply_way(
                    board, line.seat, all_plays(options, cells, line.seat, max(line.dice), min(line.dice))[line.text]
                )
                cells = cells_of(board)
        done = done or crawford


class Valuer:
    """Values boards for one seat at one score."""

    def __init__(self, options: Options, adviser: Adviser, stake: Stake, seat: int) -> None:
        self.options, self.adviser, self.stake, self.seat = options, adviser, stake, seat
        self.terms = stake.terms(options)
        self.known: dict[tuple[int, ...], float] = {}
        self.quick: Valuer | None = Valuer(options, adviser.quick, stake, seat) if adviser.quick else None

    def after(self, cells: tuple[int, ...]) -> float:
        """Return what a board is worth to the seat when it has just moved."""
        if cells not in self.known:
            cube = Cube(self.stake.value, None if self.stake.centred else self.seat)
            last = result_of(self.options, cells, cube, self.seat)
            if last is not None:
                points = 0 if last.winner is None else last.points if last.winner == self.seat else -last.points
                self.known[cells] = self.stake.worth(self.options, points)
            else:
                his = self.adviser.chances(cells, 1 - self.seat)
                mine = (1.0, 1 - his.win, his.lose2, his.lose3, his.win2, his.win3)
                self.known[cells] = sum(term * chance for term, chance in zip(self.terms, mine, strict=True))
        return self.known[cells]

    def plays(self, cells: tuple[int, ...], dice: Sequence[int]) -> dict[str, float]:
        """Return the worth of each play of a throw; of a dance, under ""."""
        found: dict[str, float] = {}
        for text, way in all_plays(self.options, cells, self.seat, max(dice), min(dice)).items():
            board = board_of(self.options, cells)
            apply_way(board, self.seat, way)
            found[text] = self.after(cells_of(board))
        return found or {"": self.after(cells)}

    def after_play(self, cells: tuple[int, ...], dice: Sequence[int], text: str) -> float:
        """Return the worth of one play of a throw."""
        board = board_of(self.options, cells)
        apply_way(board, self.seat, all_plays(self.options, cells, self.seat, max(dice), min(dice))[text])
        return self.after(cells_of(board))

    def chances(self, cells: tuple[int, ...], dice: Sequence[int], text: str) -> tuple[float, float, float] | None:
        """Return the chances after a play, to win, to win double and to lose double; None where it ends the game."""
        if text:
            board = board_of(self.options, cells)
            apply_way(board, self.seat, all_plays(self.options, cells, self.seat, max(dice), min(dice))[text])
            cells = cells_of(board)
        cube = Cube(self.stake.value, None if self.stake.centred else self.seat)
        if result_of(self.options, cells, cube, self.seat) is not None:
            return None
        his = self.adviser.chances(cells, 1 - self.seat)
        return round(1 - his.win, 4), round(his.lose2, 4), round(his.win2, 4)

    def mean(self, cells: tuple[int, ...]) -> float:
        """Return the mean over all throws of the best play's worth."""
        throws = [(one, two) for one in range(1, 7) for two in range(1, one + 1)]
        return sum((1 if one == two else 2) * self.best(cells, (one, two)) for one, two in throws) / 36

    def best(self, cells: tuple[int, ...], dice: Sequence[int]) -> float:
        """Return the worth of the best play of a throw, by the adviser that looks less far where there is one."""
        if self.quick is None:
            return max(self.plays(cells, dice).values())
        plays = self.quick.plays(cells, dice)
        text = max(plays, key=lambda play: plays[play])
        return self.after_play(cells, dice, text) if text else self.after(cells)


def main() -> None:
    """Print the judgement of a match in a `.mat` or SGF file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    asked = parser.parse_args()
    text = asked.file.read_text("utf-8")
    sheet = (sgf.read if asked.file.suffix == ".sgf" else mat.read)(text)
    path = found()
    adviser = adviser_for(sheet.options, {"gnubg": path} if path else {})
    sums = [[0.0, 0.0, 0], [0.0, 0.0, 0]]
    try:
        for turn in judged(sheet, adviser):
            mark = f"  {turn.best} was better by {turn.loss:.3f}" if turn.loss > 0.02 else ""
            dice = f"{max(turn.dice)}{min(turn.dice)}"
            print(f"{turn.game:2d} {sheet.players[turn.seat]:<12} {dice} {turn.m:<28} luck {turn.luck:+.3f}{mark}")
            sums[turn.seat][0] += turn.loss
            sums[turn.seat][1] += turn.luck
            sums[turn.seat][2] += 1
    finally:
        adviser.close()
    for name, (loss, luck, turns) in zip(sheet.players, sums, strict=True):
        print(f"{name}: {1000 * loss / max(1, turns):.1f} thousandths lost a turn, luck {luck:+.3f} ({adviser.name})")


if __name__ == "__main__":
    main()
