"""What is ready in `deploy/`: every command is one of ours, every file and figure exists, and all ports agree."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from tests.promql import asked, faults, thresholds

from qipai.config import load
from qipai.web.figures import FIGURES

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
HOST = (ROOT / "docs" / "host.md").read_text("utf-8")
CADDY = shutil.which("caddy")
yaml: Any = importlib.import_module("yaml")  # it comes without types

COMPOSED: Final = {file.name: yaml.safe_load(file.read_text("utf-8")) for file in sorted(DEPLOY.glob("*.yaml"))}
CLUSTER: Final = COMPOSED["cluster.yaml"]["services"]
ALERTS: Final = [
    rule
    for group in yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text("utf-8"))["groups"]
    for rule in group["rules"]
]
BOARD: Final = json.loads((DEPLOY / "grafana/qipai.json").read_bytes())
FOREIGN: Final = ("up",)  # Prometheus' own
UNITS: Final = {"ms": 1e-3, "s": 1, "h": 3600, "%": 1e-2, "node": 1, "changes": 1, "starts": 1, "copy": 1}


def commands(service: dict[str, Any]) -> list[list[str]]:
    """Return the commands of ours that a service runs, in words."""
    command = service.get("command", [])
    text = command if isinstance(command, str) else command[2] if command[:2] == ["sh", "-c"] else shlex.join(command)
    return [shlex.split(each) for each in re.findall(r"\bqipai [^;&|]+", text)]


def parsed(words: list[str]) -> argparse.Namespace:
    """Read a command as the program does."""
    command = importlib.import_module(f"qipai.cli.{words[1].replace('-', '_')}")
    parser = argparse.ArgumentParser(exit_on_error=False)
    command.options(parser)
    return parser.parse_args(words[2:])


def nodes() -> dict[str, argparse.Namespace]:
    """Return the nodes of the cluster, with their options."""
    return {
        name: parsed(words)
        for name, service in CLUSTER.items()
        for words in commands(service)
        if words[1] == "serve" and "--node" in words
    }


def test_every_command_is_one_that_the_program_takes() -> None:
    files = ["Dockerfile", *(each.name for each in DEPLOY.glob("*.service")), "qipai.service.d/workers.conf"]
    found = [
        words for composed in COMPOSED.values() for each in composed["services"].values() for words in commands(each)
    ]
    for name in files:
        text = (DEPLOY / name).read_text("utf-8")
        found += [shlex.split(line) for line in re.findall(r"^ExecStart=/usr/bin/env (qipai .*)$", text, re.M)]
        found += [json.loads(line) for line in re.findall(r'^CMD (\["qipai".*\])$', text, re.M)]
    assert len(found) == 3 + 1 + 3 + 1  # nodes, the copies of the cluster, systemd, the image
    for words in found:
        assert parsed(words).data == Path("/var/lib/qipai" if "/var/lib/qipai" in words else "/data")


@pytest.mark.parametrize("file", COMPOSED)
def test_a_compose_file_holds_together(file: str) -> None:
    composed = COMPOSED[file]
    services, volumes = composed["services"], set(composed.get("volumes") or ())
    used = set()
    for name, service in services.items():
        assert service.get("restart") in ("always", "unless-stopped", "no"), name
        assert "image" in service or "build" in service, name
        if "build" in service:
            assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
        elif service["image"] != "qipai":
            assert re.fullmatch(r"[a-z/]+:v?\d+(\.\d+)*", service["image"]), f"{name}: which version?"
        for mount in service.get("volumes", ()):
            source = mount.split(":")[0]
            if source.startswith("."):
                assert (DEPLOY / source).exists(), mount
                assert mount.endswith(":ro"), mount
            else:
                used.add(source)
        needed = service.get("depends_on", ())
        for other in needed:
            assert other in services, name
            condition = needed[other]["condition"] if isinstance(needed, dict) else "service_started"
            if condition == "service_healthy":
                assert "healthcheck" in services[other], f"{name} waits for {other}"
            if condition == "service_completed_successfully":
                assert services[other]["restart"] == "no"
        for port in service.get("ports", ()):
            assert port.startswith("127.0.0.1:") or name == "caddy", "only the proxy is open to everybody"
    assert used == volumes


def test_the_ports_and_names_of_the_cluster_agree() -> None:
    found = nodes()
    assert len(found) == 3
    image = (DEPLOY / "Dockerfile").read_text("utf-8")
    caddy = (DEPLOY / "cluster/Caddyfile").read_text("utf-8")
    watched = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text("utf-8"))
    reached = [f"{name}:{given.port}" for name, given in found.items()]
    assert re.findall(r"reverse_proxy (.*) {", caddy) == [" ".join(reached)]
    (job,) = watched["scrape_configs"]
    assert [job["job_name"], job["static_configs"]] == ["qipai", [{"targets": reached}]]
    assert all((DEPLOY / "prometheus" / file).is_file() for file in watched["rule_files"])
    for name, given in found.items():
        service = CLUSTER[name]
        assert given.node.rpartition(":")[0] == name
        assert int(given.node.rpartition(":")[2]) != given.port
        assert given.host == "0.0.0.0"
        assert f"127.0.0.1:{given.port}/healthz" in service["healthcheck"]["test"][-1]
        assert f"EXPOSE {given.port}\n" in image
        assert int(service["stop_grace_period"].removesuffix("s")) >= 20
        assert service["restart"] == "always"  # a node that stood still ends by itself
    kept = CLUSTER["db"]["environment"]
    for name in (*found, "backup"):
        store = urlsplit(CLUSTER[name]["environment"]["QIPAI_STORE"])
        assert (store.hostname, store.username, store.path) == ("db", kept["POSTGRES_USER"], f"/{kept['POSTGRES_DB']}")
        assert CLUSTER[name]["environment"]["PGPASSWORD"] == kept["POSTGRES_PASSWORD"]
    folders = {
        mount for name in (*found, "backup", "settings") for mount in CLUSTER[name]["volumes"] if "/data" in mount
    }
    assert folders == {"hall:/data"}


def test_the_image_has_what_the_cluster_needs() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    asked_for = {
        tuple(each.split(",")) for each in re.findall(r"\[([a-z,]+)\]\"", (DEPLOY / "Dockerfile").read_text("utf-8"))
    }
    (named,) = asked_for
    assert {"postgres"} <= set(named) <= set(extras)


def test_the_settings_of_the_cluster_are_settings_of_a_hall(tmp_path: Path) -> None:
    (tmp_path / "hall.toml").write_bytes((DEPLOY / "cluster/hall.toml").read_bytes())
    found = load(tmp_path / "hall.toml")
    assert "172.16.0.0/12" in found.web.proxies
    # Prometheus reads without the token, so nobody may come to them through the proxy.
    assert found.web.metrics
    assert "respond /metrics 404" in (DEPLOY / "cluster/Caddyfile").read_text("utf-8")


@pytest.mark.skipif(CADDY is None and not os.environ.get("CI"), reason="Caddy is not installed")
def test_caddy_reads_the_file_of_the_cluster() -> None:
    assert CADDY is not None
    words = [CADDY, "adapt", "--config", str(DEPLOY / "cluster/Caddyfile"), "--adapter", "caddyfile"]
    done = subprocess.run(words, env={**os.environ, "QIPAI_SITE": "play.example.org"}, capture_output=True, check=True)
    (server,) = json.loads(done.stdout)["apps"]["http"]["servers"].values()
    (site,) = server["routes"]
    assert site["match"] == [{"host": ["play.example.org"]}]
    first, second = site["handle"][0]["routes"]
    assert first["match"] == [{"path": ["/metrics"]}]
    assert len(second["handle"][0]["upstreams"]) == 3


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: str(alert["alert"]))
def test_an_alarm_asks_for_what_there_is_and_says_what_to_do(alert: dict[str, Any]) -> None:
    assert faults(alert["expr"], FOREIGN) == []
    said = alert["annotations"]
    assert alert["labels"]["severity"] in ("critical", "warning")
    assert said["summary"]
    page, _, anchor = said["runbook"].partition("#")
    heads = re.findall(r"^#+ (.*)$", (ROOT / page).read_text("utf-8"), re.M)
    assert anchor in [re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads]
    (severity,) = re.findall(rf"^\| `{alert['alert']}` \| (\w+) \| [^|]+ \| [^|]+ \|$", HOST, re.M)
    assert severity == alert["labels"]["severity"]
    numbers = thresholds(alert["expr"])
    if numbers:
        number, unit = said["threshold"].split()
        assert [float(number) * UNITS[unit]] == [pytest.approx(each) for each in numbers]
    else:  # it is so or it is not
        assert "threshold" not in said
        assert re.search(r" == [01]$", alert["expr"])
    assert re.fullmatch(r"\d+[smh]", alert.get("for", "0s"))


def test_the_page_tells_of_every_alarm_once_and_of_no_other() -> None:
    section = HOST.partition("## When it warns\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)`", section, re.M) == [alert["alert"] for alert in ALERTS]


def test_the_dashboard_is_one_of_grafana_and_shows_every_figure() -> None:
    assert {"uid", "title", "schemaVersion", "panels", "templating", "time", "refresh"} <= BOARD.keys()
    (source, instance) = BOARD["templating"]["list"]
    assert (source["type"], source["query"]) == ("datasource", "prometheus")
    assert instance["query"]["query"] == "label_values(qipai_build_info, instance)"
    pictures = [panel for panel in BOARD["panels"] if panel["type"] != "row"]
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])
    shown = set()
    for panel in pictures:
        assert {"type", "title", "gridPos", "datasource", "targets", "fieldConfig", "options"} <= panel.keys()
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert panel["datasource"]["uid"] == "${datasource}"
        assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"]) > 0
        for target in panel["targets"]:
            assert faults(target["expr"]) == [], panel["title"]
            names = [each.name for each in asked(target["expr"])]
            shown |= {name if name in FIGURES else name.rpartition("_")[0] for name in names}
    assert shown == FIGURES.keys()
    for one, other in combinations([panel["gridPos"] for panel in BOARD["panels"]], 2):
        assert one["x"] + one["w"] <= 24
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        assert beside or one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]


@pytest.mark.parametrize(
    ("expr", "wrong"),
    [
        ("qipai_people > 3", []),
        ("qipai_peeple > 3", ["no figure is called qipai_peeple"]),
        ("qipai_action_seconds > 3", ["no figure is called qipai_action_seconds"]),
        ('qipai_people{rome="1"} > 3', ["qipai_people has no label rome"]),
        ("qipai_events_total > 3", ["qipai_events_total grows: it is of use as a rate"]),
        ("rate(qipai_people[5m]) > 3", ["qipai_people is no counter"]),
        ("rate(qipai_events_total[5x]) > 3", ["qipai_events_total[5x] in rate"]),
        ("rate(qipai_events_total) > 3", ["qipai_events_total in rate"]),
        ("sum(qipai_people > 3", ["a bracket is not closed"]),
        ("qipai_people) > 3", ["a bracket too many"]),
        ("qipai_people § 3", ["not to be read: ' § 3'"]),
        ("1 > 3", ["it asks for nothing"]),
        (
            "histogram_quantile(0.9, sum by (instance) (rate(qipai_action_seconds_bucket[5m]))) > 3",
            ["a quantile needs the buckets, by le"],
        ),
    ],
)
def test_what_is_wrong_with_an_expression_is_found(expr: str, wrong: list[str]) -> None:
    assert faults(expr) == wrong
    if not wrong:
        assert thresholds(expr) == [3]
