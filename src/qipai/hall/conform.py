"""The hall's conformance kinds (platform 17), each a pure function of the `given` field of a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qipai import games
from qipai.core.entry import Kind
from qipai.core.rng import Stream
from qipai.hall.records.statistics import percents
from qipai.hall.rooms import invitable
from qipai.hall.table import vacation, watching
from qipai.hall.table.clock import kind_clock
from qipai.hall.table.fair import seal
from qipai.hall.table.presence import kind_seat_presence
from qipai.hall.table.seats import kind_seat_lead

__all__ = ["KINDS"]

Given = Mapping[str, Any]


def _stream(given: Given) -> Stream:
    return Stream.of_deal(bytes.fromhex(given["server_seed"]), given["game_id"], given["deal"], given["client_seeds"])


def fair_commit(given: Given) -> dict[str, Any]:
    """Return the commitment to a server seed."""
    return {"commitment": seal(given["server_seed"])}


def fair_shuffle(given: Given) -> dict[str, Any]:
    """Return how a deal's stream shuffles n things."""
    return {"permutation": list(_stream(given).shuffled(range(given["n"])))}


def fair_dice(given: Given) -> dict[str, Any]:
    """Return the first throws of two dice of a deal's stream."""
    stream = _stream(given)
    return {"rolls": [[stream.die(), stream.die()] for _ in range(given["rolls"])]}


def card_alert(given: Given) -> dict[str, Any]:
    """Return the card counts that everybody sees (P-20): those at the threshold or below, and above 0.

    The default threshold is the game's option `report_at`; a game without this option shows none.
    """
    most = given.get("threshold")
    if most is None and given["game"] in games.names():
        most = getattr(games.find(given["game"]).options(), "report_at", None)
    return {"shown": [n if most is not None and 0 < n <= most else None for n in given["counts"]]}


def spectator_view(given: Given) -> dict[str, Any]:
    """Return the numbers of the events that a watcher sees now."""
    policy = given["policy"]
    delay = policy.get("delay_s")

    def seen(event: Mapping[str, Any]) -> bool:
        return watching.may_see(
            policy["mode"],
            event["t"],
            given["now"],
            public=event["public"],
            hand_over=bool(given.get("hand_over")),
            delay_s=watching.DELAY_S if delay is None else delay,
        )

    return {"visible": [event["seq"] for event in given["events"] if seen(event)]}


def invite(given: Given) -> dict[str, Any]:
    """Return whether somebody can take up an invitation."""
    raw, user = given["invite"], given["user"]
    asked = invitable.Invite(
        owner=raw["from"],
        to=raw.get("to"),
        rated=bool(raw.get("rated")),
        rating_min=raw.get("rating_min"),
        rating_max=raw.get("rating_max"),
        expired=bool(raw.get("expired")),
    )
    taker = invitable.Invited(
        id=user["id"],
        rating=user.get("rating", 1500),
        blocked=invitable.either_blocked(
            raw["from"], user["id"], raw.get("blocked_by_from") or (), user.get("blocked") or ()
        ),
        guest=bool(user.get("guest")),
        running=user.get("running") or 0,
        limit=user.get("limit"),
    )
    code = invitable.refused(asked, taker)
    return {"ok": True} if code is None else {"ok": False, "error": code}


def kind_vacation(given: Given) -> dict[str, Any]:
    """Return the result of one check of a player's turn-based games."""
    games = [vacation.Running(game["id"], game["left_h"], bool(game.get("my_turn"))) for game in given["games"]]
    found = vacation.sweep(given["vacation_hours"], games, enabled=given["enabled"])
    left = {game.id: game.left_h for game in found.games}
    return {"vacation_hours": found.vacation_hours, "lost": found.lost, "left_h": left}


def win_stats(given: Given) -> dict[str, Any]:
    """Return the percentages of wins."""
    return {"percent": percents(given["counts"])}


KINDS: Final = {
    "clock": Kind(kind_clock),
    "seat_presence": Kind(kind_seat_presence),
    "seat_lead": Kind(kind_seat_lead),
    "card_alert": Kind(card_alert),
    "fair_commit": Kind(fair_commit),
    "fair_shuffle": Kind(fair_shuffle),
    "fair_dice": Kind(fair_dice),
    "spectator_view": Kind(spectator_view),
    "invite": Kind(invite),
    "vacation": Kind(kind_vacation),
    "win_stats": Kind(win_stats),
}
