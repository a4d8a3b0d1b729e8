-- The SQLite twin of this file has the same tables, columns and indexes.

-- The words by which administrators find people (model/person_words.rs). A version that does not know the table leaves words
-- out, and leaves those of changed names: the passes of newer ones mend that.
CREATE TABLE user_words (
    -- Words are compared by bytes, as their beginnings are ranges.
    word TEXT COLLATE "C" NOT NULL,
    -- Minus the time at which the account was made, in microseconds: ascending rows of a word are newest first.
    newest BIGINT NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (word, newest, user_id)
);
CREATE INDEX user_words_user_id ON user_words (user_id, word);

-- One row: how far the passes have come that compare each user's words with the user. All processes share it.
CREATE TABLE word_passes (
    id BIGINT PRIMARY KEY NOT NULL CHECK (id = 1),
    -- When the first one began.
    began_at TIMESTAMPTZ,
    -- After this user the pass goes on; NULL: from the beginning.
    after_id UUID,
    -- When the next part may be worked on: while a process works on one, that part has an end.
    due_at TIMESTAMPTZ NOT NULL
);
INSERT INTO word_passes (id, due_at) VALUES (1, to_timestamp(0));
