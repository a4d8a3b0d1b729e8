//! Fills a database through the library: ten thousand signups over HTTP would take minutes of Argon2.

use crate::instance::{Instance, Tokens};
use crate::mass::PASSWORD;
use crate::outcome::{Outcome, progress};
use doorward::context::App;
use doorward::crypto::hashing_shares::Requester;
use doorward::domain::session::lifecycle;
use doorward::model::auth_method::AuthMethod;
use doorward::model::authentication::Authentication;
use doorward::model::device::Device;
use doorward::model::ids::{OrganizationId, UserId};
use doorward::model::organization::{MemberRole, OrganizationKind};
use doorward::model::principal::{Operation, Principal};
use doorward::model::roles::Roles;
use doorward::random;
use doorward::store::{OrganizationRow, Tx, UserRow};
use secrecy::{ExposeSecret, SecretString};
use std::ops::Range;

const BATCH: usize = 1000;

/// The email address of a seeded user.
pub fn email(number: usize) -> String {
    format!("user{number:07}@example.org")
}

/// Creates `users` users with one session each, and stores their tokens in the instance.
pub async fn fill(instance: &mut Instance, users: usize) -> Outcome<()> {
    progress(&format!("{}: {users} users with a session each", instance.engine.name()));
    let app = instance.app().await?;
    let password_hash = app.passwords.hash(SecretString::from(PASSWORD), Requester::OPERATOR).await?;
    for begin in (0..users).step_by(BATCH) {
        let batch = begin..users.min(begin + BATCH);
        instance.tokens.extend(write(&app, batch, &password_hash).await?);
    }
    app.store.close().await;
    Ok(())
}

async fn write(app: &App, numbers: Range<usize>, password_hash: &str) -> Outcome<Vec<Tokens>> {
    let device = Device::new("Mozilla/5.0 (X11; Linux x86_64) benchmark", None);
    let mut tokens = Vec::with_capacity(numbers.len());
    let mut tx = app.store.begin(&Principal::operator(), Operation::ManageInstance).await?;
    for number in numbers {
        let (user, organization) = account(app, &mut tx, number, password_hash).await?;
        let owner = (organization, MemberRole::Owner);
        let shown = Authentication::by(AuthMethod::Password, app.store.database_time());
        let opened = lifecycle::open(app, &mut tx, &user, owner, &shown, &device).await?;
        tokens.push(Tokens {
            user: user.id,
            access: opened.access.token.expose_secret().to_owned(),
            refresh: opened.refresh.token.expose_secret().to_owned(),
        });
    }
    tx.commit().await?;
    Ok(tokens)
}

async fn account(app: &App, tx: &mut Tx, number: usize, hash: &str) -> Outcome<(UserRow, OrganizationId)> {
    let now = app.clock.now();
    let (email, username) = (email(number), format!("user{number:07}"));
    let user = UserRow {
        id: UserId(random::uuid_v7(now)?),
        email: email.clone(),
        username: username.clone(),
        password_hash: Some(hash.to_owned()),
        roles: Roles::NONE,
        email_verified_at: None,
        disabled_at: None,
        created_at: now,
        language: None,
        name: None,
    };
    tx.user_create(&user, &email, &username).await?;
    let organization = OrganizationRow {
        id: OrganizationId(random::uuid_v7(now)?),
        kind: OrganizationKind::Personal,
        name: username,
        created_by_user_id: Some(user.id),
        created_at: now,
    };
    tx.organization_create(&organization).await?;
    tx.membership_create(organization.id, user.id, MemberRole::Owner).await?;
    Ok((user, organization.id))
}
