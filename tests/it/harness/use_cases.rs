//! Use cases called without a page.

use super::TestApp;
use doorward::domain::login::complete::ClientContext;
use doorward::domain::registration::form::SignupForm;
use doorward::domain::registration::{admission, sign_up as registration};
use doorward::messages::Locale;
use doorward::model::audit::Actor;
use doorward::model::device::Device;
use doorward::model::ids::UserId;

/// A user who acts, as the audit log names them.
pub fn person(user: UserId) -> Actor {
    Actor::user(user, None, Device::new("", None))
}

/// Signs up as the page does, without it.
pub async fn sign_up(app: &TestApp, email: &str, invitation: Option<&str>) {
    let form = SignupForm {
        email: email.to_owned(),
        username: String::new(),
        password: "a lighthouse in the fog".into(),
        return_to: None,
        locale: Locale::ENGLISH,
    };
    let client = ClientContext {
        device: Device::new("", None),
        replaces: Vec::new(),
        device_tokens: Vec::new(),
        locale: Locale::ENGLISH,
    };
    let admission = admission::admit(&app.app, invitation).await.unwrap();
    registration::sign_up(&app.app, &admission, form, &client).await.map(drop).unwrap();
}
