//! `/auth/account/name`: what the user is called.

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult};
use super::paths;
use super::shared_fields::NameFields;
use crate::domain::account::own_name::OwnName;
use crate::domain::change;
use crate::http::form::{Form, FormErrors, FromAnywhere};
use crate::http::views::{self, NamePage};
use crate::rate_limit::{ChangeKind, RateLimit};
use crate::refusal::{ChangeError, Refusal};

/// Changes or removes the name.
pub struct ChangeName;

impl ChangeForm for ChangeName {
    type Target = OwnAccount;
    type Sent = FromAnywhere<NameFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Names);

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        let view = NamePage {
            layout: &by.shell(paths::ACCOUNT, errors.form())?,
            name: errors.field_or("name", by.live.view.name.as_deref().unwrap_or_default()),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, form: &Form<NameFields>) -> ChangeResult {
        // After that of the account, so that one user cannot use up the limit of a shared network.
        by.check_rate_limit(RateLimit::NamesFrom(by.address)).await?;
        match change::run(&by.app, &by.principal(), OwnName::display(&form.name)?).await {
            Ok(true) if form.name.trim().is_empty() => Ok(by.redirect(Some("/auth/account?done=name-removed"))),
            Ok(true) => Ok(by.redirect(Some("/auth/account?done=name"))),
            Ok(false) => Ok(by.redirect(Some(paths::ACCOUNT))),
            Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(by.redirect_to_login(paths::ACCOUNT)),
            Err(error) => Err(error.into()),
        }
    }
}
