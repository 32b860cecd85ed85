"""Whom a throw lets win, beside every throw carried out (platform P-95)."""

from __future__ import annotations

from typing import Any

from qipai import games
from qipai.core.contract import NATURE
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.games.mahjong.sparing import gives, spares
from qipai.games.mahjong.state import Discard, Hu, Kong


def test_who_is_given_a_tile_is_who_may_win_by_it() -> None:
    entry = games.find("mahjong")
    options = entry.chosen({})
    rules, bot = rules_of(entry, options, 4), entry.bots["steady"](options, seed=1)
    luck, offers, threw, claims = Stream.of_seed("giving"), 0, 0, 0
    for _ in range(3):
        state = entry.begun(rules, None, ())
        while rules.outcome(state) is None:
            seat = min(rules.turn(state).seats)
            if seat == NATURE:
                state = rules.apply(state, seat, rules.chance(state, luck)).state
                continue
            action: Any = bot.choose(rules.observe(state, seat), 0)
            given = gives(rules, state, seat, action)
            if isinstance(action, Discard):
                after = rules.apply(state, seat, action).state
                asked = rules.turn(after).seats if rules.turn(after).ask == "claim" else ()
                winners = {one for one in asked if any(isinstance(each, Hu) for each in rules.legal(after, one))}
                offered, won = {each.of for each in given}, {each.of for each in given if each.let}
                assert won == winners & offered
                assert offered or not winners or len({*rules.legal(state, seat)}) == 1
                offers, threw = offers + len(given), threw + sum(each.let for each in given)
            else:
                assert given == ()
            spare = spares(rules, state, seat, action)
            could = [kind for kind in (Hu, Kong) if any(isinstance(each, kind) for each in rules.legal(state, seat))]
            if rules.turn(state).ask == "claim":  # the tile is another's
                assert (spare is not None) == bool(could)
            if spare is not None:
                assert (spare.of != seat, spare.alike) == (True, could[0].__name__)
                assert spare.let == (not isinstance(action, Hu | Kong))
                claims += could[0] is Kong
            state = rules.apply(state, seat, action).state
    assert offers > threw > 0
    assert claims
