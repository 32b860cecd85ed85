"""The page `docs/bench.md` and its pictures, written by `qipai bench all --write docs/bench.md`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from qipai.bench.plot import plot
from qipai.bench.sheet import Sheet, markdown

__all__ = ["page", "slug", "write"]

HEAD = """# Figures

Written by `qipai bench all --write docs/bench.md`; do not edit. The peers are installed by `uv sync --group bench`,
`qipai bench peers` (pgx, boardgame.io, Colyseus) and `apt-get install fairy-stockfish gnubg chromium`; none is imported
by what is shipped.

How to read it: contestants take turns in processes of their own, at least five rounds each. min, median and max are of
those rounds by the clock on the wall. CPU µs/op is CPU time for one operation, the median. **Ratios are of CPU time, in
the same run**, unless a line says otherwise: on a shared machine they are the figures to trust, rates are not. A target
that was not reached says so, and so does a machine on which others took more than 15 %. A peer that is not there is
`absent`; a bench that could not be carried out says why and has no figures.

`qipai bench WHAT --check` exits with 1 when a target is missed, `--json` prints everything as data. `--quick` is to
take a minute for all on two idle cores, once the kernels are compiled (decision 0026): two rounds instead of five,
shorter ones, fewer tables, and of the server the games with the most and the fewest seats. What counts CPU time, bytes
or losses then runs beside other benches, so its rates are lower; what looks at the clock runs alone.
"""


def page(sheets: Sequence[Sheet], pictures: str = "") -> str:
    """Return the page: what was reached, then every sheet. pictures: the folder of the plots, "" for none."""
    rows = []
    for sheet in sheets:
        if sheet.trouble:
            rows.append(f"| `{sheet.command}` | everything | | | not measured: {sheet.trouble} | {sheet.date} |")
        rows += [
            f"| `{sheet.command}` | {table.name}: {check.what} | {'≥' if check.at_least else '≤'} {check.bound:g} | "
            f"{'' if check.found is None else f'{check.found:.3g}'} | {check.verdict} | {sheet.date} |"
            for table in sheet.tables
            for check in table.checks
        ]
    head = ["## Targets", "", "| command | what | target | found | | date |", "|---|---|--:|--:|---|---|"]
    parts = [HEAD, "\n".join([*head, *rows]) + "\n"]
    for sheet in sheets:
        picture = f"{pictures}/{slug(sheet)}.svg" if pictures and plot(sheet) else ""
        parts.append(markdown(sheet, picture))
    return "\n".join(parts)


def slug(sheet: Sheet) -> str:
    """Return the name of a sheet's picture."""
    return re.sub(r"[^a-z0-9]+", "-", sheet.command.removeprefix("qipai bench ").split(" --")[0]).strip("-")


def write(file: Path, sheets: Sequence[Sheet]) -> None:
    """Write the page, and its pictures in `img/bench` beside it; pictures of another time are taken away."""
    folder = file.parent / "img" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    for sheet in sheets:
        if drawn := plot(sheet):
            (folder / f"{slug(sheet)}.svg").write_text(drawn, encoding="utf-8")
    file.write_text(page(sheets, "img/bench"), encoding="utf-8")
