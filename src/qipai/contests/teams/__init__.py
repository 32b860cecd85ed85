"""Team tournaments 团队比赛: teams of players who meet board by board (platform P-69). Pure."""
