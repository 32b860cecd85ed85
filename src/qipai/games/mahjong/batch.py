"""Many hands of mahjong at once, by the kernel."""

from __future__ import annotations

from typing import Final

from qipai.core.arrays import Batched
from qipai.games.mahjong.kernel import look
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.forms import forms
from qipai.games.mahjong.notation import code_of
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import cells

__all__ = ["BATCHED"]


def table(options: Options) -> t.Table:
    """Return an empty table with these house rules."""
    return t.new_table(cells(options), forms())


BATCHED: Final = Batched(t.SEATS, look.KNOWN, look.SAID, t.MOST, table, look.dealt, look.go_on, look.describe, code_of)
