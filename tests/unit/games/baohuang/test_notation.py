"""Sets of baohuang packed and read again."""

from __future__ import annotations

import pytest

from qipai.games.baohuang.notation import action_of, code_of
from qipai.games.baohuang.state import Play


@pytest.mark.parametrize("text", ["7", "77x", "2222xx*XX*", "x*", "X*", "66xX"])
def test_sets_survive_being_packed(text: str) -> None:
    assert action_of(code_of(Play(text))) == Play(text)
