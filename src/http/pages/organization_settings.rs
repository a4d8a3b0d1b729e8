//! `/auth/organizations/{id}/settings`: its name, and the ways out of it.

use super::change_form::{ChangeForm, ChangeResult, LoggedIn, PageResult};
use super::organization_lines::{done_notice, organization_head, path};
use super::page_context::PageContext;
use super::shared_fields::NameFields;
use crate::domain::change;
use crate::domain::organization::manage;
use crate::domain::organization::rules::MembershipView;
use crate::http::form::{Form, FormErrors, FromAnywhere};
use crate::http::views::{self, OrganizationSettingsPage, OrganizationTab};
use crate::rate_limit::ChangeKind;

pub struct Rename;

impl ChangeForm for Rename {
    type Target = MembershipView;
    type Sent = FromAnywhere<NameFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Organizations);

    fn home(context: &PageContext) -> &str {
        context.path().trim_end_matches("/rename")
    }

    async fn page(by: LoggedIn<'_>, membership: &MembershipView, errors: &FormErrors) -> PageResult {
        let head = organization_head(by.context, by.live, membership, OrganizationTab::Settings).await?;
        let done = [("renamed", "organization-renamed"), ("switched", "organization-switched")];
        let notice = done_notice(by.context, &done, (membership.organization.kind, &membership.organization.name));
        let view = OrganizationSettingsPage {
            layout: &by.shell("/auth/organizations", errors.form())?,
            head,
            notice: notice.as_ref().filter(|_| errors.form().is_none()),
            rename: errors.field_or("name", &membership.organization.name),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, membership: &MembershipView, form: &Form<NameFields>) -> ChangeResult {
        let org = membership.organization.id;
        change::run(&by.app, &by.principal(), manage::Rename { org, name: Some(&form.name) }).await?;
        Ok(by.redirect(Some(&format!("{}/settings?done=renamed", path(org)))))
    }
}
