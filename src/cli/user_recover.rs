//! `doorward user recover`

use super::backup_copy::{CopyOfBackup, refuse_strange_objects};
use super::failure::Failure;
use super::output::Output;
use super::user;
use super::user_args::RecoverUser;
use crate::context::App;
use crate::domain::account::recover::{self, LeftBehind, RecoverError};
use crate::domain::directory::user::UserRecord;
use crate::model::event::EventKinds;
use crate::model::ids::UserId;
use crate::model::mail_domain::in_letters;
use crate::model::principal::Principal;
use crate::model::roles::PlatformRole;
use crate::settings::{DatabaseSettings, DatabaseUrl, SchemaUpdate};
use crate::store::Store;
use serde::Serialize;
use std::path::Path;

/// An account that is back, and what is not.
#[derive(Serialize)]
struct Recovered {
    #[serde(flatten)]
    record: UserRecord,
    roles_before: Vec<&'static str>,
    teams_gone: Vec<String>,
    ways_in_taken: usize,
}

/// Brings a deleted account back from a backup.
pub(super) async fn run(app: &App, which: &RecoverUser, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = UserId(which.id);
    let left = match (&app.settings.database.url, DatabaseUrl::postgres(&which.from)) {
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
    let text = description(&record, &left);
    let roles_before = left.roles.iter().map(PlatformRole::as_str).collect();
    out.result(&Recovered { record, roles_before, teams_gone: left.teams, ways_in_taken: left.taken }, &text)
}

fn settings(app: &App, url: DatabaseUrl, schema_update: SchemaUpdate) -> DatabaseSettings {
    let DatabaseSettings { data_dir, pool_max, password_file, .. } = &app.settings.database;
    let (data_dir, password_file) = (data_dir.clone(), password_file.clone());
    DatabaseSettings { url, data_dir, pool_max: *pool_max, schema_update, password_file }
}

async fn recover_from(app: &App, database: &DatabaseSettings, user: UserId) -> Result<LeftBehind, Failure> {
    refuse_strange_objects(database).await?;
    let backup = Store::open(database, app.clock.clone(), EventKinds::NONE).await?;
    let left = recover::recover(app, &Principal::operator(), &backup, user).await;
    backup.close().await;
    left.map_err(|error| match error {
        RecoverError::Failed(error) => Failure::Fault(error),
        refused => Failure::Refused(refused.to_string()),
    })
}

fn description(user: &UserRecord, left: &LeftBehind) -> String {
    let email = in_letters(&user.email);
    let mut lines = vec![format!("{email} ({}) is back, as it was in the backup", user.id)];
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
    lines.push("Its sessions ended; nobody was mailed".to_owned());
    lines.join("\n")
}
