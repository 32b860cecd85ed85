"""What the month has shown: a table, the thresholds that follow from it, and the curves as an SVG of our own."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from qipai.bench.honesty.month import Scores
from qipai.bench.honesty.roc import Area, above, area, curve, least, wilson
from qipai.config import Flags

__all__ = ["FIELDS", "RATE", "Found", "found", "page", "picture", "written"]

RATE: Final = 0.001  # false alarms a month that a threshold may give, of honest people or pairs
RATES: Final = (0.01, 0.003, 0.001)
# flag -> its key in `[flags]`, and what a score of that flag is for a threshold
FIELDS: Final = {
    "pair": "one_sided",
    "fed": "fed",
    "rating": "above",
    "flow": "flow",
    "soft": "soft",
    "given": "given",
    "told": "told",
    "timing": "steady",
    "unmoved": "unmoved",
}
PARTS: Final = 10  # thresholds of which each game has its own are in tenths
SIGN: Final = {"timing": -1}  # a flag whose threshold is an upper bound
BEGIN, END = "<!-- honesty: written by `qipai bench honesty` -->", "<!-- honesty: end -->"


class Found(NamedTuple):
    """A flag in a game. least: the number that RATE allows, by people of another month; threshold: the one in use."""

    flag: str
    game: str
    honest: int
    cheats: int
    area: Area
    least: float
    threshold: float
    alarms: float
    caught: float
    at: tuple[float, ...]  # caught at RATES
    curve: list[tuple[float, float]]


def found(setting: Scores, scores: Scores, numbers: Flags) -> list[Found]:
    """Return what each flag is worth. setting: of another month, whose honest people say what a threshold is at least.

    No threshold is held against the people who have set it: they would make it look better than it is.
    """
    rows = []
    for flag, field in FIELDS.items():
        for game, (honest, cheats) in ((game, each) for (name, game), each in scores.items() if name == flag):
            sign = SIGN.get(flag, 1)
            threshold = numbers.least(field, game)
            limit = sign * threshold
            parts = PARTS if isinstance(getattr(numbers, field), dict) else 1
            line = curve(cheats, honest)
            rows.append(
                Found(
                    flag,
                    game,
                    len(honest),
                    len(cheats),
                    area(cheats, honest),
                    sign * least(setting[flag, game][0], RATE, parts),
                    threshold,
                    above(honest, limit),
                    above(cheats, limit),
                    tuple(max(caught for alarms, caught in line if alarms <= rate) for rate in RATES),
                    line,
                )
            )
    return rows


def page(rows: Sequence[Found], said: Mapping[str, str]) -> str:
    """Return the findings as the part of a page. said: what was run, and on what."""
    lines = [BEGIN, "", "; ".join(f"{name} {value}" for name, value in said.items()) + ".", ""]
    lines += ["![Detection against false alarms](img/honesty.svg)", ""]
    heads = ["flag", "game", "honest", "cheats", "AUC ± error", *(f"caught at {1000 * rate:g} ‰" for rate in RATES)]
    lines += [f"| {' | '.join(heads)} |", f"|---|---|{'--:|' * (len(heads) - 2)}"]
    for row in rows:
        cells = [f"{row.honest}", f"{row.cheats}", f"{row.area.area:.3f} ± {row.area.error:.3f}"]
        cells += [_percent(share) for share in row.at]
        lines.append(f"| {row.flag} | {row.game} | {' | '.join(cells)} |")
    lines += ["", "| key | least | threshold | flag, game | false alarms | caught, 95 % |"]
    lines += ["|---|--:|--:|---|--:|--:|"]
    for row in rows:
        low, high = wilson(row.caught, row.cheats)
        cells = [f"`flags.{FIELDS[row.flag]}`", f"{row.least:g}", f"{row.threshold:g}", f"{row.flag}, {row.game}"]
        cells += [f"{1000 * row.alarms:.2g} ‰", f"{_percent(row.caught)} ({_percent(low)} to {_percent(high)})"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", END])


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def written(path: Path, rows: Sequence[Found], said: Mapping[str, str]) -> None:
    """Write the findings into a page, and the picture beside it; what else the page says stays."""
    block = page(rows, said)
    text = path.read_text("utf-8") if path.is_file() else f"# How well flags tell\n\n{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{block}{after}", "utf-8")
    (path.parent / "img").mkdir(exist_ok=True)
    (path.parent / "img" / "honesty.svg").write_text(picture(rows), "utf-8")


WIDE: Final = 190
HIGH: Final = 150
LEFT: Final = 44
TOP: Final = 34
ACROSS: Final = 4
STYLE: Final = (
    "text{font:12px system-ui,sans-serif;fill:#333}.h{font-weight:600}.t{fill:#777;font-size:10px}"
    ".c{fill:none;stroke:#b5473c;stroke-width:2}.g{stroke:#ddd}.a{stroke:#8aa0a8;stroke-dasharray:3 3}.o{fill:#b5473c}"
)


def picture(rows: Sequence[Found]) -> str:
    """Return the curves: false alarms to the right on a scale of tens, detection upwards; a dot at the threshold."""
    down = -(-len(rows) // ACROSS)
    width, height = ACROSS * (WIDE + LEFT) + 12, down * (HIGH + TOP + 34)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img"><title>Detection against false alarms</title><style>{STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="#fff"/>'
    ]
    for number, row in enumerate(rows):
        parts.append(_drawn(row, LEFT + number % ACROSS * (WIDE + LEFT), TOP + number // ACROSS * (HIGH + TOP + 34)))
    return "".join(parts) + "</svg>\n"


def _drawn(row: Found, left: int, top: int) -> str:
    decades = max(2, math.ceil(math.log10(row.honest)))

    def x(alarms: float) -> float:
        return left + WIDE * (1 + math.log10(max(alarms, 10.0**-decades)) / decades)

    def y(caught: float) -> float:
        return top + HIGH * (1 - caught)

    out = [f'<text class="h" x="{left}" y="{top - 10}">{escape(row.flag)}, {escape(row.game)}</text>']
    out.append(f'<text class="t" x="{left + WIDE}" y="{top - 10}" text-anchor="end">AUC {row.area.area:.3f}</text>')
    for power in range(decades + 1):
        at, rate = x(10.0**-power), 10.0**-power
        said = f"{100 * rate:g} %" if power < 3 else f"{1000 * rate:g} ‰"
        out.append(f'<line class="g" x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{top + HIGH}"/>')
        out.append(f'<text class="t" x="{at:.1f}" y="{top + HIGH + 13}" text-anchor="middle">{said}</text>')
    for share in (0.0, 0.5, 1.0):
        out.append(f'<line class="g" x1="{left}" x2="{left + WIDE}" y1="{y(share)}" y2="{y(share)}"/>')
        out.append(f'<text class="t" x="{left - 6}" y="{y(share) + 4:.0f}" text-anchor="end">{_percent(share)}</text>')
    out.append(f'<line class="a" x1="{x(RATE):.1f}" x2="{x(RATE):.1f}" y1="{top}" y2="{top + HIGH}"/>')
    points: list[str] = []
    level = 0.0
    for alarms, caught in row.curve:
        here = f"{x(alarms):.1f},{y(caught):.1f}"
        if not points or points[-1] != here:
            points += [f"{x(alarms):.1f},{y(level):.1f}", here]
        level = caught
    out.append(f'<polyline class="c" points="{" ".join(_thinned(points))}"/>')
    out.append(f'<circle class="o" cx="{x(row.alarms):.1f}" cy="{y(row.caught):.1f}" r="4"/>')
    return "".join(out)


def _thinned(points: Sequence[str]) -> list[str]:
    """Return points without those that stand between two at the same height."""
    kept: list[str] = []
    for each in points:
        height = each.partition(",")[2]
        if len(kept) > 1 and all(one.partition(",")[2] == height for one in kept[-2:]):
            kept[-1] = each
        elif not kept or kept[-1] != each:
            kept.append(each)
    return kept
