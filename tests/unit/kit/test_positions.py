"""Positions as text: every reason why one cannot be is met, and has its sentence in each language (P-74)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from qipai import games, lang
from qipai.core.contract import BadNotation
from qipai.core.entry import rules_of

ROOT = Path(__file__).parents[3] / "src" / "qipai"
SIX, FIVE = "3/4/5/6/7/8", "6X*/7x*/8/9/T"
BACK = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
TILES = "123456789m1122p/123456789p1122s/123456789s2233m/8899m777p444666s"
KITTY = "3C3C4C4C6C6C7C7C"
MORE = TILES.replace("1122p", "11223p", 1)  # a turn: fourteen
EASY: dict[str, Any] = {}
WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("xiangqi", EASY, "x" * 9000, "too_long"),
    ("xiangqi", EASY, "nonsense", "bad_fen"),
    ("xiangqi", EASY, "9/9/9/9/9/9/9/9/9/4K4 w", "generals"),
    ("xiangqi", EASY, "3k5/9/9/9/9/9/9/9/9/RRR1K4 w", "too_many_men"),
    ("xiangqi", EASY, "3k5/9/9/9/9/9/9/9/A8/4K4 w", "never_there"),
    ("xiangqi", EASY, "4k4/9/9/9/9/9/9/9/9/4K4 w", "facing"),
    ("xiangqi", EASY, "3k4R/9/9/9/9/9/9/9/9/4K4 w", "other_in_check"),
    ("xiangqi", EASY, "1R1k5/R8/9/9/9/9/9/9/9/4K4 b", "over"),
    ("backgammon", EASY, "24:2 13:5", "sides"),
    ("backgammon", EASY, "24:9 13:9 / 6:15", "checkers"),
    ("backgammon", {"variant": "fevga"}, "bar:1 24:14 / 24:15", "no_bar"),
    ("backgammon", EASY, "res:1 24:14 / 6:15", "no_reserve"),
    ("backgammon", EASY, "hand:1 24:14 / 6:15", "no_hand"),
    ("backgammon", EASY, "24:15 / 1:15", "both_there"),
    ("backgammon", {"variant": "plakoto"}, "24:14 20:1p / 24:15", "bad_pin"),
    ("backgammon", EASY, "bar:1 1:14 / 6:2 5:2 4:2 3:2 2:2 1:5 on:0 dice:11", "no_play"),
    ("backgammon", EASY, f"{BACK} dice:70", "bad_dice"),
    ("backgammon", EASY, f"{BACK} cube:3", "bad_cube"),
    ("backgammon", {"match_to": 5}, f"{BACK} score:5-0", "match_over"),
    ("backgammon", EASY, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "match_length"),
    ("backgammon", {"variant": "race"}, "4HPwATDgc/ABMA", "no_ids"),
    ("backgammon", EASY, "XGID=nonsense", "bad_xgid"),
    ("backgammon", EASY, "//////////////", "bad_id"),
    ("backgammon", EASY, f"{BACK} fly", "bad_word"),
    ("backgammon", EASY, f"{BACK} on:0 on:1", "word_twice"),
    ("backgammon", EASY, f"{BACK} on:7", "bad_number"),
    ("backgammon", EASY, f"{BACK} on:0 1:roll", "bad_move"),
    ("gouji", EASY, "", "empty"),
    ("gouji", EASY, "3/4/5 lead:0", "seats"),
    ("gouji", EASY, f"{SIX} lead:9", "bad_seat"),
    ("gouji", EASY, "3/4/5/6/-/- out:55", "seat_twice"),
    ("gouji", EASY, "3/4/5/6/7/1 lead:0", "not_a_card"),
    ("gouji", EASY, "XXXXX/4/5/6/7/8 lead:0", "too_many_cards"),
    ("gouji", EASY, f"{SIX} out:1", "gone_holds"),
    ("gouji", EASY, "3/4/5/6/7/- lead:0", "no_cards"),
    ("gouji", EASY, "3/4/5/6/7/- out:5 lead:5", "gone_leads"),
    ("gouji", EASY, f"{SIX} after:012", "bad_order"),
    ("gouji", EASY, f"{SIX} after:012345", "tribute_cards"),
    ("gouji", EASY, "3/4/5/6/-/- out:45 last:4", "bad_last"),
    ("gouji", EASY, "345/4/5/6/7/8 lead:0 duty:01", "no_duty"),
    ("baohuang", EASY, f"{FIVE} lead:0", "no_mode"),
    ("baohuang", EASY, "6/7/8/9/T", "no_mark"),
    ("baohuang", EASY, f"{FIVE} mode:seven", "bad_mode"),
    ("baohuang", EASY, "6/7/8/9/T mode:pair", "no_emperor"),
    ("baohuang", EASY, f"{FIVE} mode:pair emperor:2 guard:1", "not_holder"),
    ("baohuang", EASY, "6X*/7/8/9/T mode:pair", "no_guard"),
    ("baohuang", EASY, f"{FIVE} mode:pair kicked", "kick_unopened"),
    ("shengji", EASY, "2S/3S/4S/5S levels:5", "bad_levels"),
    ("shengji", EASY, "2S/3S/4S/5S trump:Z", "bad_trump"),
    ("shengji", EASY, "2S/3S/4S/5S points:7", "bad_points"),
    ("shengji", EASY, "2S/3S/4S/5S bury", "hand_size"),
    ("shengji", EASY, "2S/3S/4S/5S kitty:3C", "kitty_size"),
    ("shengji", EASY, "2S2S/3S/4S/5S", "uneven"),
    ("shengji", EASY, "2S/3S/4S/5S deck:6S", "deck"),
    ("mahjong", EASY, "0m/-/-/-", "bad_word"),
    ("mahjong", EASY, f"{TILES} wall:0m", "not_a_tile"),
    ("mahjong", EASY, "(123m)/-/-/-", "not_a_meld"),
    ("mahjong", EASY, "(111m)(222m)(333m)(444m)(555m)/-/-/-", "too_many_melds"),
    ("mahjong", EASY, "11111m/-/-/-", "too_many_tiles"),
    ("mahjong", EASY, f"{TILES} drawn:9p", "drawn_not_held"),
    ("mahjong", EASY, TILES, "tiles"),
    ("mahjong", EASY, "123456789m11223p/123456789p1122s/-/8899m777p444666s won:02 turn:0", "won_acts"),
    ("mahjong", {"exchange": "three"}, MORE + " swap won:1", "too_early"),
    ("mahjong", EASY, MORE + " swap", "no_phase"),
    ("mahjong", EASY, MORE + " replaced:direct", "no_kong"),
    ("mahjong", EASY, MORE.replace("8899m777p444666s", "1472589m147p147s") + " danced:3", "not_ready"),
    ("lianliankan", EASY, "1,1/2", "ragged"),
    ("lianliankan", EASY, "1,a/1,2", "not_a_face"),
    ("lianliankan", EASY, "/".join([",".join("0" * 65)] * 2), "board_size"),
    ("lianliankan", EASY, "1,1/2,0", "odd_face"),
    ("lianliankan", EASY, "0,0/0,0", "over"),
]  # fmt: skip
# Said of states, not of texts; and of a game without a `setup.py`.
ELSEWHERE = {"not_begun", "unwritable", "no_texts"}


@pytest.mark.parametrize(("name", "options", "text", "why"), WRONG, ids=[f"{one[0]}-{one[3]}" for one in WRONG])
def test_what_cannot_be_says_why_in_both_languages(name: str, options: dict[str, Any], text: str, why: str) -> None:
    entry = games.find(name)
    assert entry.setup is not None
    with pytest.raises(BadNotation) as wrong:
        entry.setup.read(entry.chosen(options), text)
    assert wrong.value.code == "bad_position"
    assert wrong.value.facts["why"] == why
    for tag in ("zh-CN", "en"):
        sentence = lang.of_game(name, tag).get(f"setup.{why}") or lang.hall(tag)[f"setup.{why}"]
        blanks = set(re.findall(r"\{(\w+)(?:\|[^{}]*)?\}", sentence))
        assert blanks <= set(wrong.value.facts), sentence


def test_every_reason_is_met_and_no_sentence_is_idle() -> None:
    sources = [*ROOT.glob("games/*/setup.py"), ROOT / "kit" / "positions.py", ROOT / "core" / "starts.py"]
    named = {"over", "not_begun"}
    for path in sources:
        text = path.read_text("utf-8")
        named |= set(re.findall(r'unfit\(\s*"(\w+)"', text)) | set(re.findall(r'why="(\w+)"', text))
    said = {key[6:] for key in lang.hall("en") if key.startswith("setup.")}
    for name in games.names():
        said |= {key[6:] for key in lang.of_game(name, "en") if key.startswith("setup.")}
    assert said == named
    assert named - {why for *_, why in WRONG} == ELSEWHERE


def test_a_deal_that_has_not_begun_or_is_over_is_not_written() -> None:
    for name in games.names():
        entry = games.find(name)
        if entry.setup is None or name in ("xiangqi", "backgammon"):
            continue
        options = entry.options()
        with pytest.raises(BadNotation) as wrong:
            entry.setup.write(options, entry.begun(rules_of(entry, options), entry.carry(options, 0)))
        assert wrong.value.facts["why"] == "not_begun"
