"""Say what a game has, what it lacks and what is wrong in it, a line each, with what to do about it."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

import qipai
from qipai.cli import Trouble

if TYPE_CHECKING:
    from qipai.core.entry import AnyEntry

__all__ = ["Line", "lines", "options", "run"]

DEALS: Final = 6  # how many deals the laws are checked on
MOST: Final = 8  # how many lines of one sort are printed


class Line(NamedTuple):
    """One thing that was looked at."""

    what: str
    state: str  # ok, missing, wrong
    text: str  # what was found, or what to do


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("game", nargs="?")
    parser.add_argument("--lang", metavar="TAG", help="instead of a game: what a language does not say yet")
    parser.add_argument("--root", type=Path, help="the checkout (default: the one this qipai runs from)")


def run(args: argparse.Namespace) -> int:
    """Print the lines; return 1 when something is missing or wrong."""
    from qipai import games, lang

    if (args.game is None) == (args.lang is None):
        raise Trouble("name a game, or a language with --lang")
    tag = lang.known(args.lang or "")
    if args.lang is not None and tag is None:
        raise Trouble(f"--lang {args.lang}: there is {', '.join(lang.languages())}")
    if args.game is not None and args.game not in games.names():
        raise Trouble(str(games.UnknownGame(args.game)))
    root: Path = args.root or Path(qipai.__file__).parents[2]
    good = True
    for line in language(tag) if tag is not None else lines(args.game, root):
        good = good and line.state == "ok"
        print(f"{line.state:8}{line.what:10} {line.text}", flush=True)
    return 0 if good else 1


def lines(name: str, root: Path) -> Iterator[Line]:
    """Yield the findings about a game of this checkout, or of another package."""
    from qipai import games

    try:
        entry = games.find(name)
        wrong = list(entry.wrong())
    except Exception as trouble:  # whatever an unfinished game raises becomes a line
        yield Line("entry", "wrong", f"{type(trouble).__name__}: {trouble}")
        return
    yield from _each("entry", wrong, f"{', '.join(entry.bots)}; {_seats(entry)}")
    if wrong:
        return
    parts: list[tuple[str, Callable[[], Iterator[Line]]]] = [
        ("laws", lambda: _laws(entry)),
        ("bots", lambda: _bots(entry)),
        ("sentences", lambda: _sentences(entry)),
    ]
    if name not in games.foreign() and (root / "pyproject.toml").is_file():
        parts += [
            ("cases", lambda: _cases(entry, root)),
            ("spec", lambda: _spec(entry, root)),
            ("client", lambda: _client(entry, root)),
            ("tests", lambda: _tests(entry, root)),
            ("pages", lambda: _pages(entry, root)),
        ]
    for what, part in parts:
        try:
            yield from part()
        except Exception as trouble:
            yield Line(what, "wrong", f"{type(trouble).__name__}: {trouble}")
    kernel = (
        "compiled: `qipai selfcheck`" if entry.drive is not None else "none yet, and none is needed (docs/engines.md)"
    )
    yield Line("kernel", "ok", kernel)


def language(tag: str) -> Iterator[Line]:
    """Yield what a language lacks beside the fallback, and what nothing asks it for: of the hall and of each game."""
    from qipai import games, lang

    for game in (None, *games.names()):
        own, whole, file = lang.written(tag, game), lang.written(lang.FALLBACK, game), lang.languages()[tag].file
        where = f"{game or 'hall'}: {file}.toml"
        yield from _each(
            "language",
            [f"{where} has {key}, which nothing asks for" for key in sorted(own.keys() - whole.keys())]
            + [
                f"{where}, {key} has other facts: {_slots(own[key])}, not {_slots(whole[key])}"
                for key in sorted(own.keys() & whole.keys())
                if _slots(own[key]) != _slots(whole[key])
            ],
            f"{where} says {len(own.keys() & whole.keys())} of {len(whole)}",
        )
        for key in sorted(whole.keys() - own.keys()):
            yield Line("language", "missing", f"{where} has no {key}: {whole[key]}")


def _slots(sentence: str) -> str:
    return ", ".join(sorted(set(re.findall(r"\{(\w+)", sentence)))) or "none"


def _each(what: str, wrong: list[str], fine: str, state: str = "wrong") -> Iterator[Line]:
    yield from (Line(what, state, text) for text in wrong[:MOST])
    if len(wrong) > MOST:
        yield Line(what, state, f"… and {len(wrong) - MOST} more")
    if not wrong:
        yield Line(what, "ok", fine)


def _seats(entry: AnyEntry) -> str:
    return f"{'–'.join(map(str, sorted({min(entry.seats), max(entry.seats)})))} players"


def _laws(entry: AnyEntry) -> Iterator[Line]:
    """Walk through deals of every variant and preset."""
    from qipai.core.laws import walks

    deals = len(walks(entry, DEALS, "check", every=3))
    yield Line("laws", "ok", f"{deals} random deals keep them; `run.py test tests/property` draws more")


def _bots(entry: AnyEntry) -> Iterator[Line]:
    """Let each level play a deal by itself."""
    from qipai.core.contract import NATURE
    from qipai.core.entry import LEVELS, rules_of
    from qipai.core.rng import Stream

    if not entry.bots:
        yield Line(
            "bots", "missing", f"write bots/{LEVELS[0]}.py with a class {LEVELS[0].capitalize()}: the hall needs one"
        )
    for level, make in entry.bots.items():
        house, luck = entry.options(), Stream.of_seed(level)
        rules = rules_of(entry, house)
        players = [make(house, seed=seat) for seat in range(rules.seats)]
        state, done = entry.begun(rules, entry.carry(house, 0)), 0
        while rules.outcome(state) is None and done < 400:
            turn = rules.turn(state)
            seat = luck.shuffled(sorted(turn.seats))[0]
            action = (
                rules.chance(state, luck) if seat == NATURE else players[seat].choose(rules.observe(state, seat), 20)
            )
            refusal = None if action is None else rules.refuse(state, seat, action)
            if action is None or refusal is not None:
                yield Line("bots", "wrong", f"{level} chose {action} after {done} actions: {refusal or 'it was asked'}")
                return
            state, done = rules.apply(state, seat, action).state, done + 1
        yield Line("bots", "ok", f"{level} plays")


def _codes(entry: AnyEntry) -> set[str]:
    """Return the codes of refusals that occur as text in a game's files."""
    folder = Path(str(sys.modules[entry.package].__file__)).parent
    texts = [file.read_text("utf-8") for file in folder.rglob("*.py")]
    return {code for text in texts for code in re.findall(r"Refusal\(\s*\"([a-z_]+)\"", text)}


def _tags(union: Any) -> list[str]:
    return [str(one.__struct_config__.tag) for one in (get_args(union) or (union,))]


def _sentences(entry: AnyEntry) -> Iterator[Line]:
    """Look for every sentence that is surely needed; `tests/house/test_lang.py` hears what real deals say."""
    from qipai import lang

    wanted = {
        "name",
        "motto",
        *_codes(entry),
        *(f"option.{name}" for name in entry.option_names()),
        *(f"event.{tag}" for tag in _tags(entry.event)),
        *(f"variant.{name}" for name in entry.form.variants),
        *(f"preset.{name}" for name in entry.form.presets),
        *(f"option_group.{name}" for name in entry.form.groups),
    }
    words = {tag: lang.written(tag, entry.name) for tag in (lang.DEFAULT, lang.FALLBACK)}
    every = {key for said in words.values() for key in said}
    for tag, said in words.items():
        file = f"lang/{lang.languages()[tag].file}.toml"
        gone = sorted(key for key in wanted | every if not said.get(key) and not (key in said and key not in wanted))
        yield from _each("sentences", [f"{file} has no {key}" for key in gone], f"{file}, {len(said)}", "missing")
    for tag in lang.languages().keys() - words.keys():  # what these lack is taken from the fallback
        has = len(lang.written(tag, entry.name).keys() & every)
        yield Line("sentences", "ok", f"{tag}: {has} of {len(every)}; `qipai check --lang {tag}` lists the others")


def _cases(entry: AnyEntry, root: Path) -> Iterator[Line]:
    """Run the conformance cases."""
    from qipai.cli.conform import cases_of, kinds_of
    from qipai.core.conform import Failure
    from qipai.core.conform import run as tried

    path = root / "tests" / "conformance" / f"{entry.name}.jsonl"
    if not path.is_file():
        yield Line("cases", "missing", f"write {path.relative_to(root)}: JSON lines, a case each")
        return
    cases = list(cases_of(path))
    failures = [case if isinstance(case, Failure) else tried(case, kinds_of) for case in cases]
    unused = entry.kinds.keys() - {case.kind for case in cases if not isinstance(case, Failure)}
    yield from _each("cases", [f"{each.id}: {each.why}" for each in failures if each is not None], f"{len(cases)} pass")
    if unused:
        yield Line("cases", "missing", f"none is of the kind {', '.join(sorted(unused))} of conform.py")


def _spec(entry: AnyEntry, root: Path) -> Iterator[Line]:
    """Look for every house rule and code in the written rules."""
    path = root / "docs" / "spec" / f"{entry.name}.md"
    if not path.is_file():
        yield Line("spec", "missing", f"write {path.relative_to(root)}: the rules as numbered rulings")
        return
    text = path.read_text("utf-8")
    wanted = [*entry.option_names(), *sorted(_codes(entry) - {"not_understood"})]
    gone = [
        f"{path.relative_to(root)} does not name {one}" for one in wanted if f"`{one}`" not in text and one not in text
    ]
    if not re.search(r"^## .*Error codes$", text, re.MULTILINE):
        gone.append(f"{path.relative_to(root)} has no chapter `Error codes`")
    yield from _each(
        "spec", gone, f"{len(set(re.findall(r'[*]{2}R[0-9]+[*]{2}|^- R[0-9]+|R[0-9]+', text)))} rulings", "missing"
    )


def _client(entry: AnyEntry, root: Path) -> Iterator[Line]:
    """Look for the client's folder, and whether its types are those of the structs."""
    from qipai.web import schema

    folder = root / "client" / "src" / "games" / entry.name
    what = {"index.ts": "exports the GameModule: without it the game is not offered", "Emblem.svelte": "its picture"}
    gone = [
        f"write {(folder / file).relative_to(root)}: {why}"
        for file, why in what.items()
        if not (folder / file).is_file()
    ]
    yield from _each("client", gone, str(folder.relative_to(root)), "missing")
    types = folder / "types.gen.ts"
    if not types.is_file() or types.read_text("utf-8") != schema.game_types(entry.name):
        yield Line("client", "wrong", f"{types.relative_to(root)} is stale: `qipai schema` writes it")


def _tests(entry: AnyEntry, root: Path) -> Iterator[Line]:
    """Look for tests of its own."""
    folder = root / "tests" / "unit" / "games" / entry.name
    found = sorted(file.name for file in folder.glob("test_*.py"))
    yield (
        Line("tests", "ok", ", ".join(islice(found, MOST)))
        if found
        else Line("tests", "missing", f"write {(folder / 'test_rules.py').relative_to(root)}: what no case says")
    )


def _pages(entry: AnyEntry, root: Path) -> Iterator[Line]:
    """Look for its line in the pages' lists of games."""
    from qipai.cli.listing import listed

    stale = [str(page) for page, body in listed(root).items() if (root / page).read_bytes() != body]
    yield from _each("pages", [f"{page} is stale: `qipai schema` writes its line" for page in stale], "listed")
