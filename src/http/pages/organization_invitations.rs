//! `/auth/organizations/{id}/invitations…`: lists, creates, resends and revokes invitations (docs/reference/browser.md
//! 11.4).

use super::change_form::{ChangeForm, ChangeResult, FormTarget, LoggedIn, PageResult};
use super::organization_invite::{InvitationFields, InviteOutcome, InvitingMember};
use super::organization_lines::organization_head;
use super::organization_members::{NO_SUCH_ROLE, membership};
use super::organization_refused::{page as refused_page, page_with_status};
use super::page_context::PageContext;
use super::required::parse_id;
use crate::domain::change;
use crate::domain::directory::invitation::InvitationRecord;
use crate::domain::organization::rules::MembershipView;
use crate::domain::organization::{invite, read};
use crate::http::form::{Form, FormErrors, NoFields, Submitted};
use crate::http::page_error::PageError;
use crate::http::views::{self, Field, InvitationLine, OrganizationInvitationsPage, OrganizationTab};
use crate::model::ids::InvitationId;
use crate::model::organization::{InvitationState, MemberRole};
use crate::rate_limit::ChangeKind;
use crate::refusal::Refusal;
use axum::http::StatusCode;

/// Invites the addresses of the form, and shows their links.
pub struct Invite;

impl ChangeForm for Invite {
    type Target = MembershipView;
    type Sent = Submitted<InvitationFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Members);

    async fn page(by: LoggedIn<'_>, membership: &MembershipView, errors: &FormErrors) -> PageResult {
        page(by, membership, &InviteOutcome::none(errors.clone())).await
    }

    async fn change(by: LoggedIn<'_>, membership: &MembershipView, form: &Form<InvitationFields>) -> ChangeResult {
        let role = form.role().ok_or_else(|| Refusal::field("role", NO_SUCH_ROLE.clone()))?;
        let invited = InvitingMember::new(by, membership).invite_all(form, role).await?;
        Ok(page(by, &changed(by, membership).await?, &invited).await?)
    }
}

/// An invitation of an organization of the viewer, who may not be the one to change it.
pub struct OneInvitation {
    membership: MembershipView,
    id: InvitationId,
}

impl FormTarget for OneInvitation {
    type Ids = (String, String);

    async fn find(by: LoggedIn<'_>, (org, id): Self::Ids) -> Result<Self, PageError> {
        Ok(Self { membership: MembershipView::find(by, org).await?, id: InvitationId(parse_id(&id)?) })
    }
}

/// Replaces the link of an invitation and shows the new one.
pub struct ResendInvitation;

impl ChangeForm for ResendInvitation {
    type Target = OneInvitation;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Members);

    fn home(context: &PageContext) -> &str {
        list_path(context)
    }

    async fn page(by: LoggedIn<'_>, invitation: &OneInvitation, errors: &FormErrors) -> PageResult {
        Invite::page(by, &invitation.membership, errors).await
    }

    async fn change(
        by: LoggedIn<'_>,
        OneInvitation { membership, id }: &OneInvitation,
        _: &Form<NoFields>,
    ) -> ChangeResult {
        let inviter = InvitingMember::new(by, membership);
        inviter.check_limits().await?;
        let (org, locale) = (membership.organization.id, by.language.locale);
        let renewed = change::run(&by.app, &by.principal(), invite::Resend { org, id: *id, locale }).await?;
        Ok(page(by, &changed(by, membership).await?, &InviteOutcome::one(inviter.link(renewed))).await?)
    }
}

pub struct RevokeInvitation;

impl ChangeForm for RevokeInvitation {
    type Target = OneInvitation;
    type Sent = Submitted<NoFields>;
    const LIMIT: Option<ChangeKind> = Some(ChangeKind::Members);

    fn home(context: &PageContext) -> &str {
        list_path(context)
    }

    async fn page(by: LoggedIn<'_>, invitation: &OneInvitation, errors: &FormErrors) -> PageResult {
        Invite::page(by, &invitation.membership, errors).await
    }

    async fn change(
        by: LoggedIn<'_>,
        OneInvitation { membership, id }: &OneInvitation,
        _: &Form<NoFields>,
    ) -> ChangeResult {
        change::run(&by.app, &by.principal(), invite::Revoke { org: membership.organization.id, id: *id }).await?;
        Ok(by.redirect(Some(&format!("{}?done=revoked", list_path(by.context)))))
    }
}

/// The membership after the change: the role may be another one by now, which must not see the list.
async fn changed(by: LoggedIn<'_>, before: &MembershipView) -> Result<MembershipView, PageError> {
    membership(by, before.organization.id).await
}

/// The page with the list, of a form below it.
fn list_path(context: &PageContext) -> &str {
    const LIST: &str = "/invitations";
    let path = context.path();
    path.find(LIST).map_or(path, |start| &path[..start + LIST.len()])
}

/// The page with what became of the form; a member who may not see it is told why.
async fn page(by: LoggedIn<'_>, membership: &MembershipView, invited: &InviteOutcome) -> PageResult {
    let errors = &invited.errors;
    if let Err(refusal) = membership.require_team() {
        return Err(refused_page(by.context, membership.organization.id, refusal));
    }
    if let Err(refusal) = membership.may_invite(by.app.settings.accounts.org_mode) {
        let status = Some(errors.status()).filter(StatusCode::is_client_error).unwrap_or(StatusCode::FORBIDDEN);
        return Err(page_with_status(by.context, membership.organization.id, refusal, status));
    }
    let rows = read::invitations(&by.app, &by.principal(), membership).await?;
    let pending: Vec<InvitationLine<'_>> = rows.iter().map(|row| invitation_line(row, membership)).collect();
    let email = errors.field("email");
    let notice = by.done_message(&[("revoked", "organization-invitation-ended")]);
    let view = OrganizationInvitationsPage {
        layout: &by.shell("/auth/organizations", errors.form())?,
        head: organization_head(by.context, by.live, membership, OrganizationTab::Invitations).await?,
        notice: notice.as_ref(),
        links: &invited.links,
        are_mailed: by.app.settings.mail.is_delivered(),
        pending: &pending,
        must_verify: invite::must_verify(&by.app, &by.principal(), by.user()).await?,
        email: Field { value: invited.left.as_deref().unwrap_or(email.value), ..email },
        refused: &invited.refused,
        role: errors.typed().get("role").and_then(MemberRole::parse).unwrap_or(MemberRole::Member),
        role_error: errors.of("role"),
    };
    Ok(views::page(errors.status(), &view))
}

fn invitation_line<'a>(row: &'a InvitationRecord, membership: &MembershipView) -> InvitationLine<'a> {
    InvitationLine {
        id: row.id,
        email: &row.email,
        role: row.role,
        expires_at: row.expires_at,
        expired: row.state == InvitationState::Expired,
        changeable: membership.may_change(row.role).is_ok(),
    }
}
