"""Problems 习题: one a day for each game, rated as opponents; from positions and one's own games, too (P-102)."""
