//! Invites the addresses of one form: each is judged on its own, and in a transaction of its own, so that a wrong one
//! keeps no other from being invited. What was not done stays in the form.

use super::change_form::LoggedIn;
use crate::domain::change;
use crate::domain::identity::address_list::addresses;
use crate::domain::organization::invite::{CreatedInvitation, Invite};
use crate::domain::organization::rules::MembershipView;
use crate::http::form::{Form, FormErrors, FormFields};
use crate::http::page_error::PageError;
use crate::http::views::{NewInvitationLink, RefusedAddress, format};
use crate::messages::Message;
use crate::model::ids::OrganizationId;
use crate::model::metadata::Metadata;
use crate::model::organization::MemberRole;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::refusal::{ChangeError, Refusal, Rule};
use axum::http::StatusCode;
use serde::Deserialize;

/// More at once are a mistake, or a case for the API.
const MAX_AT_ONCE: usize = 20;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct InvitationFields {
    /// One address or several.
    email: String,
    role: Option<String>,
}

impl FormFields for InvitationFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["email", "role"];
}

impl InvitationFields {
    /// The role; without the field, the lowest.
    pub(super) fn role(&self) -> Option<MemberRole> {
        self.role.as_deref().map_or(Some(MemberRole::Member), MemberRole::parse)
    }
}

/// What became of the addresses of a form.
#[derive(Default)]
pub(super) struct InviteOutcome {
    /// The links of those who were invited, each shown once: they are not stored.
    pub(super) links: Vec<NewInvitationLink>,
    /// Those that were refused, each for a reason of its own.
    pub(super) refused: Vec<RefusedAddress>,
    /// What the field of the addresses shows, if it is not what was typed.
    pub(super) left: Option<String>,
    pub(super) errors: FormErrors,
}

impl InviteOutcome {
    pub(super) fn none(errors: FormErrors) -> Self {
        Self { errors, ..Self::default() }
    }

    pub(super) fn one(link: NewInvitationLink) -> Self {
        Self { links: vec![link], ..Self::default() }
    }

    /// Keeps in the form what was not done: those refused, and those not tried because of `errors`.
    fn keeping(self, form: &Form<InvitationFields>, rest: &[&str]) -> Self {
        let Self { links, refused, errors, .. } = self;
        let addresses = refused.iter().map(|refused| refused.email.as_str()).chain(rest.iter().copied());
        let left = addresses.collect::<Vec<_>>().join("\n");
        if left.is_empty() {
            return Self { links, ..Self::default() };
        }
        let errors = if errors.typed().is_sent() { errors } else { form.again() };
        let errors = if refused.is_empty() {
            errors
        } else {
            errors.and_field("email", Message::new("invite-refused").number("count", refused.len()))
        };
        if links.is_empty() {
            return Self { links, refused, left: None, errors };
        }
        Self { links, refused, left: Some(left), errors: errors.with_status(StatusCode::OK) }
    }
}

pub(super) struct InvitingMember<'a> {
    by: LoggedIn<'a>,
    org: OrganizationId,
    /// Whether the limits count. Not of a member who may not invite: they must not use up the organization's limit.
    is_limited: bool,
}

impl<'a> InvitingMember<'a> {
    pub(super) fn new(by: LoggedIn<'a>, membership: &MembershipView) -> Self {
        let is_limited = membership.may_invite(by.app.settings.accounts.org_mode).is_ok();
        Self { by, org: membership.organization.id, is_limited }
    }

    pub(super) async fn invite_all(
        &self,
        form: &Form<InvitationFields>,
        role: MemberRole,
    ) -> Result<InviteOutcome, PageError> {
        let typed = addresses(&form.email);
        if typed.len() > MAX_AT_ONCE {
            let why = Message::new("invite-too-many-at-once").number("max", MAX_AT_ONCE);
            return Ok(InviteOutcome::none(form.refused_field("email", why)));
        }
        if typed.len() > 1 {
            return self.invite_several(form, &typed, role).await;
        }
        self.check_limits().await?;
        match self.invite(typed.first().copied().unwrap_or_default(), role).await {
            Ok(invited) => Ok(InviteOutcome::one(self.link(invited))),
            Err(ChangeError::Refused(Refusal::Rule(Rule::AlreadyMember, why))) => {
                Ok(InviteOutcome::none(form.refused_field("email", why)))
            }
            Err(error) => Ok(InviteOutcome::none(form.again().refused(error)?)),
        }
    }

    async fn invite_several(
        &self,
        form: &Form<InvitationFields>,
        several: &[&str],
        role: MemberRole,
    ) -> Result<InviteOutcome, PageError> {
        let mut done = InviteOutcome::default();
        let mut rest = several;
        while let Some((address, others)) = rest.split_first() {
            match self.check_limits().await {
                Err(RateLimitError::Exceeded(wait)) if !done.links.is_empty() => {
                    let wait = format::duration(self.by.context.layout().messages, wait).to_string();
                    done.errors = form.refused(Message::new("invite-limited").text("wait", wait));
                    break;
                }
                checked => checked?,
            }
            match self.invite(address, role).await.map_err(reason_of_address) {
                Ok(invited) => done.links.push(self.link(invited)),
                Err(Ok(why)) => done.refused.push(RefusedAddress { email: (*address).to_owned(), why }),
                Err(Err(error)) => {
                    done.errors = form.again().refused(error)?;
                    break;
                }
            }
            rest = others;
        }
        Ok(done.keeping(form, rest))
    }

    async fn invite(&self, email: &str, role: MemberRole) -> Result<CreatedInvitation, ChangeError> {
        let Self { by, org, .. } = *self;
        // Only operators set metadata: applications derive permissions from it.
        let (metadata, locale) = (Metadata::default(), by.language.locale);
        let invite = Invite { org, email, role, metadata, send_mail: true, locale };
        change::run(&by.app, &by.principal(), invite).await
    }

    /// Takes one invitation from the limits of the user, the organization and the network.
    pub(super) async fn check_limits(&self) -> Result<(), RateLimitError> {
        if !self.is_limited {
            return Ok(());
        }
        let by = RateLimit::InviteBy(self.by.user());
        let limits = [by, RateLimit::InviteTo(self.org), RateLimit::InviteFrom(self.by.address)];
        self.by.app.rate_limiter.check_all(limits).await
    }

    pub(super) fn link(&self, invited: CreatedInvitation) -> NewInvitationLink {
        let url = invited.link(&self.by.app);
        NewInvitationLink { email: invited.invitation.email, url, expires_at: invited.invitation.expires_at }
    }
}

/// What an error says of one address; or the error, which says the same of every other.
fn reason_of_address(error: ChangeError) -> Result<Message, ChangeError> {
    match error {
        ChangeError::Refused(Refusal::Fields(fields)) => {
            fields.first().map(|(_, why)| why.clone()).ok_or(Refusal::Fields(fields).into())
        }
        ChangeError::Refused(Refusal::Rule(Rule::AlreadyMember, why)) => Ok(why),
        ChangeError::Refused(Refusal::TooSoon(_)) => Ok(Message::new("invite-too-soon")),
        error => Err(error),
    }
}
