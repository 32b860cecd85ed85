"""Show a record, or a game finished in a hall, step by step; with `--verify` only tell whether it holds."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from qipai import games
from qipai.cli import Trouble
from qipai.cli.folder import database_of, folder
from qipai.core.entry import Found
from qipai.core.misfit import misfit
from qipai.lang import fill, hall, of_game, pick

if TYPE_CHECKING:
    from qipai.core.contract import BadNotation
    from qipai.core.entry import AnyEntry, Record

__all__ = ["asked", "options", "run", "unread", "which"]

Json = Any
FORMATS: Final = "PGN, DhtmlXQ, UCCI, XQF, CBR, CBL, MAT or SGF"


def which(parser: argparse.ArgumentParser) -> None:
    """Declare how a command is told which game is meant."""
    parser.add_argument(
        "what",
        metavar="FILE|GAME_ID",
        help=f"a record, a file of another program ({FORMATS}), an answer of GET /api/v1/g/<id>, or a game's id",
    )
    parser.add_argument("--game", type=int, metavar="N", help="which game of a file that holds several, from 1")
    parser.add_argument("--lang", help="your language, as `zh` or `en` (that of this terminal)")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    which(parser)
    parser.add_argument(
        "--verify", action="store_true", help="play it again, check its result and its luck; print only that"
    )
    parser.add_argument("--show", action="store_true", help="show the table after every step")
    parser.add_argument("--seat", type=int, help="show it as this seat sees it (default: as a watcher does)")


def run(args: argparse.Namespace) -> int:
    """Print a game, or whether it holds."""
    from qipai.cli.play import language
    from qipai.core.contract import IllegalAction

    args.lang = language(args.lang)
    source = asked(args)
    if source is None:
        return 0
    found, fair = source
    record = found.record
    entry = games.find(record.game)
    try:
        if args.verify:
            return _verify(entry, record, fair)
        for line in _lines(entry, found, args):
            print(line)
    except IllegalAction as wrong:
        raise Trouble(f"the record breaks the rules: {wrong}") from wrong
    return 0


def asked(args: argparse.Namespace) -> tuple[Found, Json] | None:
    """Return the game that a command names, and the proof of its luck if known; None if a file's games were listed.

    args: `what`, `game`, `data` and `lang` as `options` declares them, the language as a tag.
    """
    path = Path(args.what)
    foreign = _foreign(path) if path.is_file() else None
    if foreign is None:
        _entry, record, fair = _found(args.what, args.data)
        return Found(record=record), fair
    one = _chosen(*foreign, args)
    return None if one is None else (one, None)


def _foreign(path: Path) -> tuple[bytes, str, str] | None:
    """Return a file that another program may have written, its game and its format; None for what is no such file."""
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise Trouble(f"{path} cannot be read: {wrong.strerror}") from wrong
    if data.lstrip()[:1] == b"{" and _is_json(data):
        return None
    seen = games.recognised(data)
    return None if seen is None else (data, *seen)


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data.splitlines()[0] if b"\n" in data.strip() else data)
    except ValueError:
        return b'"rows"' in data or b'"game"' in data  # a broken record: this is the error to report
    return True


def _chosen(data: bytes, game: str, form: str, args: argparse.Namespace) -> Found | None:
    """Return the game of a file that was asked for, or its only one; None if a list of the games was printed."""
    from qipai.core.contract import BadNotation

    entry, nth = games.find(game), args.game
    try:
        reads = entry.records.imports(data, form)
        if nth is None:
            few = list(islice(reads, 2))
            if len(few) == 1:
                return few[0]()
            _listed(chain(few, reads), game, args)
            return None
        found = next(islice(reads, nth - 1, nth), None) if nth > 0 else None
        if found is None:
            raise Trouble(f"--game {nth}: {args.what} has no such game")
        return found()
    except BadNotation as wrong:
        raise Trouble(f"{args.what} ({form}): {unread(game, wrong, args.lang)}") from wrong


def _listed(reads: Iterable[Callable[[], Found]], game: str, args: argparse.Namespace) -> None:
    """Print the games of a file, also those that cannot be read."""
    from qipai.core.contract import BadNotation

    number = 0
    for number, read in enumerate(reads, 1):
        try:
            one = read()
        except BadNotation as wrong:
            print(f"{number:4}  {unread(game, wrong, args.lang)}")
            continue
        told = (" – ".join(filter(None, one.record.players)), one.record.date, one.titles.get("event", ""))
        print(f"{number:4}  {'  '.join(filter(None, told))}  ({len(one.record.rows)})")
    if not number:
        raise Trouble(f"{args.what} holds no game")
    print(f"qipai {args.command} {args.what} --game N")


def _found(what: str, data: Path) -> tuple[AnyEntry, Record, Json]:
    """Return the game, its record, and the proof of its luck if known."""
    import msgspec

    from qipai.core.contract import BadNotation
    from qipai.core.record import loads, rules_under

    path = Path(what)
    fair: Json = None
    try:
        if path.is_file():
            text = path.read_bytes().decode("utf-8", errors="replace")
            whole = _json(text)
            if whole is None and not text.lstrip().startswith("{"):
                raise Trouble(f"{what} is no record that qipai reads: its own JSON lines, or {FORMATS}")
            if whole is None:
                record = loads(text)
            else:
                record, fair = _of_answer(whole), whole["fair"]
        else:
            whole = _of_hall(what, data)
            record, fair = _of_answer(whole), whole["fair"]
        if record.game not in games.names():
            raise Trouble(f"{what}: there is no game {record.game}")
        rules_under(games.find(record.game), record)
    except (BadNotation, KeyError, TypeError, ValueError, msgspec.ValidationError) as wrong:
        why = misfit(wrong) if isinstance(wrong, msgspec.MsgspecError) else wrong
        raise Trouble(f"{what} is no record: {why}") from wrong
    except OSError as wrong:
        raise Trouble(f"{what} cannot be read: {wrong.strerror}") from wrong
    return games.find(record.game), record, fair


def _json(text: str) -> Json:
    """Return the answer of GET /g/<id> that a text is, None when it is none."""
    try:
        whole = json.loads(text)
    except ValueError:
        return None
    return whole if isinstance(whole, dict) and "rows" in whole else None


def _of_answer(whole: Json) -> Record:
    import msgspec

    from qipai.core.entry import DealStart, Record

    names = [str(seat["user"]["name"] if seat.get("user") else seat.get("bot")) for seat in whole["seats"]]
    return Record(
        game=whole["game"],
        options=whole["options"],
        edition=whole.get("rules", 1),
        seats=len(whole["seats"]),
        carry=whole["carry"],
        start=msgspec.convert(whole.get("start"), DealStart | None),
        bench=tuple(each["seat"] for each in whole.get("bench", ())),
        deal=whole["deal"],
        rows=tuple((int(seat), action, int(ms)) for seat, action, ms, *_why in whole["rows"]),
        players=tuple(names),
        outcome={name: whole["result"][name] for name in ("points", "places", "why")},
        seed=whole["fair"]["server_seed"],
        game_id=whole["game_id"],
        board=whole["fair"].get("board"),
    )


def _of_hall(game_id: str, data: Path) -> Json:
    """Return a finished game from a hall's database; the hall may be running."""
    from qipai.accounts import books as people
    from qipai.accounts.model import User
    from qipai.hall.live import books, shared_deals
    from qipai.hall.records import replay
    from qipai.store import Connection, Unusable
    from qipai.store.reader import reader_of
    from qipai.web.services import DATABASE, store_of

    if not re.fullmatch(r"[a-z0-9]{8,16}", game_id):
        raise Trouble(f"there is no file {game_id}, and no game of this name in {data}")
    try:
        _, name = database_of(data)
    except Trouble as wrong:  # somebody who names a file has mistyped it, rather than looked for a hall
        raise Trouble(f"there is no file {game_id}, and {wrong}") from None

    def read(db: Connection) -> Json:
        rows = books.game_rows(db, game_id)

        def who(id: int) -> User | None:
            row = people.user(db, id)
            return User(id=row[0], name=row[1], kind="user") if row else None

        if not replay.is_finished(rows):
            raise Trouble(f"there is no finished game {game_id} in {data}")
        _, opened = shared_deals.seen_by(db, game_id, None)
        return json.loads(json.dumps(replay.finished(rows, who, opened=opened), default=_plain))

    try:
        return reader_of(data / DATABASE, store_of(data).known).read_now(read)
    except Unusable as wrong:
        raise Trouble(f"{name} cannot be read: {wrong}") from wrong


def _plain(value: Any) -> Json:
    import msgspec

    return msgspec.to_builtins(value)


def _lines(entry: AnyEntry, found: Found, args: argparse.Namespace) -> Iterator[str]:
    from qipai.core.record import begun_under, options_of, replay, rules_under

    record, lang = found.record, args.lang
    options, rules = options_of(entry, record), rules_under(entry, record)
    beside: dict[int, list[str]] = {n: text.splitlines() for n, text in found.notes.items()}
    for aside in found.asides:
        beside.setdefault(aside.after, []).append(f"({pick(aside.words, lang)})")
    if args.seat is not None and not 0 <= args.seat < rules.seats:
        raise Trouble(f"--seat {args.seat}: {entry.name} has seats 0 to {rules.seats - 1}")
    who = ", ".join(f"{seat} {name}" for seat, name in enumerate(record.players))
    yield f"{entry.name} {record.game_id} deal {record.deal}{': ' if who else ''}{who}"
    for name, text in (("date", record.date), *found.titles.items()) if found.titles else ():
        if text:
            yield f"{name}: {text}"
    state = begun_under(entry, record, rules)
    for number, step in enumerate(replay(entry, record)):
        state = step.state
        if number:
            seat, action, ms = record.rows[number - 1]
            said = [entry.say(told.event, lang) for told in step.events]
            for line in said or [f"{seat}: {json.dumps(action, ensure_ascii=False)}"]:
                yield f"{number:4} {ms / 1000:7.1f} s  {line}"
        yield from (f"{'':15}# {line}" for line in beside.get(number, ()))
        if args.show:
            yield entry.show(options, rules.observe(state, args.seat), lang)
            yield ""
    outcome = rules.outcome(state)
    if outcome is not None:
        yield f"points {' '.join(map(str, outcome.points))}, places {' '.join(map(str, outcome.places))}, {outcome.why}"
    if found.beyond:
        yield fill(hall(lang)["unread.beyond"], {"n": found.beyond}, lang=lang)


def unread(game: str, wrong: BadNotation, lang: str) -> str:
    """Return why a file of another program cannot be read, and where: its line, the number of the move, the move."""
    said, own, facts = hall(lang), of_game(game, lang), wrong.facts
    why = str(facts.get("why", wrong.code))
    where = [fill(said[f"unread.{name}"], facts, lang=lang) for name in ("line", "ply", "move") if name in facts]
    sentence = said.get(f"unread.why.{why}") or own.get(why) or said["unread.why.other"]
    colon = said["unread.colon"] if where else ""
    return f"{said['unread.between'].join(where)}{colon}{fill(sentence, facts, lang=lang)}"


def _verify(entry: AnyEntry, record: Record, fair: Json) -> int:
    """Play a game again and print that the record holds; raises Trouble when it does not."""
    from qipai.core.record import Contradiction, verified

    # The seed of a shared deal may still be closed (P-94).
    sealed = None if fair is None or fair["server_seed"] is None else fair["commitment"]
    try:
        outcome = verified(entry, record, sealed, () if fair is None else fair["client_seeds"] or ())
    except Contradiction as wrong:
        raise Trouble(str(wrong)) from wrong
    if outcome is None:
        print(f"{len(record.rows)} steps hold; the game is not over")
    else:
        luck = "" if sealed is None else "; the luck is that of the seeds"
        print(f"{len(record.rows)} steps hold, and give the result{luck}")
    return 0
