"""The page `docs/bench.md`, written by `qipai bench all --write docs/bench.md`."""

from __future__ import annotations

from collections.abc import Sequence

from qipai.bench.sheet import Sheet, markdown

__all__ = ["page"]

HEAD = """# Figures

Written by `qipai bench all --write docs/bench.md`; do not edit. The peers are installed by `uv sync --group bench`
(OpenSpiel, RLCard, pyffish) and `apt-get install fairy-stockfish`; none is imported by what is shipped.

How to read it: contestants take turns in processes of their own, at least five rounds each. min, median and max are of
those rounds by the clock on the wall. CPU µs/op is CPU time for one operation, the median. **Ratios are of CPU time, in
the same run**, unless a line says otherwise: on a shared machine they are the figures to trust, rates are not. A target
that was not reached says so. `qipai bench WHAT --check` exits with 1 in that case, `--json` prints everything as data,
`--quick` takes a minute for all.
"""


def page(sheets: Sequence[Sheet]) -> str:
    """Return the page: what was reached, then every sheet."""
    rows = [
        f"| `{sheet.command}` | {table.name}: {check.what} | {'≥' if check.at_least else '≤'} {check.bound:g} | "
        f"{'' if check.found is None else f'{check.found:.3g}'} | {check.verdict} |"
        for sheet in sheets
        for table in sheet.tables
        for check in table.checks
    ]
    head = ["## Targets", "", "| command | what | target | found | |", "|---|---|--:|--:|---|"]
    parts = [HEAD, "\n".join([*head, *rows]) + "\n", *(markdown(sheet) for sheet in sheets)]
    return "\n".join(parts)
