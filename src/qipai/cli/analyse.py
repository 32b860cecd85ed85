"""Go through a finished game: what was best at each choice, what was lost, how lucky it was, and why it was won."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from qipai import games
from qipai.cli import Trouble, replay
from qipai.lang import fill, hall

if TYPE_CHECKING:
    from qipai.core.analysis import Analysis, Course, Verdict
    from qipai.core.entry import Record

__all__ = ["drawn", "lines", "options", "run"]

BARS: Final = "▁▂▃▄▅▆▇█"
WIDE: Final = 72  # columns of a graph


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    replay.which(parser)
    parser.add_argument("--json", action="store_true", help="print all of it as JSON")
    parser.add_argument("--all", action="store_true", help="print every choice, not only those that lost something")
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="ask this program first, as gnubg=/usr/games/gnubg",
    )
    parser.add_argument("--slow", action="store_true", help="do without compiled kernels, and look at less")


def run(args: argparse.Namespace) -> int:
    """Print the analysis of a game."""
    import msgspec

    from qipai.arena.process import Process, Silent
    from qipai.arena.worker import Judge
    from qipai.cli.play import language
    from qipai.core.analysis import Analysis

    args.lang = language(args.lang)
    source = replay.asked(args)
    if source is None:
        return 0
    record = source[0].record
    if games.find(record.game).analysis is None:
        raise Trouble(f"{record.game} has no analysis")
    engines = dict(each.partition("=")[::2] for each in args.engine)
    process = Process(jit=not args.slow)
    try:
        answer = process.ask(Judge(game=record.game, record=record, engines=engines), _tell)
    except Silent as gone:
        raise Trouble("the analysis broke off") from gone
    finally:
        process.kill()
        process.close()
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)
    if answer.error:
        raise Trouble(f"the game cannot be gone through: {answer.error}")
    if args.json:
        print(bytes(answer.result).decode())
        return 0
    found = msgspec.json.decode(answer.result, type=Analysis)
    for line in lines(found, record, args.lang, whole=args.all):
        print(line)
    return 0


def _tell(done: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{of} ", end="", file=sys.stderr, flush=True)


def lines(found: Analysis, record: Record, lang: str, *, whole: bool = False) -> Iterator[str]:
    """Yield an analysis as text. whole: with the choices that lost nothing."""
    said = hall(lang)

    def word(key: str, **facts: Any) -> str:
        return fill(said[f"analysis.{key}"], facts, lang=lang)

    names = [f"{seat} {name}".strip() for seat, name in enumerate(record.players)]
    names += [str(seat) for seat in range(len(names), max((one.seat for one in found.accounts), default=-1) + 1)]
    by = word("own") if found.by == "qipai" else found.by
    deals = f" {word('deals', n=found.deals)}" if found.deals else ""
    yield word("by", by=by, unit=word(f"unit_{found.unit}")) + deals
    for row in found.rows:
        if whole or row.mark or row.loss > _small(found.unit):
            yield _row(row, names, word)
    yield ""
    for one in found.accounts:
        if not one.decisions:
            continue
        parts = [word("decisions", n=one.decisions), word("mean_loss", n=f"{one.loss:.3f}")]
        parts += [f"{word(f'mark_{mark}')} {n}" for mark, n in sorted(one.marks.items())]
        if one.accuracy is not None:
            parts.append(word("accuracy", n=f"{one.accuracy:.1f}"))
        if one.throws is not None:
            parts.append(word("throws", n=f"{one.throws:+.3f}"))
        parts += [f"{word(f'figure_{name}')} {value:g}" for name, value in one.figures.items()]
        yield f"{names[one.seat]}: {', '.join(parts)}"
        if one.result is not None and one.skill is not None:
            yield "   " + word(
                "sheet",
                result=f"{one.result:+.2f}",
                luck=f"{one.luck or 0:+.2f}",
                skill=f"{one.skill:+.2f}",
                error=f"{one.error:.2f}",
                others=f"{one.others or 0:+.2f}",
            )
            if one.dealt is not None:
                yield "   " + word("dealt", n=f"{one.dealt:+.2f}", error=f"{one.dealt_error or 0:.2f}")
    yield ""
    for curve in found.curves:
        if curve.points:
            yield from drawn(curve, names[curve.seat])


def _small(unit: str) -> float:
    """Return up to which loss a choice is not worth a line."""
    return {"win": 1.0, "pairs": 2.0}.get(unit, 0.02)


def _row(row: Verdict, names: Sequence[str], word: Any) -> str:
    """Return a verdict as a line."""
    loss = f"{row.loss:.3f}" + ("" if row.error is None else f" ±{row.error:.3f}")
    luck = "" if row.luck is None else f"  {word('luck', n=f'{row.luck:+.3f}')}"
    mark = f"  {word(f'mark_{row.mark}')}" if row.mark else ""
    better = "" if row.best == row.said else f"  {word('better', best=' '.join(row.said_line) or row.best, loss=loss)}"
    return f"{row.n:4} {names[row.seat]:<12} {row.said or '–':<20}{mark}{better}{luck}"


def drawn(curve: Course, name: str) -> Iterator[str]:
    """Yield a curve as a line of bars, with its lowest and highest value."""
    values = [value for _, value in curve.points]
    step = max(1, -(-len(values) // WIDE))
    shown = [values[min(i + step - 1, len(values) - 1)] for i in range(0, len(values), step)]
    low, high = min(values), max(values)
    wide = high - low or 1.0
    bars = "".join(BARS[min(len(BARS) - 1, int((value - low) / wide * len(BARS)))] for value in shown)
    yield f"{name:<12} {low:+.2f} {bars} {high:+.2f}"
