"""`qipai bench codec`: every message of the wire, read with all its checks and written, beside orjson and pydantic.

Measured in a process of its own, `python -m qipai.bench.codec ROUNDS SECONDS`, which prints what it found.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib import metadata
from statistics import median
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.bench.sheet import Check, Line, Table, line

__all__ = ["judged", "measure"]

MOST: Final = 1.2  # orjson's time for reading the same text without any check
PEERS: Final = ("orjson", "pydantic")
Progress = Callable[[str], None]


class Times(Struct, frozen=True):
    """What one message took: µs of CPU, by who and round."""

    way: str  # "client to server, read" …
    name: str
    size: int
    us: dict[str, list[float]]


def measure(rounds: int, seconds: float, told: Progress) -> tuple[list[Table], dict[str, str]]:
    """Return the tables; seconds: of one message, one contestant and one round."""
    command = [sys.executable, "-m", "qipai.bench.codec", str(rounds), str(seconds)]
    found: list[Times] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        for row in process.stdout:
            found.append(msgspec.json.decode(row, type=Times))
            told(f"{found[-1].way}: {found[-1].name}")
        if process.wait():
            raise RuntimeError(f"the process ended with {process.returncode}")
    there = {peer for peer in PEERS if importlib.util.find_spec(peer)}
    return judged(found), {peer: metadata.version(peer) for peer in PEERS if peer in there}


def judged(found: list[Times]) -> list[Table]:
    """Return a table for each way and peer: how many times the peer's time a message takes."""
    tables = []
    for way in dict.fromkeys(times.way for times in found):
        mine = [times for times in found if times.way == way]
        for peer in PEERS:
            name = f"{way}: times {peer}'s" + (" unchecked parse" if peer == "orjson" and "read" in way else "")
            if not any(peer in times.us for times in mine):
                absent = (Line(peer, absent="not installed"),)
                checks = (
                    (Check(f"the slowest message, times {peer}'s", MOST, False, None),) if _aimed(way, peer) else ()
                )
                tables.append(Table(name, "of its time", absent, checks))
                continue
            lines = [
                line(
                    f"{times.name}, {times.size} bytes",
                    [a / b for a, b in zip(times.us["qipai"], times.us[peer], strict=True)],
                    times.us["qipai"],
                )
                for times in mine
            ]
            worst = max(lines, key=lambda each: each.mid)
            middle = median(each.mid for each in lines)
            checks = (Check(f"the slowest message ({worst.who})", MOST, False, worst.mid),) if _aimed(way, peer) else ()
            note = f"the median message: {middle:.2g} of {peer}'s time"
            tables.append(Table(name, "of its time", tuple(lines), checks, (note,)))
    return tables


def _aimed(way: str, peer: str) -> bool:
    return way.endswith("read") and peer == "orjson"


def main() -> None:
    """Measure and print a line a message."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    rounds, seconds = int(sys.argv[1]), float(sys.argv[2])
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    for times in timed(rounds, seconds):
        out.write(msgspec.json.encode(times) + b"\n")


def timed(rounds: int, seconds: float) -> Any:
    """Yield what each message takes."""
    from qipai.bench.examples import ACTION, VIEW, adapter, example, members
    from qipai.hall.table.commands import ClientMessage
    from qipai.hall.table.messages import ServerMessage
    from qipai.web.protocol import encode, read_frame

    there = {peer for peer in PEERS if importlib.util.find_spec(peer)}
    for way, union in (("client to server", ClientMessage), ("server to client", ServerMessage)):
        server = way.startswith("server")
        decode: Callable[[Any], Any] = msgspec.json.Decoder(union).decode if server else read_frame
        pydantic = adapter(union).validate_json if "pydantic" in there else None
        plain = {name: example(kind, VIEW if server else ACTION) for name, kind in members(union).items()}
        for name, data in plain.items():
            text = msgspec.json.encode(data).decode()
            assert type(decode(text)) is members(union)[name], f"{name} is refused: {text}"
            readers: dict[str, Callable[[], Any]] = {"qipai": partial(decode, text)}
            if "orjson" in there:
                import orjson

                readers["orjson"] = partial(orjson.loads, text)
            if pydantic:
                readers["pydantic"] = partial(pydantic, text)
            yield Times(f"{way}, read", name, len(text), _rounds(readers, rounds, seconds))
        for name, data in plain.items():
            message = decode(msgspec.json.encode(data).decode())
            writers: dict[str, Callable[[], Any]] = {"qipai": partial(encode, message)}
            if "orjson" in there:
                import orjson

                writers["orjson"] = partial(orjson.dumps, data)
            if pydantic:
                writers["pydantic"] = partial(pydantic(msgspec.json.encode(data)).model_dump_json, by_alias=True)
            yield Times(f"{way}, written", name, len(encode(message)), _rounds(writers, rounds, seconds))


def _rounds(work: Mapping[str, Callable[[], Any]], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Return µs of CPU a call, in turns."""
    many = {}
    for name, call in work.items():
        began = time.perf_counter()
        for _ in range(20):
            call()
        many[name] = max(20, int(20 * seconds / max(1e-9, time.perf_counter() - began)))
    found: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, call in work.items():
            times = range(many[name])
            cpu = time.process_time()
            for _ in times:
                call()
            found[name].append((time.process_time() - cpu) / many[name] * 1e6)
    return found


if __name__ == "__main__":
    main()
