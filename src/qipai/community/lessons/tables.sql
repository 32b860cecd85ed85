-- The steps of the first lessons that people have done (P-73). Ordinary rows (X5).
CREATE TABLE lesson_steps (
    user INTEGER NOT NULL,
    game TEXT NOT NULL,
    step TEXT NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    PRIMARY KEY (user, game, step)
) STRICT, WITHOUT ROWID;
