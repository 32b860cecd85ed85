"""What is listed once for rules and hints, and in how much room; what the policy weighs."""

from __future__ import annotations

from random import Random

from qipai.core.kernel import buffer, dot, frozen, pour, thawed
from qipai.games.gouji.bots.fit import describe
from qipai.games.gouji.kernel import play, policy
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.listing import listed, room
from qipai.games.gouji.rules import Gouji, thaw
from qipai.games.gouji.selfplay import fresh
from qipai.games.gouji.state import Play


def test_each_hand_gets_its_own_list_however_often_it_is_asked_for() -> None:
    rules = Gouji()
    state = rules.place(["88", "99K", "9AA", "3", "4", "5"], 0)
    state = rules.apply(state, 0, Play("8")).state
    for _ in range(2):
        for seat, cards in ((1, ["9", "K"]), (2, ["9", "A"])):
            s = thaw(state)
            s.reg[t.TURN] = seat
            found = [code for code in listed(s, seat) if code > t.DO_NO_BURN]
            out = buffer(t.MOST_PLAYS)
            assert found == [code for code in frozen(out[: play.legal(s, seat, out)]) if code > t.DO_NO_BURN]
            assert len(found) == len(cards)


def test_the_room_for_a_list_is_enough_for_any_hand() -> None:
    luck = Random(5)
    most = 0.0
    for _ in range(300):
        hands = [luck.choice((0, 0, 1, 2, 3, luck.randrange(9))) for _ in range(t.CARDS)] + [0] * (5 * t.CARDS)
        s = t.new_table()._replace(hands=thawed(hands))
        s.reg[t.PHASE], s.reg[t.TURN], s.reg[t.KEEP_THREE] = t.LEAD, 0, luck.randrange(2)
        out = buffer(60_000)
        n = int(play.legal(s, 0, out))
        size = room(s.hands, 0)
        assert n < size
        assert not any(out[size:])
        most = max(most, n / (size - 90))
    assert most > 0.9


def test_what_a_set_is_worth_is_linear_in_the_weights_and_the_fit_reads_it_off() -> None:
    luck, deck, out = Random(7), buffer(t.DECK), buffer(t.MOST_PLAYS)
    facts, unit, f = buffer(policy.KNOWN), buffer(policy.FEATURES, 64), buffer(policy.FEATURES)
    seen, compared = [0] * policy.FEATURES, 0
    for deal in range(12):
        s = t.new_table()
        s.reg[t.BURN_OWN] = 1
        fresh(s, deal, deck)
        while s.reg[t.PHASE] != t.OVER:
            seat = s.reg[t.TURN]
            codes = frozen(out[: play.legal(s, seat, out)])
            code = max(luck.sample(codes, min(3, len(codes))), key=lambda each: each & 0xFFF)  # jokers, rather
            if code > t.DO_NO_BURN and luck.random() < 0.3:
                duty, s.bound[seat] = s.bound[seat], luck.choice((-1, t.opposite(seat)))
                policy.know(s, seat, facts)
                describe(s, seat, code, facts, unit, f, out)
                weights = thawed([luck.randrange(-500, 500) for _ in range(policy.FEATURES)], 64)
                pour(out, (code, 0))
                policy.weigh(s, seat, out, 1, facts, weights, 0)
                assert dot(f, weights, 0, policy.FEATURES) == policy.standing(s, seat, facts, weights, 0) + out[1]
                seen = [n + (x != 0) for n, x in zip(seen, f, strict=True)]
                s.bound[seat] = duty
                compared += 1
            sound = policy.sound(s, seat, policy.WEIGHTS, out, facts, f)
            play.act(s, seat, sound if luck.random() < 0.6 else luck.choice(codes))
    assert compared > 100
    assert [k for k, n in enumerate(seen) if not n] == []
