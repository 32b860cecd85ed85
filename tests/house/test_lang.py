"""Every code, ask, event, option and outcome has a sentence in each language, with the same blanks to fill in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from qipai import games, lang
from qipai.accounts.model import PICTURES
from qipai.community.achievements.known import known as achievements
from qipai.community.plain import files as plain
from qipai.core.contract import NATURE, Malformed, Refusal
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.hall.table.events import KINDS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "qipai"
GAMES = games.names()
LANGS = (lang.DEFAULT, lang.FALLBACK, "zh-Hant")  # that lack nothing
HALL_CODES = """
ALBUM_FULL ALREADY_PLAYING ALREADY_VOTED BAD_BID BAD_IMAGE BAD_LOGIN BAD_MESSAGE BAD_OPTION BAD_ORIGIN BAD_PASSWORD
BAD_POSITION BAD_QTY BAD_RECORD BANNED BLOCKED BUSY CHALLENGE_OPEN CODE_EXPIRED CODE_USED COINS_TOO_FEW CONFIRM_QUIT
COOLDOWN CREDIBILITY_LOW DAILY_LIMIT GAME_RUNNING GRADE_TOO_LOW GUEST_RATED INSUFFICIENT_COINS INSUFFICIENT_HEARTS
INVITE_EXPIRED LAST_BOSS LIMIT_REACHED MUTED NAME_BAD NAME_TAKEN NOTHING_TO_RESET NOT_ALLOWED NOT_FOR_YOU NOT_FOUND
NOT_FULL NOT_MEMBER NOT_SEATED NO_GAME NO_SUCH_CODE NO_SUCH_TABLE OFFER_GONE OFFER_OPEN PASSWORD_WEAK PASS_TOO_HIGH
POLL_CLOSED POND_CLOSED POND_OUT RANK_TOO_LOW RATE_LIMIT RATING_RANGE ROOM_FULL SAME_ADDRESS SCORE_TOO_LOW SEAT_TAKEN
SECOND_FACTOR SELF SIGN_IN STALE STEP_ABOVE STEP_TOO_LOW TABLE_FULL TABLE_LOCKED TARGET_BUSY TOO_BIG TOO_MANY_GAMES
TOO_SOON WATCH_FORBIDDEN
""".split()  # noqa: SIM905
HALL_EVENTS = sorted(KINDS)


def blanks(sentence: str) -> set[str]:
    """The facts a sentence asks for: `{name}`, or `{name|one|many}`."""
    return set(re.findall(r"\{(\w+)(?:\|[^{}]*)?\}", sentence))


def test_every_code_of_the_hall_has_its_sentence_and_no_other_has() -> None:
    for name in LANGS:
        codes = {code for code in lang.written(name) if code.isupper()}
        assert codes == set(HALL_CODES)


@pytest.mark.parametrize("event", HALL_EVENTS)
def test_every_event_of_the_hall_has_its_sentence(event: str) -> None:
    for name in LANGS:
        assert lang.written(name)[f"event.{event}"]


def files() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "the hall", {name: lang.written(name) for name in LANGS}
    for game in GAMES:
        yield game, {name: lang.written(name, game) for name in LANGS}


@pytest.mark.parametrize("whose", ["the hall", *GAMES])
def test_both_languages_say_the_same_things(whose: str) -> None:
    words = dict(files())[whose]
    zh, en = words["zh-CN"], words["en"]
    assert zh
    assert zh.keys() == en.keys(), f"{whose}: {sorted(zh.keys() ^ en.keys())}"
    for key in zh:
        assert bool(zh[key].strip()) == bool(en[key].strip()), key
        assert blanks(zh[key]) == blanks(en[key]), (key, zh[key], en[key])


@pytest.mark.parametrize("name", LANGS)
def test_the_wire_carries_all_of_them(name: str) -> None:
    every = msgspec.json.decode(lang.sentences(name).body)
    assert every["ROOM_FULL"] == lang.hall(name)["ROOM_FULL"]
    for game in GAMES:
        for key, sentence in lang.of_game(game, name).items():
            assert every[f"{game}.{key}"] == sentence


def test_a_language_that_is_not_spoken_is_no_language() -> None:
    with pytest.raises(KeyError):
        lang.sentences("tlh")


# What the hall refuses: the blanks of a sentence are among the facts of every place that refuses so.


def raised() -> Iterator[tuple[str, str, set[str], str]]:
    """Every `HallError(…)` and `Refused(…)` with a code that is written out: code, sentence, facts, place."""
    for folder in ("accounts", "contests", "hall", "ledger", "social", "web"):
        for file in sorted((SOURCE / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                    continue
                if node.func.id not in ("HallError", "Refused") or not node.args:
                    continue
                code = node.args[0]
                if isinstance(code, ast.Constant) and not any(word.arg is None for word in node.keywords):
                    given = {str(word.arg): word.value for word in node.keywords}
                    case = given.get("case")
                    said = "_".join(str(one.value) for one in (code, case) if isinstance(one, ast.Constant))
                    yield str(code.value), said, set(given), f"{file.name}:{node.lineno}"


def test_the_hall_refuses_with_the_codes_and_facts_of_its_sentences() -> None:
    found = list(raised())
    assert len(found) > 20
    for code, said, facts, place in found:
        assert code in HALL_CODES, (code, place)
        for name in LANGS:
            sentences = lang.hall(name)  # of a case that has no sentence of its own the code's is said
            assert blanks(sentences.get(said, sentences[code])) <= facts, (said, facts, place)


def test_a_refusal_first_names_what_is_in_the_way() -> None:
    for whose, words in files():
        for name in LANGS:
            for key, sentence in words[name].items():
                stem = key.split("_")[0]
                if stem.isupper() if whose == "the hall" else "." not in key and key not in ("name", "motto"):
                    said = re.match("[^：:]{1,44}(：|: ).", sentence)
                    assert said, f"{whose}, {key} does not say what, then why or what to do: {sentence}"


def test_a_limit_names_what_there_may_not_be_more_of() -> None:
    sites = 0
    for file in sorted((SOURCE).rglob("*.py")):
        text = file.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "LIMIT_REACHED" in text else ():
            if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            if node.args[0].value == "LIMIT_REACHED":
                sites += 1
                (case,) = [word.value for word in node.keywords if word.arg == "case"]
                assert isinstance(case, ast.Constant)
                assert all(f"LIMIT_REACHED_{case.value}" in lang.hall(name) for name in LANGS), case.value  # type: ignore[str-bytes-safe]
    assert sites > 5


# What a game says.


@cache
def heard(game: str) -> tuple[set[str], set[str], list[Refusal]]:
    """What some random deals bring: asks, outcomes, refusals."""
    entry = games.find(game)
    asks, whys, refusals = set(), set(), []
    for seed in range(3):
        rng = Stream.of_seed(f"lang {seed}")
        options = entry.options()
        rules = rules_of(entry, options)
        state = rules.start(entry.carry(options, 0))
        for _ in range(600):
            outcome = rules.outcome(state)
            if outcome is not None:
                whys.add(outcome.why)
                break
            turn = rules.turn(state)
            asks.add(turn.ask)
            seat = min(turn.seats)
            if seat == NATURE:
                action = rules.chance(state, rng)
            else:
                listed = [*islice(rules.legal(state, seat), 60), *rules.leaving(state, seat)]
                for other in range(rules.seats):
                    tried = [*listed[:5], Malformed("dance"), Malformed(next(iter(entry.verbs())), "?")]
                    refusals += [r for one in tried if (r := rules.refuse(state, other, one)) is not None]
                action = listed[rng.below(len(listed))]
            state = rules.apply(state, seat, action).state
    return asks, whys, refusals


def specified(game: str) -> set[str]:
    """The codes of the specification's section on them, and those written out in the game's own sources."""
    codes = set()
    spec = ROOT / "docs" / "spec" / f"{game}.md"
    section = re.search(r"^## [^\n]*Error codes\n(.*?)(?=^## )", spec.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert section, f"{spec.name} lists no error codes"
    codes |= set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", section[1])) - games.find(game).verbs()
    for file in (SOURCE / "games" / game).rglob("*.py"):
        codes |= set(re.findall(r"Refusal\(\s*\"([a-z_]+)\"", file.read_text("utf-8")))
    return codes


def tags(union: Any) -> list[str]:
    from typing import get_args

    return [str(one.__struct_config__.tag) for one in (get_args(union) or (union,))]


def option_keys(options: type[msgspec.Struct]) -> Iterator[str]:
    info = msgspec.inspect.type_info(options)
    assert isinstance(info, msgspec.inspect.StructType)
    for field in info.fields:
        yield field.encode_name
        if isinstance(field.type, msgspec.inspect.LiteralType):
            yield from (f"{field.encode_name}.{value}" for value in field.type.values)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", LANGS)
def test_a_game_has_a_sentence_for_all_it_can_say(game: str, name: str) -> None:
    entry, words = games.find(game), lang.written(name, game)
    asks, whys, refusals = heard(game)
    codes = specified(game) | {refusal.code for refusal in refusals}
    wanted = [
        "name",
        *codes,
        *(f"ask.{ask}" for ask in asks),
        *(f"why.{why}" for why in whys),
        *(f"event.{tag}" for tag in tags(entry.event)),
        *(f"option.{key}" for key in option_keys(entry.options)),
        *(f"variant.{name}" for name in entry.form.variants),
        *(f"preset.{name}" for name in entry.form.presets),
        *(f"option_group.{name}" for name in entry.form.groups),
    ]
    assert len(codes) > 5
    assert [key for key in wanted if not words.get(key)] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_blanks_of_a_refusal_are_among_its_facts(game: str) -> None:
    for refusal in heard(game)[2]:
        for name in LANGS:
            sentence = lang.of_game(game, name)[refusal.code]
            assert blanks(sentence) <= set(refusal.facts), (refusal, sentence)


@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_the_house_rules_has_its_unit(game: str) -> None:
    entry = games.find(game)
    info = msgspec.inspect.type_info(entry.options)
    assert isinstance(info, msgspec.inspect.StructType)
    numbers = [
        field.encode_name
        for field in info.fields
        for kind in getattr(field.type, "types", (field.type,))
        if isinstance(kind, msgspec.inspect.IntType)
    ]
    for name in LANGS:
        words = lang.of_game(game, name)
        assert {key for key in words if key.startswith("option_unit.")} == {f"option_unit.{one}" for one in numbers}
        assert all("{n}" in words[f"option_unit.{one}"] for one in numbers)


# Which languages there are.


@pytest.mark.parametrize(
    ("asked", "tag"),
    [
        ("zh", "zh-CN"),
        ("zh-CN", "zh-CN"),
        ("zh_CN.UTF-8", "zh-CN"),
        ("ZH-cn", "zh-CN"),
        ("zh_SG", "zh-CN"),  # the nearest there is
        ("zh_TW@radical", "zh-Hant"),
        ("zh-Hant-HK", "zh-Hant"),
        ("zh-MO", "zh-Hant"),
        ("hant", "zh-Hant"),
        ("en_GB.UTF-8", "en"),
        ("C.UTF-8", None),
        ("", None),
        ("tlh", None),
    ],
)
def test_a_language_is_known_by_its_tag_its_file_or_a_locale(asked: str, tag: str | None) -> None:
    assert lang.known(asked) == tag
    assert lang.nearest(asked) == (tag or lang.FALLBACK)


def test_words_in_several_languages_are_picked_by_tag_or_by_file() -> None:
    assert lang.pick({"zh": "炮", "en": "C"}, "zh-CN") == "炮"
    assert lang.pick({"zh-CN": "炮"}, "en") == "炮"
    assert lang.pick({"zh": "马8进7", "en": "H8+7"}, "zh-Hant") == "馬8進7"
    assert lang.pick({"en": "H8+7"}, "zh-Hant") == "H8+7"
    assert lang.spread({"zh-CN": "过关斩将", "en": "Passes"})["zh-Hant"] == "過關斬將"
    assert lang.spread({"zh-CN": "升级", "zh-Hant": "八十分"})["zh-Hant"] == "八十分"  # what is there stands
    assert lang.pick({}, "en") == ""


def test_the_head_of_a_file_is_no_sentence() -> None:
    for tag, one in lang.languages().items():
        assert one.tag == tag
        assert not any(key.startswith("language") for key in lang.written(tag))
        every = msgspec.json.decode(lang.sentences(tag).body)
        assert every["language.tag"] == tag
        assert every[f"languages.{tag}.name"] == one.name


# Traditional Chinese: all that is said in simplified, respelt (0068).

# They are spelt alike, or have two spellings of which the simplified one is right where it stands.
KEPT = frozenset("么台划干准游")


def of_chinese(tag: str) -> Iterator[tuple[str, str]]:
    """All that a language of Chinese says: where, and the sentence."""
    yield from ((f"the hall, {key}", text) for key, text in lang.written(tag).items())
    yield from ((f"the rulings, {key}", text) for key, text in lang.rulings(tag).items())
    for game in GAMES:
        for source in (lang.written(tag, game), lang.of_lesson(game, tag), lang.rulings(tag, game)):
            yield from ((f"{game}, {key}", text) for key, text in source.items())
    yield from ((f"page {name}", plain.shipped(name, tag)) for name in plain.NAMES)


def test_traditional_chinese_says_all_that_simplified_says_and_nothing_in_it_is_simplified() -> None:
    simplified, traditional = dict(of_chinese("zh-CN")), dict(of_chinese("zh-Hant"))
    assert simplified.keys() == traditional.keys()
    letters = lang.respelling("zh-Hant").letters
    assert len(letters) > 2000
    for where, text in traditional.items():
        assert blanks(text) == blanks(simplified[where]), where
        left = {letter for letter in text if letter in letters} - KEPT
        assert not left, f"{where}: {' '.join(sorted(left))} in {text}"
    assert sum(simplified[where] != text for where, text in traditional.items()) > 3000


@pytest.mark.parametrize(
    ("simplified", "spelt"),
    [
        ("够级、保皇、升级、拖拉机、麻将、象棋", "夠級、保皇、升級、拖拉機、麻將、象棋"),
        ("发牌，头发", "發牌，頭髮"),
        ("皇后以后由他先走", "皇后以後由他先走"),
        ("杠后补一张，他一出牌就知道", "槓後補一張，他一出牌就知道"),
        ("登录大厅，注销帐号", "登入大廳，註銷帳號"),
        ("“够级”", "「夠級」"),
        ("呼叫转移", "呼叫轉移"),  # of mahjong, no telephone
        ("K 可走", "K 可走"),
    ],
)
def test_words_are_respelt_as_they_are_meant(simplified: str, spelt: str) -> None:
    assert lang.respelling("zh-Hant")(simplified) == spelt
    assert lang.respelling("zh-CN")(simplified) == simplified


def test_what_is_drawn_of_single_characters_has_each_spelling() -> None:
    """Moves, seals and pictures come as they are; the client spells them by `language.marks`."""
    drawn = {*"帅将车马炮兵卒仕士相象进退平前中后侍卫", *(one.seal for one in achievements()), *PICTURES}
    changed = {one: lang.respelling("zh-Hant")(one) for one in drawn if lang.respelling("zh-Hant")(one) != one}
    for name in LANGS:
        pairs = msgspec.json.decode(lang.sentences(name).body)["language.marks"]
        told = dict(zip(pairs[::2], pairs[1::2], strict=True))
        assert told == (told | changed if name == "zh-Hant" else {})
