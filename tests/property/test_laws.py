"""The laws of `core/laws.py` over every registered game, with drawn options and luck."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qipai import games
from qipai.core.laws import forms, walk
from qipai.core.rng import Stream

GAMES = games.names()


def drawn(name: str) -> st.SearchStrategy[Any]:
    """Options of a game, each field drawn from what it allows where that is a short list."""
    import msgspec

    fields: dict[str, st.SearchStrategy[Any]] = {}
    info = msgspec.inspect.type_info(games.find(name).options)
    for field in info.fields:  # type: ignore[attr-defined]
        kind = field.type
        if isinstance(kind, msgspec.inspect.BoolType):
            fields[field.encode_name] = st.booleans()
        elif isinstance(kind, msgspec.inspect.LiteralType):
            fields[field.encode_name] = st.sampled_from(sorted(kind.values))  # type: ignore[type-var]
        elif isinstance(kind, msgspec.inspect.IntType) and kind.ge is not None and kind.le is not None:
            fields[field.encode_name] = st.integers(kind.ge, min(kind.le, kind.ge + 200))
    return st.fixed_dictionaries({}, optional=fields)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data())
def test_random_deals_keep_the_laws(name: str, data: st.DataObject) -> None:
    entry = games.find(name)
    options = entry.chosen(data.draw(drawn(name)))
    record, outcome = walk(entry, options, Stream.of_seed(data.draw(st.integers(0, 2**32))), every=5)
    if outcome.carry is not None:
        luck = Stream.of_seed(data.draw(st.integers(0, 2**32)))
        walk(entry, options, luck, seats=record.seats, carry=outcome.carry, every=11)


@pytest.mark.parametrize("name", GAMES)
def test_variants_and_presets_are_house_rules_of_the_game(name: str) -> None:
    entry = games.find(name)
    for changes in forms(entry):
        assert entry.changed(entry.chosen(changes)) == changes, "it names only what differs from the default"


@pytest.mark.parametrize("name", GAMES)
def test_every_step_of_one_deal_keeps_the_laws(name: str) -> None:
    entry = games.find(name)
    walk(entry, entry.options(), Stream.of_seed(1))


@pytest.mark.compiled
@pytest.mark.parametrize("name", GAMES)
def test_compiled_kernels_keep_the_laws(name: str) -> None:
    code = (
        "import sys; from qipai import games; from qipai.core.kernel import JIT; from qipai.core.laws import walk\n"
        "from qipai.core.rng import Stream; entry = games.find(sys.argv[1]); assert JIT\n"
        "walk(entry, entry.options(), Stream.of_seed('compiled'), every=5)"
    )
    env = {**os.environ, "QIPAI_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code, name], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
