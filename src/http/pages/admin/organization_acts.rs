//! The acts on an organization itself: a new name, its end.

use super::act::{self, Act, ActTarget, ActWords, ReasonFields};
use super::organizations;
use crate::context::App;
use crate::domain::change;
use crate::domain::organization::{delete, lookup, manage};
use crate::http::form::{Form, FormErrors, FormFields};
use crate::http::page_error::PageError;
use crate::http::pages::change_form::{FormTarget, LoggedIn};
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::{ActParent, AdminField, AdminFieldKind};
use crate::messages::Key;
use crate::model::ids::OrganizationId;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};
use crate::store::OrganizationRow;
use serde::Deserialize;

impl FormTarget for OrganizationRow {
    type Ids = String;

    async fn find(by: LoggedIn<'_>, id: String) -> Result<Self, PageError> {
        let id = OrganizationId(parse_id(&id)?);
        match lookup::find(&by.app.store, &by.administrator(), id).await {
            Err(ChangeError::Refused(Refusal::NotFound(_))) => Err(not_found()),
            found => Ok(found?),
        }
    }
}

impl ActTarget for OrganizationRow {
    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn page(&self) -> String {
        page(self.id)
    }

    fn parent(&self) -> ActParent<'_> {
        ActParent::Named(&self.name)
    }
}

pub(super) fn page(id: OrganizationId) -> String {
    format!("{}/{id}", organizations::PATH)
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct RenameFields {
    name: String,
}

impl FormFields for RenameFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["name", "reason"];
}

pub struct RenameOrganization;

impl Act for RenameOrganization {
    type Target = OrganizationRow;
    type Fields = RenameFields;
    const OPERATION: Operation = Operation::RenameOrganization;
    const WORDS: ActWords =
        ActWords::new("admin-organization-rename", "admin-organization-rename-what", "admin-organization-rename");

    fn command(organization: &OrganizationRow) -> String {
        format!("doorward org rename {} NAME", organization.id)
    }

    fn fields<'a>(_: &PageContext, organization: &OrganizationRow, errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        let value = errors.field_or("name", &organization.name).value.to_owned();
        let kind = AdminFieldKind::Text { value, required: true };
        vec![AdminField { name: "name", label: Key("name"), kind, error: errors.of("name") }]
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        organization: &OrganizationRow,
        form: &Form<RenameFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, manage::Rename { org: organization.id, name: Some(&form.name) }).await?;
        Ok(act::done(&organization.page()))
    }
}

pub struct DeleteOrganization;

impl Act for DeleteOrganization {
    type Target = OrganizationRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::DeleteOrganization;
    const WORDS: ActWords =
        ActWords::new("admin-organization-delete", "admin-organization-delete-what", "admin-delete-button").dangerous();

    fn command(organization: &OrganizationRow) -> String {
        format!("doorward org delete {}", organization.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        organization: &OrganizationRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, delete::Delete { org: organization.id }).await?;
        Ok(act::done(organizations::PATH))
    }
}
