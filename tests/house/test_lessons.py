"""The first lessons (P-73): what they say is so by the rules, and every step can be done."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import msgspec
import pytest

from qipai import games, lang
from qipai.core import teaching
from qipai.core.contract import UNTIMED
from qipai.core.entry import AnyEntry, rules_of
from qipai.core.lesson import Choose, Do, Lesson, Play
from qipai.core.teaching import Scene

TAUGHT = [game for game in games.names() if games.find(game).lesson is not None]
LANGS = (lang.DEFAULT, lang.FALLBACK)
LEARNER = 0

Json = Any


@cache
def staged(game: str) -> tuple[AnyEntry, Lesson, tuple[Scene, ...]]:
    entry = games.find(game)
    assert entry.lesson is not None
    return entry, entry.lesson, teaching.scenes(entry, entry.lesson)


def scene_of(game: str, step: str) -> Scene:
    return next(scene for scene in staged(game)[2] if scene.step.name == step)


def done_at(game: str, step: str) -> Do:
    found = scene_of(game, step).step
    assert isinstance(found, Do)
    return found


def all_of(kind: type) -> list[Any]:
    return [
        pytest.param(game, scene, id=f"{game} {scene.step.name}")
        for game in TAUGHT
        for scene in staged(game)[2]
        if isinstance(scene.step, kind)
    ]


def rules(game: str) -> Any:
    entry, lesson, _ = staged(game)
    return rules_of(entry, entry.options(), lesson.seats)


def seen(game: str, step: str, action: Json | None = None) -> Any:
    """Return what the learner sees at a step, or after an action there."""
    its, state = rules(game), scene_of(game, step).states[0]
    if action is not None:
        state = its.apply(state, LEARNER, staged(game)[0].act(action)).state
    return its.observe(state, LEARNER)


def test_each_game_has_a_lesson() -> None:
    assert set(TAUGHT) == set(games.names())


@pytest.mark.parametrize("game", TAUGHT)
def test_a_lesson_begins_with_the_goal_and_ends_with_a_deal(game: str) -> None:
    lesson = staged(game)[1]
    names = [step.name for step in lesson.steps]
    assert names[0] == "goal"
    assert len(set(names)) == len(names)
    assert isinstance(lesson.steps[-1], Play)
    assert sum(isinstance(step, Do) for step in lesson.steps) * 2 >= len(names)  # own hands on the cards


@pytest.mark.parametrize("game", TAUGHT)
def test_every_sentence_of_a_lesson_is_there_and_none_else(game: str) -> None:
    lesson = staged(game)[1]
    wanted, may = {f"tip.{ask}" for ask in lesson.tips}, set()
    for step in lesson.steps:
        words = {"say"}
        if isinstance(step, Do):
            words |= {"good", *step.wrong}
            may.add(f"{step.name}.other")
        if isinstance(step, Choose):
            words |= {f"{one}{end}" for one, end in product(step.among, ("", "_why"))}
        if isinstance(step, Play):
            words |= {"won", "lost", "drawn"}
        wanted |= {f"{step.name}.{word}" for word in words}
    for name in LANGS:
        found = lang.of_lesson(game, name)
        assert found.keys() == lang.of_lesson(game, LANGS[0]).keys()
        assert wanted <= found.keys() <= wanted | may
        assert all(text.strip() for text in found.values())


@pytest.mark.parametrize("game", TAUGHT)
def test_no_step_is_a_wall_of_text(game: str) -> None:
    for name, most in zip(LANGS, (120, 300), strict=True):
        for code, text in lang.of_lesson(game, name).items():
            assert len(text) <= most, (name, code, len(text))


@pytest.mark.parametrize(("game", "scene"), all_of(Do))
def test_every_action_is_answered_as_it_deserves(game: str, scene: Scene) -> None:
    entry, lesson, _ = staged(game)
    step = scene.step
    assert isinstance(step, Do)
    for action in step.good:
        found = teaching.judge(entry, lesson, scene, action)
        assert found.good, action
        assert found.after is not None
    for answer, actions in step.wrong.items():
        assert actions
        for action in actions:
            found = teaching.judge(entry, lesson, scene, action)
            assert (found.good, found.answer) == (False, answer), action
    for code, actions in step.refused.items():
        for action in actions:
            found = teaching.judge(entry, lesson, scene, action)
            assert found.refusal is not None, action
            assert found.refusal.code == code, action
            assert all(lang.of_game(game, name)[code] for name in LANGS)
    answers = {
        teaching.judge(entry, lesson, scene, msgspec.to_builtins(action)).answer
        for action in teaching.shown(entry, lesson, scene.states[0]).legal
    }
    for name in LANGS:
        words = lang.of_lesson(game, name)
        assert all(f"{step.name}.{answer}" in words for answer in answers if answer is not None)


def test_what_is_no_action_is_refused_and_nothing_else() -> None:
    entry, lesson, _ = staged("gouji")
    scene = scene_of("gouji", "lead")
    nonsense: Json
    for nonsense in (None, 7, "3", [], {}, {"a": "dance"}, {"a": "play"}, {"a": "play", "cards": 3}):
        found = teaching.judge(entry, lesson, scene, nonsense)
        assert found.refusal is not None
        assert not found.good


@pytest.mark.parametrize(("game", "scene"), all_of(Play))
def test_a_guided_deal_comes_to_its_end_and_always_the_same(game: str, scene: Scene) -> None:
    entry, lesson, _ = staged(game)
    done: list[Json] = []
    for _ in range(60):
        moments, refusal, outcome = teaching.played(entry, lesson, scene, done)
        assert refusal is None
        assert moments == teaching.played(entry, lesson, scene, done)[0]
        if outcome is not None:
            break
        assert moments[-1].legal
        done.append(msgspec.to_builtins(teaching.advised(entry, lesson, scene, done)))
    assert outcome is not None
    assert outcome.points[lesson.seat] >= 0  # whoever follows the advice doesn't lose
    assert 2 <= len(done) <= 40  # it is short
    assert teaching.advised(entry, lesson, scene, done) is None


@pytest.mark.parametrize(("game", "scene"), all_of(Play))
def test_who_plays_against_a_learner_has_no_clock(game: str, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is busy would else answer otherwise, and the learner's next action, long done, not be allowed."""
    entry, lesson, _ = staged(game)
    easy, budgets = entry.bots["easy"], set()

    def asked(*given: Any, **named: Any) -> Any:
        bot = easy(*given, **named)
        choose = bot.choose

        def noted(view: Any, budget_ms: int) -> Any:
            budgets.add(budget_ms)
            return choose(view, budget_ms)

        monkeypatch.setattr(bot, "choose", noted)
        return bot

    monkeypatch.setitem(entry.bots, "easy", asked)
    done: list[Json] = []
    while not budgets and (advised := teaching.advised(entry, lesson, scene, done)) is not None:
        done.append(msgspec.to_builtins(advised))
    assert budgets == ({UNTIMED} if rules(game).seats > 1 else set())


def test_a_guided_deal_goes_on_from_before_what_is_refused() -> None:
    entry, lesson, _ = staged("gouji")
    scene = scene_of("gouji", "deal")
    moments, refusal, outcome = teaching.played(entry, lesson, scene, [{"a": "play", "cards": "46"}])
    assert refusal is not None
    assert outcome is None
    assert moments[-1].view == teaching.shown(entry, lesson, scene.states[0]).view


# What is said of an action that is allowed and not meant, by the rules. Each takes views: before, after what is meant,
# after what was done.


def held(view: Any) -> str | list[str]:
    """The learner's cards."""
    return [card for group in view.hand for card in group.cards] if isinstance(view.hand, tuple) else view.hand


def slower(before: Any, meant: Any, found: Any) -> bool:
    """More cards are left than could be."""
    return len(held(found)) > len(held(meant))


def dearer(before: Any, meant: Any, found: Any) -> bool:
    """As many cards are left, and what is left is worth less."""
    order = "3456789TJQKA2xX*"
    worth = [sum(map(order.index, held(view))) for view in (meant, found)]
    return len(held(meant)) == len(held(found)) and worth[1] < worth[0]


def blots(view: Any) -> int:
    """How many of White's checkers stand alone."""
    return sum(n == 1 for n in view.sides[LEARNER].points)


def men(view: Any) -> str:
    """The black men that are left."""
    return "".join(sign for sign in view.fen.split()[0] if sign.islower())


def by(game: str, kind: str, **given: Any) -> Any:
    """What a function of the rules says, as in the conformance cases."""
    return msgspec.to_builtins(games.find(game).kinds[kind].run(given))


def ready(view: Any) -> bool:
    return bool(by("mahjong", "waits", hand=view.hand)["ready"])


def takes(view: Any, square: str) -> bool:
    """Whether Black may take a man on a square."""
    moves: list[str] = by("xiangqi", "legal_moves", fen=view.fen)["moves"]
    return any(move.endswith(square) for move in moves)


def pairs(view: Any) -> int:
    return len(by("lianliankan", "pairs", board=view.board)["pairs"])


CLAIMS: dict[tuple[str, str, str], Callable[[Any, Any, Any], bool]] = {
    ("gouji", "lead", "split"): slower,
    ("gouji", "answer", "passed"): slower,
    ("gouji", "answer", "costly"): dearer,
    ("gouji", "twos", "passed"): slower,
    ("gouji", "duel", "closed"): lambda before, meant, found: found.turn == (3,) and found.phase == "lead",
    ("gouji", "jokers", "passed"): slower,
    ("gouji", "out", "passed"): lambda before, meant, found: meant.out == (0,) and not found.out,
    ("baohuang", "lead", "split"): slower,
    ("baohuang", "lead", "high"): dearer,
    ("baohuang", "answer", "passed"): slower,
    ("baohuang", "answer", "costly"): dearer,
    ("baohuang", "return", "passed"): slower,
    ("baohuang", "jokers", "passed"): slower,
    ("baohuang", "jokers", "costly"): dearer,
    ("baohuang", "six", "split"): slower,
    ("baohuang", "sixes_left", "split"): slower,
    ("baohuang", "guard", "shown"): lambda before, meant, found: (
        before.guard_public is None and found.guard_public == LEARNER and found.owner != before.emperor
    ),
    ("baohuang", "guard", "beaten"): lambda before, meant, found: (
        before.owner == before.emperor and found.owner == LEARNER and meant.turn == (before.emperor,)
    ),
    ("baohuang", "double", "shown"): lambda before, meant, found: found.opened and not meant.opened,
    ("doudizhu", "lead", "split"): slower,
    ("doudizhu", "answer", "passed"): slower,
    ("doudizhu", "answer", "costly"): dearer,
    ("doudizhu", "straight", "short"): slower,
    ("doudizhu", "plane", "bare"): slower,
    ("doudizhu", "plane", "half"): slower,
    ("doudizhu", "bomb", "passed"): lambda before, meant, found: (
        found.owner == found.landlord == 2
        and meant.owner == LEARNER
        and (found.counts[2], meant.multiple) == (2, 2 * found.multiple)
    ),
    ("doudizhu", "partner", "beaten"): lambda before, meant, found: (
        before.sides[before.owner] == before.sides[LEARNER] and (meant.owner, found.owner) == (2, LEARNER)
    ),
    ("doudizhu", "last", "single"): lambda before, meant, found: (
        before.counts[before.landlord] == 1 and found.turn == (before.landlord,) and len(found.top) < len(meant.top)
    ),
    ("doudizhu", "call", "shy"): lambda before, meant, found: meant.landlord == LEARNER and found.calls[LEARNER] == 0,
    ("doudizhu", "call", "low"): lambda before, meant, found: meant.landlord == LEARNER and found.landlord is None,
    ("shengji", "follow", "gave"): lambda before, meant, found: (
        found.trick.best == 3 and found.trick.points == meant.trick.points + 5
    ),
    ("shengji", "partner", "kept"): lambda before, meant, found: (
        found.trick.best == meant.trick.best == 2 and found.trick.points == meant.trick.points - 10
    ),
    ("shengji", "ruff", "big"): lambda before, meant, found: found.trick.best == meant.trick.best == LEARNER,
    ("shengji", "ruff", "threw"): lambda before, meant, found: found.trick.best == 3 and meant.trick.best == LEARNER,
    ("shengji", "tractor", "half"): slower,
    ("shengji", "tractor", "pair"): slower,
    ("xiangqi", "soldier", "onward"): lambda before, meant, found: men(found) == men(before) != men(meant),
    ("xiangqi", "answer", "blocked"): lambda before, meant, found: not found.check and "r" in men(found),
    ("xiangqi", "answer", "stepped"): lambda before, meant, found: not found.check and "r" in men(found),
    ("xiangqi", "safe", "left"): lambda before, meant, found: takes(found, "c4"),
    ("xiangqi", "mate", "check"): lambda before, meant, found: found.check and found.phase == "play",
    ("mahjong", "loose", "edge"): lambda before, meant, found: ready(meant) and not ready(found),
    ("mahjong", "pong", "passed"): lambda before, meant, found: not found.melds[0] and len(meant.melds[0]) == 1,
    ("mahjong", "claim", "passed"): lambda before, meant, found: not found.wins and meant.wins[0].seat == LEARNER,
    ("backgammon", "point", "blots"): lambda before, meant, found: blots(found) > blots(meant) == 0,
    ("backgammon", "hit", "bare"): lambda before, meant, found: found.sides[1].bar == 1 and blots(found) > blots(meant),
    ("backgammon", "off", "inside"): lambda before, meant, found: (found.sides[0].off, meant.sides[0].off) == (1, 2),
    ("backgammon", "double", "taken"): lambda before, meant, found: (
        (found.cube.value, meant.last.points) == (2, 1) and before.sides[0].pips > 2 * before.sides[1].pips
    ),
    ("lianliankan", "opens", "edge"): lambda before, meant, found: pairs(found) < pairs(meant),
}


def test_every_answer_in_words_has_its_proof() -> None:
    said = {
        (game, scene.step.name, answer)
        for game in TAUGHT
        for scene in staged(game)[2]
        if isinstance(scene.step, Do)
        for answer in scene.step.wrong
    }
    assert said == CLAIMS.keys()


@pytest.mark.parametrize("what", CLAIMS, ids=" ".join)
def test_what_is_said_of_an_action_is_so(what: tuple[str, str, str]) -> None:
    game, name, answer = what
    step = scene_of(game, name).step
    assert isinstance(step, Do)
    for action in step.wrong[answer]:
        found = seen(game, name, action)
        assert any(CLAIMS[what](seen(game, name), seen(game, name, meant), found) for meant in step.good), action


def test_what_else_is_said_of_positions_is_so() -> None:
    # xiangqi: nobody can be taken for nothing after the moves that are meant; a general without a move has lost
    assert not any(takes(seen("xiangqi", "safe", move), move["m"][2:]) for move in done_at("xiangqi", "safe").good)
    trapped = rules("xiangqi").apply(
        scene_of("xiangqi", "trapped").states[0], LEARNER, staged("xiangqi")[0].act({"a": "move", "m": "a7a8"})
    )
    ended = rules("xiangqi").outcome(trapped.state)
    assert ended.why == "stalemate"
    assert ended.points[LEARNER] > 0
    for move in done_at("xiangqi", "mate").good:
        assert seen("xiangqi", "mate", move).winner == LEARNER
    # doudizhu: a landlord with one card left has no answer to the pair, and has one to each single card
    its, act = rules("doudizhu"), staged("doudizhu")[0].act
    last = done_at("doudizhu", "last")
    for action, answers in ((last.good[0], 1), *((single, 2) for single in last.wrong["single"])):
        after = its.apply(scene_of("doudizhu", "last").states[0], LEARNER, act(action)).state
        assert len([*its.legal(after, 1)]) == answers
    assert by("doudizhu", "classify", cards="9TJQKA")["kind"] == "straight"
    assert seen("doudizhu", "bottom").bottom == "9TQ"
    # mahjong: the discard that is meant alone leaves a ready hand, and two suits
    for step in ("ready", "suits"):
        (meant, *_), state = done_at("mahjong", step).good, scene_of("mahjong", step).states[0]
        for action in rules("mahjong").legal(state, LEARNER):
            raw = msgspec.to_builtins(action)
            if raw["a"] == "discard":
                view = seen("mahjong", step, raw)
                assert (raw["t"] == meant["t"]) == (
                    ready(view) if step == "ready" else len(set(view.hand) & {*"mps"}) < 3
                )
    assert by("mahjong", "waits", hand="123456789m99m78p")["waits"] == ["6p", "9p"]


def test_the_right_answers_to_questions_are_right() -> None:
    right = {
        (game, scene.step.name): scene.step.right
        for game in TAUGHT
        for scene in staged(game)[2]
        if hasattr(scene.step, "right")
    }
    sets = {"jacks": "JJJ", "queens": "QQQ", "nines": "999999"}
    assert [one for one, cards in sets.items() if by("gouji", "classify", cards=cards)["gouji"]] == [
        right["gouji", "which"]
    ]
    jokers = [by("doudizhu", "beats", play=play, over="2222")["beats"] for play in ("AAAA", "xX")]
    assert (jokers, right["doudizhu", "rocket"]) == ([False, True], "jokers")
    lost = by("doudizhu", "score", landlord=0, winner=0, bid=2, bombs=1, spring=False)
    assert (lost["scores"], right["doudizhu", "stake"]) == ([8, -4, -4], "four")
    scores = by("baohuang", "score", mode="pair", emperor=0, guard=4, order=[0, 1, 2, 3, 4], opened=False, kicked=False)
    assert (set(scores["scores"]), right["baohuang", "places"]) == ({0}, "nobody")
    order = by("shengji", "order", setup={"decks": 2, "level": "2", "trump": "S"}, group="T")["order"]
    top = next(cards[0] for cards in order if {"AS", "2H", "X"} & set(cards))
    assert (top, right["shengji", "trumps"]) == ("X", "joker")
    result = by("shengji", "deal_result", decks=2, levels=["2", "2"], dealer=0, points=85)
    assert result["side"] == right["shengji", "result"]
    setup = {"decks": 2, "level": "2", "trump": "S"}
    plays = [[1, ["9H", "9H"]], [2, ["8H", "8H"]], [3, ["7H", "7H"]], [0, ["6H", "6H"]]]
    kitty = by("shengji", "kitty", setup=setup, plays=plays, dealer=0, kitty=["KC"])
    assert (kitty["multiplier"], right["shengji", "kitty"]) == (4, "four")
    assert len(by("mahjong", "waits", hand="123456789m99m78p")["waits"]) == 2
    assert right["mahjong", "waits"] == "two"
    options = staged("mahjong")[0].options()
    assert (options.mode, right["mahjong", "blood"], right["mahjong", "end"]) == ("bloody_rain", "on", "pays")
    lost = by(
        "backgammon",
        "score",
        pos="12:15 / off:15",
        cube={"value": 1, "owner": None},
        mover=1,
    )
    assert (lost["points"], right["backgammon", "gammon"]) == (2, "two")
