"""Which kind of news a notice is, which page it leads to, and its sentence in somebody's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qipai import games, lang
from qipai.accounts.model import NewsKind

__all__ = ["ALL", "achievement", "contest", "group", "invitation", "ruling", "said"]

GROUPS: Final[Mapping[str, NewsKind]] = {
    "mail": "mail",
    "turn": "turn",
    "invite": "invite",
    "table_group": "invite",
    "contest": "contest",
    "ruling": "order",
    "role": "order",
}
ALL: Final[tuple[NewsKind, ...]] = ("mail", "turn", "invite", "contest", "order", "talk")
PAGES: Final = {"tournament": "tournaments", "teams": "teams", "pond": "ponds"}


def group(kind: str) -> NewsKind:
    """Return by which switch of P-5 a kind of notice goes."""
    return GROUPS.get(kind, "talk")


def said(kind: str, facts: Mapping[str, Any], tongue: str) -> str:
    """Return the sentence of a notice; one that there is not is said as "there is news"."""
    words = lang.hall(tongue)
    sentence = words.get(str(facts.get("say") or f"notice.{kind}"), words["notice.other"])
    named = {name: value for name, value in facts.items() if name != "until"}
    if (game := facts.get("game")) in games.names():
        own = lang.of_game(str(game), tongue)
        named["game"] = own.get("name") or own.get("ui.name", game)
    if kind == "achievement":
        named["name"] = achievement(str(facts.get("id", "")), facts.get("game"), tongue)
    return lang.fill(sentence, named, lang=tongue)


def achievement(id: str, game: str | None, tongue: str) -> str:
    """Return what an achievement is called: by its game's own words, or the hall's."""
    words = lang.hall(tongue)
    if game not in games.names():
        return words.get(f"achievement.{id}.name", "")
    own = lang.of_game(str(game), tongue)
    if id.startswith("win."):
        return lang.fill(words["achievement.win"], {"game": own.get("name", game)}, lang=tongue)
    return own.get(f"feat.{id.removeprefix(f'{game}.')}.name", "")


def contest(ref: str, facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return the code of the sentence about a contest and the page it leads to. ref: its stream, `pond:5`."""
    kind, _, number = ref.partition(":")
    what = facts.get("what", "")
    if (table := facts.get("table")) is not None:
        code = "table" if kind == "stairs" else "game_in" if "name" in facts else "game_here"
        return f"ui.contest.{code}", f"/tables/{table}"
    if kind == "stairs":
        return "ui.contest.challenged", f"/stairs/{facts.get('stairs', '')}"
    code = what if kind == "pond" else f"{kind}_{what}"
    return f"ui.contest.{code}", f"/{PAGES.get(kind, 'calendar')}/{number}"


def invitation(facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return the code of the sentence about an invitation and the page it leads to."""
    if facts.get("declined"):
        return "ui.meet.declined", "/invites"
    if (table := facts.get("table")) is not None:
        return "ui.meet.taken", f"/tables/{table}"
    return "ui.meet.has_come", "/invites"


def ruling(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a notice says of a moderator's ruling."""
    told = {
        name: facts.get(name) for name in ("what", "reason", "until", "room", "level") if facts.get(name) is not None
    }
    return {"say": f"ui.order.told_{facts.get('what')}", **told}
