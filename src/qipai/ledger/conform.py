"""The ledger's conformance kinds (platform 17)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

import msgspec

from qipai.core.entry import Kind, subset
from qipai.ledger import brackets, coins, passes, penalties, shop
from qipai.ledger.grades import grade, grade_name
from qipai.ledger.model import trusted
from qipai.ledger.ratings import fibs, glicko, plackett

__all__ = ["KINDS"]

Given = Mapping[str, Any]
Found = dict[str, Any]


def _refused(code: str) -> Found:
    return {"ok": False, "error": code}


def kind_grade(given: Given) -> Found:
    """Return the grade of a score, or of the points of a game, and its name."""
    number = grade(given["score"] if "score" in given else given["points"])
    return {"grade": number, "name": grade_name(number)}


def kind_credibility(given: Given) -> Found:
    """Return the credibility after a list of events."""
    value = given["value"]
    for event in given["events"]:
        value = trusted(value, event)
    return {"value": value}


def kind_quit_points(given: Given) -> Found:
    """Return what leaving costs in score."""
    cube = given.get("cube")
    found = penalties.quit_points(given["game"], given["phase"], given["cause"], 1 if cube is None else cube)
    return {"points": found}


def _config(given: Given) -> dict[str, Any]:
    """Return the numbers that differ from the usual ones; null is the usual one."""
    return {name: value for name, value in (given.get("config") or {}).items() if value is not None}


def _climb(given: Given) -> passes.Climb:
    return msgspec.convert(_config(given), passes.Climb)


def kind_pass_step(given: Given) -> Found:
    """Return a pass after one game."""
    state, event = msgspec.convert(given["state"], passes.Pass), given["event"]
    found = passes.step(state, event["kind"], event.get("table_pass"), _climb(given))
    return {"state": found.state, "moved": found.moved, "record": found.record}


def kind_pass_script(given: Given) -> Found:
    """Return a pass after many games, and the records that are paid for."""
    state, climb = msgspec.convert(given["state"], passes.Pass), _climb(given)
    rewards = []
    for event in given["events"]:
        found = passes.step(state, event["kind"], event.get("table_pass"), climb)
        state = found.state
        if found.record and passes.record(state.highest):
            rewards.append(state.highest)
    return {"state": state, "rewards": rewards}


def kind_pass_seat(given: Given) -> Found:
    """Return whether somebody may sit, or watch, at a table of a pass."""
    if given["action"] == "watch" or passes.may_sit(given["player_pass"], given["table_pass"]):
        return {"ok": True}
    return _refused("PASS_TOO_HIGH")


def kind_pass_zones(given: Given) -> Found:
    """Return the pass of a table."""
    found = passes.zone(given["passes"], given["tables_per_pass"], given["table"])
    return _refused("NO_SUCH_TABLE") if found is None else {"ok": True, "pass": found}


def kind_pass_month(given: Given) -> Found:
    """Return a month's rewards."""
    return {"coins": passes.monthly(given["highest"], **_config(given))}


def kind_collusion(given: Given) -> Found:
    """Return what it takes to be helped up."""
    return msgspec.structs.asdict(passes.collusion(given["n"], given["m"], given["x"]))


def kind_coin_entry(given: Given) -> Found:
    """Return whether somebody may take part in a coin room."""
    return {"ok": True} if coins.enough(given["coins"]) else _refused("COINS_TOO_FEW")


def kind_coin_settle(given: Given) -> Found:
    """Return what a deal moves."""
    found = coins.settle_coins(given["points"], given["N"], given["A"], given.get("balances"))
    return {"deltas": found.deltas, "house": found.house}


def kind_min_rounds(given: Given) -> Found:
    """Return whether somebody may leave without a fine, and the fine."""
    owed, excused = given["chosen"] - given["played"], bool(given.get("excused"))
    found = coins.fine(owed, given["fine_per_round"], given.get("balance"), excused=excused)
    return {"allowed_free": excused or owed <= 0, "fine": found}


def kind_qq_multiplier(given: Given) -> Found:
    """Return the multiplier of a table."""
    return {"multiplier": brackets.multiplier(given["scores"], given.get("rule") or "all_in_bracket")}


def kind_qq_points(given: Given) -> Found:
    """Return the points of a deal of 升级."""
    big_win = given.get("big_win")
    dealer, levels, base = brackets.rise(
        given["decks"], given["defender_points"], brackets.BIG_WIN if big_win is None else big_win
    )
    times = brackets.multiplier(given["scores"], given.get("rule") or "all_in_bracket")
    points = base * times if dealer else -base * times
    return {
        "side": "dealer" if dealer else "defenders",
        "levels": levels,
        "base": base,
        "multiplier": times,
        "delta": {"dealer": points, "defenders": -points},
    }


def kind_glicko2(given: Given) -> Found:
    """Return a rating after a period."""
    results = [msgspec.convert(result, glicko.Met, strict=False) for result in given["results"]]
    found = glicko.rated(msgspec.convert(given["player"], glicko.Glicko, strict=False), results, given["tau"])
    return msgspec.structs.asdict(found)


def kind_openskill(given: Given) -> Found:
    """Return teams after a game."""
    teams = msgspec.convert(given["teams"], list[list[plackett.Skill]], strict=False)
    return {"teams": plackett.rated(teams, given["ranks"])}


def kind_fibs_rating(given: Given) -> Found:
    """Return two players after a match."""
    first = fibs.Fibs(given["r1"], given["exp1"])
    second = fibs.Fibs(given["r2"], given["exp2"])
    first, second = fibs.rated(first, second, given["n"], given["winner"])
    return {"r1": first.r, "r2": second.r, "exp1": first.experience, "exp2": second.experience}


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def kind_shop(given: Given) -> Found:
    """Return what a purchase leaves."""
    raw = given["profile"]
    profile = shop.Profile(raw.get("score", 0), raw.get("credibility", 100), _day(raw.get("member_until")))
    prices = msgspec.convert(given.get("prices") or {}, shop.Prices)
    wallet = msgspec.convert(given["wallet"], shop.Wallet)
    found = shop.bought(wallet, profile, given["item"], given.get("qty", 1), _day(given.get("today")), prices)
    if isinstance(found, str):
        return _refused(found)
    return {"ok": True, "wallet": found[0], "profile": found[1]}


def kind_redeem(given: Given) -> Found:
    """Return the results of attempts to redeem codes."""
    codes = {
        code: shop.Code(coins=raw.get("coins", 0), uses=raw.get("uses", 1), expires=_day(raw.get("expires")))
        for code, raw in given["codes"].items()
    }
    used: dict[str, frozenset[str]] = {}
    results = []
    got: dict[str, int] = {}
    for user, code, day in given["attempts"]:
        wrong = shop.redeemable(codes, used, user, code, date.fromisoformat(day))
        results.append(wrong or "ok")
        if wrong is None:
            used[code] = used.get(code, frozenset()) | {user}
            got[user] = got.get(user, 0) + codes[code].coins
    return {"results": results, "coins": {user: sum for user, sum in got.items() if sum}}


def near(**within: float) -> Any:
    """Return a comparison with these tolerances for numbers of these names, and 1e-9 for all others."""

    def differs(found: Any, expect: Any, path: str = "", most: float = 1e-9) -> str | None:
        if isinstance(expect, Mapping) and isinstance(found, Mapping):
            for key, want in expect.items():
                if key not in found:
                    return f"{path}.{key}: missing"
                if worse := differs(found[key], want, f"{path}.{key}", within.get(key, most)):
                    return worse
            return None
        if isinstance(expect, list) and isinstance(found, list) and len(expect) == len(found):
            pairs = enumerate(zip(found, expect, strict=True))
            return next((w for i, (have, want) in pairs if (w := differs(have, want, f"{path}[{i}]", most))), None)
        if _number(expect) and _number(found):
            return None if abs(found - expect) <= most else f"{path}: {found!r} instead of {expect!r}"
        return subset(found, expect, path)

    return differs


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


KINDS: Final = {
    "grade": Kind(kind_grade),
    "credibility": Kind(kind_credibility),
    "quit_points": Kind(kind_quit_points),
    "pass_step": Kind(kind_pass_step),
    "pass_script": Kind(kind_pass_script),
    "pass_seat": Kind(kind_pass_seat),
    "pass_zones": Kind(kind_pass_zones),
    "pass_month": Kind(kind_pass_month),
    "collusion": Kind(kind_collusion),
    "coin_entry": Kind(kind_coin_entry),
    "coin_settle": Kind(kind_coin_settle),
    "min_rounds": Kind(kind_min_rounds),
    "qq_multiplier": Kind(kind_qq_multiplier),
    "qq_points": Kind(kind_qq_points),
    "glicko2": Kind(kind_glicko2, near(r=0.02, rd=0.02, vol=1e-5)),
    "openskill": Kind(kind_openskill, near(mu=1e-6, sigma=1e-6)),
    "fibs_rating": Kind(kind_fibs_rating, near(r1=0.001, r2=0.001)),
    "shop": Kind(kind_shop),
    "redeem": Kind(kind_redeem),
}
