"""Calls of the rules: rulings that can be tried, the glossary, a search (P-73)."""

from __future__ import annotations

import asyncio
from typing import Final

from qipai import games, lang
from qipai.core import tryouts
from qipai.hall.table.errors import HallError
from qipai.web import rulebook
from qipai.web.api import Ask, call
from qipai.web.pages.rules import RuleTexts, RuleTried, RuleTry, TermRows, TextHits

__all__: list[str] = []

MOST_QUERY: Final = 60


@call("GET", "/games/{game}/rulings", queries="lang", cost=3)
async def all_rulings(ask: Ask) -> RuleTexts:
    """List a game's rulings, each with the small tables to try it on."""
    game, tag = _game(ask), _tag(ask)
    return await asyncio.to_thread(lambda: rulebook.rulings(game, tag))


@call("POST", "/games/{game}/rulings/{case}", cost=3)
async def try_ruling(ask: Ask, body: RuleTry) -> RuleTried:
    """Try something on such a table: what follows, or the rule that forbids it."""
    game = _game(ask)
    entry = games.find(game)
    case = rulebook.case_of(entry, ask.path["case"])
    if case is None:
        raise HallError("NOT_FOUND")
    moment = case.at if body.at is None else body.at
    try:
        if not body.did and not body.given:
            return RuleTried(None, await asyncio.to_thread(lambda: tryouts.opened(entry, case, moment)))
        return RuleTried(await asyncio.to_thread(lambda: tryouts.tried(entry, case, moment, body.did, body.given)))
    except tryouts.BadTry as wrong:
        raise HallError("BAD_MESSAGE", field=wrong.name) from wrong


@call("GET", "/games/{game}/glossary", queries="lang")
async def terms(ask: Ask) -> TermRows:
    """List the terms of a game."""
    return TermRows(rulebook.glossary(_game(ask), _tag(ask)))


@call("GET", "/rules", queries="q lang", cost=3)
async def search_rules(ask: Ask) -> TextHits:
    """Find where the rules, rulings and terms of all games speak of something, in any language."""
    query, tag = ask.query.get("q", "").strip(), _tag(ask)
    if len(query) > MOST_QUERY:
        raise HallError("BAD_MESSAGE", field="q")
    return TextHits(await asyncio.to_thread(lambda: rulebook.found(query, tag)))


def _game(ask: Ask) -> str:
    name: str = ask.path["game"]
    if name not in games.names():
        raise HallError("NOT_FOUND")
    return name


def _tag(ask: Ask) -> str:
    return lang.nearest(ask.query.get("lang", lang.DEFAULT))
