//! `/auth/organizations/{id}/delete`: deletes a team after its name was typed.

use super::change_form::{ChangeForm, ChangeResult, FormTarget, LoggedIn, PageResult};
use super::organization_lines::organization_header;
use super::organization_members::membership_ended_response;
use super::organization_refused::page as refused_page;
use super::shared_fields::NameFields;
use crate::domain::change;
use crate::domain::organization::delete::Delete;
use crate::domain::organization::name::confirmation;
use crate::domain::organization::rules::MembershipView;
use crate::http::form::{Form, FormErrors, Submitted};
use crate::http::page_error::PageError;
use crate::http::views::{self, DeleteOrganizationPage};
use crate::messages::Message;
use crate::model::organization::MemberRole;
use crate::model::visible::visible_words;
use crate::rate_limit::ChangeKind;
use crate::refusal::Refusal;

/// A team whose owner sees the form.
pub struct OwnedTeam(MembershipView);

impl FormTarget for OwnedTeam {
    type Ids = String;

    async fn find(by: LoggedIn<'_>, org: String) -> Result<Self, PageError> {
        let membership = MembershipView::find(by, org).await?;
        match membership.require_team().and_then(|()| membership.require_role(MemberRole::Owner)) {
            Ok(()) => Ok(Self(membership)),
            Err(refusal) => Err(refused_page(by.context, membership.organization.id, refusal)),
        }
    }
}

pub struct DeleteOrganization;

impl ChangeForm for DeleteOrganization {
    type Target = OwnedTeam;
    type Sent = Submitted<NameFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Organizations);

    async fn page(by: LoggedIn<'_>, OwnedTeam(membership): &OwnedTeam, errors: &FormErrors) -> PageResult {
        let view = DeleteOrganizationPage {
            layout: &by.shell("/auth/organizations", errors.form())?,
            organization: organization_header(membership),
            confirmation: &confirmation(&membership.organization),
            typed_name: errors.field("name"),
        };
        Ok(views::page(errors.status(), &view))
    }

    async fn change(by: LoggedIn<'_>, OwnedTeam(membership): &OwnedTeam, form: &Form<NameFields>) -> ChangeResult {
        if visible_words(&form.name) != confirmation(&membership.organization) {
            return Err(Refusal::field("name", Message::new("organization-delete-wrong-name")).into());
        }
        change::run(&by.app, &by.principal(), Delete { org: membership.organization.id }).await?;
        Ok(membership_ended_response(by.context, by.live, "deleted").await?)
    }
}
