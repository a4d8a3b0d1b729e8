-- The PostgreSQL twin of this file has the same tables, columns and indexes.

-- The words by which administrators find people (model/person_words.rs). A version that does not know the table leaves words
-- out, and leaves those of changed names: the passes of newer ones mend that.
CREATE TABLE user_words (
    word TEXT NOT NULL,
    -- Minus the time at which the account was made, in microseconds: ascending rows of a word are newest first.
    newest INTEGER NOT NULL,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (word, newest, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_words_user_id ON user_words (user_id, word);

-- One row: how far the passes have come that compare each user's words with the user. All processes share it.
CREATE TABLE word_passes (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    -- When the first one began.
    began_at INTEGER,
    -- After this user the pass goes on; NULL: from the beginning.
    after_id BLOB,
    -- When the next part may be worked on: while a process works on one, that part has an end.
    due_at INTEGER NOT NULL
) STRICT;
INSERT INTO word_passes (id, due_at) VALUES (1, 0);
