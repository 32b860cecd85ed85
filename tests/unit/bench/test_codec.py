from __future__ import annotations

import msgspec
import pytest

from qipai.bench.codec import Times, judged
from qipai.bench.examples import ACTION, adapter, example, members
from qipai.hall.table.commands import ClientMessage
from qipai.hall.table.messages import ServerMessage


@pytest.mark.parametrize("union", [ClientMessage, ServerMessage])
def test_there_is_a_whole_example_of_every_message(union: object) -> None:
    kinds = members(union)
    assert len(kinds) >= 14
    for name, kind in kinds.items():
        data = example(kind)
        found = msgspec.json.decode(msgspec.json.encode(data), type=union)
        assert type(found) is kind
        assert data["t"] == name
        assert msgspec.to_builtins(found).keys() == data.keys()


def test_pydantic_reads_the_same_and_refuses_the_same() -> None:
    pydantic = pytest.importorskip("pydantic")
    reader = adapter(ClientMessage)
    for kind in members(ClientMessage).values():
        data = example(kind, ACTION)
        assert reader.validate_json(msgspec.json.encode(data)).model_dump(by_alias=True) == data
        with pytest.raises(pydantic.ValidationError):
            reader.validate_json(msgspec.json.encode({**data, "more": 1}))


def test_a_message_slower_than_the_target_is_missed() -> None:
    times = [
        Times("client to server, read", "act", 70, {"qipai": [1.0, 1.2, 1.1], "orjson": [1.0, 1.0, 1.0]}),
        Times("client to server, read", "sit", 50, {"qipai": [1.3, 1.3, 1.3], "orjson": [1.0, 1.0, 1.0]}),
    ]
    beside_orjson, beside_pydantic = judged(times)
    (check,) = beside_orjson.checks
    assert check.what == "the slowest message (sit, 50 bytes)"
    assert check.found == 1.3
    assert check.reached is False
    assert beside_pydantic.lines[0].absent == "not installed"
