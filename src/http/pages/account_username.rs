//! `/auth/account/username`: changes the username.

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult};
use super::paths;
use crate::domain::account::own_name::OwnName;
use crate::domain::change;
use crate::http::form::{Form, FormErrors, FormFields, Submitted};
use crate::http::views::{self, UsernamePage};
use crate::rate_limit::{ChangeKind, RateLimit};
use crate::refusal::{ChangeError, Refusal};
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct UsernameFields {
    username: String,
}

impl FormFields for UsernameFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["username"];
}

pub struct ChangeUsername;

impl ChangeForm for ChangeUsername {
    type Target = OwnAccount;
    type Sent = Submitted<UsernameFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Names);

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        let view = UsernamePage {
            layout: &by.shell(paths::ACCOUNT, errors.form())?,
            username: errors.field_or("username", &by.live.view.username),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<UsernameFields>) -> ChangeResult {
        // After that of the account, so that one user cannot use up the limit of a shared network.
        by.check_rate_limit(RateLimit::NamesFrom(by.address)).await?;
        match change::run(&by.app, &by.principal(), OwnName::username(&form.username)?).await {
            Ok(true) => Ok(by.redirect(Some("/auth/account?done=username"))),
            Ok(false) => Ok(by.redirect(Some(paths::ACCOUNT))),
            Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(by.redirect_to_login(paths::ACCOUNT)),
            Err(error) => Err(error.into()),
        }
    }
}
