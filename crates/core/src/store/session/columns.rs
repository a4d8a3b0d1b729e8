//! The columns that a [`SessionView`](crate::model::session_view::SessionView) shows: the one list of what ends the life of a session in
//! memory.
//!
//! The database's triggers note each change of them (`tests/it/schema.rs` changes every one), and each function of the
//! store that writes them has this process look at once (`columns_tests.rs` reads the functions).

/// The columns of one table that a session shows.
pub struct SessionColumns {
    pub table: &'static str,
    /// What an `UPDATE` changes visibly.
    pub columns: &'static [&'static str],
    /// Whether a new row changes what a session shows.
    pub insert: bool,
    /// Whether the end of a row does.
    pub delete: bool,
}

/// Every table that a session shows something of.
pub const SESSION_COLUMNS: [SessionColumns; 6] = [
    SessionColumns {
        table: "users",
        columns: &[
            "email",
            "username",
            "name",
            "external_id",
            "roles",
            "disabled_at",
            "created_at",
            "email_verified_at",
        ],
        insert: false,
        delete: true,
    },
    SessionColumns {
        table: "sessions",
        columns: &["user_id", "organization_id", "authenticated_at", "expires_at", "ended_at", "methods"],
        insert: false,
        delete: true,
    },
    // A session is in an organization only after its membership was made.
    SessionColumns { table: "memberships", columns: &["role"], insert: false, delete: true },
    // One without members is in no session any more when it ends.
    SessionColumns { table: "organizations", columns: &["name", "kind"], insert: false, delete: false },
    // A secret is shown by nothing before it is confirmed.
    SessionColumns { table: "totp", columns: &["confirmed_at"], insert: false, delete: true },
    SessionColumns { table: "passkeys", columns: &[], insert: true, delete: true },
];

#[cfg(test)]
#[path = "columns_tests.rs"]
mod tests;
