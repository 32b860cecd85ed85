"""A view of gouji is filled by place, which no type checker guards: each line there says its field."""

from __future__ import annotations

import inspect
import re

from qipai.games.gouji import observation
from qipai.games.gouji.state import View


def test_a_view_is_filled_in_the_order_of_its_fields() -> None:
    text = inspect.getsource(observation._observed)
    lines = text.split("return View(", 1)[1].split("\n")[1:-2]
    # What the comment says, else the name that is read: `state.deal,` fills `deal`, `tuple(places),` fills `places`.
    said = [re.search(r"# (\w+)$|(\w+),$|^\s*(\w+)\(state\),$|\((\w+)\),$", line) for line in lines]
    assert [next(filter(None, each.groups())) for each in said if each] == list(View.__struct_fields__)
