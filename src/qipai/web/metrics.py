"""The figures of `/metrics` for Prometheus (platform P-104)."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final, get_args

from qipai.arena.pool import EDGES as ANSWER_EDGES
from qipai.bots.asking import BACK, FarBots
from qipai.store.log import Why
from qipai.web.meter import EDGES
from qipai.web.services import Services

__all__ = ["LAST_COPY", "TOKEN", "copied_at", "gauge", "text", "token"]

TOKEN: Final = "metrics.token"  # a file in the hall's folder with the token that grants access to the figures
LAST_COPY: Final = "last-backup"  # in the hall's folder: when `qipai backup` last made a good copy, seconds since 1970


def token(path: Path) -> str:
    """Return the token for the figures, creating it if missing. It is read each time, because a host may change it."""
    try:
        if found := path.read_text("ascii").strip():
            return found
    except (OSError, UnicodeDecodeError):
        pass
    made = secrets.token_urlsafe(32)
    with suppress(OSError), os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(made + "\n")
    return made


def text(services: Services) -> str:
    """Return the figures of a server in Prometheus' text format."""
    hall, meter = services.hall, services.meter
    health = services.store.health()
    whole = float("nan") if health.whole is None else int(health.whole)
    copy = copied_at(services.path.parent)
    age = float("nan") if copy is None else services.now() // 1000 - copy
    states = Counter(live.table.state for live in hall.runner.tables.values())
    lines = [
        *(gauge("qipai_node_leads", "whether this node leads the hall, 1 or 0", 1) if services.node else ()),
        *gauge("qipai_connections", "open sockets", len(services.sockets)),
        *gauge("qipai_connections_refused", "connections of addresses that had too many", services.entry.refused),
        *gauge("qipai_healed", "lines and seats that a sweep had to put right", sum(hall.healing.healed.values())),
        *gauge("qipai_people", "people with a line", hall.people.count),
        "# HELP qipai_tables live tables by state",
        "# TYPE qipai_tables gauge",
        *(f'qipai_tables{{state="{state}"}} {states[state]}' for state in ("open", "playing", "between")),
        *counter("qipai_events_total", "events in the log", services.store.newest),
        *gauge("qipai_bot_queue", "moves that bots are asked for", hall.runner.thinking.count),
        *_answers(services),
        *(_given_away(services.far) if services.far is not None else ()),
        *gauge("qipai_tasks", "tasks of the event loop", len(asyncio.all_tasks())),
        *gauge("qipai_store_queue", "handfuls of events that wait for the disk", health.waiting),
        *gauge("qipai_store_writer", "whether the writer of the log is alive, 1 or 0", int(health.alive)),
        *gauge("qipai_store_writes", "whether the disk takes what is written, 1 or 0", int(health.writes)),
        *gauge("qipai_store_oldest_seconds", "for how long the oldest of them waits", round(health.oldest_s, 3)),
        "# HELP qipai_store_refused_total commits that the disk did not take, by reason",
        "# TYPE qipai_store_refused_total counter",
        *(f'qipai_store_refused_total{{why="{why}"}} {health.refused.get(why, 0)}' for why in get_args(Why)),
        *gauge("qipai_store_whole", "what the last check for damage found: 1 none, 0 some, NaN not yet", whole),
        *gauge("qipai_backup_age_seconds", "age of the last copy that was found whole, NaN: none was made", age),
        "# HELP qipai_action_seconds from an action to its last broadcast",
        "# TYPE qipai_action_seconds histogram",
    ]
    so_far = 0
    for edge, count in zip((*map(str, EDGES), "+Inf"), meter.counts, strict=True):
        so_far += count
        lines.append(f'qipai_action_seconds_bucket{{le="{edge}"}} {so_far}')
    lines += [f"qipai_action_seconds_sum {meter.seconds}", f"qipai_action_seconds_count {so_far}"]
    for part in (0.5, 0.99):
        lines += gauge(f"qipai_action_p{int(100 * part)}_seconds", "the same, at most", meter.share(part))
    return "\n".join(lines) + "\n"


def _answers(services: Services) -> list[str]:
    """Return how many answers bots have given, how, and how long after the question."""
    count = services.bots.count
    lines = [
        "# HELP qipai_bot_answers_total answers by level shown and how: as the level says, hurried (in under half of "
        "its time, since others waited), interpreted (kernels were not there yet), below (a weaker level played)",
        "# TYPE qipai_bot_answers_total counter",
        *(
            f'qipai_bot_answers_total{{level="{level}",given="{given}"}} {n}'
            for (level, given), n in sorted(count.answers.items())
        ),
        *gauge("qipai_bot_below_share", "share of all answers below the level shown", count.part("below")),
        "# HELP qipai_bot_answer_seconds from the question to the answer, without the pace of the game",
        "# TYPE qipai_bot_answer_seconds histogram",
    ]
    for level, buckets in sorted(count.seconds.items()):
        so_far = 0
        for edge, n in zip((*map(str, ANSWER_EDGES), "+Inf"), buckets, strict=True):
            so_far += n
            lines.append(f'qipai_bot_answer_seconds_bucket{{level="{level}",le="{edge}"}} {so_far}')
        lines.append(f'qipai_bot_answer_seconds_sum{{level="{level}"}} {count.total_s[level]}')
        lines.append(f'qipai_bot_answer_seconds_count{{level="{level}"}} {so_far}')
    return lines


def _given_away(far: FarBots) -> list[str]:
    """Return what has become of the questions that were given to other machines."""
    tally = far.tally
    lines = [
        *gauge("qipai_bus_there", "whether the bus is connected, 1 or 0", int(far.bus.there)),
        *gauge("qipai_bot_nodes", "machines that think for bots and can be asked", far.nodes),
        *counter("qipai_bot_given_total", "questions of bots that were given to other machines", tally.given),
        "# HELP qipai_bot_taken_back_total of these, those that the hall then thought through itself, by reason",
        "# TYPE qipai_bot_taken_back_total counter",
        *(f'qipai_bot_taken_back_total{{why="{why}"}} {tally.back[why]}' for why in BACK),
        "# HELP qipai_bot_far_seconds of these, from the question to the answer, of those that were answered",
        "# TYPE qipai_bot_far_seconds histogram",
    ]
    so_far = 0
    for edge, n in zip((*map(str, ANSWER_EDGES), "+Inf"), tally.buckets, strict=True):
        so_far += n
        lines.append(f'qipai_bot_far_seconds_bucket{{le="{edge}"}} {so_far}')
    return [*lines, f"qipai_bot_far_seconds_sum {tally.seconds}", f"qipai_bot_far_seconds_count {tally.answered}"]


def counter(name: str, what: str, value: int) -> list[str]:
    """Return the lines of one figure that only goes up."""
    return [f"# HELP {name} {what}", f"# TYPE {name} counter", f"{name} {value}"]


def copied_at(data: Path) -> int | None:
    """Return when the last copy of a hall was made that was found whole, seconds since 1970; None: none was."""
    with suppress(OSError, ValueError):
        return int((data / LAST_COPY).read_text("utf-8"))
    return None


def gauge(name: str, what: str, value: float) -> list[str]:
    """Return the lines of one figure that goes up and down."""
    shown = "+Inf" if value == float("inf") else "NaN" if value != value else value
    return [f"# HELP {name} {what}", f"# TYPE {name} gauge", f"{name} {shown}"]
