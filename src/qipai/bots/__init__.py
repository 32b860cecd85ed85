"""Bots that think on machines of their own, asked through the bus (0077)."""
