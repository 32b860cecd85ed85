"""The files in which a match of the hall can be written, for the variants that their formats know (backgammon 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from qipai.core.entry import Record, Records, lazy_call
from qipai.games.backgammon.notation import mat, sgf

__all__ = ["FORMATS", "RECORDS"]

FORMATS: Final[Mapping[str, Callable[[Record], str]]] = {"mat": mat.export, "sgf": sgf.export}
RECORDS: Final = Records(
    FORMATS, lazy_call(f"{__package__}.imports", "recognise"), lazy_call(f"{__package__}.imports", "imports")
)
