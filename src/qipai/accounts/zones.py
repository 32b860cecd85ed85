"""Which time zones there are (platform P-5). Pure, but for the zone data of the machine."""

from __future__ import annotations

import re
import zoneinfo
from functools import cache
from typing import Final

__all__ = ["known"]

SHAPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*")
NO_PLACES: Final = frozenset({"Factory", "localtime"})  # files beside the zones that no browser knows
# Chromium offers these by their old names, which some systems keep in a package of their own.
OLD: Final = frozenset(
    [
        *("Africa/Asmera", "America/Buenos_Aires", "America/Catamarca", "America/Coral_Harbour", "America/Cordoba"),
        *("America/Godthab", "America/Indianapolis", "America/Jujuy", "America/Kralendijk", "America/Louisville"),
        *("America/Lower_Princes", "America/Marigot", "America/Mendoza", "America/St_Barthelemy"),
        *("Arctic/Longyearbyen", "Asia/Calcutta", "Asia/Katmandu", "Asia/Rangoon", "Asia/Saigon", "Atlantic/Faeroe"),
        *("Europe/Bratislava", "Europe/Busingen", "Europe/Kiev", "Europe/Mariehamn", "Europe/Podgorica"),
        *("Europe/San_Marino", "Europe/Vatican", "Pacific/Enderbury", "Pacific/Ponape", "Pacific/Truk"),
    ]
)


@cache
def _here() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


def known(zone: str) -> bool:
    """Tell whether there is a time zone of a name; where the machine has no zone data, whether it could be one."""
    if zone in NO_PLACES or not SHAPE.fullmatch(zone):
        return False
    return zone in OLD or not _here() or zone in _here()
