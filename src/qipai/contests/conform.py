"""The contests' conformance kinds (platform 17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.contests import pairing, prizes
from qipai.contests.ponds import rounds
from qipai.contests.stairs import steps
from qipai.contests.standings import standings, team_match
from qipai.core.entry import Kind

__all__ = ["KINDS"]

Given = Mapping[str, Any]
Found = dict[str, Any]


def kind_pond_round(given: Given) -> Found:
    """Return the result of a round of a pond."""
    runners = msgspec.convert(given["players"], list[rounds.Runner])
    try:
        found = rounds.run_round(given["variant"], given["round"], runners, rain_final=given.get("rain_final"))
    except rounds.BadBid as wrong:
        return {"error": "BAD_BID", "player": wrong.player}
    return msgspec.structs.asdict(found)


def kind_pond_script(given: Given) -> Found:
    """Return the course of a pond."""
    start, final = given.get("start"), given.get("rain_final")
    start = rounds.START if start is None else start
    try:
        found = rounds.run(given["variant"], given["players"], given["bids"], start=start, rain_final=final)
    except rounds.BadBid as wrong:
        return {"error": "BAD_BID", "player": wrong.player}
    last = found[-1] if found else None
    return {
        "fallen_by_round": [round.fallen for round in found],
        "points": last.points if last else dict.fromkeys(given["players"], start),
        "winner": last.winner if last else None,
        "finished": last.finished if last else False,
    }


def kind_stairs_result(given: Given) -> Found:
    """Return the steps after a game."""
    first, second = given["steps"]
    return {"steps": steps.stepped(first, second, given["result"])}


def kind_stairs_challenge(given: Given) -> Found:
    """Return whether a challenge is allowed."""
    more = {key: value for key, value in given.items() if key not in ("my_step", "target_step")}
    code = steps.refused(given.get("my_step"), given.get("target_step"), **more)
    return {"ok": True} if code is None else {"ok": False, "error": code}


def kind_stairs_compact(given: Given) -> Found:
    """Return the steps without the empty ones."""
    return {"steps": steps.compacted(given["steps"])}


def kind_sections(given: Given) -> Found:
    """Return the sizes of sections."""
    return {"sizes": pairing.sections(given["players"], given["max"])}


def kind_round_robin(given: Given) -> Found:
    """Return a Berger table."""
    return {"rounds": pairing.round_robin(given["players"])}


def kind_standings(given: Given) -> Found:
    """Return a section's table."""
    found = standings(given["players"], [(a, b, score) for a, b, score in given["results"]])
    return msgspec.structs.asdict(found)


def kind_prize_split(given: Given) -> Found:
    """Return the prizes of a contest."""
    return msgspec.structs.asdict(prizes.split(given["fee"], given["players"], given["percents"]))


def kind_team_match(given: Given) -> Found:
    """Return the points of a team match."""
    board, match = team_match(given["boards"])
    return {"board_points": board, "match_points": match}


KINDS: Final = {
    "pond_round": Kind(kind_pond_round),
    "pond_script": Kind(kind_pond_script),
    "stairs_result": Kind(kind_stairs_result),
    "stairs_challenge": Kind(kind_stairs_challenge),
    "stairs_compact": Kind(kind_stairs_compact),
    "sections": Kind(kind_sections),
    "round_robin": Kind(kind_round_robin),
    "standings": Kind(kind_standings),
    "prize_split": Kind(kind_prize_split),
    "team_match": Kind(kind_team_match),
}
