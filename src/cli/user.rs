//! `doorward user …`

use super::Failure;
use super::args::{CreateUser, PasswordSource, RolesOfUser, SetPassword, TwoFactorCommand, UserCommand};
use super::output::Output;
use super::user_audit;
use crate::app::App;
use crate::domain::accounts::{self, DeleteError, NewUser, OperatorError};
use crate::domain::audit::By;
use crate::domain::factors::{self, TwoFactor};
use crate::domain::passkeys;
use crate::domain::roles::Roles;
use crate::domain::sessions;
use crate::random;
use crate::store::UserRow;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// Accounts are read in pages of this size.
const PAGE: i64 = 500;

/// Carries out a command on user accounts.
pub async fn run<W: Write>(app: &App, command: UserCommand, out: &mut Output<W>) -> Result<(), Failure> {
    match command {
        UserCommand::Create(arguments) => create(app, arguments, out).await,
        UserCommand::List => list(app, out).await,
        UserCommand::Show(who) => {
            let user = accounts::find(app, &who.user).await?;
            show(app, &user, out).await
        }
        UserCommand::Audit(arguments) => user_audit::run(app, &arguments, out).await,
        UserCommand::Disable(who) => set_disabled(app, &who.user, true, out).await,
        UserCommand::Enable(who) => set_disabled(app, &who.user, false, out).await,
        UserCommand::Grant(arguments) => change_roles(app, &arguments, true, out).await,
        UserCommand::Revoke(arguments) => change_roles(app, &arguments, false, out).await,
        UserCommand::SetPassword(arguments) => set_password(app, &arguments, out).await,
        UserCommand::TwoFactor(TwoFactorCommand::Reset(who)) => reset_two_factor(app, &who.user, out).await,
        UserCommand::Delete(who) => {
            let user = accounts::find(app, &who.user).await?;
            accounts::delete(app, user.id, &By::operator()).await?;
            out.result(&json!({"id": user.id, "deleted": true}), &format!("Deleted {}", user.email))
        }
    }
}

async fn show<W: Write>(app: &App, user: &UserRow, out: &mut Output<W>) -> Result<(), Failure> {
    let live = sessions::list(app, user.id).await?.len();
    let latest = app.store.read().await?.sessions_latest(user.id, 1).await?.into_iter().next();
    let two_factor = factors::two_factor(app, user.id).await?;
    let passkeys = passkeys::list(app, user.id).await?.len();
    let mut json = record(app, user);
    json["passkeys"] = json!(passkeys);
    json["email_verified_at"] = json!(user.email_verified_at);
    json["sessions"] = json!(live);
    json["last_sign_in_at"] = json!(latest.as_ref().map(|session| session.created_at));
    json["last_sign_in_address"] = json!(latest.as_ref().map(|session| &session.address));
    json["two_factor"] = two_factor.map_or(
        Value::Null,
        |on| json!({"since": on.since, "recovery_codes_left": on.codes_left, "remembered_devices": on.devices}),
    );
    let last = latest.map_or("never".to_owned(), |session| format!("{} from {}", session.created_at, session.address));
    let two_factor = two_factor.map_or("off".to_owned(), |on| {
        let TwoFactor { since, codes_left, devices } = on;
        format!("since {since}; recovery codes left: {codes_left}; remembered devices: {devices}")
    });
    let known = format!("Sessions  {live}\nSigned in {last}\nTwo-factor {two_factor}\nPasskeys  {passkeys}");
    let text = format!("{}\n{known}", description(app, user));
    out.result(&json, &text)
}

async fn reset_two_factor<W: Write>(app: &App, who: &str, out: &mut Output<W>) -> Result<(), Failure> {
    let user = accounts::find(app, who).await?;
    let changed = factors::reset(app, user.id).await?;
    let text = if changed {
        format!("{} logs in with the password alone now, and is logged out everywhere", user.email)
    } else {
        format!("{} has neither second factor nor passkey", user.email)
    };
    out.result(&json!({"id": user.id, "changed": changed}), &text)
}

async fn create<W: Write>(app: &App, arguments: CreateUser, out: &mut Output<W>) -> Result<(), Failure> {
    let (password, generated) = password(&arguments.password)?;
    let new = NewUser {
        email: arguments.email().to_owned(),
        username: arguments.username,
        password: password.clone(),
        roles: arguments.roles.into_iter().collect(),
        verified: arguments.verified,
    };
    let user = accounts::create(app, new).await?;
    let mut json = record(app, &user);
    let mut text = format!("Created {} ({})", user.email, user.username);
    if generated {
        json["password"] = json!(password.expose_secret());
        text = format!("{text}\nPassword: {}   (shown only now)", password.expose_secret());
    }
    out.result(&json, &text)
}

async fn list<W: Write>(app: &App, out: &mut Output<W>) -> Result<(), Failure> {
    let mut users: Vec<UserRow> = Vec::new();
    loop {
        let after = users.last().map(|user| user.email.clone()).unwrap_or_default();
        let page = accounts::list(app, &after, PAGE).await?;
        let last = i64::try_from(page.len()).is_ok_and(|length| length < PAGE);
        users.extend(page);
        if last {
            break;
        }
    }
    let records: Vec<Value> = users.iter().map(|user| record(app, user)).collect();
    let lines: Vec<String> = users.iter().map(|user| line(app, user)).collect();
    let text = if lines.is_empty() { "No users yet.".to_owned() } else { lines.join("\n") };
    out.result(&json!(records), &text)
}

async fn set_disabled<W: Write>(app: &App, who: &str, disabled: bool, out: &mut Output<W>) -> Result<(), Failure> {
    let user = accounts::find(app, who).await?;
    let changed = accounts::set_disabled(app, user.id, disabled).await?;
    let state = if disabled { "disabled" } else { "enabled" };
    let text = match (changed, disabled) {
        (false, _) => format!("{} was {state} already", user.email),
        (true, true) => format!("{} is disabled, and logged out everywhere", user.email),
        (true, false) => format!("{} is enabled", user.email),
    };
    out.result(&json!({"id": user.id, "disabled": disabled, "changed": changed}), &text)
}

async fn change_roles<W: Write>(
    app: &App,
    arguments: &RolesOfUser,
    grant: bool,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let user = accounts::find(app, &arguments.user).await?;
    let mut changed = false;
    for role in &arguments.roles {
        changed |= if grant {
            accounts::grant(app, user.id, *role).await?
        } else {
            accounts::revoke(app, user.id, *role).await?
        };
    }
    let user = accounts::find(app, &user.id.to_string()).await?;
    let roles = role_names(app, user.roles);
    let held = if roles.is_empty() { "no platform role".to_owned() } else { roles.join(", ") };
    let text = if changed {
        format!("{} now has {held}", user.email)
    } else {
        format!("Nothing to change: {} has {held}", user.email)
    };
    let mut json = record(app, &user);
    json["changed"] = json!(changed);
    out.result(&json, &text)
}

async fn set_password<W: Write>(app: &App, arguments: &SetPassword, out: &mut Output<W>) -> Result<(), Failure> {
    let user = accounts::find(app, &arguments.user).await?;
    let (password, generated) = password(&arguments.password)?;
    accounts::set_password(app, &user, password.clone()).await?;
    let mut json = json!({"id": user.id});
    let mut text = format!("The password of {} is set; all sessions are ended", user.email);
    if generated {
        json["password"] = json!(password.expose_secret());
        text = format!("{text}\nPassword: {}   (shown only now)", password.expose_secret());
    }
    out.result(&json, &text)
}

/// The password, and whether it was made here.
fn password(source: &PasswordSource) -> Result<(SecretString, bool), Failure> {
    if !source.stdin {
        return Ok((generate()?, true));
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(Failure::Output)?;
    Ok((SecretString::from(line.trim_end_matches(['\r', '\n'])), false))
}

/// Letters and digits that are not mistaken for one another.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789A";
/// 20 of 32 letters: 100 bits.
const GENERATED_LENGTH: usize = 20;

fn generate() -> Result<SecretString, Failure> {
    let bytes: [u8; GENERATED_LENGTH] = random::bytes().map_err(|error| Failure::Operator(error.to_string()))?;
    let password: String = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    Ok(SecretString::from(password))
}

fn role_names(app: &App, roles: Roles) -> Vec<&str> {
    roles.iter().map(|role| app.settings.name.role(role)).collect()
}

fn record(app: &App, user: &UserRow) -> Value {
    json!({
        "id": user.id,
        "email": user.email,
        "username": user.username,
        "roles": role_names(app, user.roles),
        "email_verified_at": user.email_verified_at,
        "disabled": user.disabled_at.is_some(),
        "created_at": user.created_at,
    })
}

fn line(app: &App, user: &UserRow) -> String {
    let roles = role_names(app, user.roles).join(",");
    let disabled = if user.disabled_at.is_some() { "disabled" } else { "" };
    format!("{}  {}  {}  {roles} {disabled}", user.id, user.email, user.username).trim_end().to_owned()
}

fn description(app: &App, user: &UserRow) -> String {
    let roles = role_names(app, user.roles);
    let roles = if roles.is_empty() { "none".to_owned() } else { roles.join(", ") };
    let disabled = user.disabled_at.map_or("no".to_owned(), |since| format!("since {since}"));
    let proved = user.email_verified_at.map_or("not proved".to_owned(), |since| format!("proved {since}"));
    format!(
        "Id        {}\nE-mail    {} ({proved})\nUsername  {}\nRoles     {roles}\nDisabled  {disabled}\nCreated   {}",
        user.id, user.email, user.username, user.created_at
    )
}

impl From<OperatorError> for Failure {
    fn from(error: OperatorError) -> Self {
        match error {
            OperatorError::Failed(error) => Failure::Fault(error),
            other => Failure::Refused(other.to_string()),
        }
    }
}

impl From<DeleteError> for Failure {
    fn from(error: DeleteError) -> Self {
        match error {
            DeleteError::Failed(error) => Failure::Fault(error),
            other => Failure::Refused(other.to_string()),
        }
    }
}
