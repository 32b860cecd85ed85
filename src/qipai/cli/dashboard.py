"""The dashboard for Grafana, `deploy/grafana/qipai.json`: what is drawn of which figures of `/metrics`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from qipai.web.figures import FIGURES, unit_of

__all__ = ["DASHBOARD", "Panel", "Query", "drawn"]

WIDE: Final = 24  # columns of a page
HIGH: Final = {"stat": 4, "timeseries": 8}
UNITS: Final = {"s": "s", "bytes": "bytes", "ratio": "percentunit", "": "short"}
SOURCE: Final = {"type": "prometheus", "uid": "${datasource}"}
HERE: Final = 'instance=~"$instance"'


class Query(Struct, frozen=True):
    """What is drawn of a figure. unit: in Grafana's words."""

    name: str
    expr: str
    legend: str
    unit: str


class Panel(Struct, frozen=True):
    """A picture."""

    title: str
    queries: Sequence[Query]
    kind: Literal["stat", "timeseries"] = "timeseries"
    wide: int = 8


def now(name: str, legend: str = "{{instance}}", fold: str = "") -> Query:
    """Return a figure as it is. fold: max, min or sum, for one number of all processes."""
    figure = FIGURES[name]
    shown = f"{name}{{{HERE}}}"
    by = f" by ({', '.join(figure.labels)})" if figure.labels else ""
    legend = " ".join(f"{{{{{label}}}}}" for label in figure.labels) or legend
    return Query(name, f"{fold}{by} ({shown})" if fold else shown, legend, UNITS[unit_of(figure)])


def rate(name: str, legend: str = "{{instance}}", *by: str, unit: str = "ops") -> Query:
    """Return how much a counter, or what a histogram counts, grows in a second."""
    figure = FIGURES[name]
    counted = f"{name}_count" if figure.kind == "histogram" else name
    fold = f"sum by ({', '.join(by or ('instance',))})"
    return Query(name, f"{fold} (rate({counted}{{{HERE}}}[$__rate_interval]))", legend, unit)


def within(part: float, name: str, *by: str) -> Query:
    """Return the time within which this part of all was done."""
    figure = FIGURES[name]
    assert figure.kind == "histogram"
    fold = f"sum by ({', '.join(('le', *by))}) (rate({name}_bucket{{{HERE}}}[$__rate_interval]))"
    legend = " ".join((f"{part:.0%}", *(f"{{{{{each}}}}}" for each in by)))
    return Query(name, f"histogram_quantile({part}, {fold})", legend, UNITS[unit_of(figure)])


def spread(name: str) -> tuple[Query, ...]:
    """Return the times within which half of all was done, and 99 of 100."""
    return within(0.5, name), within(0.99, name)


def share(part: str, whole: str, legend: str) -> Query:
    """Return one figure as a share of another."""
    expr = f"{part}{{{HERE}}} / {whole}{{{HERE}}}"
    assert {part, whole} <= FIGURES.keys()
    return Query(part, expr, legend, "percentunit")


DASHBOARD: Final[dict[str, tuple[Panel, ...]]] = {
    "Is it well?": (
        Panel("Nodes that lead", (now("qipai_node_leads", "lead", "sum"),), "stat", 4),
        Panel("What is written is taken", (now("qipai_store_writes", "writes", "min"),), "stat", 4),
        Panel("People", (now("qipai_people", "people", "sum"),), "stat", 4),
        Panel("99 of 100 actions within", (within(0.99, "qipai_action_seconds"),), "stat", 4),
        Panel("Age of the last good copy", (now("qipai_backup_age_seconds", "copy", "min"),), "stat", 4),
        Panel("Damage found (1: none)", (now("qipai_store_whole", "whole", "min"),), "stat", 4),
    ),
    "People and tables": (
        Panel("People, and connections", (
            now("qipai_people", "people", "sum"), now("qipai_connections", "connections", "sum"),
        )),
        Panel("Tables", (now("qipai_tables", fold="sum"),)),
        Panel("Turned away, and put right", (now("qipai_connections_refused"), now("qipai_healed", "healed"))),
    ),
    "How fast it answers": (
        Panel("Actions: time to the last broadcast", spread("qipai_action_seconds")),
        Panel("Actions: since the start", (
            now("qipai_action_p50_seconds", "50%", "max"), now("qipai_action_p99_seconds", "99%", "max"),
        )),
        Panel("Actions a second", (rate("qipai_action_seconds"),)),
        Panel("Calls of the API", spread("qipai_call_seconds")),
        Panel("Answers of the API by status", (rate("qipai_calls_total", "{{status}}", "status"),)),
        Panel("Refusals by code", (rate("qipai_refusals_total", "{{code}}", "code"),)),
        Panel("How late the event loop is", spread("qipai_loop_lag_seconds")),
        Panel("Tasks of the event loop", (now("qipai_tasks"),)),
    ),
    "The log": (
        Panel("Events a second", (rate("qipai_events_total"),)),
        Panel("A commit takes", spread("qipai_store_commit_seconds")),
        Panel("Commits a second", (rate("qipai_store_commit_seconds"),)),
        Panel("Handfuls that wait", (now("qipai_store_queue"),)),
        Panel("The oldest waits for", (now("qipai_store_oldest_seconds"),)),
        Panel("Not taken by the disk, by reason", (rate("qipai_store_refused_total", "{{why}}", "why"),)),
        Panel("The writer is alive", (now("qipai_store_writer"),)),
        Panel("The file of the hall", (now("qipai_store_bytes"),)),
        Panel("Free on the disk", (share("qipai_disk_free_bytes", "qipai_disk_bytes", "{{instance}}"),)),
    ),
    "Bots": (
        Panel("Moves that are asked for", (now("qipai_bot_queue"),)),
        Panel("Answers, and how", (rate("qipai_bot_answers_total", "{{level}} {{given}}", "level", "given"),)),
        Panel("19 of 20 answers within", (within(0.95, "qipai_bot_answer_seconds", "level"),)),
        Panel("Below the level shown, since the start", (now("qipai_bot_below_share"),)),
        Panel("Machines that think, and the way to them", (
            now("qipai_bot_nodes", "machines", "max"), now("qipai_bus_there", "bus", "max"),
        )),
        Panel("Given to them, a second", (rate("qipai_bot_given_total"),)),
        Panel("Taken back, by reason", (rate("qipai_bot_taken_back_total", "{{why}}", "why"),)),
        Panel("They answer within", spread("qipai_bot_far_seconds")),
    ),
    "Nodes and processes": (
        Panel("Who leads", (now("qipai_node_leads"),)),
        Panel("Epoch of the lease", (now("qipai_node_epoch"),)),
        Panel("Passed on", (now("qipai_node_passing"), now("qipai_node_carrying"), now("qipai_node_tables"))),
        Panel("Knows who leads; may lead", (
            now("qipai_node_leader", "{{instance}} knows"), now("qipai_node_fit", "{{instance}} may"),
            now("qipai_workers", "{{instance}}: workers"),
        )),
        Panel("Processor (1: a core)", (rate("process_cpu_seconds_total", unit="percentunit"),)),
        Panel("Memory", (now("process_resident_memory_bytes"),)),
        Panel("Connections of those that the system allows", (
            share("qipai_connections", "process_max_fds", "{{instance}}"),
        )),
        Panel("Started", (now("process_start_time_seconds"),)),
        Panel("Version", (now("qipai_build_info", fold="count"),)),
    ),
}  # fmt: skip


def drawn() -> bytes:
    """Return the dashboard as Grafana imports it."""
    panels: list[dict[str, Any]] = []
    top = 0
    for row, pictures in DASHBOARD.items():
        place = {"h": 1, "w": WIDE, "x": 0, "y": top}
        panels.append(
            {"id": len(panels) + 1, "type": "row", "title": row, "collapsed": False, "gridPos": place, "panels": []}
        )
        top, left, high = top + 1, 0, 0
        for each in pictures:
            if left + each.wide > WIDE:
                top, left, high = top + high, 0, 0
            place = {"h": HIGH[each.kind], "w": each.wide, "x": left, "y": top}
            panels.append(_picture(each, len(panels) + 1, place))
            left, high = left + each.wide, max(high, HIGH[each.kind])
        top += high
    whole = {
        "uid": "qipai",
        "title": "qipai",
        "description": "Written by `qipai schema` from the list of figures (docs/metrics.md); do not edit.",
        "tags": ["qipai"],
        "schemaVersion": 39,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "timezone": "",
        "annotations": {"list": []},
        "links": [],
        "templating": {"list": [
            {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Source"},
            {
                "name": "instance", "type": "query", "label": "Node", "datasource": SOURCE, "refresh": 2,
                "query": {"query": "label_values(qipai_build_info, instance)", "refId": "instance"},
                "multi": True, "includeAll": True, "allValue": ".*", "current": {"text": "All", "value": "$__all"},
            },
        ]},
        "panels": panels,
    }  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"


def _picture(panel: Panel, id: int, place: dict[str, int]) -> dict[str, Any]:
    """Return a panel."""
    first, *others = panel.queries
    assert all(each.unit == first.unit for each in others), panel.title
    unit = "dateTimeAsIso" if first.name == "process_start_time_seconds" else first.unit
    scale = 1000 if unit == "dateTimeAsIso" else 1  # Grafana's times are in ms
    told = dict.fromkeys(FIGURES[each.name].what for each in panel.queries)
    return {
        "id": id,
        "type": panel.kind,
        "title": panel.title,
        "description": "; ".join(told),
        "gridPos": place,
        "datasource": SOURCE,
        "fieldConfig": {"defaults": {"unit": unit, **({} if scale > 1 else {"min": 0})}, "overrides": []},
        "options": {"reduceOptions": {"calcs": ["lastNotNull"]}}
        if panel.kind == "stat"
        else {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {
                "refId": chr(65 + number),
                "datasource": SOURCE,
                "expr": each.expr if scale == 1 else f"{scale} * {each.expr}",
                "legendFormat": each.legend,
            }
            for number, each in enumerate(panel.queries)
        ],
    }
