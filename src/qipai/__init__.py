"""qipai: Chinese card and board games, and the hall around them."""

__version__ = "0.1.0"
