"""The acceptance walks of platform section 18: each drives a running server through its public protocol.

Most run in `places.Hall`, a server in its own process whose clock stands still until the walk lets it jump, so that no
machine is too slow for them. `WALKS` names what proves which walk; W10 to W12 come with their pages.
"""

WALKS = {
    "W1": ["test_first_visit.py::test_w1_a_guest_plays_against_bots_and_keeps_his_game_as_a_user"],
    "W2": ["test_gouji.py::test_w2_who_sat_first_leads_and_the_points_reach_six_totals_and_grades"],
    "W3": ["test_gouji.py::test_w3_a_lost_line_is_found_again_and_one_that_is_not_is_paid_for"],
    "W4": ["test_leaving.py::test_w4_leaving_baohuang_costs_twenty_then_forty_and_a_kick_the_same"],
    "W5": ["test_passes.py::test_w5_six_wins_at_table_18_lead_to_table_15_and_not_to_12"],
    "W6": [
        "test_points.py::test_w6_coins_are_settled_as_seed_001_says_and_none_are_made",
        "test_ledger.py::test_coins_hold_through_kills_and_are_made_again",
    ],
    "W7": ["test_points.py::test_w7_the_special_room_says_what_it_pays_and_four_at_400_get_18"],
    "W8": ["test_money.py::test_w8_the_shop_mends_what_was_lost_a_song_is_heard_and_a_code_is_good_once"],
    "W9": ["test_turn_based.py::test_w9_two_play_by_days_one_takes_a_vacation_and_then_is_late"],
    "W13": ["test_clubs.py::test_w13_two_clubs_play_a_match_of_four_boards"],
    "W14": [
        "test_secrets.py::test_no_line_carries_a_card_its_reader_may_not_know",
        "test_secrets.py::test_the_public_part_of_the_log_holds_no_hand_and_no_seed",
        "test_secrets.py::test_a_watcher_sees_hands_when_they_are_old_enough_and_never_before",
    ],
    "W15": ["test_fair.py::test_w15_the_deal_is_what_the_seeds_give"],
    "W17": [
        "test_kill.py::test_w17_a_kill_loses_no_acknowledged_move_and_everybody_plays_on",
        "test_kill.py::test_w17_clocks_stand_still_while_the_hall_is_down",
    ],
    "W20": ["test_my_data.py::test_w20_all_that_somebody_wrote_is_in_their_data_and_goes_with_them"],
}
