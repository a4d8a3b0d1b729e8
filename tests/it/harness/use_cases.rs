//! Use cases called without a page.

use super::TestApp;
use doorward::domain::login::complete::ClientContext;
use doorward::domain::registration::form::{SignupCredential, SignupForm};
use doorward::domain::registration::{admission, sign_up as registration};
use doorward::messages::Locale;
use doorward::model::api_key::{ApiKeyName, Scope};
use doorward::model::device::Device;
use doorward::model::ids::UserId;
use doorward::model::principal::Principal;

pub fn person(user: UserId) -> Principal {
    Principal::user(user, None, Device::new("", None))
}

/// A backend with an API key of these scopes.
pub fn backend(scopes: &[Scope]) -> Principal {
    Principal::api_key(ApiKeyName::parse("backend").unwrap(), scopes.iter().copied().collect())
}

/// Signs up as the page does, without it.
pub async fn sign_up(app: &TestApp, email: &str, invitation: Option<&str>) {
    let form = SignupForm {
        email: email.to_owned(),
        username: String::new(),
        credential: SignupCredential::Password("a lighthouse in the fog".into()),
        return_to: None,
        locale: Locale::ENGLISH,
        sent: None,
    };
    let client = ClientContext {
        device: Device::new("", None),
        replaces: Vec::new(),
        device_tokens: Vec::new(),
        locale: Locale::ENGLISH,
    };
    let admission = admission::admit(&app.app, &client.anonymous(), invitation).await.unwrap().unwrap();
    registration::sign_up(&app.app, &admission, form, &client).await.map(drop).unwrap();
}
