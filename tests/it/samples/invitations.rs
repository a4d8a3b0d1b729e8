//! Sample data for invitations: as a team makes them, and as they are seen by whom they are for.

use super::organizations::head;
use super::texts::{AT, Sample, Texts, card, render, viewed};
use doorward::http::views::*;
use doorward::model::ids::InvitationId;
use doorward::model::organization::{MemberRole, OrganizationKind};
use uuid::Uuid;

pub(super) fn all(t: Texts) -> Vec<Sample> {
    [made(t), received(t)].concat()
}

fn made(t: Texts) -> Vec<Sample> {
    let invitation = |expired| InvitationLine {
        id: InvitationId(Uuid::from_u128(4)),
        email: t.email,
        role: MemberRole::Member,
        expires_at: AT,
        expired,
        changeable: true,
    };
    let pending = [invitation(false), invitation(true)];
    let link = || NewInvitationLink { email: t.email.to_owned(), url: t.return_to.to_owned(), expires_at: AT };
    let (shown, mailed) = ([link()], [link(), link()]);
    let refused = t.problem().map(|why| RefusedAddress { email: t.email.to_owned(), why: why.clone() });
    let refused: Vec<RefusedAddress> = refused.into_iter().collect();
    let invalid = Field { value: t.email, error: t.problem() };
    let page = OrganizationInvitationsPage {
        layout: viewed(t, "/auth/organizations", None),
        head: head(t, OrganizationKind::Team, OrganizationTab::Invitations, true),
        notice: None,
        links: &[],
        are_mailed: false,
        pending: &pending,
        must_verify: false,
        email: Field::default(),
        refused: &[],
        role: MemberRole::Admin,
        role_error: None,
    };
    let none = OrganizationInvitationsPage { pending: &[], ..page };
    let unverified = OrganizationInvitationsPage { must_verify: true, ..page };
    let invited = OrganizationInvitationsPage { links: &shown, ..page };
    let several =
        OrganizationInvitationsPage { links: &mailed, are_mailed: true, refused: &refused, email: invalid, ..page };
    let failed = OrganizationInvitationsPage {
        layout: viewed(t, "/auth/organizations", t.problem()),
        email: invalid,
        role_error: t.problem(),
        ..page
    };
    let closed = render("organization-invitations", &page);
    // The menu of the first one is open.
    let html = closed.html.replacen("<details class=\"menu row-end\"", "<details class=\"menu row-end\" open", 1);
    vec![
        Sample { html, ..closed },
        render("organization-invitations-none", &none),
        render("organization-invitations-error", &failed),
        render("organization-unverified", &unverified),
        render("organization-invited", &invited),
        render("organization-invited-several", &several),
    ]
}

fn received(t: Texts) -> Vec<Sample> {
    let page = |viewer, form_error| InvitationPage {
        layout: card(t, form_error),
        return_to: Some(t.return_to),
        token: t.csrf,
        path: t.return_to,
        organization: t.name,
        inviter: Some(t.label()),
        role: MemberRole::Admin,
        email: t.email,
        expires_at: AT,
        viewer,
    };
    let anonymous = |account, may_sign_up| page(InvitationViewer::Anonymous { account, may_sign_up }, None);
    let invitee = |form_error| page(InvitationViewer::Invitee { called: t.name }, form_error);
    vec![
        render("invitation", &invitee(None)),
        render("invitation-stale", &invitee(Some(&CSRF_FAILED))),
        render("invitation-other", &page(InvitationViewer::OtherUser { email: t.email }, None)),
        render("invitation-log-in", &anonymous(InvitedAccount::Exists, true)),
        render("invitation-sign-up", &anonymous(InvitedAccount::Missing, true)),
        render("invitation-closed", &anonymous(InvitedAccount::Missing, false)),
        render("invitation-shown", &anonymous(InvitedAccount::NotTold, true)),
        render("invitation-shown-closed", &anonymous(InvitedAccount::NotTold, false)),
    ]
}
