"""`qipai play`: a person against bots through nothing but a pipe."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qipai import games, lang
from qipai.cli import main
from qipai.cli.play import WORDS
from qipai.core.entry import AnyEntry
from qipai.core.record import loads, replayed

# A background job may inherit that Ctrl-C is ignored; a person's terminal never ignores it.
SCRIPT = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from qipai.cli import main
raise SystemExit(main())
"""
COMMAND = (sys.executable, "-c", SCRIPT, "play")
ENDS = {"zh": "终局", "en": "The end"}
LEFT = {"zh": "再会", "en": "See you again"}


class Pipe:
    """The client at the other end of a pipe, talked to line by line."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
        )
        self.all = ""

    def heard(self) -> str:
        """Return what is said up to the next prompt, or to the end."""
        assert self.process.stdout
        said = ""
        while not said.endswith("> ") and (sign := self.process.stdout.read(1)):
            said += sign
        self.all += said
        return said

    def say(self, line: str) -> str:
        """Answer a prompt and return what is said to that."""
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.heard()

    def ended(self) -> tuple[int, str]:
        """Return the exit status and what was complained about."""
        assert self.process.stdin
        assert self.process.stderr
        self.process.stdin.close()
        self.heard()
        errors = self.process.stderr.read()
        return self.process.wait(30), errors


@pytest.fixture
def pipe() -> Iterator[Any]:
    """Starts clients; whatever happens, none is left behind."""
    started: list[Pipe] = []

    def start(*words: str) -> Pipe:
        started.append(Pipe(*words))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        for stream in (each.process.stdin, each.process.stdout, each.process.stderr):
            if stream and not stream.closed:
                stream.close()
        each.process.wait()


def listed(said: str) -> list[str]:
    """Return the actions that `moves` lists."""
    lines = [line.strip() for line in said.splitlines() if line.startswith("  {")]
    return [json.dumps(json.JSONDecoder().raw_decode(line)[0]) for line in lines]


QUICK = {"xiangqi": ["--option", "move_limit=12"]}


@pytest.mark.parametrize("tongue", [pytest.param("zh", marks=pytest.mark.slow), "en"])
@pytest.mark.parametrize("game", games.names())
def test_random_answers_lead_to_the_end(game: str, tongue: str, pipe: Any, tmp_path: Path) -> None:
    rng = random.Random(f"{game} {tongue}")
    file = tmp_path / "deal.jsonl"
    words = [game, "--lang", tongue, "--level", "easy", "--budget", "5", "--seed", "3", "--record", str(file)]
    seats = max(games.find(game).seats)
    client = pipe(*words, "--seat", str(rng.randrange(seats)), *QUICK.get(game, []))
    said = client.heard()
    while said.endswith("> ") and ENDS[tongue] not in said:
        actions = listed(client.say("moves"))
        assert actions, client.all
        said = client.say(rng.choice(actions))
    assert ENDS[tongue] in said
    if said.endswith("> "):  # the match goes on
        client.say("quit")
    assert client.ended() == (0, ""), client.all
    record = loads(file.read_text("utf-8"))
    assert len(record.players) == seats
    outcome = replayed(games.find(game), record)
    assert outcome is not None
    assert outcome.why == record.outcome["why"]


@pytest.mark.parametrize("tongue", [pytest.param("zh", marks=pytest.mark.slow), "en"])
@pytest.mark.parametrize("game", games.names())
def test_nonsense_is_answered_with_a_sentence(game: str, tongue: str, pipe: Any) -> None:
    client = pipe(game, "--lang", tongue, "--level", "easy", "--budget", "5", "--seed", "1")
    client.heard()
    for nonsense in ("xyzzy", "\x00\ud7ff", "🀄" * 50, '{"a":"xyzzy"}', '{"a":1}', "{", "[]", "{}", " ; ", "9" * 5000):
        said = client.say(nonsense)
        sentence = said.splitlines()[0]
        assert len(sentence) > 6, (nonsense, said)
        signs, letters = len(re.findall("[一-鿿]", sentence)), len(re.findall("[a-zA-Z]", sentence))
        assert (signs > letters / 2) == (tongue == "zh"), (nonsense, said)  # either may quote the other
        assert "Traceback" not in said
        codes = {*lang.of_game(game, "en"), *lang.hall("en")}
        assert sentence not in codes, (nonsense, sentence)
    assert client.say("?").count("\n") > 3
    for _ in range(200):  # while cards fall there may be nothing to advise; an empty line lets them fall
        if "{" in client.say("hint"):
            break
        client.say("")
    else:
        raise AssertionError(client.all)
    assert LEFT[tongue] in client.say("quit")
    assert client.ended() == (0, "")


def test_the_end_of_input_leaves_cleanly(pipe: Any, tmp_path: Path) -> None:
    file = tmp_path / "left.jsonl"
    client = pipe("xiangqi", "--lang", "en", "--level", "easy", "--budget", "5", "--record", str(file))
    client.heard()
    client.say("h2e2")
    assert client.ended() == (0, "")
    assert LEFT["en"] in client.all
    record = loads(file.read_text("utf-8"))
    assert record.outcome is None
    assert record.rows[0][1] == {"a": "move", "m": "h2e2"}
    assert replayed(games.find("xiangqi"), record) is None


def test_control_c_leaves_cleanly(pipe: Any, tmp_path: Path) -> None:
    file = tmp_path / "left.pgn"
    client = pipe("xiangqi", "--lang", "zh", "--level", "easy", "--budget", "5", "--record", str(file))
    client.heard()
    client.say("炮二平五")
    time.sleep(0.2)  # the prompt is written a moment before the waiting begins; a signal between them would be lost
    client.process.send_signal(signal.SIGINT)
    assert client.process.wait(30) == 130
    client.heard()
    assert LEFT["zh"] in client.all
    assert "Traceback" not in client.process.stderr.read()
    assert "1. 炮二平五" in file.read_text("utf-8")


def test_bytes_that_are_no_text_are_only_not_understood(pipe: Any) -> None:
    client = pipe("xiangqi", "--lang", "en", "--level", "easy", "--budget", "5")
    client.heard()
    client.process.stdin.buffer.write(b"\xff\xfe\x80\n")
    client.process.stdin.buffer.flush()
    assert "Traceback" not in client.heard()
    assert client.ended() == (0, "")


def test_a_house_rule_is_played(pipe: Any) -> None:
    fen = "3k5/8R/R8/9/9/9/9/9/9/4K4 w - - 0 1"
    client = pipe("xiangqi", "--lang", "en", "--level", "easy", "--option", f"handicap_fen={fen}", "--budget", "5")
    client.heard()
    said = client.say("a7a9")
    assert ENDS["en"] in said
    assert "place 1, +2  you" in said
    assert client.ended() == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        ["nogame"],
        ["xiangqi", "--seat", "2"],
        ["xiangqi", "--seat", "-1"],
        ["xiangqi", "--option", "nothing"],
        ["xiangqi", "--option", "nothing=1"],
        ["xiangqi", "--option", "move_limit=many"],
        ["xiangqi", "--option", "handicap_fen=hello"],
        ["xiangqi", "--budget", "0"],
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *words]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("qipai play: ")
    assert said.err.count("\n") == 1


def test_facts_fill_a_sentence() -> None:
    assert lang.fill("{a} of {b}{c}", {"a": 1, "b": ["x", "y"]}, ", ") == "1 of x, y"
    assert lang.fill("{b}", {"b": ["x", "y"]}) == "x y"
    assert lang.fill("{a} {", {"a": "{b}"}) == "{b} {"


def test_words_and_sentences_of_the_terminal_stand_in_both_languages() -> None:
    keys = {key for key in lang.written("en") if key.startswith("play.")}
    assert keys == {key for key in lang.written("zh-CN") if key.startswith("play.")}
    for word in set(WORDS.values()):
        assert any(word in lang.hall(tongue)["play.help"] or word == "help" for tongue in lang.languages())


def test_who_may_speak_while_cards_fall_is_asked_when_he_can(snatch: AnyEntry, pipe: Any, tmp_path: Path) -> None:
    """Of two players the one who sees the highest card may call it; an empty line lets the cards fall on."""
    file = tmp_path / "deal.jsonl"
    words = ["snatch", "--lang", "en", "--level", "easy", "--seats", "2", "--option", "falling=true", "--seed"]
    silent, called = pipe(*words, "3"), pipe(*words, "3", "--record", str(file))  # the hand is 1 8 2 5
    for client, answer in ((silent, ""), (called, '{"a":"call"}')):
        client.heard()
        asked = 0
        while "phase='fall'" in client.all.rsplit("View(", 1)[-1]:
            asked += 1
            client.say(answer)
        assert asked == (2 if client is silent else 1)
        client.say("quit")
        assert client.ended() == (0, "")
    record = loads(file.read_text("utf-8"))
    assert record.seats == 2
    assert [row[1] for row in record.rows].count({"a": "call"}) == 1
    replayed(snatch, record)
    assert main(["play", "snatch", "--seats", "5"]) == 1
