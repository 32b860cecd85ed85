"""What is listed once for rules and hints, and in how much room; what the policy weighs; what a state carries."""

from __future__ import annotations

from random import Random

from qipai.core.contract import NATURE
from qipai.core.kernel import buffer, dot, frozen, pour, thawed
from qipai.core.rng import Stream
from qipai.games.baohuang.bots.fit import describe
from qipai.games.baohuang.bots.steady import TUNED
from qipai.games.baohuang.kernel import belief, play, policy
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.listing import room
from qipai.games.baohuang.notation import PACK
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.selfplay import fresh, ruled
from qipai.kit.climbing import texts


def test_the_room_for_a_list_is_enough_for_any_hand() -> None:
    luck = Random(5)
    for _ in range(300):
        plain = [luck.choice((0, 0, 1, 2, 3, luck.randrange(12))) for _ in range(t.RANKS)]
        hand = [*plain, luck.randrange(4), luck.randrange(2), luck.randrange(4), luck.randrange(2)]
        s = t.new_table()._replace(hands=thawed(hand + [0] * (4 * t.CARDS)))
        s.reg[t.PHASE], s.reg[t.TURN] = t.LEAD, 0
        s.reg[t.KEEP_SIX], s.reg[t.SIX_HUNG] = luck.randrange(2), luck.randrange(2)
        out = buffer(20_000)
        n = int(play.legal(s, 0, out))
        size = room(s.hands, 0)
        assert n < size
        assert not any(out[size:])


def test_what_a_set_is_worth_is_linear_in_the_weights_and_the_fit_reads_it_off() -> None:
    luck, deck, out, s = Random(7), buffer(t.DECK), buffer(t.MOST_PLAYS), ruled()
    facts, unit, f = buffer(belief.KNOWN), buffer(policy.FEATURES, 64), buffer(policy.FEATURES)
    seen, compared, seed = [0] * policy.FEATURES, 0, 3
    for _ in range(12):
        seed = fresh(s, seed, deck)
        while s.reg[t.PHASE] != t.OVER:
            seat = s.reg[t.TURN]
            codes = frozen(out[: play.legal(s, seat, out)])
            code = max(luck.sample(codes, min(3, len(codes))), key=lambda each: each & 0xFFF)  # jokers, rather
            if code > t.DO_NO_KICK and luck.random() < 0.4:
                belief.know(s, seat, belief.GUESSES, facts)
                describe(s, seat, code, facts, unit, f, out)
                weights = thawed([luck.randrange(-500, 500) for _ in range(policy.FEATURES)], 64)
                pour(out, (code, 0))
                policy.weigh(s, seat, out, 1, facts, weights, 0)
                assert dot(f, weights, 0, policy.FEATURES) == policy.standing(s, facts, weights, 0) + out[1]
                seen = [n + (x != 0) for n, x in zip(seen, f, strict=True)]
                compared += 1
            sound = policy.sound(s, seat, *TUNED, out, facts, f)
            play.act(s, seat, sound if luck.random() < 0.6 else luck.choice(codes))
    assert compared > 100
    assert [k for k, n in enumerate(seen) if not n] == [1 + t.RANKS], "no card is wild: no set has that base"


def test_a_state_carries_the_texts_of_its_cards() -> None:
    rules, luck, rng = Baohuang(), Random(3), Stream.of_seed("texts")
    for _ in range(4):
        state = rules.start()
        while rules.outcome(state) is None:
            assert state.texts == texts(PACK, state.hands, state.played)
            seat = min(rules.turn(state).seats)
            action = rules.chance(state, rng) if seat == NATURE else luck.choice([*rules.legal(state, seat)])
            state = rules.apply(state, seat, action).state
        assert state.texts == texts(PACK, state.hands, state.played)
