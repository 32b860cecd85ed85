"""The HTTP calls (platform 13.2). Importing this registers them all."""

from qipai.web.calls import (
    bot,
    careers,
    community,
    contests,
    duplicates,
    lists,
    meet,
    mine,
    order,
    people,
    places,
    ranks,
    shelf,
    teams,
    ties,
    wallet,
)

__all__ = [
    "bot",
    "careers",
    "community",
    "contests",
    "duplicates",
    "lists",
    "meet",
    "mine",
    "order",
    "people",
    "places",
    "ranks",
    "shelf",
    "teams",
    "ties",
    "wallet",
]
