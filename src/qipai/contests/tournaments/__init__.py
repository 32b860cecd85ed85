"""Tournaments 竞技 (platform P-67, P-68, P-79): sections, knockout, Swiss, arena. Pure functions of their events."""
