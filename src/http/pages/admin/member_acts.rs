//! The acts on the members and invitations of an organization.

use super::act::{Act, ActError, ActFields, ActWords, ReasonFields};
use super::{Administrator, organization_acts};
use crate::context::App;
use crate::domain::directory::member::{self, MemberRecord};
use crate::domain::ending::Commit;
use crate::domain::organization::refusal::OrganizationError;
use crate::domain::organization::{invite, lookup, members};
use crate::http::form::{Form, FormErrors, FormFields};
use crate::http::page_error::PageError;
use crate::http::pages::page_context::PageContext;
use crate::http::pages::required::{not_found, parse_id};
use crate::http::views::{AdminField, AdminFieldKind, Choice};
use crate::messages::{Key, Message};
use crate::model::ids::{InvitationId, OrganizationId, UserId};
use crate::model::organization::MemberRole;
use crate::model::placeholder_email::address_or;
use crate::model::principal::{Operation, Principal};
use crate::store::InvitationRow;
use serde::Deserialize;

/// A member of an organization.
struct Membership {
    org: OrganizationId,
    member: MemberRecord,
}

impl Membership {
    async fn find(context: &PageContext, admin: &Administrator, ids: &(String, String)) -> Result<Self, PageError> {
        let org = organization_acts::find(context, admin, &ids.0).await?.id;
        let user = UserId(parse_id(&ids.1)?);
        let mut conn = context.app.store.read(&admin.principal, Operation::ReadOrganization).await?;
        let member = member::find(&mut conn, org, user).await?.ok_or_else(not_found)?;
        Ok(Self { org, member })
    }

    fn name(&self) -> &str {
        address_or(&self.member.username, &self.member.email)
    }
}

/// The form of a role.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct MemberRoleFields {
    role: String,
    reason: String,
}

impl FormFields for MemberRoleFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["role", "reason"];
}

impl ActFields for MemberRoleFields {
    fn reason(&self) -> &str {
        &self.reason
    }
}

/// Changes a member's role.
pub struct SetMemberRole(Membership);

impl Act for SetMemberRole {
    type Ids = (String, String);
    type Fields = MemberRoleFields;
    const OPERATION: Operation = Operation::SetMemberRole;
    const WORDS: ActWords = ActWords {
        title: Key("admin-member-role"),
        explanation: Key("roles-explained"),
        button: Key("admin-member-role-button"),
        is_dangerous: false,
    };

    async fn find(context: &PageContext, admin: &Administrator, ids: Self::Ids) -> Result<Self, PageError> {
        Ok(Self(Membership::find(context, admin, &ids).await?))
    }

    fn subject(&self) -> Option<&str> {
        Some(self.0.name())
    }

    fn page(&self) -> String {
        organization_acts::page(self.0.org)
    }

    fn command(&self) -> String {
        format!("doorward org members set-role {} {} ROLE", self.0.org, self.0.member.user_id)
    }

    fn fields<'a>(&self, _: &PageContext, errors: &'a FormErrors) -> Vec<AdminField<'a>> {
        let chosen = errors.typed().get("role").and_then(MemberRole::parse).unwrap_or(self.0.member.role);
        let choices = MemberRole::ALL.map(|role| Choice {
            value: role.as_str(),
            label: Message::new("role").text("role", role.as_str()),
            selected: role == chosen,
        });
        let kind = AdminFieldKind::Choice(choices.to_vec());
        vec![AdminField { name: "role", label: Key("role-label"), kind, error: errors.of("role") }]
    }

    async fn carry_out(&self, app: &App, by: &Principal, form: &Form<MemberRoleFields>) -> Result<String, ActError> {
        let role = MemberRole::parse(&form.role);
        let role = role.ok_or_else(|| ActError::Field("role", Message::new("admin-role-unknown")))?;
        members::set_role(app, by, self.0.org, self.0.member.user_id, Some(role), Commit).await?;
        Ok(self.page())
    }
}

/// Removes a member.
pub struct RemoveMember(Membership);

impl Act for RemoveMember {
    type Ids = (String, String);
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::RemoveMember;
    const WORDS: ActWords = ActWords {
        title: Key("admin-member-remove"),
        explanation: Key("admin-member-remove-what"),
        button: Key("admin-member-remove"),
        is_dangerous: true,
    };

    async fn find(context: &PageContext, admin: &Administrator, ids: Self::Ids) -> Result<Self, PageError> {
        Ok(Self(Membership::find(context, admin, &ids).await?))
    }

    fn subject(&self) -> Option<&str> {
        Some(self.0.name())
    }

    fn page(&self) -> String {
        organization_acts::page(self.0.org)
    }

    fn command(&self) -> String {
        format!("doorward org members remove {} {}", self.0.org, self.0.member.user_id)
    }

    async fn carry_out(&self, app: &App, by: &Principal, _: &Form<ReasonFields>) -> Result<String, ActError> {
        members::remove(app, by, self.0.org, self.0.member.user_id).await?;
        Ok(self.page())
    }
}

/// Revokes an invitation.
pub struct RevokeInvitation(InvitationRow);

impl Act for RevokeInvitation {
    type Ids = (String, String);
    type Fields = ReasonFields;
    const OPERATION: Operation = Operation::RevokeInvitation;
    const WORDS: ActWords = ActWords {
        title: Key("admin-invitation-revoke"),
        explanation: Key("admin-invitation-revoke-what"),
        button: Key("admin-invitation-revoke"),
        is_dangerous: true,
    };

    async fn find(context: &PageContext, admin: &Administrator, (org, id): Self::Ids) -> Result<Self, PageError> {
        let org = organization_acts::find(context, admin, &org).await?.id;
        let id = InvitationId(parse_id(&id)?);
        match lookup::find_invitation(&context.app.store, &admin.principal, id).await {
            Ok(invitation) if invitation.organization_id == org => Ok(Self(invitation)),
            Ok(_) | Err(OrganizationError::NotFound(_)) => Err(not_found()),
            Err(error) => Err(error.into()),
        }
    }

    fn subject(&self) -> Option<&str> {
        Some(&self.0.email)
    }

    fn page(&self) -> String {
        organization_acts::page(self.0.organization_id)
    }

    fn command(&self) -> String {
        format!("doorward invitation revoke {}", self.0.id)
    }

    async fn carry_out(&self, app: &App, by: &Principal, _: &Form<ReasonFields>) -> Result<String, ActError> {
        invite::revoke(app, by, self.0.organization_id, self.0.id).await?;
        Ok(self.page())
    }
}
