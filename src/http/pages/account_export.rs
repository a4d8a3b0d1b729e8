//! `/auth/account/export`: downloads the data stored about the user, as JSON (GDPR, articles 15 and 20).

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, OwnAccount, PageResult, StepUp};
use crate::domain::account::export::Export;
use crate::domain::change;
use crate::http::form::{Form, FormErrors, NoFields, Submitted};
use crate::http::views::{self, ExportPage};
use crate::rate_limit::ChangeKind;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;

/// Downloads the data. It changes nothing but the audit log.
pub struct ExportAccount;

impl ChangeForm for ExportAccount {
    type Target = OwnAccount;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Exports);
    const STEP_UP: StepUp = StepUp::Recent;

    async fn page(by: LoggedIn<'_>, _: &OwnAccount, errors: &FormErrors) -> PageResult {
        let view = ExportPage { layout: &by.shell("/auth/account", errors.form())? };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, _: &OwnAccount, _: &Form<NoFields>) -> ChangeResult {
        let export = Export::read(&by.app, &by.principal(), by.user()).await?;
        let export = change::run(&by.app, &by.principal(), export).await?;
        // A username contains no character that needs quoting.
        let (service, username) = (by.app.settings.name.as_str(), &by.live.view.username);
        let headers = [
            (CONTENT_TYPE, "application/json".to_owned()),
            (CACHE_CONTROL, "no-store".to_owned()),
            (CONTENT_DISPOSITION, format!("attachment; filename=\"{service}-{username}.json\"")),
        ];
        Ok((StatusCode::OK, headers, format!("{export:#}\n")).into_response())
    }
}
