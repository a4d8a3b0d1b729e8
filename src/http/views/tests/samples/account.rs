//! Sample data for the account pages.

use super::common::{Rendered, Texts, layout, render};
use super::general::account;
use crate::http::views::*;
use crate::messages::Key;
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
    let lines = [SecurityLine {
        title: Key("password"),
        state: Message::new("security-password-set"),
        href: "/auth/account/password",
        action: Key("security-change"),
    }];
    let security = |notice| SecurityPage { layout: viewed, sections: &[], notice, lines: &lines };
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
        address: t.name.to_owned(),
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
    let line = |kind: &str, times, device: Option<&str>| ActivityLine {
        kind: kind.to_owned(),
        at: AT,
        times,
        detail: t.name.to_owned(),
        device: device.map(str::to_owned),
        address: t.name.to_owned(),
        by_operator: device.is_none(),
        suspicious: kind == "reuse_detected",
    };
    let entries =
        [line("reuse_detected", 1, Some(t.device)), line("sign_in_failed", 3, Some(t.device)), line(t.name, 1, None)];
    let page = |entries, has_previous_page, next| ActivityPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        sections: &[],
        entries,
        has_previous_page,
        next,
    };
    vec![
        render("activity", &page(&entries, false, Some("1.2"))),
        render("activity-last", &page(&entries, true, None)),
        render("activity-none", &page(&[], false, None)),
    ]
}
