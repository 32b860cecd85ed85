"""The conformance kinds of nim (section 8): each a pure function of what is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from qipai.core.entry import Kind, as_action
from qipai.games._template.options import Options
from qipai.games._template.rules import Template
from qipai.games._template.state import Action, State
from qipai.kit.scripts import run_script

__all__ = ["KINDS"]


def script(given: Mapping[str, Any]) -> Any:
    """Play steps, some of them refused, and compare what follows."""
    rules = Template(msgspec.convert(given.get("options", {}), Options))

    def facts(state: State) -> Mapping[str, Any]:
        outcome = rules.outcome(state)
        return {
            "heaps": state.heaps,
            "on": state.on,
            "points": outcome and outcome.points,
            "why": outcome and outcome.why,
        }

    return run_script(rules, rules.start(), given["steps"], lambda raw: as_action(Action, raw), facts)


KINDS: Final[Mapping[str, Kind]] = {"script": Kind(script)}
