"""Which plural form a number takes in a language: the cardinal rules of Unicode CLDR, for whole numbers.

A language without a rule of its own here has two forms, as English has. A number with decimals takes `other`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

__all__ = ["plural"]

MILLION: Final = 1_000_000


def _one(n: int) -> str:
    return "one" if n == 1 else "other"


def _none(_: int) -> str:
    return "other"


def _zero_or_one(n: int) -> str:
    return "one" if n in (0, 1) else "other"


def _millions(n: int) -> str:
    return "one" if n == 1 else "many" if n and n % MILLION == 0 else "other"


def _french(n: int) -> str:
    return "one" if n in (0, 1) else _millions(n)


def _slavic(n: int) -> str:
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "many"


def _polish(n: int) -> str:
    return "one" if n == 1 else "few" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "many"


def _serbian(n: int) -> str:
    return "other" if _slavic(n) == "many" else _slavic(n)


def _czech(n: int) -> str:
    return "one" if n == 1 else "few" if n in (2, 3, 4) else "other"


def _hebrew(n: int) -> str:
    return {1: "one", 2: "two"}.get(n, "other")


def _arabic(n: int) -> str:
    if n < 3:
        return ("zero", "one", "two")[n]
    return "few" if 3 <= n % 100 <= 10 else "many" if n % 100 >= 11 else "other"


def _lithuanian(n: int) -> str:
    if 11 <= n % 100 <= 19 or n % 10 == 0:
        return "other"
    return "one" if n % 10 == 1 else "few"


def _romanian(n: int) -> str:
    return "one" if n == 1 else "few" if n == 0 or 1 <= n % 100 <= 19 else "other"


RULES: Final[dict[str, Callable[[int], str]]] = {
    **dict.fromkeys(("zh", "ja", "ko", "vi", "th", "id", "ms", "lo", "my"), _none),
    **dict.fromkeys(("hi", "bn", "fa", "zu"), _zero_or_one),
    **dict.fromkeys(("es", "it", "ca"), _millions),
    **dict.fromkeys(("fr", "pt"), _french),
    **dict.fromkeys(("ru", "uk", "be"), _slavic),
    **dict.fromkeys(("sr", "hr", "bs"), _serbian),
    **dict.fromkeys(("cs", "sk"), _czech),
    "pl": _polish,
    "he": _hebrew,
    "ar": _arabic,
    "lt": _lithuanian,
    "ro": _romanian,
}


def plural(lang: str, number: str) -> str:
    """Return the category of a number, written in digits, in a language: zero, one, two, few, many or other."""
    if "." in number:
        whole, _, rest = number.partition(".")
        if rest.strip("0"):
            return "other"
        number = whole
    return RULES.get(lang.partition("-")[0], _one)(abs(int(number)))
