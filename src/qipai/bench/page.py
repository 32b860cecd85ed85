"""The page `docs/bench.md` and its pictures, written by `qipai bench all --write docs/bench.md`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from qipai.bench.plot import plot
from qipai.bench.sheet import Line, Sheet, Table, markdown

__all__ = ["page", "read", "slug", "tables_of", "write"]

HEAD = """# Figures

Written by `qipai bench all --write docs/bench.md`, and by `qipai bench WHAT --write docs/bench.md`, which leaves the
rest as it is; do not edit. The peers are installed by `uv sync --group bench`, `qipai bench peers` (pgx, boardgame.io,
Colyseus) and `apt-get install fairy-stockfish gnubg chromium`; none is imported by what is shipped.

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


Said = dict[str, tuple[list[str], str]]  # of each command: its rows among the targets, and its section


def page(sheets: Sequence[Sheet], pictures: str = "", before: str = "") -> str:
    """Return the page: what was reached, then every sheet.

    pictures: the folder of the plots, "" for none. before: a page whose other commands stay as they are told there.
    """
    said = read(before)
    for sheet in sheets:
        told = (rows(sheet), markdown(sheet, f"{pictures}/{slug(sheet)}.svg" if pictures and plot(sheet) else ""))
        if sheet.command not in said:  # after its kin, else at the end
            kin = [at for at, command in enumerate(said) if command.split()[:3] == sheet.command.split()[:3]]
            old = list(said.items())
            at = kin[-1] + 1 if kin else len(old)
            said = dict([*old[:at], (sheet.command, told), *old[at:]])
        said[sheet.command] = told
    head = ["## Targets", "", "| command | what | target | found | | date |", "|---|---|--:|--:|---|---|"]
    targets = [row for found, _ in said.values() for row in found]
    return "\n".join([HEAD, "\n".join([*head, *targets]) + "\n", *(section for _, section in said.values())])


def rows(sheet: Sheet) -> list[str]:
    """Return the rows of a sheet's targets."""
    found = []
    if sheet.trouble:
        found.append(f"| `{sheet.command}` | everything | | | not measured: {sheet.trouble} | {sheet.date} |")
    return found + [
        f"| `{sheet.command}` | {table.name}: {check.what} | {'≥' if check.at_least else '≤'} {check.bound:g} | "
        f"{'' if check.found is None else f'{check.found:.3g}'} | {check.verdict} | {sheet.date} |"
        for table in sheet.tables
        for check in table.checks
    ]


def read(text: str) -> Said:
    """Return what a page says of each command."""
    head, *sections = re.split(r"^(?=## `qipai bench )", text, flags=re.M)
    targets = re.findall(r"^\| `(qipai bench [^`]+)` \|.*$", head, re.M)
    lines = [line for line in head.splitlines() if line.startswith("| `qipai bench ")]
    found: Said = {}
    for section in sections:
        command = section.split("`", 2)[1]
        own = [line for line, target in zip(lines, targets, strict=True) if target == command]
        found[command] = (own, section.rstrip("\n") + "\n")
    return found


def tables_of(section: str) -> list[Table]:
    """Return the tables of a section as they were, to the digits that it shows; checks and notes are all notes."""
    found = []
    for part in re.split(r"^(?=\*\*.+\*\*, )", section, flags=re.M)[1:]:
        head, *rest = part.splitlines()
        name, _, unit = head.removeprefix("**").partition("**, ")
        rows = [[cell.strip() for cell in each.strip("|").split("|")] for each in rest if each.startswith("| ")]
        lines = [
            Line(who, absent=low.removeprefix("absent: "))
            if low.startswith("absent: ")
            else Line(who, _number(low), _number(mid), _number(high), _number(cpu) if cpu else None)
            for who, low, mid, high, cpu in rows
            if who
        ]
        notes = tuple(each.removeprefix("- ") for each in rest if each.startswith("- "))
        found.append(Table(name, unit, tuple(lines), (), notes))
    return found


def _number(text: str) -> float:
    """Return a figure from what people read."""
    return float("".join(text.split()))


def slug(sheet: Sheet) -> str:
    """Return the name of a sheet's picture."""
    words = re.sub(r" --(tables \S+|store sqlite)", "", sheet.command.removeprefix("qipai bench "))
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-")


def write(file: Path, sheets: Sequence[Sheet], *, whole: bool = True) -> None:
    """Write the page, and its pictures in `img/bench` beside it.

    whole: nothing else is kept of a page that was there, nor pictures of another time.
    """
    folder = file.parent / "img" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg") if whole else ():
        old.unlink()
    for sheet in sheets:
        if drawn := plot(sheet):
            (folder / f"{slug(sheet)}.svg").write_text(drawn, encoding="utf-8")
    before = file.read_text("utf-8") if file.exists() and not whole else ""
    file.write_text(page(sheets, "img/bench", before), encoding="utf-8")
