//! The project's private words and the field's terms for them.

/// A private word and what to say.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The private word; a macro ends with `!`.
    pub word: &'static str,
    /// The field's term.
    pub say: &'static str,
    /// What is searched for it.
    pub kind: WordKind,
    /// The beginnings of the paths that are searched; empty for all.
    pub places: &'static [&'static str],
}

/// What is searched for a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// Identifiers: exactly this one.
    Name,
    /// Definitions of types: exactly this name. For words that are good names of variants.
    Type,
    /// Comments: these words, in any case, also across the end of a line.
    Prose,
    /// Identifiers and comments.
    Both,
}

const fn word(word: &'static str, say: &'static str, kind: WordKind) -> Word {
    Word { word, say, kind, places: &[] }
}

const fn name(text: &'static str, say: &'static str) -> Word {
    word(text, say, WordKind::Name)
}

const fn kind(text: &'static str, say: &'static str) -> Word {
    word(text, say, WordKind::Type)
}

const fn prose(text: &'static str, say: &'static str) -> Word {
    word(text, say, WordKind::Prose)
}

const fn both(text: &'static str, say: &'static str) -> Word {
    word(text, say, WordKind::Both)
}

impl Word {
    const fn only_in(mut self, places: &'static [&'static str]) -> Self {
        self.places = places;
        self
    }
}

/// The table. It is edited here and nowhere else.
pub const WORDS: &[Word] = &[
    // Log-in and pages.
    kind("Arrival", "ClientContext"),
    kind("Shown", "AuthMethod"),
    kind("Entered", "LoginOutcome"),
    both("HalfLogIn", "PendingLogin"),
    both("HALF_LOG_IN_LIFE", "PENDING_LOGIN_TTL"),
    name("half_log_in", "pending_login"),
    kind("Visit", "PageContext"),
    kind("Chrome", "Layout"),
    both("set_opened", "set_session_cookies"),
    name("meant", "Submitted::verified"),
    both("is_meant", "csrf_valid"),
    name("wrap", "a layer of middleware/").only_in(&["src/http/envelope"]),
    name("envelope", "middleware").only_in(&["src/http/"]),
    kind("Wrong", "FormErrors"),
    kind("Left", "FormErrors"),
    kind("Waiting", "FormErrors"),
    kind("Stop", "PageError, ParseExit, Shutdown"),
    both("Unstalled", "WriteTimeout"),
    both("set_ticket", "set_pending_verification"),
    // Accounts and organizations.
    kind("Asked", "IssueOptions"),
    kind("Issued", "IssuedToken"),
    kind("Standing", "EmailAvailability"),
    both("GivesWay", "Superseded"),
    both("give_way", "replace_unverified_account"),
    both("lock_holder", "lock_email_owner"),
    kind("Seen", "MembershipView"),
    both("AnswerError", "InvitationResponseError"),
    name("Over", "Expired, Revoked"),
    // Store.
    kind("Kept", "IdleConnections"),
    kind("Freshness", "Staleness"),
    kind("Trust", "CacheState"),
    kind("Begun", "CacheState"),
    kind("Place", "ChangeCursor, SealContext, OrganizationHeader"),
    name("rings", "wakes"),
    name("heard", "remote_wakeup"),
    both("alters_sessions", "invalidates_sessions"),
    name("turn", "write_tx"),
    kind("Turn", "WriteTx"),
    both("begin_single", "begin_autocommit"),
    both("on!", "with_engine!"),
    both("changed!", "execute!"),
    // Delivery.
    both("herald", "notify"),
    kind("Figures", "Metrics, DeliveryStats"),
    kind("Shipment", "Attempt"),
    kind("Carrier", "Transport"),
    kind("Verdict", "AttemptResult"),
    kind("Held", "ClaimedDelivery"),
    kind("Started", "ReadyQueue"),
    kind("Pace", "Throttle"),
    // Constants.
    both("PATIENCE", "…_TIMEOUT"),
    both("FAREWELL", "…_TIMEOUT"),
    name("KEPT", "…_RETENTION"),
    name("UNASKED", "CONFIRM_ABOVE"),
    name("EVER", "…_RETENTION"),
    // Tests.
    name("stories", "tests"),
    name("tales", "tests"),
    both("both!", "both_engines!"),
    both("once!", "single_run!"),
    // Comments.
    prose("whoever", "a caller, a user, anyone who"),
    prose("somebody", "someone, a user"),
    prose("anew", "again"),
    prose("at hand", "available"),
    prose("prove", "verify"),
    prose("proved", "verified"),
    prose("proof", "verification"),
    prose("unproved", "unverified"),
    prose("so many", "that many, the number"),
    prose("so often", "that often, the rate"),
    prose("so long", "that long, the duration"),
    prose("takes leave", "disconnects"),
    prose("in its stead", "instead of it"),
    prose("gives way", "is replaced"),
    prose("for good", "permanently"),
    prose("farewell", "shutdown, close"),
    prose("mightiest", "most privileged"),
    prose("the one door", "the only caller"),
    prose("bells", "wakeups"),
    prose("tells of", "describes, reports"),
    prose("half log-in", "pending login"),
];
