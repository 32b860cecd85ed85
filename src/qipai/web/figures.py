"""The figures of `/metrics`: what each is called and means. Pages, the dashboard and the alarms name no others."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

__all__ = ["FIGURES", "Figure", "Kind", "Of", "table", "unit_of"]

Kind = Literal["gauge", "counter", "histogram"]
# Who gives it: a hall; one that has a bus; each of several nodes; those that stand by; a hall of workers; all.
Of = Literal["hall", "bus", "nodes", "standby", "workers", "all"]
FROM: Final[dict[Of, str]] = {
    "hall": "the hall",
    "bus": "a hall with a bus",
    "nodes": "each of several nodes",
    "standby": "who stands by",
    "workers": "a hall of several workers",
    "all": "all",
}
UNITS: Final = {"seconds": "s", "bytes": "bytes", "share": "ratio"}  # by the last word of the name


class Figure(Struct, frozen=True):
    """A figure. labels: by what it is divided."""

    name: str
    kind: Kind
    what: str
    labels: tuple[str, ...] = ()
    of: Of = "hall"


FIGURES: Final = {
    each.name: each
    for each in (
        Figure("qipai_build_info", "gauge", "always 1; the version of the program", ("version",), "all"),
        # The lease (0071).
        Figure("qipai_node_leads", "gauge", "whether this node leads the hall, 1 or 0", (), "nodes"),
        Figure("qipai_node_epoch", "gauge", "the epoch of the lease; every change of who leads adds one", (), "nodes"),
        Figure("qipai_node_fit", "gauge", "whether it may ever lead; 0: its version is too old", (), "standby"),
        Figure("qipai_node_passing", "gauge", "connections that it passes on to the node that leads", (), "standby"),
        Figure("qipai_node_carrying", "gauge", "lines that end here, and go on in one trunk", (), "standby"),
        Figure("qipai_node_tables", "gauge", "tables that it shows, from copies", (), "standby"),
        Figure("qipai_node_leader", "gauge", "whether it knows of a node that leads, 1 or 0", (), "standby"),
        Figure("qipai_workers", "gauge", "workers of this machine that are well, whoever leads", (), "workers"),
        # People and tables.
        Figure("qipai_connections", "gauge", "open sockets"),
        Figure("qipai_connections_refused", "gauge", "connections of addresses that had too many"),
        Figure("qipai_people", "gauge", "people with a line"),
        Figure("qipai_tables", "gauge", "live tables by state", ("state",)),
        Figure("qipai_healed", "gauge", "lines and seats that a sweep had to put right"),
        # How fast it answers.
        Figure("qipai_action_seconds", "histogram", "from an action to its last broadcast"),
        Figure("qipai_action_p50_seconds", "gauge", "the same since the start: half of all took at most so long"),
        Figure("qipai_action_p99_seconds", "gauge", "… and 99 of 100"),
        Figure("qipai_call_seconds", "histogram", "from a call of the API to its answer"),
        Figure("qipai_calls_total", "counter", "calls of the API by the status of their answer", ("status",)),
        Figure("qipai_refusals_total", "counter", "calls and messages that were refused, by code", ("code",)),
        Figure("qipai_loop_lag_seconds", "histogram", "how late the event loop wakes who has slept a second"),
        Figure("qipai_tasks", "gauge", "tasks of the event loop"),
        # The log.
        Figure("qipai_events_total", "counter", "events in the log"),
        Figure("qipai_store_commit_seconds", "histogram", "from the first statement of a commit until it is durable"),
        Figure("qipai_store_queue", "gauge", "handfuls of events that wait for the disk"),
        Figure("qipai_store_oldest_seconds", "gauge", "for how long the oldest of them waits"),
        Figure("qipai_store_writer", "gauge", "whether the writer of the log is alive, 1 or 0"),
        Figure("qipai_store_writes", "gauge", "whether the disk takes what is written, 1 or 0"),
        Figure("qipai_store_refused_total", "counter", "commits that the disk did not take, by reason", ("why",)),
        Figure("qipai_store_whole", "gauge", "what the last check for damage found: 1 none, 0 some, NaN not yet"),
        Figure("qipai_store_bytes", "gauge", "the file of the hall and its journal, NaN: a database keeps it"),
        Figure("qipai_disk_free_bytes", "gauge", "what is free on the disk of the data folder, NaN: it does not say"),
        Figure("qipai_disk_bytes", "gauge", "and how large that disk is"),
        Figure("qipai_backup_age_seconds", "gauge", "age of the last copy that was found whole, NaN: none was made"),
        # Bots.
        Figure("qipai_bot_queue", "gauge", "moves that bots are asked for"),
        Figure(
            "qipai_bot_answers_total",
            "counter",
            "answers by level shown and how: as the level says, hurried (in under half of its time, since others"
            " waited), interpreted (kernels were not there yet), below (a weaker level played)",
            ("level", "given"),
        ),
        Figure("qipai_bot_below_share", "gauge", "share of all answers below the level shown"),
        Figure(
            "qipai_bot_answer_seconds",
            "histogram",
            "from the question to the answer, without the pace of the game",
            ("level",),
        ),
        # Bots that think elsewhere (0077).
        Figure("qipai_bus_there", "gauge", "whether the bus is connected, 1 or 0", (), "bus"),
        Figure("qipai_bot_nodes", "gauge", "machines that think for bots and can be asked", (), "bus"),
        Figure("qipai_bot_given_total", "counter", "questions of bots that were given to other machines", (), "bus"),
        Figure(
            "qipai_bot_taken_back_total",
            "counter",
            "of these, those that the hall then thought through itself, by reason",
            ("why",),
            "bus",
        ),
        Figure("qipai_bot_far_seconds", "histogram", "of the answered, from the question to the answer", (), "bus"),
        # The process, under the names that all programs have in Prometheus.
        Figure("process_cpu_seconds_total", "counter", "processor time, without that of bots' workers", (), "all"),
        Figure("process_resident_memory_bytes", "gauge", "memory that it has, NaN: the system hides it", (), "all"),
        Figure("process_start_time_seconds", "gauge", "when it was started, seconds since 1970", (), "all"),
        Figure("process_max_fds", "gauge", "files and connections that the system lets it have open", (), "all"),
    )
}  # fmt: skip


def unit_of(figure: Figure) -> str:
    """Return the unit of a figure: s, bytes, ratio, or "" for a number."""
    return UNITS.get(figure.name.removesuffix("_total").rpartition("_")[2], "")


def table() -> str:
    """Return the table of the pages."""
    rows = ["| figure | kind | unit | by | given by | what |", "|---|---|---|---|---|---|"]
    for each in FIGURES.values():
        labels = ", ".join(f"`{label}`" for label in each.labels)
        rows.append(f"| `{each.name}` | {each.kind} | {unit_of(each)} | {labels} | {FROM[each.of]} | {each.what} |")
    return "\n".join(rows) + "\n"
