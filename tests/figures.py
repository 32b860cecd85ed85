"""What a page of `/metrics` has, to be compared with the list of figures."""

from __future__ import annotations

import re

from qipai.web.figures import FIGURES, Of

__all__ = ["given", "listed"]

LINE = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")


def given(text: str) -> dict[str, str]:
    """Return the figures of a page with their kinds; all names, labels and numbers must be right."""
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M))
    helps = dict(re.findall(r"^# HELP (\w+) (.+)$", text, re.M))
    assert helps == {name: FIGURES[name].what for name in kinds}
    for line in text.splitlines():
        if not line.startswith("#"):
            found = LINE.fullmatch(line)
            assert found, line
            name, labels, number = found[1], re.findall(r'(\w+)="[^"]*"', found[2] or ""), found[3]
            if name not in kinds:  # a part of a histogram
                name, _, part = name.rpartition("_")
                assert kinds[name] == "histogram", line
                assert part in ("bucket", "sum", "count"), line
                labels = [label for label in labels if part != "bucket" or label != "le"]
            assert tuple(labels) == FIGURES[name].labels, line
            float(number)
    return kinds


def listed(*of: Of) -> dict[str, str]:
    """Return what the list says that these give."""
    return {each.name: each.kind for each in FIGURES.values() if each.of in of}
