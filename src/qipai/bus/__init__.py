"""How the parts of a hall, and later its nodes, tell each other what has changed."""

from qipai.bus.local import Bus, Local

__all__ = ["Bus", "Local"]
