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

#[test]
fn servers_of_this_machine_are_known_by_their_url() {
    let is_this_machine =
        |url: &str| settings(&[("DATABASE_URL", url), ("SECRET_KEY", KEY)]).database.url.is_this_machine();
    for url in [
        "sqlite:/srv/db.example.com",
        "postgres://u:db.example.com@localhost/app",
        "postgres://u@127.0.0.1:5432,[::1]:5433/app",
        "postgres://u@:5433/app",
        "postgres:///app",
        "postgresql:///app?host=/run/postgresql",
        "postgresql:///app?host=%2Frun%2Fpostgresql&user=u",
        "postgresql:///app?hostaddr=::1",
    ] {
        assert!(is_this_machine(url), "{url}");
    }
    for url in [
        "postgres://u:localhost@db.example.com/app",
        "postgres://localhost,db/app",
        "postgres://localhost/app?host=db.example.com",
        "postgres:///app?hostaddr=192.0.2.1",
        "postgres://localhost.example.com:5432/app",
    ] {
        assert!(!is_this_machine(url), "{url}");
    }
}
