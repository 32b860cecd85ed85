"""What a bench found, as data, as text and as Markdown."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Final

from msgspec import Struct

__all__ = ["BUSY", "Check", "Line", "Sheet", "Table", "line", "markdown", "text", "today", "versions"]


BUSY: Final = 0.15  # of the machine used by others: if more, wall-clock times depend on them as much as on us


class Line(Struct, frozen=True):
    """What one contestant did: the least, the median and the most of its runs."""

    who: str
    low: float = 0.0
    mid: float = 0.0
    high: float = 0.0
    cpu_us: float | None = None  # µs of CPU an operation, median
    absent: str = ""  # why there are no figures


class Check(Struct, frozen=True):
    """A target of `docs/bench.md`, and what was found in this run."""

    what: str
    bound: float
    at_least: bool  # else: at most
    found: float | None  # None: the peer is absent
    skipped: str = ""  # why this machine cannot tell

    @property
    def reached(self) -> bool | None:
        """Tell whether it is reached; None if that cannot be said."""
        if self.found is None or self.skipped:
            return None
        return self.found >= self.bound if self.at_least else self.found <= self.bound

    @property
    def verdict(self) -> str:
        """The answer in words."""
        unsaid = f"skipped: {self.skipped}" if self.skipped else "peer: absent"
        return {True: "reached", False: "NOT REACHED", None: unsaid}[self.reached]


class Table(Struct, frozen=True):
    """One thing that was measured."""

    name: str
    unit: str
    lines: tuple[Line, ...]
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


class Sheet(Struct, frozen=True):
    """One command's findings."""

    command: str
    date: str
    quick: bool
    versions: dict[str, str]
    cpu: str
    cores: int
    load_before: tuple[float, float, float]
    load_after: tuple[float, float, float]
    tables: tuple[Table, ...]
    others: float | None = None  # the share of the machine that other processes took meanwhile
    trouble: str = ""  # why there are no tables

    @property
    def busy(self) -> bool:
        """Tell whether others used so much of the machine that rates and waits cannot be trusted."""
        return self.others is not None and self.others > BUSY

    @property
    def reached(self) -> bool:
        """Tell whether it was measured, and all targets that could be judged are reached."""
        return not self.trouble and all(check.reached is not False for table in self.tables for check in table.checks)


def line(who: str, values: Sequence[float], cpu_us: Sequence[float] = ()) -> Line:
    """Return a contestant's line from its runs."""
    return Line(who, min(values), median(values), max(values), median(cpu_us) if cpu_us else None)


def today() -> str:
    """Return the date, UTC."""
    return datetime.now(UTC).date().isoformat()


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of Python, the system and some packages, those that are installed."""
    found = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
    for package in ("qipai", *packages):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def number(value: float) -> str:
    """Return a figure as people read it: three significant digits."""
    if value >= 1000:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def cells(table: Table) -> list[list[str]]:
    """Return a table's cells, the head first."""
    rows = [["", "min", "median", "max", "CPU µs/op"]]
    for entry in table.lines:
        if entry.absent:
            rows.append([entry.who, f"absent: {entry.absent}", "", "", ""])
        else:
            figures = [number(value) for value in (entry.low, entry.mid, entry.high)]
            rows.append([entry.who, *figures, "" if entry.cpu_us is None else number(entry.cpu_us)])
    return rows


def check_text(check: Check) -> str:
    """Return a target and what became of it."""
    found = "" if check.found is None else f" found {number(check.found)},"
    return f"{check.what}: {'≥' if check.at_least else '≤'} {number(check.bound)},{found} {check.verdict}"


def machine(sheet: Sheet) -> str:
    """Return what else the machine did."""
    said = f"load {sheet.load_before[0]:.2f} before and {sheet.load_after[0]:.2f} after"
    if sheet.others is not None:
        said += f"; others took {sheet.others:.0%} of the machine"
    return said + (": IT WAS BUSY, rates and waits are not to be trusted" if sheet.busy else "")


def text(sheet: Sheet) -> str:
    """Return a sheet for a terminal."""
    out = [f"{sheet.command}   {sheet.date}   {sheet.cpu} × {sheet.cores}"]
    out.append("   ".join(f"{name} {value}" for name, value in sheet.versions.items()))
    out.append(machine(sheet))
    if sheet.trouble:
        out.append(f"NOT MEASURED: {sheet.trouble}")
    for table in sheet.tables:
        rows = cells(table)
        rows[0][0] = f"{table.name} [{table.unit}]"
        widths = [max(len(row[i]) for row in rows) for i in range(5)]
        out.append("")
        for row in rows:
            out.append("  ".join([row[0].ljust(widths[0]), *(row[i].rjust(widths[i]) for i in range(1, 5))]).rstrip())
        out += [f"  {check_text(check)}" for check in table.checks]
        out += [f"  {note}" for note in table.notes]
    return "\n".join(out)


def markdown(sheet: Sheet, plot: str = "") -> str:
    """Return a sheet as a section of a page; plot: where its picture lies."""
    named = ", ".join(f"{name} {value}" for name, value in sheet.versions.items())
    out = [f"## `{sheet.command}`", ""]
    rounds = ", `--quick`" if sheet.quick else ""
    out.append(f"{sheet.date}{rounds}, {sheet.cpu} × {sheet.cores}, {machine(sheet)}; {named}.")
    if sheet.trouble:
        out += ["", f"**Not measured:** {sheet.trouble}."]
    elif plot:
        out += ["", f"![{sheet.command}]({plot})"]
    for table in sheet.tables:
        out += ["", f"**{table.name}**, {table.unit}", ""]
        rows = cells(table)
        out.append("| " + " | ".join(rows[0]) + " |")
        out.append("|---|--:|--:|--:|--:|")
        out += ["| " + " | ".join(row) + " |" for row in rows[1:]]
        if table.checks or table.notes:
            out.append("")
        out += [f"- {check_text(check)}" for check in table.checks]
        out += [f"- {note}" for note in table.notes]
    return "\n".join(out) + "\n"
