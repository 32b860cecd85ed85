"""Our own error messages for data that do not fit a type; users never see msgspec's."""

from __future__ import annotations

import re
from typing import Final

import msgspec
from msgspec import Struct

__all__ = ["Misfit", "misfit"]

KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
EXPECTED: Final = re.compile(
    r"Expected `(?P<kinds>[^`]*)`(?: (?P<length>of length )?(?P<sign>>=|<=|<|>) (?P<bound>[-\d.]+))?"
)
NAMED: Final = re.compile(r"(?P<why>missing required|unknown) field `(?P<field>.*)`", re.DOTALL)
SIGNS: Final = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


class Misfit(Struct, frozen=True):
    """Where in the data something does not fit, and why."""

    path: str  # of the field, as a.b[0]; "" for the whole
    why: str  # "kind", "bound", "missing", "unknown", "value", "own", or "text" for what is not even JSON
    expected: str = ""  # in words, where one kind or bound was expected; of "own" what the type itself says

    def __str__(self) -> str:
        """Return the message, without a full stop: what is required or not allowed."""
        what = self.path or "the whole"
        match self.why:
            case "kind" | "bound":
                return f"{what} must be {self.expected}"
            case "missing":
                return f"{what} is missing"
            case "unknown":
                return f"{what} is not known"
            case "value":
                return f"{what} has a value that there is not"
            case "own":
                return self.expected
        return "it cannot be read: that is no JSON"


def misfit(wrong: Exception) -> Misfit:
    """Translate a msgspec error; an error that is not known here counts as a wrong value."""
    if not isinstance(wrong, msgspec.ValidationError):
        return Misfit("", "text")
    what, _, where = str(wrong).partition(" - at `$")
    path = where.removesuffix("`").removeprefix(".")
    if isinstance(wrong.__cause__, ValueError | TypeError):  # raised by the type's own check
        return Misfit(path, "own", str(wrong.__cause__))
    if named := NAMED.search(what):
        path = f"{path}.{named['field']}".removeprefix(".")
        return Misfit(path, "missing" if named["why"].startswith("missing") else "unknown")
    found = EXPECTED.match(what)
    kinds = [KINDS.get(kind) for kind in found["kinds"].split(" | ")] if found is not None else []
    if found is None or None in kinds:
        return Misfit(path, "value")
    expected = " or ".join(map(str, kinds))
    if found["sign"] is None:
        return Misfit(path, "kind" if "got" in what else "value", expected)
    least = f"{SIGNS[found['sign']]} {found['bound']}"
    return Misfit(path, "bound", f"{expected} {'of length ' if found['length'] else 'of '}{least}")
