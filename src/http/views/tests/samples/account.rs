//! Sample data for the account pages.

use super::common::{Rendered, Texts, layout, render};
use super::general::account;
use crate::http::views::*;
use crate::messages::Key;
use crate::model::audit::AuditKind;
use crate::model::ids::SessionId;
use crate::model::time::Time;
use uuid::Uuid;

const AT: Time = Time::from_micros(1_763_725_620_000_000);

pub(super) fn all(t: Texts) -> Vec<Rendered> {
    let mut pages = changes(t);
    pages.extend(sessions(t));
    pages.extend(activity(t));
    pages
}

#[expect(clippy::unnecessary_wraps, reason = "views take it so")]
fn notice() -> Option<&'static Message> {
    static NOTICE: Message = Message::new("password-changed");
    Some(&NOTICE)
}

fn password(t: Texts) -> PasswordPage<'static> {
    PasswordPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &[],
        username: t.username,
        has_password: true,
        current_error: None,
        new_error: None,
        min_password_length: 8,
        end_others: true,
        form_error: None,
    }
}

fn changes(t: Texts) -> Vec<Rendered> {
    let viewed = layout(t).with_viewer(t.email, t.csrf);
    let line = |changed_at: Option<Time>, is_recommended: bool| SecurityLine {
        is_on: changed_at.is_none() && !is_recommended,
        icon: Icon::Lock,
        title: Key("password"),
        state: Message::new("security-password-set"),
        changed_at,
        is_recommended,
        href: "/auth/account/password",
    };
    let methods = [line(None, true), line(Some(AT), false)];
    let security = |notice| SecurityPage { layout: viewed, sections: &[], notice, methods: &methods, sessions: 2 };
    let username = |error, form_error| UsernamePage {
        layout: viewed,
        csrf: t.csrf,
        sections: &[],
        username: Field { value: t.username, error },
        form_error,
    };
    let name = |error, form_error| NamePage {
        layout: viewed,
        csrf: t.csrf,
        sections: &[],
        name: Field { value: t.name, error },
        form_error,
    };
    let export = |form_error| ExportPage { layout: viewed, csrf: t.csrf, sections: &[], form_error };
    vec![
        render("account-done", &AccountPage { notice: notice(), ..account(t) }),
        render("security", &security(None)),
        render("security-done", &security(notice())),
        render("password", &password(t)),
        render("password-wrong", &PasswordPage { current_error: t.problem(), end_others: false, ..password(t) }),
        render("password-refused", &PasswordPage { new_error: t.problem(), ..password(t) }),
        render("password-first", &PasswordPage { has_password: false, form_error: Some(&CSRF_FAILED), ..password(t) }),
        render("name", &name(None, None)),
        render("name-error", &name(t.problem(), Some(&CSRF_FAILED))),
        render("username", &username(None, None)),
        render("username-error", &username(t.problem(), Some(&CSRF_FAILED))),
        render("export", &export(None)),
        render("export-stale", &export(Some(&CSRF_FAILED))),
    ]
}

fn sessions(t: Texts) -> Vec<Rendered> {
    let line = |number| SessionLine {
        id: SessionId(Uuid::from_u128(number)),
        device: t.device.to_owned(),
        icon: Icon::Phone,
        place: t.name.to_owned(),
        started_at: AT,
        last_used_at: AT,
    };
    let others = [line(2), line(3)];
    let page = SessionsPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &[],
        notice: None,
        form_error: None,
        stolen_token_at: None,
        current: line(1),
        others: &[],
    };
    vec![
        render("sessions-alone", &page),
        render("sessions", &SessionsPage { others: &others, notice: notice(), current: line(1), ..page }),
        render(
            "sessions-warned",
            &SessionsPage {
                others: &others,
                stolen_token_at: Some(AT),
                form_error: Some(&CSRF_FAILED),
                current: line(1),
                ..page
            },
        ),
    ]
}

fn activity(t: Texts) -> Vec<Rendered> {
    let line = |kind: &str, times, at, facts: &str| ActivityLine {
        kind: kind.to_owned(),
        icon: activity_icon(AuditKind::parse(kind)),
        is_failure: AuditKind::parse(kind).is_some_and(AuditKind::is_failure),
        at,
        times,
        facts: facts.to_owned(),
        suspicious: kind == "reuse_detected",
    };
    let earlier = Time::from_micros(AT.as_micros() - 3 * 86_400_000_000);
    let entries =
        [line("reuse_detected", 1, AT, t.device), line("sign_in_failed", 3, AT, t.name), line(t.name, 1, earlier, "")];
    let page = |entries, has_previous_page, next| ActivityPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        sections: &[],
        entries,
        only_security: has_previous_page,
        has_previous_page,
        next,
    };
    vec![
        render("activity", &page(&entries, false, Some("1.2"))),
        render("activity-last", &page(&entries, true, None)),
        render("activity-none", &page(&[], false, None)),
    ]
}
