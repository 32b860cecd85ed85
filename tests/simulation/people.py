"""Simulated people: they sit down, play what is legal and what is not, talk, watch, and lose their lines.

A person is a client of the wire's contract (docs/protocol.md) and knows no game: after a lost line they join with `ch`
and `after`, and give unanswered commands again with their old `cid`.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct
from tests.simulation.machine import Call, Wire

from qipai.accounts.model import User

if TYPE_CHECKING:
    from tests.simulation.machine import Machine

__all__ = ["Person", "Place"]

MOST: Final = 5  # tables where somebody is
QUICK: Final = ("backgammon", "doudizhu")  # games that are soon over
PATIENCE_S: Final = 45.0  # a command that a whole line has not answered in this time is lost
FIELDS: Final = ("you", "info", "seats", "offers", "game", "view", "ask", "legal", "clocks", "result")


class Place(Struct):
    """A table where somebody wants to be. seat: None, to watch."""

    table: int
    seat: int | None
    bots: tuple[int, ...] = ()  # seats that they give to bots
    games: int = 1  # how many they want to play
    played: str | None = None  # the game that was counted last
    refusals: int = 0


class Waiting(Struct):
    """A command that is not answered."""

    text: str
    since: float


class Person:
    """Somebody outside the hall."""

    def __init__(self, machine: Machine, user: User, secret: str, places: list[Place]) -> None:
        self._machine, self._world, self.user, self._secret = machine, machine.world, user, secret
        self._luck = self._world.luck(f"person {user.id}")
        self.places = {place.table: place for place in places}
        self.tables: dict[int, dict[str, Any]] = {}  # as they see them; kept while the line is lost
        self._fresh: set[int] = set()  # joined on this line
        self._waiting: dict[str, Waiting] = {}
        self._cids = count(1)
        self._wire: Wire | None = None
        self._welcome = False
        self._tries = 0
        self.calm = False  # they mend what is broken and go home after the game
        self.away = False  # they have left without a word
        self._haste = self._luck.choice((0.02, 0.2, 1.0))
        self._next: float | None = None
        self._round = 0
        self._pinged = 0.0
        self._soon(self._luck.random() * 2)

    # The line.

    def connect(self) -> None:
        """Open a line."""
        if self._wire is not None or self.away:
            return
        self._welcome, self._fresh = False, set()
        self._world.note("connects", self.user.id)
        wire: Wire

        def hear(message: Any) -> None:
            if self._wire is wire:
                self._heard(message)

        def lost() -> None:
            if self._wire is wire:
                self._lost()

        wire = self._wire = Wire(self._machine, self.user.id, hear, lost, f"10.0.0.{self.user.id}")
        self._send({"t": "hello", "v": 1, "token": self._secret})

    def _lost(self) -> None:
        self._wire = None
        self._tries = min(self._tries + 1, 5)
        self._world.after(0.25 * 2**self._tries * (0.5 + self._luck.random()), self.connect)

    def hang_up(self, *, told: bool, back: bool = True) -> None:
        """Lose the line. told: the hall learns of it. back: they come again."""
        wire, self._wire = self._wire, None
        self._world.note("hangs up", self.user.id, told, back)
        if wire is not None:
            wire.break_off(told=told)
        if back:
            self._world.after(self._luck.choice((0.1, 1.0, 20.0)) * self._luck.random(), self.connect)
        else:
            self.away = True

    def come_back(self) -> None:
        """Come again, after having left."""
        self.away = False
        self.connect()

    def _send(self, message: dict[str, Any]) -> None:
        if self._wire is not None:
            self._wire.say(msgspec.json.encode(message).decode())

    def command(self, kind: str, **fields: Any) -> None:
        """Give a command, sometimes twice."""
        cid = f"{kind}-{self.user.id}-{next(self._cids)}"
        message = {"t": kind, "cid": cid, **fields}
        self._waiting[cid] = Waiting(msgspec.json.encode(message).decode(), self._world.now)
        self._send(message)
        if not self.calm and self._luck.random() < 0.03:
            self._send(message)

    # What comes.

    def _heard(self, message: dict[str, Any]) -> None:
        kind = message["t"]
        if kind == "ev":
            self._event(message)
        elif kind == "snapshot":
            self._snapshot(message)
        elif kind in ("ack", "err"):
            self._answered(message)
        elif kind == "welcome":
            self._welcomed(message)
        elif kind == "rejoin":
            self._fresh.discard(message["table"])
            self._soon(0.1)
        elif kind == "bye":
            self._world.note("bye", self.user.id, message["why"])

    def _welcomed(self, message: dict[str, Any]) -> None:
        self._welcome, self._tries = True, 0
        for table in message["tables"]:  # where they sit, perhaps without having heard of it
            self.places.setdefault(table, Place(table, None))
        for table in self.places:
            self._join(table)
        for one in self._waiting.values():
            one.since = self._world.now
            if self._wire is not None:
                self._wire.say(one.text)
        self._soon(0.1)

    def _join(self, table: int) -> None:
        seen = self.tables.get(table)
        known = {} if seen is None else {"ch": seen["ch"], "after": seen["seq"]}
        self._send({"t": "join", "table": table, **known})

    def _snapshot(self, message: dict[str, Any]) -> None:
        table, before = message["table"], self.tables.get(message["table"])
        if before is not None and message["missed"] is not None and before["ch"] == message["ch"]:
            numbers = [each["seq"] for each in message["missed"]]
            if numbers != list(range(message["seq"] - len(numbers) + 1, message["seq"] + 1)):
                self._world.fail(f"{self.user.id} missed {numbers} of {message['ch']} up to {message['seq']}")
            if numbers and numbers[0] > before["seq"] + 1:
                self._world.fail(f"{self.user.id} is not told all of {message['ch']} since {before['seq']}: {numbers}")
        if before is not None and before["ch"] == message["ch"] and message["seq"] < before["seq"]:
            self._world.fail(f"{self.user.id} is shown {message['ch']} {message['seq']} after {before['seq']}")
        self.tables[table] = {key: message[key] for key in ("ch", "seq", *FIELDS)}
        self._fresh.add(table)
        self._soon(self._think())

    def _event(self, message: dict[str, Any]) -> None:
        seen = self.tables.get(message["table"])
        if seen is None or message["table"] not in self._fresh:
            return
        if message["ch"] != seen["ch"] or message["seq"] != seen["seq"] + 1:
            self._world.fail(f"{self.user.id} hears {message['ch']} {message['seq']} after {seen['ch']} {seen['seq']}")
        seen["seq"] = message["seq"]
        for field in FIELDS:
            if field in message:
                seen[field] = message[field]
        for each in message["told"]:
            if each["e"] == "game.created" and each.get("commitment") and self._luck.random() < 0.5:
                seed = f"{self._luck.getrandbits(60):x}"
                self._send({"t": "seed", "table": message["table"], "game_id": each["game_id"], "client_seed": seed})
        if "ask" in message or "info" in message or "seats" in message:
            self._soon(self._think())

    def _answered(self, message: dict[str, Any]) -> None:
        one = self._waiting.pop(message["cid"], None)
        if message["t"] == "err":
            table = message.get("table")
            if message["re"] in ("join", "sit") and table in self.places:
                self.places[table].refusals += 1
            if one is not None and message["code"] in ("BUSY", "RATE_LIMIT"):
                self._soon(1.0)
                return
        self._soon(self._think())

    # What they do.

    def _think(self) -> float:
        haste = min(self._haste, 0.1) if self.calm else self._haste
        return haste * self._luck.expovariate(1.0)

    def _soon(self, seconds: float) -> None:
        """Look again what there is to do, at the latest after this time."""
        when = self._world.now + seconds
        if self._next is None or when < self._next:
            self._next = when
            self._round += 1
            number = self._round
            self._world.at(when, lambda: self._look(number))

    def _look(self, number: int) -> None:
        if number != self._round:
            return
        self._next = None
        self._soon(1.0 + self._luck.random() * 4)
        if self._wire is None:
            if self._tries == 0:
                self.connect()
            return
        if not self._welcome:
            return
        self._impatient()
        if self._world.now - self._pinged > 4:
            self._pinged = self._world.now
            self._send({"t": "ping", "n": 1})
        for place in list(self.places.values()):
            if place.table not in self._fresh:
                self._join(place.table)
            elif not self._waiting or self._luck.random() < 0.05:
                self._at_table(place, self.tables[place.table])
        if self._luck.random() < 0.05:
            if not self.calm:
                self._wander()
            elif not self._waiting:
                self.hang_up(told=True)  # who comes in is told where they sit, though they have been paired since

    def _impatient(self) -> None:
        for cid, one in self._waiting.items():
            if self.calm and self._world.now - one.since > PATIENCE_S:
                self._world.fail(f"{cid} was never answered")

    def _wander(self) -> None:
        luck, table = self._luck, self._luck.choice(list(self.places))
        room = table // 100
        what = luck.randrange(11)
        if what == 0:
            self._send({"t": "enter", "room": room})
        elif what == 1:
            self._send({"t": "exit", "room": room})
        elif what == 2:
            self.command("say", to=f"table:{table}", text=f"line {luck.randrange(100)}")
        elif what == 3:
            self.command("say", to=f"room:{room}", text="hello")
        elif what == 4:
            self._send({"t": "follow", "list": luck.choice(["cards", "online"]), "on": luck.random() < 0.7})
        elif what == 5:
            self._send({"t": "hear", "to": "lobby", "on": True})
        elif what == 6:
            self._send({"t": "nonsense", "table": [table]})
        elif what == 7:
            self._send({"t": "review", "key": "there is none", "on": luck.random() < 0.8})
        elif what == 8 and len(self.places) < MOST:
            path = luck.choice(["play", "tables"])
            game = luck.choice(QUICK)
            self._call(path, {"game": game, **({"level": "easy"} if path == "play" else {})})
        elif what == 9 and len(self.places) < MOST:
            days = {"days": 1} if luck.random() < 0.3 else {}
            self._call("pair", {"game": "xiangqi", **days}, tries=6)
        elif self.places[table].seat is None:
            self._send({"t": "leave", "table": table})
            self._fresh.discard(table)

    def _call(self, path: str, body: dict[str, Any], cid: str | None = None, *, tries: int = 1) -> None:
        """Call the HTTP API, and again with the same cid until there is an answer. tries: until there is a table."""
        cid = cid or f"{path}-{self.user.id}-{next(self._cids)}"

        def hear(answer: Any) -> None:
            if answer is None or answer[0] == 503:
                self._world.after(0.2 + self._luck.random() * 3, lambda: self._call(path, body, cid, tries=tries))
            elif answer[0] == 200 and answer[1].get("table") is not None:
                table, seat = answer[1]["table"], answer[1].get("seat", 0)
                bots = tuple(other for other in range(8) if other != seat) if path == "tables" else ()
                self.places.setdefault(table, Place(table, seat, bots))
                self._soon(0.1)
            elif tries > 1 and not self.away:
                self._world.after(1 + self._luck.random(), lambda: self._call(path, body, tries=tries - 1))

        Call(self._machine, self.user.id, self._secret, f"/{path}", {**body, "cid": cid}, hear)

    def _at_table(self, place: Place, seen: dict[str, Any]) -> None:
        """Do what there is to do at a table."""
        luck, table = self._luck, place.table
        state, seat = seen["info"]["state"], seen["you"]["seat"]
        game = seen["game"]
        if seen["result"] is not None and game is not None and place.played != game["game_id"]:
            place.played = game["game_id"]
            place.games -= 1
        if seat is None:
            if (
                place.seat is not None
                and place.games > 0
                and not self.calm
                and place.refusals < 20
                and state != "playing"
            ):
                free = seen["seats"][place.seat]
                if free["user"] is None and free["bot"] is None:
                    self.command("sit", table=table, seat=place.seat)
            return
        if state in ("open", "between"):
            self._between(place, seen, seat)
            return
        own = seen["seats"][seat]
        if own["presence"] == "bot":
            self.command("back", table=table)
            return
        for offer in seen["offers"]:
            if offer["seat"] != seat and luck.random() < 0.5:
                self.command("answer", table=table, offer=offer["offer"], yes=luck.random() < 0.5)
                return
        if seen["ask"] is not None and seen["legal"] is not None:
            self._act(place, seen)
        elif not self.calm and luck.random() < 0.01:
            self.command("stand", table=table, confirm=luck.random() < 0.5)
        elif not self.calm and luck.random() < 0.02:
            self.command("offer", table=table, what=luck.choice(["takeback", "stop"]))

    def _between(self, place: Place, seen: dict[str, Any], seat: int) -> None:
        luck, table = self._luck, place.table
        if place.games <= 0 or self.calm or luck.random() < 0.02:
            self.command("stand", table=table, confirm=True)
            return
        for bot in place.bots:
            if (
                bot < len(seen["seats"])
                and seen["you"]["owner"]
                and seen["seats"][bot]["user"] is None
                and seen["seats"][bot]["bot"] is None
            ):
                self.command("fill", table=table, seat=bot, level="easy")
                return
        if not seen["seats"][seat]["ready"]:
            self.command("ready", table=table, on=True)
        elif luck.random() < 0.02:
            self.command("ready", table=table, on=False)

    def _act(self, place: Place, seen: dict[str, Any]) -> None:
        luck, table, legal, ask = self._luck, place.table, seen["legal"], seen["ask"]
        leaving = legal.get("leaving", [])
        if not self.calm and luck.random() < 0.04:
            self._act_badly(table, legal, ask)
            return
        if leaving and luck.random() < (0.6 if self.calm else 0.02):
            self.command("act", table=table, action=luck.choice(leaving), ask=ask["id"])
        elif legal["list"]:
            self.command("act", table=table, action=luck.choice(legal["list"]), ask=ask["id"])

    def _act_badly(self, table: int, legal: dict[str, Any], ask: dict[str, Any]) -> None:
        luck = self._luck
        action = luck.choice(legal["list"]) if legal["list"] else {"a": "pass"}
        what = luck.randrange(6)
        if what == 0:
            self.command("act", table=table, action={"a": "nothing"})
        elif what == 1:
            self.command("act", table=table, action=action, ask=max(0, ask["id"] - 1))
        elif what == 2:
            self.command("act", table=table + 1, action=action)
        elif what == 3:
            self.command("try", table=table, action=action)
        elif what == 4:  # two at once, of which one comes too late
            for _ in range(2):
                self.command("act", table=table, action=action, ask=ask["id"])
        else:
            self.command("act", table=table, action=dict.fromkeys(action, 7), ask=ask["id"])
