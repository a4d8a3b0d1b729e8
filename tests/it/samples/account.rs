//! Sample data for the account pages.

use super::organizations;
use super::texts::{AT, Sample, Texts, done, render, viewed};
use doorward::http::views::*;
use doorward::messages::{Key, Message};
use doorward::model::audit::AuditKind;
use doorward::model::ids::{SessionId, UserId};
use doorward::model::organization::{MemberRole, OrganizationKind};
use doorward::model::user_label::UserLabel;
use std::time::Duration;
use uuid::Uuid;

pub(super) fn all(t: Texts) -> Vec<Sample> {
    [profiles(t), changes(t), deletions(t), sessions(t), activity(t)].concat()
}

pub fn account(t: Texts) -> AccountPage<'static> {
    AccountPage {
        layout: viewed(t, "/auth/account", None),
        user: Profile {
            id: UserId(Uuid::from_u128(0x019a_a5d6_7f33_7c41_9b1e_52d8_e1c0_77aa)),
            label: t.label(),
            shows_username: true,
            is_verified: true,
            roles: vec![t.role.to_owned(), t.role.to_owned()].leak(),
            created_at: AT,
        },
        organization: organizations::header(t, OrganizationKind::Personal, MemberRole::Owner),
        notice: None,
        address_task: None,
        stolen_token_at: None,
    }
}

fn profiles(t: Texts) -> Vec<Sample> {
    let unverified = Profile { is_verified: false, ..account(t).user };
    let without_address = Profile { label: UserLabel { name: None, email: None, ..t.label() }, ..unverified };
    let nameless = UserLabel { name: None, ..t.label() };
    let by_address = Profile { label: nameless, shows_username: false, ..account(t).user };
    let to_verify = AccountPage { user: unverified, address_task: Some(AddressTask::Verify), ..account(t) };
    vec![
        render("account", &account(t)),
        render("account-by-address", &AccountPage { user: by_address, ..account(t) }),
        render("account-done", &AccountPage { notice: done("username-changed"), ..account(t) }),
        render("account-warned", &AccountPage { stolen_token_at: Some(AT), ..to_verify }),
        render("account-unproved", &to_verify),
        render(
            "account-without-address",
            &AccountPage { user: without_address, address_task: Some(AddressTask::Add), ..account(t) },
        ),
    ]
}

const OTHERS: [(Key, &str); 2] =
    [(Key("passkeys-title"), "/auth/account/passkeys"), (Key("connections-title"), "/auth/account/connections")];

fn password(t: Texts) -> PasswordPage<'static> {
    PasswordPage {
        layout: viewed(t, "/auth/account/security", None),
        username: t.username,
        has_password: true,
        others: &[],
        current_error: None,
        new_error: None,
        min_password_length: 8,
        end_others: true,
    }
}

/// The ways to log in; `codes` are left of a second factor, if there is one.
fn security(t: Texts, codes: Option<usize>, notice: Option<&'static Message>) -> SecurityPage<'static> {
    let two_factor = codes.map_or(Message::new("security-two-factor-off"), |left| {
        Message::new("security-two-factor-on").number("count", left)
    });
    let line = |icon, title, state, href| SecurityLine {
        icon,
        title: Key(title),
        state,
        changed_at: None,
        is_on: false,
        is_recommended: false,
        href,
    };
    let passkeys = Message::new("security-passkeys").number("count", 0);
    let connections = Message::new("security-connections").number("count", 2);
    let methods = vec![
        SecurityLine { is_recommended: true, ..line(Icon::Key, "passkeys-title", passkeys, "/auth/account/passkeys") },
        SecurityLine {
            is_on: codes.is_some(),
            ..line(Icon::Shield, "two-factor-title", two_factor, "/auth/account/two-factor")
        },
        SecurityLine {
            changed_at: notice.map(|_| AT),
            ..line(Icon::Lock, "password", Message::new("security-password-set"), "/auth/account/password")
        },
        line(Icon::Link, "connections-title", connections, "/auth/account/connections"),
    ];
    SecurityPage { layout: viewed(t, "/auth/account/security", None), notice, methods: methods.leak(), sessions: 2 }
}

fn changes(t: Texts) -> Vec<Sample> {
    let shell = |form_error| viewed(t, "/auth/account", form_error);
    let username =
        |error, form_error| UsernamePage { layout: shell(form_error), username: Field { value: t.username, error } };
    let name = |error, form_error| NamePage { layout: shell(form_error), name: Field { value: t.name, error } };
    let export = |form_error| ExportPage { layout: shell(form_error) };
    let exported = render("export", &export(None));
    // In this one the menu of the header is open.
    let html = exported.html.replacen("<details class=\"menu\"", "<details class=\"menu\" open", 1);
    vec![
        render("security", &security(t, None, None)),
        render("security-two-factor", &security(t, Some(10), None)),
        render("security-done", &security(t, None, done("password-changed-others"))),
        render("password", &password(t)),
        render("password-wrong", &PasswordPage { current_error: t.problem(), end_others: false, ..password(t) }),
        render("password-others", &PasswordPage { has_password: false, others: &OTHERS, ..password(t) }),
        render("password-refused", &PasswordPage { new_error: t.problem(), ..password(t) }),
        render(
            "password-first",
            &PasswordPage {
                layout: viewed(t, "/auth/account/security", Some(&CSRF_FAILED)),
                has_password: false,
                ..password(t)
            },
        ),
        render("name", &name(None, None)),
        render("name-error", &name(t.problem(), Some(&CSRF_FAILED))),
        render("username", &username(None, None)),
        render("username-error", &username(t.problem(), Some(&CSRF_FAILED))),
        Sample { name: "export-menu", html, ..exported.clone() },
        exported,
        render("export-stale", &export(Some(&CSRF_FAILED))),
    ]
}

fn deletions(t: Texts) -> Vec<Sample> {
    let teams = [t.name.to_owned(), t.name.to_owned()];
    let page = DeleteAccountPage {
        layout: viewed(t, "/auth/account", None),
        account: t.email,
        deleted: &teams,
        left: &teams,
        has_password: true,
        password_error: None,
    };
    let wrong =
        DeleteAccountPage { layout: viewed(t, "/auth/account", t.problem()), password_error: t.problem(), ..page };
    vec![
        render("account-delete", &page),
        render("account-delete-wrong", &wrong),
        render("account-delete-passkey", &DeleteAccountPage { deleted: &[], left: &[], has_password: false, ..page }),
    ]
}

fn sessions(t: Texts) -> Vec<Sample> {
    let line = |number| SessionLine {
        id: SessionId(Uuid::from_u128(number)),
        device: t.device.to_owned(),
        icon: Icon::Phone,
        place: t.place.to_owned(),
        started_at: AT,
        last_used_at: AT,
    };
    let others = [line(2), line(3)];
    let page = |others, notice, stolen_token_at, form_error| SessionsPage {
        layout: viewed(t, "/auth/account/sessions", form_error),
        notice,
        stolen_token_at,
        current: line(1),
        others,
    };
    vec![
        render("sessions-alone", &page(&[], None, None, None)),
        render("sessions", &page(&others, done("sessions-ended-one"), None, None)),
        render("sessions-warned", &page(&others, None, Some(AT), Some(&CSRF_FAILED))),
    ]
}

fn activity(t: Texts) -> Vec<Sample> {
    let line = |kind: &str, times, at, facts: &str| ActivityLine {
        kind: kind.to_owned(),
        icon: activity_icon(AuditKind::parse(kind)),
        is_failure: AuditKind::parse(kind).is_some_and(AuditKind::is_failure),
        at,
        times,
        facts: facts.to_owned(),
        suspicious: kind == "reuse_detected",
    };
    let before = |days| AT - Duration::from_hours(24) * days;
    let kinds = [("reuse_detected", 1, t.device), ("sign_in_failed", 3, t.name), (t.name, 1, "")];
    let entries = kinds.iter().cycle().zip(0..u32::from(t.rows));
    let entries: Vec<_> =
        entries.map(|((kind, times, facts), row)| line(kind, *times, before(row / 2), facts)).collect();
    let page = |entries, only_security, has_previous_page, next| ActivityPage {
        layout: viewed(t, "/auth/account/activity", None),
        entries,
        only_security,
        has_previous_page,
        next,
    };
    vec![
        render("activity", &page(&entries, false, false, Some("1.2"))),
        render("activity-last", &page(&entries[..3], false, true, None)),
        render("activity-security", &page(&entries[..3], true, true, Some("1.2"))),
        render("activity-none", &page(&[], false, false, None)),
    ]
}
