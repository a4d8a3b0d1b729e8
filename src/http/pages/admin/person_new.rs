//! `/auth/admin/people/new`: makes an account.

use super::act::{Act, ActTarget, ActWords};
use super::people;
use crate::context::App;
use crate::domain::account::create::NewUser;
use crate::domain::account::details::AccountDetails;
use crate::domain::change;
use crate::domain::identity::visible_name::DisplayName;
use crate::http::form::{Form, FormErrors, FormFields};
use crate::http::page_error::PageError;
use crate::http::pages::change_form::{FormTarget, LoggedIn};
use crate::http::pages::page_context::PageContext;
use crate::http::views::{ActParent, AdminField, AdminFieldKind};
use crate::messages::Key;
use crate::model::principal::{Operation, Principal};
use crate::model::roles::Roles;
use crate::refusal::{ChangeError, Refusal};
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct NewPersonFields {
    email: String,
    username: String,
    name: String,
    verified: Option<String>,
    send_mail: Option<String>,
}

impl FormFields for NewPersonFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["email", "username", "name", "verified", "send_mail", "reason"];
}

/// What a new account is about: nobody yet.
pub struct NoPersonYet;

impl FormTarget for NoPersonYet {
    type Ids = ();

    async fn find(_: LoggedIn<'_>, (): ()) -> Result<Self, PageError> {
        Ok(Self)
    }
}

impl ActTarget for NoPersonYet {
    fn name(&self) -> Option<&str> {
        None
    }

    fn page(&self) -> String {
        people::PATH.to_owned()
    }

    fn parent(&self) -> ActParent<'_> {
        ActParent::Page(Key("admin-people"))
    }
}

/// Makes an account without a password, as a backend does.
pub struct NewPerson;

impl Act for NewPerson {
    type Target = NoPersonYet;
    type Fields = NewPersonFields;
    const OPERATION: Operation = Operation::CreateUser;
    const WORDS: ActWords = ActWords::new("admin-person-new", "admin-person-new-what", "admin-person-new-button");

    fn command(_: &NoPersonYet) -> String {
        "doorward user create EMAIL".to_owned()
    }

    fn fields<'a>(_: &PageContext, _: &NoPersonYet, errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        let text = |name: &'static str, label| {
            let field = errors.field(name);
            let kind = AdminFieldKind::Text { value: field.value.to_owned(), required: false };
            AdminField { name, label: Key(label), kind, error: field.error }
        };
        let check = |name: &'static str, label, before| {
            let kind = AdminFieldKind::Check(errors.typed().is_checked(name, before));
            AdminField { name, label: Key(label), kind, error: None }
        };
        let email = errors.field("email");
        vec![
            AdminField {
                name: "email",
                label: Key("email"),
                kind: AdminFieldKind::Email(email.value.to_owned()),
                error: email.error,
            },
            text("username", "username"),
            text("name", "display-name"),
            check("verified", "admin-email-verified", false),
            check("send_mail", "admin-person-new-mail", true),
        ]
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        _: &NoPersonYet,
        form: &Form<NewPersonFields>,
    ) -> Result<String, ChangeError> {
        let name = DisplayName::parse_optional(&form.name).map_err(|message| Refusal::field("name", message))?;
        let new = NewUser {
            email: form.email.clone(),
            username: Some(form.username.trim()).filter(|name| !name.is_empty()).map(str::to_owned),
            name,
            password: None,
            roles: Roles::NONE,
            verified: form.verified.is_some(),
            identities: Vec::new(),
            details: AccountDetails::default(),
            send_mail: form.send_mail.is_some(),
        };
        let user = change::run(app, by, new).await?;
        Ok(format!("{}/{}", people::PATH, user.id))
    }
}
