//! `doorward user recover`

use super::backup_copy::{CopyOfBackup, refuse_unexpected_objects};
use super::failure::Failure;
use super::format;
use super::output::Output;
use super::runner::as_operator;
use super::user;
use super::user_args::RecoverUser;
use crate::context::App;
use crate::domain::account::recover::{self, LeftBehind, Recover, RecoveredWay};
use crate::domain::directory::user::UserRecord;
use crate::model::event::EventKinds;
use crate::model::ids::UserId;
use crate::model::mail_domain::in_letters;
use crate::model::principal::Principal;
use crate::model::roles::PlatformRole;
use crate::model::time::Time;
use crate::settings::{DatabaseSettings, DatabaseUrl, SchemaUpdate};
use crate::store::Store;
use serde::Serialize;
use std::path::Path;

/// An account that is back, by which ways in, and what is not.
#[derive(Serialize)]
struct Recovered {
    #[serde(flatten)]
    record: UserRecord,
    ways_in: Vec<RecoveredWay>,
    ways_in_ended: Vec<RecoveredWay>,
    email_changed: bool,
    roles_before: Vec<&'static str>,
    teams_gone: Vec<String>,
    ways_in_taken: usize,
    mailed: bool,
}

/// Brings a deleted account back from a backup.
pub(super) async fn run(app: &App, which: &RecoverUser, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = UserId(which.id);
    let recovered = match (&app.settings.database.url, DatabaseUrl::postgres(&which.from)) {
        (DatabaseUrl::Sqlite(database), None) => {
            // Removed with what is in it at the end.
            let copy = CopyOfBackup::beside(database, Path::new(&which.from)).await?;
            let database = settings(app, DatabaseUrl::Sqlite(copy.path().to_owned()), SchemaUpdate::Any);
            recover_from(app, &database, user).await
        }
        (DatabaseUrl::Postgres(_), Some(url)) => {
            recover_from(app, &settings(app, url, SchemaUpdate::Never), user).await
        }
        (DatabaseUrl::Sqlite(_), Some(_)) => {
            Err(Failure::Operator("--from must be a file: the service has a SQLite database".to_owned()))
        }
        (DatabaseUrl::Postgres(_), None) => Err(Failure::Operator(
            "--from must be the postgres:// URL of a database into which pg_restore has put the backup".to_owned(),
        )),
    }?;
    let record = user::find(app, user).await?;
    let text = description(&record, &recovered);
    let recover::Recovered { ways_in, left, is_told } = recovered;
    let recovered = Recovered {
        record,
        ways_in,
        ways_in_ended: left.ended,
        email_changed: left.email_changed,
        roles_before: left.roles.iter().map(PlatformRole::as_str).collect(),
        teams_gone: left.teams,
        ways_in_taken: left.taken,
        mailed: is_told,
    };
    out.result(&recovered, &text)
}

fn settings(app: &App, url: DatabaseUrl, schema_update: SchemaUpdate) -> DatabaseSettings {
    let DatabaseSettings { data_dir, pool_max, password_file, .. } = &app.settings.database;
    let (data_dir, password_file) = (data_dir.clone(), password_file.clone());
    DatabaseSettings { url, data_dir, pool_max: *pool_max, schema_update, password_file }
}

async fn recover_from(app: &App, database: &DatabaseSettings, user: UserId) -> Result<recover::Recovered, Failure> {
    refuse_unexpected_objects(database).await?;
    let backup = Store::open(database, app.clock.clone(), EventKinds::NONE).await?;
    let saved = Recover::read(app, &Principal::operator(), &backup, user).await;
    backup.close().await;
    as_operator(app, saved?).await
}

fn description(user: &UserRecord, recovered: &recover::Recovered) -> String {
    let (email, left) = (in_letters(&user.email), &recovered.left);
    let mut lines = vec![format!("{email} ({}) is back, as it was in the backup", user.id)];
    if recovered.ways_in.is_empty() {
        lines.push(format!("It has no way in; doorward user send-password-reset {email}"));
    } else {
        lines.push(ways("Its ways in", &recovered.ways_in));
    }
    if !left.ended.is_empty() {
        lines.push(ways("Not the ways in that ended after the backup", &left.ended));
    }
    lines.extend(not_as_in_the_backup(&email, left));
    let told = if recovered.is_told { "its person was mailed" } else { "nobody was mailed" };
    lines.push(format!("Its sessions ended; {told}"));
    lines.join("\n")
}

fn ways(title: &str, ways: &[RecoveredWay]) -> String {
    let time = |time: Option<Time>| time.map(format::seconds).unwrap_or_default();
    let rows = ways
        .iter()
        .map(|way| [way.way.to_owned(), way.name.clone().unwrap_or_default(), time(way.since), time(way.last_used_at)]);
    format!("{title}:\n{}", format::table(["way in", "name", "since", "last used"], rows))
}

fn not_as_in_the_backup(email: &str, left: &LeftBehind) -> Vec<String> {
    let mut lines = Vec::new();
    if left.email_changed {
        lines.push("Its email address was changed after the backup; doorward user set-email sets it again".to_owned());
    }
    if left.disabled {
        lines.push("It was disabled after the backup, and is disabled again".to_owned());
    }
    if !left.roles.is_empty() {
        let names: Vec<&str> = left.roles.iter().map(PlatformRole::as_str).collect();
        lines.push(format!("Not its platform roles; doorward user grant {email} {}", names.join(" ")));
    }
    if !left.teams.is_empty() {
        lines.push(format!("Not its memberships of teams that were deleted since: {}", left.teams.join(", ")));
    }
    if left.taken > 0 {
        lines.push(format!("Not its passkeys and identities that log in to another account now: {}", left.taken));
    }
    lines
}
