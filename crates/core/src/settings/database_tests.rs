#![expect(clippy::panic, reason = "a test may fail loudly")]

use super::DatabaseUrl;
use crate::settings::testing::{refused, settings};
use secrecy::ExposeSecret;
use std::path::PathBuf;

const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

fn sqlite(variables: &[(&str, &str)]) -> PathBuf {
    match settings(variables).database.url {
        DatabaseUrl::Sqlite(path) => path,
        DatabaseUrl::Postgres(_) => panic!("not SQLite"),
    }
}

#[test]
fn sqlite_in_data_directory_is_default() {
    assert_eq!(sqlite(&[]), PathBuf::from("./doorward-data/doorward.db"));
    assert_eq!(sqlite(&[("DATA_DIR", "/var/lib/doorward")]), PathBuf::from("/var/lib/doorward/doorward.db"));
    assert_eq!(settings(&[("DATA_DIR", "d")]).database.data_dir, PathBuf::from("d"));
}

#[test]
fn sqlite_url_accepts_both_path_forms() {
    for (url, path) in
        [("sqlite:x.db", "x.db"), ("sqlite:/x.db", "/x.db"), ("sqlite:///x.db", "/x.db"), ("sqlite://x.db", "x.db")]
    {
        assert_eq!(sqlite(&[("DATABASE_URL", url)]), PathBuf::from(path));
    }
    refused("DATABASE_URL", &["sqlite:", "sqlite::memory:", "sqlite://", "sqlite:x.db?mode=ro"], "path of a file");
}

#[test]
fn postgres_url_is_unchanged_and_redacted() {
    for url in ["postgres://u:s3cret@db/app", "postgresql:///app?host=/run/postgresql"] {
        let database = settings(&[("DATABASE_URL", url), ("SECRET_KEY", KEY)]).database;
        assert!(!format!("{database:?}").contains("s3cret"));
        match database.url {
            DatabaseUrl::Postgres(given) => assert_eq!(given.expose_secret(), url),
            DatabaseUrl::Sqlite(_) => panic!("not PostgreSQL"),
        }
    }
    refused(
        "DATABASE_URL",
        &["mysql://db/app", "x.db", "postgres:db", "postgres://a b/c"],
        "sqlite:PATH, or postgres://",
    );
}
