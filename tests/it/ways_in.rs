//! Every way into an account is in the list that ends them all: a table that says whose its rows are is in it, or here
//! with a reason.

use crate::harness::Engine;
use doorward::domain::ownership::ways_in::WayIn;

both_engines![every_table_of_users_is_a_way_in_or_exempt];

/// Tables with a user's id that let nobody in.
const EXEMPT: [(&str, &str); 10] = [
    ("audit", "what happened"),
    ("dev_accounts", "says that a command for developers made the account, and ends with a way in of its own"),
    ("foreign_logins", "a login that waits at a provider; to connect, its session must be alive"),
    ("invitations", "who sent and who answered them; links that were sent end with the account's claim"),
    ("jobs", "which administrator began long work"),
    ("kept_usernames", "which names a person alone can have again"),
    ("memberships", "what an account may do, not who it is"),
    ("organizations", "who created them"),
    ("session_changes", "says that a row of the user changed"),
    ("user_words", "by which administrators find people"),
];

async fn every_table_of_users_is_a_way_in_or_exempt(engine: Engine) {
    let app = engine.app().await;
    let columns = match engine {
        Engine::Sqlite => {
            "SELECT DISTINCT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' \
             AND (c.name LIKE '%user\\_id' ESCAPE '\\' OR m.name = 'users')"
        }
        Engine::Postgres => {
            "SELECT DISTINCT table_name::text FROM information_schema.columns WHERE table_schema = 'public' \
             AND (column_name LIKE '%user\\_id' OR table_name = 'users')"
        }
    };
    let mut found = app.database().texts(columns).await;
    found.sort_unstable();
    let ways = WayIn::ALL.iter().flat_map(|way| way.tables().iter().copied());
    let mut known: Vec<&str> = ways.chain(EXEMPT.iter().map(|(table, _)| *table)).collect();
    known.sort_unstable();
    assert_eq!(found, known, "a table of users is a way in (src/domain/ownership/ways_in.rs), or exempt for a reason");
}
