"""The bus: how the parts of a hall, and later its processes, tell each other what has changed."""

from qipai.bus.local import Bus, Local

__all__ = ["Bus", "Local"]
