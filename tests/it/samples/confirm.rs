//! Sample data for the page of reauthentication.

use super::factors::{challenge, mailed_code};
use super::texts::{Sample, Texts, card, render};
use doorward::http::views::*;

pub(super) fn all(t: Texts) -> Vec<Sample> {
    let factor = ConfirmPage { asks_for_factor: true, query: "?mfa=1", ..confirm(t) };
    let without_password = || ConfirmPage { has_password: false, ..confirm(t) };
    let sent = MailedCodeField { is_sent: true, error: t.problem(), ..mailed_code(t) };
    vec![
        render("confirm", &confirm(t)),
        render("confirm-wrong", &ConfirmPage { password_error: t.problem(), ..confirm(t) }),
        render("confirm-stale", &ConfirmPage { layout: card(t, Some(&CSRF_FAILED)), return_to: None, ..confirm(t) }),
        render("confirm-code", &ConfirmPage { has_app: true, ..factor }),
        render("confirm-no-factor", &factor),
        render("confirm-mail", &ConfirmPage { mailed_code: Some(mailed_code(t)), ..without_password() }),
        render("confirm-mail-sent", &ConfirmPage { mailed_code: Some(sent), ..without_password() }),
        render("confirm-nothing", &without_password()),
        render("confirm-passkey", &ConfirmPage { passkey: Some(challenge()), ..confirm(t) }),
        render(
            "confirm-passkey-only",
            &ConfirmPage { layout: card(t, t.problem()), passkey: Some(challenge()), ..without_password() },
        ),
    ]
}

fn confirm(t: Texts) -> ConfirmPage<'static> {
    ConfirmPage {
        layout: card(t, None),
        return_to: Some(t.return_to),
        username: t.username,
        query: "",
        asks_for_factor: false,
        has_app: false,
        has_password: true,
        mailed_code: None,
        passkey: None,
        code_error: None,
        recovery_code_error: None,
        password_error: None,
    }
}
