"""The ladder of a game: each rung is a match between two players on duplicate deals, each figure with its error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai import games
from qipai.arena.duel import Result, duel
from qipai.arena.match import Terms, searching
from qipai.core import measure
from qipai.core.measure import Rival

__all__ = ["HEAD", "Rung", "elo", "forms_of", "merged", "rivals_of", "row", "rungs", "written"]

HEAD: Final = "| game | first | second | difference | error | Elo | deals | ms an action | shown | when, where |"
RULE: Final = "|---|---|---|---|---|---|---|---|---|---|"
BEGIN, END = "<!-- ladder -->", "<!-- /ladder -->"
OVER: Final = ("strong", "steady")  # what a search adds to what a level knows without one
SIGMAS: Final = 3.0  # a difference counts as shown from so many standard errors on


class Rung(Struct, frozen=True):
    """A match that is to be played. The first is thought to be the stronger."""

    game: str
    form: str  # the name of its options, "" for the default ones
    options: Mapping[str, Any]
    first: str  # as people read it
    second: str
    bots: tuple[str, str]  # as the arena takes them


def forms_of(game: str) -> dict[str, dict[str, Any]]:
    """Return the forms in which a game is played that differ in strength: its variants, decks, modes; "" first."""
    entry = games.find(game)
    found: dict[str, dict[str, Any]] = {"": {}}
    default = entry.chosen({})
    for name, options in entry.form.variants.items():
        chosen = entry.chosen(dict(options))
        if chosen != default:
            found[name] = dict(options)
    if not entry.form.variants:
        for field in ("decks", "mode"):  # README X7: the rules that make another game of it
            if field not in entry.option_names():
                continue
            info = next(f for f in msgspec.structs.fields(entry.options) if f.encode_name == field)
            for value in getattr(info.type, "__args__", ()):
                if value != getattr(default, info.name):
                    found[f"{field} {value}"] = {field: value}
    return found


def rivals_of(game: str) -> dict[str, Rival]:
    """Return other people's programs that are installed here, by name."""
    name = f"qipai.games.{game}.whole"
    if find_spec(f"qipai.games.{game}") is None or find_spec(name) is None:
        return {}
    rivals: Mapping[str, Rival] = import_module(name).WHOLE.rivals
    return {called: rival for called, rival in rivals.items() if rival.found() is not None}


def rungs(game: str, forms: Sequence[str] | None = None, search: int | None = None) -> Iterator[Rung]:
    """Yield the matches of a game: each level against the next below it, the strongest against steady and others.

    forms: those of `forms_of` that are played; None: all. search: so much the levels that can be told search for a
    choice, whatever time that takes.
    """
    entry = games.find(game)
    levels = list(entry.bots)
    told = () if search is None else searching(entry)
    bots = {level: f"{level}@{search}" if level in told else level for level in levels}
    called = {level: f"{level}, {search} {entry.searched}" if level in told else level for level in levels}
    for form, options in forms_of(game).items():
        if forms is not None and form not in forms:
            continue
        pairs = [(stronger, weaker) for weaker, stronger in pairwise(levels)]
        if OVER not in pairs and set(OVER) <= set(levels):
            pairs.append(OVER)
        for stronger, weaker in pairs:
            yield Rung(game, form, options, called[stronger], called[weaker], (bots[stronger], bots[weaker]))
        if not form:
            for name, rival in rivals_of(game).items():
                yield Rung(game, form, options, called[levels[-1]], name, (bots[levels[-1]], rival.bot))


def elo(result: Result) -> tuple[float, float] | None:
    """Return the difference in Elo by won, even and lost sittings, and its standard error; None where all went one way.

    The error counts the two sittings of an opening as independent, which they nearly are.
    """
    return measure.elo(*result.sittings)


def written(rung: Rung, deals: int, budget_ms: int, seed: int, workers: int | None, where: str,
            told: Callable[[int, Result], None] = lambda done, so_far: None) -> tuple[Result, str]:  # fmt: skip
    """Play a rung; return the result and its row."""
    terms = Terms(rung.game, rung.bots, dict(rung.options), seed, budget_ms)
    result = duel(terms, deals, workers, told)
    return result, row(rung, result, where)


def row(rung: Rung, result: Result, where: str) -> str:
    """Return a rung as a row of the table."""
    entry = games.find(rung.game)
    rated = "" if entry.luck or (found := elo(result)) is None else f"{found[0]:+.0f} ± {found[1]:.0f}"
    shown = "yes" if result.mean and abs(result.mean) >= SIGMAS * result.error else "no"
    name = f"{rung.game}, {rung.form}" if rung.form else rung.game
    fixed = any("@" in bot for bot in rung.bots)  # then no time limits it, and the other one needs none
    cells = (
        name,
        rung.first,
        rung.second,
        f"{result.mean:+.3f}",
        f"{result.error:.3f}",
        rated,
        str(result.deals),
        f"{result.ms[0]:.1f}, {result.ms[1]:.1f}" + ("" if fixed else f" of {result.terms.budget_ms}"),
        shown,
        where,
    )
    return f"| {' | '.join(cells)} |"


def key(line: str) -> tuple[str, ...]:
    """Return what a row is about: game, the two players, and the time they had."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    return (*cells[:3], cells[7].partition(" of ")[2])


def merged(page: str, rows: Sequence[str]) -> str:
    """Return a page with these rows in its table, in place of those about the same; raises ValueError for no table."""
    if BEGIN not in page or END not in page:
        raise ValueError(f"the page has no table between {BEGIN} and {END}")
    before, rest = page.split(BEGIN, 1)
    table, after = rest.split(END, 1)
    kept = {key(line): line for line in table.splitlines() if re.match(r"\| (?!game )\w", line)}
    kept.update((key(line), line) for line in rows)
    lines = "\n".join(kept[each] for each in sorted(kept))
    return f"{before}{BEGIN}\n{HEAD}\n{RULE}\n{lines}\n{END}{after}"
