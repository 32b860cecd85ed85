"""Play in this terminal against bots, without a hall.

It knows no game: the table, the reading of answers and the sentences come from the game's ENTRY and its language files.
"""

from __future__ import annotations

import argparse
import io
import os
import secrets
import sys
import time
from collections.abc import Mapping
from datetime import date
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from qipai.cli import Trouble

if TYPE_CHECKING:
    from qipai.core.contract import Outcome, Seat, Step
    from qipai.core.entry import AnyEntry

__all__ = ["options", "run"]

BUDGETS: Final = {
    "easy": 200,
    "casual": 300,
    "steady": 500,
    "sharp": 900,
    "strong": 1500,
}  # ms for each action of a bot
LISTED: Final = 40  # actions that `moves` shows at most
WORDS: Final = {  # what may be typed besides an answer; no single letters, they may be cards
    **dict.fromkeys(("?", "？", "help", "帮助"), "help"),
    **dict.fromkeys(("hint", "提示"), "hint"),
    **dict.fromkeys(("moves", "能走"), "moves"),
    **dict.fromkeys(("show", "看"), "show"),
    **dict.fromkeys(("quit", "exit", "离开"), "quit"),
}


def options(parser: argparse.ArgumentParser) -> None:
    """Name the arguments."""
    parser.add_argument("game", help="the game, as `xiangqi`")
    parser.add_argument("--seat", type=int, default=0, metavar="N", help="your seat, counted from 0 (0)")
    parser.add_argument("--seats", type=int, metavar="N", help="how many play, where the game is for several numbers")
    parser.add_argument("--level", default="steady", choices=tuple(BUDGETS), help="of the bots (steady)")
    parser.add_argument("--lang", help="your language, as `zh` or `en` (that of this terminal)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule of the game")
    parser.add_argument("--seed", type=int, help="of the luck and of the bots (a new one)")
    parser.add_argument("--budget", type=int, metavar="MS", help="thinking time of an action in ms (200, 500, 1500)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write what was played; .pgn and the like as such")


def run(args: argparse.Namespace) -> int:
    """Play deals until one ends the match or the player leaves; a deal that is left is recorded as it stands."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    table = Table(args)
    try:
        table.play()
    except EOFError:
        print()
        table.tell("left")
    except KeyboardInterrupt:
        print()
        table.tell("left")
        return 130
    except Quit:
        table.tell("left")
    finally:
        table.write()
    return 0


class Quit(Exception):
    """The player wants to leave."""


class Table:
    """One person and the bots around them."""

    def __init__(self, args: argparse.Namespace) -> None:
        from qipai import games, lang
        from qipai.core.entry import rules_of
        from qipai.core.rng import Stream

        if args.game not in games.names():
            raise Trouble(str(games.UnknownGame(args.game)))
        self.entry: AnyEntry = games.find(args.game)
        self.options, self.changed = house_rules(self.entry, args.option)
        if args.seats is not None and args.seats not in self.entry.seats:
            raise Trouble(f"{args.game} is for {', '.join(map(str, self.entry.seats))} players")
        self.rules = rules_of(self.entry, self.options, args.seats)
        if not 0 <= args.seat < self.rules.seats:
            raise Trouble(f"{args.game} has the seats 0 to {self.rules.seats - 1}")
        if args.budget is not None and args.budget < 1:
            raise Trouble("the budget is at least 1")
        self.me: Seat = args.seat
        self.lang = language(args.lang)
        self.own, self.house = lang.of_game(args.game, self.lang), lang.hall(self.lang)
        seed = secrets.randbelow(2**31) if args.seed is None else args.seed
        self.rng = Stream.of_seed(seed)
        self.level: str = self.entry.level(args.level)
        self.budget: int = args.budget or BUDGETS[self.level]
        self.long: int = args.budget or BUDGETS["strong"]  # for a hint
        self.bots = {
            seat: self.entry.bots[self.level](self.options, seed=self.rng.below(2**31))
            for seat in range(self.rules.seats)
            if seat != self.me
        }
        self.path: Path | None = args.record
        self.deal = 1
        self.carry: Any = self.entry.carry(self.options, self.rng.below(self.rules.seats))
        self.rows: list[tuple[int, Any, int]] = []
        self.outcome: Outcome | None = None
        self.written = True

    # What is said

    def fill(self, sentence: str, facts: Mapping[str, Any]) -> str:
        """Return a sentence with its facts."""
        from qipai import lang

        return lang.fill(sentence, facts, lang.languages()[self.lang].between, lang=self.lang)

    def tell(self, key: str, **facts: Any) -> None:
        """Print one of the terminal's own sentences."""
        print(self.fill(self.house[f"play.{key}"], facts), flush=True)

    def sentence(self, code: str, facts: Mapping[str, Any]) -> str:
        """Return the sentence of a code of the game or of the hall; a fact `case` picks a closer one."""
        case = f"{code}_{facts['case']}" if "case" in facts else code
        return self.fill(self.own.get(case) or self.own.get(code) or self.house.get(code) or code, facts)

    def name(self, seat: Seat) -> str:
        """Return who sits on a seat."""
        if seat == self.me:
            return self.house["play.you"]
        return self.fill(self.house["play.bot"], {"seat": seat, "level": self.house[f"level.{self.level}"]})

    def show(self) -> None:
        """Print the table as this seat sees it."""
        shown = self.entry.show(self.options, self.rules.observe(self.state, self.me), self.lang).strip("\n")
        print(f"\n{shown}\n", flush=True)

    # What is played

    def play(self) -> None:
        """Play deals until the match is over."""
        self.tell("welcome", game=self.own.get("name", self.entry.name), seat=self.me, seats=self.rules.seats)
        while True:
            carry = self.play_deal()
            if carry is None:
                return
            self.write()
            self.tell("again")
            if self.typed("> ") == "quit":
                raise Quit
            self.carry, self.deal = carry, self.deal + 1

    def play_deal(self) -> Any:
        """Play one deal, tell how it ended, and return what the next one starts with, None when there is none."""
        self.state = self.rules.start(self.carry)
        self.rows, self.outcome, self.written = [], None, False
        last: Seat | None = None
        self.shown: Any = None
        self.hands: dict[Seat, tuple[float, Any]] = {}
        self.began: dict[Seat, float] = {}  # when each bot turned to its present action
        self.raced: float | None = None
        while (outcome := self.rules.outcome(self.state)) is None:
            began = time.monotonic()
            seat, action = self.volunteered() or self.quickest() or (self.next(last), None)
            if action is None:
                action = self.asked() if seat == self.me else self.chosen(seat)
            if action is None:
                last = seat
                continue
            raw, ms = self.raw(action), round(1000 * (time.monotonic() - began))
            self.take(self.rules.apply(self.state, seat, action))
            self.rows.append((seat, raw, ms))
            last = seat
        self.outcome = outcome
        self.show()
        self.tell("over", why=self.sentence(f"why.{outcome.why}", {}))
        for seat in range(self.rules.seats):
            self.tell("points", name=self.name(seat), points=f"{outcome.points[seat]:+}", place=outcome.places[seat])
        return outcome.carry

    def volunteered(self) -> tuple[Seat, Any] | None:
        """Return who acts out of turn (`Turn.may`), the person before the bots; None when nobody does."""
        for seat in sorted(self.rules.turn(self.state).may, key=lambda seat: (seat != self.me, seat)):
            if seat == self.me:
                action = self.asked() if next(self.rules.legal(self.state, seat), None) is not None else None
            else:
                action = self.bots[seat].choose(self.rules.observe(self.state, seat), self.budget)
            if action is not None and self.rules.refuse(self.state, seat, action) is None:
                return seat, action
        return None

    def quickest(self) -> tuple[Seat, Any] | None:
        """Return the bot whose hand has come down in a race while the person thought, and what it does; None: nobody.

        Each bot keeps the pace of its level by the clock on the wall, from when the person could first act.
        """
        asked = self.rules.turn(self.state).seats
        if self.entry.pace is None or min(asked) < 0:
            return None
        now = time.monotonic()
        self.raced = now if self.raced is None else self.raced
        for seat in asked - {self.me, *self.hands}:
            action = self.chosen(seat)
            took = self.entry.pace(self.level, self.options, self.rules.observe(self.state, seat), action, self.rng)
            self.hands[seat] = self.began.get(seat, self.raced) + took / 1000, action
        due = {
            seat: hand
            for seat, hand in self.hands.items()
            if seat in asked and (hand[0] <= now or self.me not in asked)
        }
        if not due:
            return None
        first = min(due, key=lambda seat: (due[seat][0], seat))
        self.began[first], action = self.hands.pop(first)
        return first, action

    def next(self, last: Seat | None) -> Seat:
        """Return who acts now: luck first, then a seat that has not just acted, the person before the bots.

        In a race nobody lets anybody go first.
        """
        last = last if self.entry.pace is None else None
        return min(self.rules.turn(self.state).seats, key=lambda seat: (seat >= 0, seat == last, seat != self.me, seat))

    def chosen(self, seat: Seat) -> Any:
        """Return the action of luck or of a bot."""
        if seat < 0:
            return self.rules.chance(self.state, self.rng)
        action = self.bots[seat].choose(self.rules.observe(self.state, seat), self.budget)
        if action is None or self.rules.refuse(self.state, seat, action) is not None:
            action = self.rules.idle(self.state, seat)  # as at a table: a bot that fails counts as absent for a moment
        return action

    def take(self, step: Step[Any]) -> None:
        """Go on to the state after an action and say what this seat is told of it."""
        self.state = step.state
        for told in step.events:
            if (told.to is None or self.me in told.to) and (line := self.entry.say(told.event, self.lang)):
                print(line, flush=True)

    def raw(self, action: Any) -> Any:
        """Return an action as JSON data."""
        import msgspec

        return msgspec.to_builtins(action)

    # What is asked

    def asked(self) -> Any:
        """Return the player's action; None when they let others go first."""
        view = self.rules.observe(self.state, self.me)
        if view != self.shown:
            self.show()
            self.shown = view
        turn = self.rules.turn(self.state)
        ask = turn.aside.get(self.me, turn.ask)
        prompt = f"{self.sentence(f'ask.{ask}', {})} > "
        while True:
            text = self.typed(prompt)
            word = WORDS.get(text.lower())
            if word == "quit":
                raise Quit
            if word == "help":
                self.tell("help")
            elif word == "hint":
                self.hint()
            elif word == "moves":
                self.moves()
            elif word == "show":
                self.show()
            elif not text:
                if len(turn.seats) > 1 or self.me in turn.may:
                    return None
                self.show()
            elif (action := self.understood(text)) is not None:
                return action

    def typed(self, prompt: str) -> str:
        """Return the next line, without the spaces around it; raises EOFError after the last."""
        sys.stdout.flush()
        return input(prompt).strip()

    def understood(self, text: str) -> Any:
        """Return the allowed action that a line stands for; otherwise print why there is none, and return None."""
        import msgspec

        from qipai.core.contract import BadNotation

        try:
            if text.startswith("{"):  # the JSON of an action is always understood
                action = self.entry.act(msgspec.json.decode(text))
            else:
                action = self.entry.read(self.options, self.rules.observe(self.state, self.me), text)
        except msgspec.DecodeError:
            self.tell("unread")
            return None
        except BadNotation as wrong:
            print(self.sentence(wrong.code, wrong.facts), flush=True)
            return None
        if refusal := self.rules.refuse(self.state, self.me, action):
            print(self.sentence(refusal.code, refusal.facts), flush=True)
            return None
        return action

    def hint(self) -> None:
        """Print what a strong bot would do."""
        view = self.rules.observe(self.state, self.me)
        bot = self.entry.bots[self.entry.level("strong")](self.options, seed=self.rng.below(2**31))
        if (action := bot.choose(view, self.long)) is None:
            self.tell("wait")
        else:
            self.tell("hint", what=self.described(view, action))

    def moves(self) -> None:
        """Print the allowed actions."""
        view = self.rules.observe(self.state, self.me)
        listed = list(islice(self.rules.legal(self.state, self.me), LISTED + 1))
        for action in (*listed[:LISTED], *self.rules.leaving(self.state, self.me)):
            print(f"  {self.described(view, action)}")
        if len(listed) > LISTED:
            self.tell("more")

    def described(self, view: Any, action: Any) -> str:
        """Return an action as it may be typed, with the first sentence that would be printed about it."""
        import msgspec

        typed = msgspec.json.encode(action).decode()
        # Computed from an imagined state: the sentence about a move that is not played must not reveal hidden things.
        for told in self.rules.apply(self.rules.imagine(view, self.rng), self.me, action).told:
            if told.to is None or self.me in told.to:
                return f"{typed}  {self.entry.say(told.event, self.lang)}".rstrip()
        return typed

    # What is kept

    def write(self) -> None:
        """Write the record of the present deal, once, beside those of earlier deals."""
        import msgspec

        from qipai.core.record import Record, dumps

        if self.path is None or self.written:
            return
        record = Record(
            game=self.entry.name,
            options=self.changed,
            seats=self.rules.seats,
            carry=self.raw(self.carry),
            deal=self.deal,
            rows=tuple(self.rows),
            players=tuple(self.name(seat) for seat in range(self.rules.seats)),
            outcome=None if self.outcome is None else msgspec.to_builtins(self.outcome),
            date=date.today().isoformat(),
        )
        path = self.path if self.deal == 1 else self.path.with_stem(f"{self.path.stem}-{self.deal}")
        write = self.entry.records.formats.get(path.suffix[1:])
        if write is None:
            full = msgspec.structs.replace(record, options=self.entry.full(self.options), edition=self.entry.edition)
        text = dumps(full) if write is None else write(record)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as wrong:
            raise Trouble(f"{path} cannot be written: {wrong.strerror}") from wrong
        self.written = True
        self.tell("recorded", file=str(path))


def house_rules(entry: AnyEntry, given: list[str]) -> tuple[Any, dict[str, Any]]:
    """Return a game's options from `NAME=VALUE`, and those that differ from the default as JSON; raises Trouble."""
    import msgspec

    from qipai.core.entry import BadOption

    raw: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise Trouble(f"--option {text}: write NAME=VALUE")
        try:
            raw[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            raw[name] = value  # a bare word
    try:
        options = entry.chosen(raw)
    except BadOption as wrong:
        raise Trouble(f"{entry.name} cannot be played like that: {wrong}") from wrong
    return options, entry.changed(options)


def language(asked: str | None) -> str:
    """Return the tag of the language asked for, else of this terminal's; raises Trouble for one that there is not."""
    from qipai import lang

    if asked is None:
        return lang.nearest(spoken())
    if (found := lang.known(asked)) is None:
        raise Trouble(f"--lang {asked}: there is {', '.join(one.file for one in lang.languages().values())}")
    return found


def spoken() -> str:
    """Return the language of this terminal, as "zh_CN.UTF-8"."""
    return next((os.environ[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(key)), "")
