"""The bus: how the processes of a hall ask each other, through a NATS server (0077)."""

from qipai.bus.address import Address, Unusable
from qipai.bus.contract import Bus, Unanswered

__all__ = ["Address", "Bus", "Unanswered", "Unusable"]
