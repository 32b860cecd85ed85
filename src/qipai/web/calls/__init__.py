"""The HTTP calls (platform 13.2). Importing this registers them all."""

from qipai.web.calls import meet, order, people, places, ranks, ties, wallet

__all__ = ["meet", "order", "people", "places", "ranks", "ties", "wallet"]
