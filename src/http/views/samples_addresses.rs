//! The pages about addresses and forgotten passwords, filled.

use super::samples::{Rendered, Texts, chrome, render};
use super::*;
use crate::domain::verification::password_reset::Unproved;
use crate::messages::Key;
use crate::model::time::Time;

pub fn all(t: Texts) -> Vec<Rendered> {
    let mut pages = proofs(t);
    pages.extend(changes(t));
    pages.extend(resets(t));
    pages
}

fn proofs(t: Texts) -> Vec<Rendered> {
    let verify = VerifyEmailPage {
        chrome: chrome(t),
        csrf: t.csrf,
        email: t.email,
        sent: true,
        logged_in: false,
        code_error: None,
        form_error: None,
        notice: None,
    };
    let sent_again = Some(Key("verify-sent-again"));
    let confirm = ConfirmEmailPage {
        chrome: chrome(t),
        csrf: t.csrf,
        token: t.csrf,
        email: t.email,
        ask: ProofAsk::Nothing,
        password_error: None,
        form_error: None,
    };
    let elsewhere = ProofAsk::Password { has_account: true };
    let wrong =
        ConfirmEmailPage { ask: ProofAsk::Password { has_account: false }, password_error: t.problem(), ..confirm };
    vec![
        render("verify", &verify),
        render("verify-again", &VerifyEmailPage { logged_in: true, notice: sent_again, ..verify }),
        render("verify-wrong", &VerifyEmailPage { code_error: t.problem(), form_error: t.problem(), ..verify }),
        render("verify-unsent", &VerifyEmailPage { sent: false, logged_in: true, ..verify }),
        render("confirm-email", &confirm),
        render("confirm-email-elsewhere", &ConfirmEmailPage { ask: elsewhere, form_error: t.problem(), ..confirm }),
        render("confirm-email-wrong", &wrong),
    ]
}

fn changes(t: Texts) -> Vec<Rendered> {
    let page = AccountEmailPage {
        chrome: chrome(t).viewed_by(t.username, t.csrf),
        csrf: t.csrf,
        sections: &[],
        email: t.email,
        verified: true,
        pending: None,
        new: Field::default(),
        form_error: None,
        notice: None,
    };
    let expires_at = Time::from_micros(1_763_725_620_000_000);
    let pending = PendingEmail { email: t.email, expires_at, code_error: None };
    let wrong = PendingEmail { code_error: t.problem(), ..pending };
    let bad = Field { value: t.email, error: t.problem() };
    let changed = Some(Key("account-email-changed"));
    let undo = UndoEmailPage { chrome: chrome(t), csrf: t.csrf, token: t.csrf, email: t.email, form_error: None };
    vec![
        render("account-email", &AccountEmailPage { notice: changed, ..page }),
        render("account-email-pending", &AccountEmailPage { pending: Some(pending), verified: false, ..page }),
        render("account-email-code", &AccountEmailPage { pending: Some(wrong), ..page }),
        render("account-email-wrong", &AccountEmailPage { new: bad, form_error: t.problem(), ..page }),
        render("undo", &undo),
        render("undo-stale", &UndoEmailPage { form_error: t.problem(), ..undo }),
    ]
}

fn resets(t: Texts) -> Vec<Rendered> {
    let forgot = ForgotPasswordPage {
        chrome: chrome(t),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        email: Field::default(),
        form_error: None,
    };
    let bad = Field { value: t.email, error: t.problem() };
    let reset = ResetPasswordPage {
        chrome: chrome(t),
        csrf: t.csrf,
        token: t.csrf,
        email: t.email,
        unproved: None,
        password_min: 8,
        password_error: None,
        form_error: None,
    };
    let unproved = UnprovedAccount {
        username: t.username,
        created_at: Time::from_micros(1_763_725_620_000_000),
        choice: Unproved::Keep,
    };
    let mut pages = vec![
        render("forgot", &forgot),
        render("forgot-wrong", &ForgotPasswordPage { email: bad, form_error: t.problem(), ..forgot }),
        render("reset", &reset),
        render("reset-unproved", &ResetPasswordPage { unproved: Some(unproved), ..reset }),
        render(
            "reset-unknown",
            &ResetPasswordPage {
                unproved: Some(UnprovedAccount { choice: Unproved::BeginAnew, ..unproved }),
                password_error: t.problem(),
                ..reset
            },
        ),
        render("reset-wrong", &ResetPasswordPage { password_error: t.problem(), form_error: t.problem(), ..reset }),
    ];
    for (name, outcome) in [
        ("reset-sent", LinkOutcome::ResetSent),
        ("reset-over", LinkOutcome::ResetOver),
        ("proof-over", LinkOutcome::ProofOver),
        ("undo-over", LinkOutcome::UndoOver),
        ("address-taken", LinkOutcome::AddressTaken),
        ("proof-invitation-void", LinkOutcome::InvitationVoid),
        ("link-other", LinkOutcome::OtherAccount),
    ] {
        pages.push(render(name, &LinkOutcomePage { chrome: chrome(t), outcome, return_to: Some(t.return_to) }));
    }
    pages
}
