-- What the plain pages have said: every text that was saved in the browser, and each that was found before it.
CREATE TABLE page_edits (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    lang TEXT NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    by INTEGER,  -- null: changed on the disk by hand, or its author has deleted their account
    version TEXT NOT NULL,
    text TEXT NOT NULL,
    cid TEXT
) STRICT;

CREATE INDEX page_edits_of ON page_edits (name, lang, id);
CREATE UNIQUE INDEX page_edits_once ON page_edits (by, cid) WHERE cid IS NOT NULL;
