"""Where a feature's tables are declared: `tables.sql` in its folder."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["script_of"]


def script_of(feature: str) -> tuple[str, str]:
    """Return the name and the SQL of a feature's tables, for the store."""
    return f"community.{feature}", files(f"qipai.community.{feature}").joinpath("tables.sql").read_text("utf-8")
