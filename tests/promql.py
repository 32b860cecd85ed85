"""Reads expressions of Prometheus as far as is needed to tell which figures they ask for, and how."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from qipai.web.figures import FIGURES

__all__ = ["Asked", "asked", "faults", "thresholds"]

TOKEN: Final = re.compile(
    r"""\s*(?:(?P<text>"[^"]*")|(?P<span>\[[^\]]+\])|(?P<number>\d+(?:\.\d+)?)|(?P<word>[A-Za-z_]\w*)"""
    r"""|(?P<sign>=~|!~|!=|==|<=|>=|[-+*/(){},<>=]))"""
)
GROUPING: Final = {"by", "without", "on", "ignoring"}  # a list of labels follows
OPERATORS: Final = GROUPING | {"and", "or", "unless", "bool"}
SPANNING: Final = {"rate", "changes", "max_over_time", "min_over_time"}  # they look back over some time
FUNCTIONS: Final = SPANNING | {"sum", "max", "min", "count", "histogram_quantile", "vector"}
OURS: Final = {"instance", "job"}  # labels that Prometheus adds
SPAN: Final = re.compile(r"\[(\d+[smhd]|\$__rate_interval)\]")


class Asked(NamedTuple):
    """A figure that an expression asks for."""

    name: str  # as it stands there, with _bucket or _count
    labels: frozenset[str]
    function: str  # around it
    span: str


def tokens(expr: str) -> list[tuple[str, str]]:
    """Return the words of an expression, each with its kind; raise ValueError where it cannot be read."""
    found, at = [], 0
    while expr[at:].strip():
        match = TOKEN.match(expr, at)
        if match is None:
            raise ValueError(f"not to be read: {expr[at:]!r}")
        assert match.lastgroup is not None
        found.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return found


def closed(words: list[tuple[str, str]], at: int, by: str = ")") -> int:
    """Return where a bracket is closed."""
    return words.index(("sign", by), at)


def asked(expr: str) -> list[Asked]:
    """Return what an expression asks for; raise ValueError where it cannot be read."""
    words = [*tokens(expr), ("end", "")]
    found: list[Asked] = []
    around: list[str] = []  # the functions whose brackets are open, "" for a bracket of its own
    at = 0
    while words[at][0] != "end":
        kind, word = words[at]
        at += 1
        if kind == "word" and word in GROUPING:
            end = closed(words, at)
            if words[at] != ("sign", "("):
                raise ValueError(f"{word} without labels")
            at = end + 1
        elif kind == "word" and word in FUNCTIONS:
            if words[at] != ("sign", "(") and words[at][1] not in GROUPING:
                raise ValueError(f"{word} of nothing")
            if words[at][1] in GROUPING:
                at = closed(words, at) + 1
            if words[at] != ("sign", "("):
                raise ValueError(f"{word} of nothing")
            around.append(word)
            at += 1
        elif kind == "word" and word not in OPERATORS:
            labels = set()
            if words[at] == ("sign", "{"):
                end = closed(words, at, "}")
                labels = {each for kind, each in words[at:end] if kind == "word"}
                at = end + 1
            span = words[at][1] if words[at][0] == "span" else ""
            at += bool(span)
            found.append(Asked(word, frozenset(labels), around[-1] if around else "", span))
        elif word == "(":
            around.append("")
        elif word == ")":
            if not around:
                raise ValueError("a bracket too many")
            around.pop()
    if around:
        raise ValueError("a bracket is not closed")
    return found


def faults(expr: str, foreign: tuple[str, ...] = ()) -> list[str]:
    """Return what is wrong with an expression. foreign: figures that others give."""
    found = []
    try:
        wanted = asked(expr)
    except ValueError as wrong:
        return [str(wrong)]
    if not wanted:
        found.append("it asks for nothing")
    for name, labels, function, span in wanted:
        if name in foreign:
            continue
        plain, _, part = name.rpartition("_")
        in_parts = plain in FIGURES and FIGURES[plain].kind == "histogram" and part in ("bucket", "count", "sum")
        figure = FIGURES.get(plain if in_parts else name)
        if figure is None or (figure.kind == "histogram" and not in_parts):
            found.append(f"no figure is called {name}")
            continue
        if strange := labels - OURS - {*figure.labels}:
            found.append(f"{name} has no label {', '.join(sorted(strange))}")
        grows = in_parts or figure.kind == "counter"
        if grows != (function == "rate"):
            found.append(f"{name} {'grows: it is of use as a rate' if grows else 'is no counter'}")
        if bool(span) != (function in SPANNING) or (span and not SPAN.fullmatch(span)):
            found.append(f"{name}{span} in {function or 'nothing'}")
    quantiles = expr.count("histogram_quantile(")
    if quantiles != len(re.findall(r"histogram_quantile\(0\.\d+, sum by \(le\b", expr)):
        found.append("a quantile needs the buckets, by le")
    return found


def thresholds(expr: str) -> list[float]:
    """Return the numbers with which an expression compares by size."""
    words = tokens(expr)
    found = []
    for (_, sign), (kind, number) in pairwise(words):
        if sign in ("<", ">", "<=", ">=") and kind == "number":
            found.append(float(number))
    return found
