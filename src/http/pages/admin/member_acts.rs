//! The acts on the members and invitations of an organization.

use super::act::{self, Act, ActTarget, ActWords, ReasonFields};
use super::organization_acts;
use crate::context::App;
use crate::domain::change;
use crate::domain::directory::member::{self, MemberRecord};
use crate::domain::organization::{invite, lookup, members};
use crate::http::form::{Form, FormErrors, FormFields};
use crate::http::page_error::PageError;
use crate::http::pages::change_form::{FormTarget, LoggedIn};
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::{ActParent, AdminField, AdminFieldKind, Choice};
use crate::messages::{Key, Message};
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal};
use crate::store::{InvitationRow, OrganizationRow};
use serde::Deserialize;

pub struct OrganizationMember {
    org: OrganizationId,
    member: MemberRecord,
}

impl FormTarget for OrganizationMember {
    type Ids = (String, String);

    async fn find(by: LoggedIn<'_>, (org, user): Self::Ids) -> Result<Self, PageError> {
        let org = OrganizationRow::find(by, org).await?.id;
        let user = UserId(parse_id(&user)?);
        let mut conn = by.app.store.read(&by.administrator(), Operation::ReadOrganization).await?;
        let member = member::find(&mut conn, org, user).await?.ok_or_else(not_found)?;
        Ok(Self { org, member })
    }
}

impl ActTarget for OrganizationMember {
    fn name(&self) -> Option<&str> {
        Some(self.member.label().account())
    }

    fn page(&self) -> String {
        organization_acts::page(self.org)
    }

    fn parent(&self) -> ActParent<'_> {
        ActParent::Page(Key("admin-organization"))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct MemberRoleFields {
    role: String,
}

impl FormFields for MemberRoleFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["role", "reason"];
}

pub struct SetMemberRole;

impl Act for SetMemberRole {
    type Target = OrganizationMember;
    type Fields = MemberRoleFields;
    const OPERATION: Operation = Operation::SetMemberRole;
    const WORDS: ActWords = ActWords::new("admin-member-role", "roles-explained", "admin-member-role-button");

    fn command(membership: &OrganizationMember) -> String {
        format!("doorward org members set-role {} {} ROLE", membership.org, membership.member.user_id)
    }

    fn fields<'a>(_: &PageContext, membership: &OrganizationMember, errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        let chosen = errors.typed().get("role").and_then(MemberRole::parse).unwrap_or(membership.member.role);
        let choices = MemberRole::ALL.map(|role| Choice {
            value: role.as_str(),
            label: Message::new("role").text("role", role.as_str()),
            selected: role == chosen,
        });
        let kind = AdminFieldKind::Choice(choices.to_vec());
        vec![AdminField { name: "role", label: Key("role-label"), kind, error: errors.of("role") }]
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        membership: &OrganizationMember,
        form: &Form<MemberRoleFields>,
    ) -> Result<String, ChangeError> {
        let role = MemberRole::parse(&form.role);
        let role = role.ok_or_else(|| Refusal::field("role", Message::new("admin-role-unknown")))?;
        change::run(
            app,
            by,
            members::SetRole { org: membership.org, user: membership.member.user_id, role: Some(role) },
        )
        .await?;
        Ok(act::done(&membership.page()))
    }
}

pub struct RemoveMember;

impl Act for RemoveMember {
    type Target = OrganizationMember;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::RemoveMember;
    const WORDS: ActWords =
        ActWords::new("admin-member-remove", "admin-member-remove-what", "admin-member-remove").dangerous();

    fn command(membership: &OrganizationMember) -> String {
        format!("doorward org members remove {} {}", membership.org, membership.member.user_id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        membership: &OrganizationMember,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, members::RemoveMember { org: membership.org, user: membership.member.user_id }).await?;
        Ok(act::done(&membership.page()))
    }
}

impl FormTarget for InvitationRow {
    type Ids = (String, String);

    async fn find(by: LoggedIn<'_>, (org, id): Self::Ids) -> Result<Self, PageError> {
        let org = OrganizationRow::find(by, org).await?.id;
        let id = InvitationId(parse_id(&id)?);
        match lookup::find_invitation(&by.app.store, &by.administrator(), id).await {
            Ok(invitation) if invitation.organization_id == org => Ok(invitation),
            Ok(_) | Err(ChangeError::Refused(Refusal::NotFound(_))) => Err(not_found()),
            Err(error) => Err(error.into()),
        }
    }
}

impl ActTarget for InvitationRow {
    fn name(&self) -> Option<&str> {
        Some(&self.email)
    }

    fn page(&self) -> String {
        organization_acts::page(self.organization_id)
    }

    fn parent(&self) -> ActParent<'_> {
        ActParent::Page(Key("admin-organization"))
    }
}

pub struct RevokeInvitation;

impl Act for RevokeInvitation {
    type Target = InvitationRow;
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::RevokeInvitation;
    const WORDS: ActWords =
        ActWords::new("admin-invitation-revoke", "admin-invitation-revoke-what", "admin-invitation-revoke").dangerous();

    fn command(invitation: &InvitationRow) -> String {
        format!("doorward invitation revoke {}", invitation.id)
    }

    async fn carry_out(
        app: &App,
        by: &Principal,
        invitation: &InvitationRow,
        _: &Form<ReasonFields>,
    ) -> Result<String, ChangeError> {
        change::run(app, by, invite::Revoke { org: invitation.organization_id, id: invitation.id }).await?;
        Ok(act::done(&invitation.page()))
    }
}
