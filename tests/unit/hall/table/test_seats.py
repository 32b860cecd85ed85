from __future__ import annotations

from qipai.hall.table.seats import kind_seat_lead


def test_a_place_on_the_bench_neither_leads_nor_fills_the_table() -> None:
    log = [[4, "sit"], [2, "sit"], [0, "sit"], [1, "sit"]]
    assert kind_seat_lead({"seats": 4, "log": log}) == {"error": "NOT_FULL"}
    assert kind_seat_lead({"seats": 4, "log": [*log, [3, "sit"]]}) == {"leader": 2}
