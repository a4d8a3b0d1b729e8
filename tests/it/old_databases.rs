//! Databases of older versions, made by the released programs and kept in tests/fixtures/databases: this version upgrades
//! them, and shows what the last release showed.
//!
//! `scripts/old-databases` makes them.

mod canonical;
mod check;
mod facts;
mod make;
mod names;
mod sections;
mod shown;
mod stored;

pub use stored::portable;

use crate::backup::{doorward, with_new_database};
use crate::harness::{Authenticator, Engine, PASSWORD, Receiver, TempDir};
use doorward::clock::Clock;
use facts::{Facts, file};
use sections::otherwise;
use shown::Upgraded;
use std::fs;

both_engines![old_databases_are_made, what_was_shown_is_shown, old_ways_in_still_work, old_backups_are_restored,];
single_run![each_older_version_has_databases];

const VERSIONS: [&str; 3] = ["0.2.0", "0.3.0", "0.4.0"];

/// Does nothing unless `scripts/old-databases` asks for it.
async fn old_databases_are_made(engine: Engine) {
    if let Ok(version) = std::env::var("DOORWARD_OLD_DATABASE") {
        make::make(&version, engine).await;
    }
}

/// The change log names the commit of each version but the newest.
async fn each_older_version_has_databases() {
    let changelog = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/CHANGELOG.md")).unwrap();
    let parts = changelog.split("\n## [").filter(|part| part.lines().any(|line| line.starts_with("Commit ")));
    let older: Vec<&str> = parts.map(|part| part.split(']').next().unwrap()).collect();
    let missing: Vec<_> = older.iter().filter(|version| !VERSIONS.contains(version)).collect();
    assert!(!older.is_empty() && missing.is_empty(), "run scripts/old-databases {missing:?}");
}

async fn what_was_shown_is_shown(engine: Engine) {
    for version in VERSIONS {
        let shown = Upgraded::new(version, engine).await.shown().await;
        let shown = match engine {
            Engine::Sqlite => shown,
            Engine::Postgres => otherwise(&shown, &fs::read_to_string(file(version, Engine::Sqlite, "txt")).unwrap()),
        };
        let path = file(version, engine, "txt");
        if std::env::var_os("DOORWARD_BLESS").is_some() {
            fs::write(&path, &shown).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap();
        let [before, after] = [otherwise(&expected, &shown), otherwise(&shown, &expected)];
        assert!(expected == shown, "{version} on {engine:?} showed\n{before}\nand this version shows\n{after}");
    }
}

/// Passwords and second factors that the old version stored, and its trusted devices.
async fn old_ways_in_still_work(engine: Engine) {
    for version in VERSIONS {
        let upgraded = Upgraded::new(version, engine).await;
        let _process = upgraded.start().await;
        let mut facts = Facts::read(version, engine);
        let log_in = async || {
            let browser = upgraded.browser();
            browser.log_in("ada@example.com", PASSWORD).await.expect(303);
            browser
        };
        let code = Authenticator::from_key(&facts.totp_key).code_at(Clock::system().now());
        log_in().await.send_code(&code).await.expect(303);
        log_in().await.send_recovery_code(&facts.recovery_codes[0]).await.expect(303);
        let trusted = upgraded.browser();
        trusted.set_token("device", &facts.trusted_device);
        trusted.log_in("ada@example.com", PASSWORD).await.expect(303);
        trusted.api_user().await.expect(200);
        facts.passkey.as_mut().unwrap().log_in(&upgraded.browser()).await.expect(303);
    }
}

/// Their triggers are those of the steps that they have taken.
async fn old_backups_are_restored(engine: Engine) {
    let receiver = Receiver::start().await;
    for version in VERSIONS {
        let (facts, folder, builder) = (Facts::read(version, engine), TempDir::new("old"), engine.prepare().await);
        let (database, _) = stored::load(version, engine, &facts, builder.folder()).await;
        let file = database.url().trim_start_matches("sqlite:").to_owned();
        let builder = builder.on_database(database).set("SVC_SECRET_KEY", make::KEY).webhooks(&receiver);
        let variables = match engine {
            Engine::Sqlite => {
                let variables = with_new_database(builder.variables(), &folder);
                doorward(&["restore", &file, "--yes"], &variables).await;
                variables
            }
            Engine::Postgres => {
                doorward(&["restore", "--loaded", "--yes"], builder.variables()).await;
                builder.variables().clone()
            }
        };
        assert_eq!(doorward(&["user", "show", "ada"], &variables).await["email"], "ada@example.com", "{version}");
    }
}
