"""Which time zones there are, with zone data on the machine and without."""

from __future__ import annotations

import pytest

from qipai.accounts import zones


@pytest.mark.parametrize(
    ("zone", "with_data", "without"),
    [
        ("Asia/Shanghai", True, True),
        ("UTC", True, True),
        ("Asia/Calcutta", True, True),  # only under its new name in the data, but browsers say it so
        ("Moon/Base", False, True),
        ("asia/shanghai", False, True),
        ("localtime", False, False),
        ("Asia/", False, False),
        ("/etc/passwd", False, False),
        ("../Asia/Shanghai", False, False),
    ],
)
def test_a_zone_is_known(monkeypatch: pytest.MonkeyPatch, zone: str, with_data: bool, without: bool) -> None:
    data = frozenset({"Asia/Shanghai", "Asia/Kolkata", "UTC", "localtime"})
    monkeypatch.setattr(zones, "_here", lambda: data)
    assert zones.known(zone) is with_data
    monkeypatch.setattr(zones, "_here", frozenset[str])
    assert zones.known(zone) is without
