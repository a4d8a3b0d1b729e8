//! `doorward user …`

use super::args::{CreateUser, PasswordSource, RolesOfUser, SetPassword, UserArgument, UserToConfirm};
use super::failure::Failure;
use super::format;
use super::output::{Changed, Output};
use super::runner::as_operator;
use super::user_details;
use super::which_user;
use crate::context::App;
use crate::domain::account::create::NewUser;
use crate::domain::account::delete;
use crate::domain::account::operator;
use crate::domain::account::update::{RolesUpdate, UserUpdate};
use crate::domain::directory::identity::{self, IdentityRecord};
use crate::domain::directory::user::{self as directory, UserRecord};
use crate::domain::mfa::status;
use crate::model::ids::UserId;
use crate::model::mail_domain::in_letters;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::model::time::Time;
use crate::random;
use crate::refusal::Refusal;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::json;

pub(super) async fn delete(app: &App, argument: &UserToConfirm, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = which_user::find(&app.store, &argument.user).await?;
    let question = format!("Delete {} ({}) permanently?", in_letters(&user.email), user.username);
    out.require_confirmation(&question, argument.yes)?;
    as_operator(app, delete::Delete { user: user.id }).await?;
    out.result(&json!({"id": user.id, "deleted": true}), &format!("Deleted {} ({})", in_letters(&user.email), user.id))
}

pub(super) async fn show(app: &App, argument: &UserArgument, out: &mut Output<'_>) -> Result<(), Failure> {
    let found = which_user::find(&app.store, &argument.user).await?;
    let user = find(app, found.id).await?;
    out.result(&user, &description(&user))
}

/// The account with this id, as it is shown.
pub(super) async fn find(app: &App, id: UserId) -> Result<UserRecord, Failure> {
    let mut conn = app.store.read(&Principal::operator(), Operation::FindUsers).await?;
    let found = directory::find(&mut conn, &app.settings, app.clock.now(), id).await?;
    Ok(found.ok_or(Refusal::NotFound("user"))?)
}

fn description(user: &UserRecord) -> String {
    let time = |time: Option<Time>, before: &str, without: &str| {
        time.map_or_else(|| without.to_owned(), |time| format!("{before} {time}"))
    };
    let last = match (user.last_login_at, &user.last_login_address) {
        (Some(at), Some(address)) => format!("{at} from {address}"),
        (Some(at), None) => at.to_string(),
        (None, _) => "never".to_owned(),
    };
    let count = |count: Option<i64>| count.unwrap_or_default();
    let two_factor = user.two_factor_since.map_or("off".to_owned(), |since| {
        let (codes, devices) = (count(user.recovery_codes_left), count(user.remembered_devices));
        format!("since {since}; recovery codes left: {codes}; trusted devices: {devices}")
    });
    let providers: Vec<&str> = user.identities.iter().map(|identity| identity.provider.as_str()).collect();
    let verified = time(user.email_verified_at, "verified", "unverified");
    format::fields(&[
        ("Id", user.id.to_string()),
        ("Email", format!("{} ({verified})", in_letters(&user.email))),
        ("Username", user.username.clone()),
        ("Name", user.name.as_deref().unwrap_or("none").to_owned()),
        ("Roles", if user.roles.is_empty() { "none".to_owned() } else { user.roles.join(", ") }),
        ("Disabled", time(user.disabled_at, "since", "no")),
        ("Created", user.created_at.to_string()),
        ("Language", user.language.as_deref().unwrap_or("not known").to_owned()),
        ("Sessions", count(user.sessions).to_string()),
        ("Logged in", last),
        ("Two-factor", two_factor),
        ("Passkeys", count(user.passkeys).to_string()),
        ("Identities", if providers.is_empty() { "none".to_owned() } else { providers.join(", ") }),
        ("External id", user.external_id.as_deref().unwrap_or("none").to_owned()),
        ("Metadata", user.metadata.as_str().to_owned()),
    ])
}

/// Removes the second factors and passkeys of an account.
pub(super) async fn reset_two_factor(app: &App, argument: &UserToConfirm, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = which_user::find(&app.store, &argument.user).await?;
    let question =
        format!("Remove all second factors and passkeys of {} ({})?", in_letters(&user.email), user.username);
    out.require_confirmation(&question, argument.yes)?;
    let changed = as_operator(app, status::ResetTwoFactor { user: user.id }).await?;
    let text = if changed {
        format!("{} logs in with the password alone now, and is logged out everywhere", in_letters(&user.email))
    } else {
        format!("{} has neither second factor nor passkey", in_letters(&user.email))
    };
    let mut conn = app.store.read(&Principal::operator(), Operation::FindUsers).await?;
    let identities = identity::of_user(&mut conn, user.id).await?;
    let lines = identities.iter().map(|identity| {
        let IdentityRecord { id, issuer, subject, .. } = identity;
        format!("\n  {subject} of {issuer}: doorward user identities remove {} {id}", user.username)
    });
    let also = if identities.is_empty() { "" } else { "\nThese also log in; remove those that are not the owner's:" };
    let text = [text, also.to_owned()].into_iter().chain(lines).collect::<String>();
    out.result(&json!({"id": user.id, "changed": changed, "identities": identities}), &text)
}

/// An account that was made, with its password if that was generated.
#[derive(Serialize)]
struct CreatedUser<'a> {
    #[serde(flatten)]
    record: UserRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    password: Option<&'a str>,
}

pub(super) async fn create(app: &App, arguments: CreateUser, out: &mut Output<'_>) -> Result<(), Failure> {
    let (password, generated) = password(&arguments.password, out)?;
    let details = user_details::of_new(&arguments)?;
    let new = NewUser {
        email: arguments.email().to_owned(),
        username: arguments.username,
        identities: Vec::new(),
        name: arguments.name.as_deref().map(user_details::display_name).transpose()?.flatten(),
        password: Some(password.clone()),
        roles: arguments.roles.into_iter().collect(),
        verified: arguments.verified,
        details,
        send_mail: false,
    };
    let user = as_operator(app, new).await?;
    let record = find(app, user.id).await?;
    let password = Some(password.expose_secret()).filter(|_| generated);
    let mut text = format!("Created {} ({})", in_letters(&user.email), user.username);
    if let Some(password) = password {
        text = format!("{text}\nPassword: {password}   (shown once)");
    }
    out.result(&CreatedUser { record, password }, &text)
}

pub(super) async fn set_disabled(
    app: &App,
    (argument, disabled): (&UserArgument, bool),
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let change = UserUpdate { disabled: Some(disabled), ..UserUpdate::default() };
    let (user, changed) = which_user::update(app, &argument.user, change).await?;
    let state = if disabled { "disabled" } else { "enabled" };
    let text = match (changed, disabled) {
        (false, _) => format!("{} was {state} already", in_letters(&user.email)),
        (true, true) => format!("{} is disabled, and logged out everywhere", in_letters(&user.email)),
        (true, false) => format!("{} is enabled", in_letters(&user.email)),
    };
    out.result(&json!({"id": user.id, "disabled": disabled, "changed": changed}), &text)
}

pub(super) async fn grant(app: &App, given: &RolesOfUser, out: &mut Output<'_>) -> Result<(), Failure> {
    let granted = given.roles.iter().copied().collect();
    change_roles(app, &given.user, RolesUpdate::Change { granted, revoked: Roles::NONE }, out).await
}

pub(super) async fn revoke(app: &App, given: &RolesOfUser, out: &mut Output<'_>) -> Result<(), Failure> {
    let revoked = given.roles.iter().copied().collect();
    change_roles(app, &given.user, RolesUpdate::Change { granted: Roles::NONE, revoked }, out).await
}

async fn change_roles(app: &App, user: &str, roles: RolesUpdate, out: &mut Output<'_>) -> Result<(), Failure> {
    let (user, changed) =
        which_user::update(app, user, UserUpdate { roles: Some(roles), ..UserUpdate::default() }).await?;
    let record = find(app, user.id).await?;
    let held = if record.roles.is_empty() { "no platform role".to_owned() } else { record.roles.join(", ") };
    let text = if changed {
        format!("{} now has {held}", in_letters(&user.email))
    } else {
        format!("Nothing to change: {} has {held}", in_letters(&user.email))
    };
    out.result(&Changed { record, changed }, &text)
}

pub(super) async fn set_password(app: &App, arguments: &SetPassword, out: &mut Output<'_>) -> Result<(), Failure> {
    let user = which_user::find(&app.store, &arguments.user).await?;
    let (password, generated) = password(&arguments.password, out)?;
    let change = operator::SetPassword::prepare(app, &Principal::operator(), &user, password.clone()).await?;
    as_operator(app, change).await?;
    let mut json = json!({"id": user.id});
    let mut text = format!("The password of {} was set; all sessions ended", in_letters(&user.email));
    if generated {
        json["password"] = json!(password.expose_secret());
        text = format!("{text}\nPassword: {}   (shown once)", password.expose_secret());
    }
    out.result(&json, &text)
}

/// Returns the password, and whether it was generated.
fn password(source: &PasswordSource, out: &mut Output<'_>) -> Result<(SecretString, bool), Failure> {
    if source.stdin { Ok((out.read_line()?.into(), false)) } else { Ok((generate()?, true)) }
}

/// Letters and digits, without look-alikes.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789A";
/// 20 of 32 characters: 100 bits.
const GENERATED_LENGTH: usize = 20;

fn generate() -> Result<SecretString, Failure> {
    let bytes: [u8; GENERATED_LENGTH] = random::bytes().map_err(|error| Failure::Operator(error.to_string()))?;
    let password: String = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    Ok(SecretString::from(password))
}
