"""A month of five thousand honest players and some who cheat: how well the hall's flags tell them apart (P-95).

What is simulated: every deal of doudizhu and mahjong is played by the rules, by `steady` in honest seats; of xiangqi
only results, lengths and times are drawn. Times are drawn for all. No socket and no database is used: the flags'
measures are given what the hall would read from its log.
"""
