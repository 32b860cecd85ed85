"""A sheet as a picture: a bar for each contestant, on a scale of tens, in an SVG of our own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Final

from qipai.bench.sheet import Line, Sheet, Table, check_text, number
from qipai.core.measure import OURS

__all__ = ["plot"]

WIDTH: Final = 760
NAMES: Final = 250  # px for the contestants' names
ROW: Final = 20
STYLE: Final = (
    "text{font:12px system-ui,sans-serif;fill:#333}.h{font-weight:600}.t{fill:#777;font-size:11px}"
    ".o{fill:#b5473c}.p{fill:#8aa0a8}.w{stroke:#333;stroke-width:1}.g{stroke:#ddd}.miss{fill:#b5473c}"
)


def plot(sheet: Sheet) -> str:
    """Return the picture of a sheet, "" when it has nothing to compare."""
    parts: list[str] = []
    y = 8
    for table in sheet.tables:
        there = [line for line in table.lines if not line.absent and line.mid > 0]
        if there:
            found, y = bars(table, there, y)
            parts += found
    if not parts:
        return ""
    said = f"{sheet.command}, {sheet.date}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img">'
        f"<title>{escape(said)}</title><style>{STYLE}</style>"
        f'<rect width="{WIDTH}" height="{y}" fill="#fff"/>' + "".join(parts) + "</svg>\n"
    )


def bars(table: Table, lines: Sequence[Line], y: int) -> tuple[list[str], int]:
    """Return a table's bars from a height on, and where they end."""
    low = math.floor(math.log10(min(max(line.low, 1e-9) for line in lines)))
    high = max(low + 1, math.ceil(math.log10(max(line.high for line in lines))))
    room = WIDTH - NAMES - 90

    def x(value: float) -> float:
        return NAMES + room * (math.log10(max(value, 10.0**low)) - low) / (high - low)

    out = [text(8, y + 14, f"{table.name}, {table.unit}", "h")]
    y += 22
    end = y + ROW * len(lines)
    for power in range(low, high + 1):
        at = x(10.0**power)
        out.append(f'<line class="g" x1="{at:.1f}" x2="{at:.1f}" y1="{y}" y2="{end}"/>')
        out.append(text(at, end + 12, number(10.0**power), "t", "middle"))
    for line in lines:
        kind = "o" if line.who.startswith(OURS) else "p"
        middle = y + ROW / 2
        out.append(text(NAMES - 8, middle + 4, line.who, "", "end"))
        out.append(
            f'<rect class="{kind}" x="{NAMES}" y="{y + 4}" width="{max(1.0, x(line.mid) - NAMES):.1f}" height="12"/>'
        )
        if line.high > line.low:
            out.append(f'<line class="w" x1="{x(line.low):.1f}" x2="{x(line.high):.1f}" y1="{middle}" y2="{middle}"/>')
        out.append(text(max(x(line.mid), x(line.high)) + 6, middle + 4, number(line.mid)))
        y += ROW
    y = end + 16
    for check in table.checks:
        y += 15
        out.append(text(NAMES, y, check_text(check), "miss" if check.reached is False else "t"))
    return out, y + 16


def text(x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> str:
    """Return words at a place."""
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{escape(said)}</text>'
