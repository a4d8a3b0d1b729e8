//! `doorward user …`

use super::args::{CreateUser, PasswordSource, RolesOfUser, SetPassword, UserArgument, UserToConfirm};
use super::failure::Failure;
use super::format;
use super::output::{Output, require_confirmation};
use super::user_details;
use super::wording::sentence;
use crate::context::App;
use crate::domain::account::create::{self, NewUser};
use crate::domain::account::delete::{self, DeleteError};
use crate::domain::account::operator;
use crate::domain::account::update::{self, RolesUpdate, UserUpdate};
use crate::domain::ending::Commit;
use crate::domain::identity::operator_error::OperatorError;
use crate::domain::mfa::passkey::registered;
use crate::domain::mfa::status::{self, TwoFactor};
use crate::domain::session::active;
use crate::messages::Locale;
use crate::model::mail_domain::in_letters;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::random;
use crate::settings::Settings;
use crate::store::UserRow;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// Deletes an account.
pub(super) async fn delete<W: Write>(app: &App, argument: &UserToConfirm, out: &mut Output<W>) -> Result<(), Failure> {
    let user = operator::find(&app.store, &Principal::operator(), &argument.user).await?;
    let question = format!("Delete {} ({}) permanently?", in_letters(&user.email), user.username);
    require_confirmation(&question, argument.yes)?;
    delete::delete(app, &Principal::operator(), user.id).await?;
    out.result(&json!({"id": user.id, "deleted": true}), &format!("Deleted {}", in_letters(&user.email)))
}

/// Shows one account.
pub(super) async fn show<W: Write>(app: &App, argument: &UserArgument, out: &mut Output<W>) -> Result<(), Failure> {
    let operator = &Principal::operator();
    let user = &operator::find(&app.store, operator, &argument.user).await?;
    let live = active::list(app, operator, user.id).await?.len();
    let mut conn = app.store.read(operator, Operation::FindUsers).await?;
    let latest = conn.sessions_latest(user.id, 1).await?.into_iter().next();
    let details = conn.user_details(user.id).await?;
    drop(conn);
    let (external_id, metadata) = details.map(|row| (row.external_id, row.metadata)).unwrap_or_default();
    let two_factor = status::two_factor(app, operator, user.id).await?;
    let passkeys = registered::list(app, operator, user.id).await?.len();
    let mut json = record(&app.settings, user);
    json["external_id"] = json!(external_id);
    json["metadata"] = user_details::value(&metadata);
    json["passkeys"] = json!(passkeys);
    json["email_verified_at"] = json!(user.email_verified_at);
    json["language"] = json!(user.language.as_ref().map(Locale::tag));
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
        format!("since {since}; recovery codes left: {codes_left}; trusted devices: {devices}")
    });
    let roles = role_names(&app.settings, user.roles);
    let verified = user.email_verified_at.map_or("unverified".to_owned(), |since| format!("verified {since}"));
    let fields = format::fields(&[
        ("Id", user.id.to_string()),
        ("Email", format!("{} ({verified})", in_letters(&user.email))),
        ("Username", user.username.clone()),
        ("Roles", if roles.is_empty() { "none".to_owned() } else { roles.join(", ") }),
        ("Disabled", user.disabled_at.map_or("no".to_owned(), |since| format!("since {since}"))),
        ("Created", user.created_at.to_string()),
        ("Language", user.language.as_ref().map_or("not known", Locale::tag).to_owned()),
        ("Sessions", live.to_string()),
        ("Logged in", last),
        ("Two-factor", two_factor),
        ("Passkeys", passkeys.to_string()),
        ("External id", external_id.unwrap_or_else(|| "none".to_owned())),
        ("Metadata", metadata.as_str().to_owned()),
    ]);
    out.result(&json, &fields)
}

/// Removes the second factors and passkeys of an account.
pub(super) async fn reset_two_factor<W: Write>(
    app: &App,
    argument: &UserToConfirm,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let user = operator::find(&app.store, &Principal::operator(), &argument.user).await?;
    let question =
        format!("Remove all second factors and passkeys of {} ({})?", in_letters(&user.email), user.username);
    require_confirmation(&question, argument.yes)?;
    let changed = status::reset(app, &Principal::operator(), user.id).await?;
    let text = if changed {
        format!("{} logs in with the password alone now, and is logged out everywhere", in_letters(&user.email))
    } else {
        format!("{} has neither second factor nor passkey", in_letters(&user.email))
    };
    out.result(&json!({"id": user.id, "changed": changed}), &text)
}

/// Creates an account.
pub(super) async fn create<W: Write>(app: &App, arguments: CreateUser, out: &mut Output<W>) -> Result<(), Failure> {
    let (password, generated) = password(&arguments.password)?;
    let details = user_details::of_new(&arguments)?;
    let new = NewUser {
        email: arguments.email().to_owned(),
        username: arguments.username,
        password: Some(password.clone()),
        roles: arguments.roles.into_iter().collect(),
        verified: arguments.verified,
        details,
        send_mail: false,
    };
    let user = create::create(app, &Principal::operator(), new, Commit).await?;
    let mut json = record(&app.settings, &user);
    let mut text = format!("Created {} ({})", in_letters(&user.email), user.username);
    if generated {
        json["password"] = json!(password.expose_secret());
        text = format!("{text}\nPassword: {}   (shown only now)", password.expose_secret());
    }
    out.result(&json, &text)
}

/// Disables or enables an account.
pub(super) async fn set_disabled<W: Write>(
    app: &App,
    argument: &UserArgument,
    disabled: bool,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let user = operator::find(&app.store, &Principal::operator(), &argument.user).await?;
    let change = UserUpdate { disabled: Some(disabled), ..UserUpdate::default() };
    let changed = update::update(app, &Principal::operator(), user.id, change, Commit).await?;
    let state = if disabled { "disabled" } else { "enabled" };
    let text = match (changed, disabled) {
        (false, _) => format!("{} was {state} already", in_letters(&user.email)),
        (true, true) => format!("{} is disabled, and logged out everywhere", in_letters(&user.email)),
        (true, false) => format!("{} is enabled", in_letters(&user.email)),
    };
    out.result(&json!({"id": user.id, "disabled": disabled, "changed": changed}), &text)
}

/// Grants or revokes platform roles.
pub(super) async fn change_roles<W: Write>(
    app: &App,
    arguments: &RolesOfUser,
    grant: bool,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let user = operator::find(&app.store, &Principal::operator(), &arguments.user).await?;
    let mut changed = false;
    for role in &arguments.roles {
        let roles = if grant { RolesUpdate::Grant(*role) } else { RolesUpdate::Revoke(*role) };
        let change = UserUpdate { roles: Some(roles), ..UserUpdate::default() };
        changed |= update::update(app, &Principal::operator(), user.id, change, Commit).await?;
    }
    let user = operator::find_by_id(&app.store, &Principal::operator(), user.id).await?;
    let roles = role_names(&app.settings, user.roles);
    let held = if roles.is_empty() { "no platform role".to_owned() } else { roles.join(", ") };
    let text = if changed {
        format!("{} now has {held}", in_letters(&user.email))
    } else {
        format!("Nothing to change: {} has {held}", in_letters(&user.email))
    };
    let mut json = record(&app.settings, &user);
    json["changed"] = json!(changed);
    out.result(&json, &text)
}

/// Sets the password of an account.
pub(super) async fn set_password<W: Write>(
    app: &App,
    arguments: &SetPassword,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let user = operator::find(&app.store, &Principal::operator(), &arguments.user).await?;
    let (password, generated) = password(&arguments.password)?;
    operator::set_password(app, &Principal::operator(), &user, password.clone()).await?;
    let mut json = json!({"id": user.id});
    let mut text = format!("The password of {} was set; all sessions ended", in_letters(&user.email));
    if generated {
        json["password"] = json!(password.expose_secret());
        text = format!("{text}\nPassword: {}   (shown only now)", password.expose_secret());
    }
    out.result(&json, &text)
}

/// Returns the password, and whether it was generated.
fn password(source: &PasswordSource) -> Result<(SecretString, bool), Failure> {
    if !source.stdin {
        return Ok((generate()?, true));
    }
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(Failure::Output)?;
    Ok((SecretString::from(line.trim_end_matches(['\r', '\n'])), false))
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

pub(super) fn role_names(settings: &Settings, roles: Roles) -> Vec<&str> {
    roles.iter().map(|role| settings.name.role(role)).collect()
}

pub(super) fn record(settings: &Settings, user: &UserRow) -> Value {
    json!({
        "id": user.id,
        "email": user.email,
        "username": user.username,
        "roles": role_names(settings, user.roles),
        "email_verified_at": user.email_verified_at,
        "disabled": user.disabled_at.is_some(),
        "created_at": user.created_at,
    })
}

impl From<OperatorError> for Failure {
    fn from(error: OperatorError) -> Self {
        match error {
            OperatorError::Failed(error) => Failure::Fault(error),
            OperatorError::Fields(errors) => {
                Failure::Refused(errors.messages().map(sentence).collect::<Vec<_>>().join(" "))
            }
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
