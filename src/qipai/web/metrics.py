"""What `/metrics` answers Prometheus (platform P-104): the values of `figures.FIGURES`."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, get_args

from qipai import __version__
from qipai.bots.asking import BACK, FarBots
from qipai.core.histogram import Histogram
from qipai.store.log import Why
from qipai.web.figures import FIGURES
from qipai.web.services import Services

__all__ = ["LAST_COPY", "TOKEN", "Page", "copied_at", "text", "token"]

TOKEN: Final = "metrics.token"  # a file in the hall's folder with the token that grants access to the figures
LAST_COPY: Final = "last-backup"  # in the hall's folder: when `qipai backup` last made a good copy, seconds since 1970
STARTED: Final = time.time() - time.process_time()  # nearly: this module is read while the program starts
UNKNOWN: Final = float("nan")
Labels = tuple[str, ...]  # values, in the order of the figure's labels


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


class Page:
    """The answer, in Prometheus' text format. What is not a figure of the list cannot be said."""

    def __init__(self) -> None:
        """Every process says which program it is, and what it takes."""
        self._lines: list[str] = []
        self.parts("qipai_build_info", {(__version__,): 1})
        self.one("process_cpu_seconds_total", round(time.process_time(), 3))
        self.one("process_resident_memory_bytes", _memory())
        self.one("process_start_time_seconds", round(STARTED, 3))
        self.one("process_max_fds", _most_files())

    def one(self, name: str, value: float) -> None:
        """Say a figure that is one number."""
        self.parts(name, {(): value})

    def parts(self, name: str, values: Mapping[Labels, float]) -> None:
        """Say a figure of several numbers, by the values of its labels."""
        self._head(name)
        for labels, value in values.items():
            self._lines.append(f"{name}{_labels(FIGURES[name].labels, labels)} {_shown(value)}")

    def spread(self, name: str, values: Mapping[Labels, Histogram]) -> None:
        """Say histograms, by the values of the figure's labels."""
        self._head(name)
        names = FIGURES[name].labels
        for labels, each in values.items():
            count = 0
            for edge, count in each.buckets():  # the last one has all
                self._lines.append(f"{name}_bucket{_labels((*names, 'le'), (*labels, edge))} {count}")
            self._lines.append(f"{name}_sum{_labels(names, labels)} {each.seconds}")
            self._lines.append(f"{name}_count{_labels(names, labels)} {count}")

    def _head(self, name: str) -> None:
        figure = FIGURES[name]
        self._lines += [f"# HELP {name} {figure.what}", f"# TYPE {name} {figure.kind}"]

    @property
    def text(self) -> str:
        """Return all that was said."""
        return "\n".join(self._lines) + "\n"


def text(services: Services) -> str:
    """Return the figures of a hall."""
    page, hall = Page(), services.hall
    if services.node:
        page.one("qipai_node_leads", 1)
        page.one("qipai_node_epoch", services.epoch)
    if services.workers is not None:
        page.one("qipai_workers", services.workers())
    page.one("qipai_connections", len(services.sockets))
    page.one("qipai_connections_refused", services.entry.refused)
    page.one("qipai_healed", sum(hall.healing.healed.values()))
    page.one("qipai_people", hall.people.count)
    states = Counter(live.table.state for live in hall.runner.tables.values())
    page.parts("qipai_tables", {(state,): states[state] for state in ("open", "playing", "between")})
    page.spread("qipai_action_seconds", {(): services.meter})
    page.one("qipai_action_p50_seconds", services.meter.share(0.5))
    page.one("qipai_action_p99_seconds", services.meter.share(0.99))
    page.spread("qipai_call_seconds", {(): services.call_times})
    page.parts("qipai_calls_total", {(str(status),): n for status, n in sorted(services.answers.items())})
    page.parts("qipai_refusals_total", {(code,): n for code, n in sorted(hall.refusals.items())})
    page.spread("qipai_loop_lag_seconds", {(): services.lag})
    page.one("qipai_tasks", len(asyncio.all_tasks()))
    _log(page, services)
    count = services.bots.count
    page.one("qipai_bot_queue", hall.runner.thinking.count)
    page.parts("qipai_bot_answers_total", {(level, given): n for (level, given), n in sorted(count.answers.items())})
    page.one("qipai_bot_below_share", count.part("below"))
    page.spread("qipai_bot_answer_seconds", {(level,): each for level, each in sorted(count.seconds.items())})
    if services.far is not None:
        _far(page, services.far)
    return page.text


def _log(page: Page, services: Services) -> None:
    """Say how the log is, and what it is kept on."""
    health, data = services.store.health(), services.path.parent
    page.one("qipai_events_total", services.store.newest)
    page.spread("qipai_store_commit_seconds", {(): services.store.commit_times})
    page.one("qipai_store_queue", health.waiting)
    page.one("qipai_store_oldest_seconds", round(health.oldest_s, 3))
    page.one("qipai_store_writer", int(health.alive))
    page.one("qipai_store_writes", int(health.writes))
    page.parts("qipai_store_refused_total", {(why,): health.refused.get(why, 0) for why in get_args(Why)})
    page.one("qipai_store_whole", UNKNOWN if health.whole is None else int(health.whole))
    page.one("qipai_store_bytes", UNKNOWN if services.config.store.url else _size(services.path))
    free, size = _disk(data)
    page.one("qipai_disk_free_bytes", free)
    page.one("qipai_disk_bytes", size)
    copy = copied_at(data)
    page.one("qipai_backup_age_seconds", UNKNOWN if copy is None else services.now() // 1000 - copy)


def _far(page: Page, far: FarBots) -> None:
    """Say what has become of the questions that were given to other machines."""
    tally = far.tally
    page.one("qipai_bus_there", int(far.bus.there))
    page.one("qipai_bot_nodes", far.nodes)
    page.one("qipai_bot_given_total", tally.given)
    page.parts("qipai_bot_taken_back_total", {(why,): tally.back[why] for why in BACK})
    page.spread("qipai_bot_far_seconds", {(): tally.answered})


def copied_at(data: Path) -> int | None:
    """Return when the last copy of a hall was made that was found whole, seconds since 1970; None: none was."""
    with suppress(OSError, ValueError):
        return int((data / LAST_COPY).read_text("utf-8"))
    return None


def _size(file: Path) -> int:
    """Return the bytes of a hall's file and its journal."""
    found = 0
    for each in (file, file.with_name(f"{file.name}-wal")):
        with suppress(OSError):
            found += each.stat().st_size
    return found


def _disk(data: Path) -> tuple[float, float]:
    """Return what is free on the disk of a folder, and its size, bytes."""
    try:
        found = shutil.disk_usage(data)
    except OSError:
        return UNKNOWN, UNKNOWN
    return found.free, found.total


def _memory() -> float:
    """Return the resident memory of this process, bytes."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return UNKNOWN


def _most_files() -> float:
    """Return how many files this process may have open."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return UNKNOWN
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return float("inf") if most == resource.RLIM_INFINITY else most


def _labels(names: Labels, values: Labels) -> str:
    """Return labels as they stand behind a name; the values are words of ours."""
    return "{" + ",".join(f'{name}="{value}"' for name, value in zip(names, values, strict=True)) + "}" if names else ""


def _shown(value: float) -> str:
    return "NaN" if value != value else "+Inf" if value == float("inf") else str(value)
