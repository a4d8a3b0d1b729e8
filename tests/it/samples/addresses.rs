//! Sample data for the pages about email addresses and password reset.

use super::texts::{AT, Sample, Texts, card, layout, render, viewed};
use doorward::domain::ownership::unverified::{UnverifiedHolder, WhoseAccount};
use doorward::domain::verification::missing_address::AddressEntry;
use doorward::http::views::*;
use doorward::messages::Key;
use doorward::model::ids::UserId;

pub(super) fn all(t: Texts) -> Vec<Sample> {
    [verifications(t), questions(t), changes(t), resets(t)].concat()
}

fn verifications(t: Texts) -> Vec<Sample> {
    let verify = VerifyEmailPage {
        layout: card(t, None),
        email: t.email,
        code_sent: true,
        code_spent: false,
        resend_after: 42,
        logged_in: false,
        has_account: true,
        code_error: None,
        notice: None,
    };
    let sent_again = Some(Key("verify-sent-again"));
    let confirm = ConfirmEmailPage {
        layout: card(t, None),
        token: t.csrf,
        email: t.email,
        check: OwnershipCheck::Nothing,
        password_error: None,
    };
    let elsewhere = OwnershipCheck::Password { has_account: true };
    let wrong = ConfirmEmailPage {
        check: OwnershipCheck::Password { has_account: false },
        password_error: t.problem(),
        ..confirm
    };
    vec![
        render("verify", &verify),
        render("verify-again", &VerifyEmailPage { logged_in: true, notice: sent_again, ..verify }),
        render("verify-wrong", &VerifyEmailPage { layout: card(t, t.problem()), code_error: t.problem(), ..verify }),
        render("verify-spent", &VerifyEmailPage { code_spent: true, code_error: t.problem(), ..verify }),
        render("verify-before-sign-up", &VerifyEmailPage { has_account: false, resend_after: 0, ..verify }),
        render("verify-unsent", &VerifyEmailPage { code_sent: false, logged_in: true, ..verify }),
        render("confirm-email", &confirm),
        render(
            "confirm-email-elsewhere",
            &ConfirmEmailPage { layout: card(t, t.problem()), check: elsewhere, ..confirm },
        ),
        render("confirm-email-wrong", &wrong),
    ]
}

/// An account that never verified its address.
fn holder(t: Texts) -> UnverifiedHolder {
    UnverifiedHolder {
        id: UserId(uuid::Uuid::nil()),
        username: t.username.to_owned(),
        created_at: AT,
        organizations: vec![t.name.to_owned(), t.username.to_owned()],
    }
}

fn questions(t: Texts) -> Vec<Sample> {
    let account = holder(t);
    let question = AccountQuestion { account: &account, answer: None, error: None };
    let asked =
        WhoseAccountPage { layout: card(t, None), email: t.email, secret: CarriedSecret::Code("481516"), question };
    let unanswered = AccountQuestion { error: t.problem(), ..question };
    let secret = CarriedSecret::Link(t.csrf);
    let address = LoginAddressPage {
        layout: card(t, None),
        return_to: Some(t.return_to),
        username: t.username,
        entry: AddressEntry::Permitted,
        email: Field::default(),
    };
    let invalid = Field { value: t.email, error: t.problem() };
    let refused = |entry| LoginAddressPage { entry, ..address };
    vec![
        render("whose-account", &asked),
        render("whose-account-wrong", &WhoseAccountPage { secret, question: unanswered, ..asked }),
        render("log-in-address", &address),
        render("log-in-address-needs-proof", &refused(AddressEntry::NeedsProof)),
        render("log-in-address-by-operator", &refused(AddressEntry::ByOperator)),
        render("log-in-address-wrong", &LoginAddressPage { layout: card(t, t.problem()), email: invalid, ..address }),
    ]
}

fn changes(t: Texts) -> Vec<Sample> {
    let page = AccountEmailPage {
        layout: viewed(t, "/auth/account", None),
        address: CurrentAddress::Verified(t.email),
        pending: None,
        new_email: Field::default(),
        notice: None,
    };
    let pending = PendingEmail { email: t.email, resend_after: 42, code_error: None };
    let wrong = PendingEmail { code_error: t.problem(), ..pending };
    let invalid = Field { value: t.email, error: t.problem() };
    let changed = Some(Key("account-email-changed"));
    let unverified = CurrentAddress::Unverified(t.email);
    let missing = CurrentAddress::Missing { continue_to: t.return_to };
    let undo = UndoEmailPage { layout: card(t, None), token: t.csrf, email: t.email };
    vec![
        render("account-email", &page),
        render("account-email-changed", &AccountEmailPage { notice: changed, ..page }),
        render("account-email-pending", &AccountEmailPage { pending: Some(pending), address: unverified, ..page }),
        render("account-email-code", &AccountEmailPage { pending: Some(wrong), ..page }),
        render(
            "account-email-wrong",
            &AccountEmailPage { layout: viewed(t, "/auth/account", t.problem()), new_email: invalid, ..page },
        ),
        render("account-email-missing", &AccountEmailPage { address: missing, ..page }),
        render("undo", &undo),
        render("undo-stale", &UndoEmailPage { layout: card(t, t.problem()), ..undo }),
    ]
}

fn resets(t: Texts) -> Vec<Sample> {
    let forgot = ForgotPasswordPage { layout: card(t, None), return_to: Some(t.return_to), email: Field::default() };
    let invalid = Field { value: t.email, error: t.problem() };
    let reset = ResetPasswordPage {
        layout: card(t, None),
        token: t.csrf,
        email: t.email,
        question: None,
        min_password_length: 8,
        password_error: None,
    };
    let account = holder(t);
    let question = AccountQuestion { account: &account, answer: None, error: None };
    let answered = AccountQuestion { answer: Some(WhoseAccount::NotMine), ..question };
    let unanswered = AccountQuestion { error: t.problem(), ..question };
    let mut pages = vec![
        render("forgot", &forgot),
        render("forgot-wrong", &ForgotPasswordPage { layout: card(t, t.problem()), email: invalid, ..forgot }),
        render("reset", &reset),
        render("reset-unverified", &ResetPasswordPage { question: Some(question), ..reset }),
        render("reset-answered", &ResetPasswordPage { question: Some(answered), password_error: t.problem(), ..reset }),
        render("reset-unanswered", &ResetPasswordPage { question: Some(unanswered), ..reset }),
        render(
            "reset-wrong",
            &ResetPasswordPage { layout: card(t, t.problem()), password_error: t.problem(), ..reset },
        ),
    ];
    let (return_to, email) = (Some(t.return_to), Some(t.email));
    pages.push(render("reset-sent", &ResetSentPage { layout: card(t, None), return_to, email, resend_after: 60 }));
    for (name, outcome) in [
        ("reset-over", LinkOutcome::ResetLinkInvalid),
        ("verification-over", LinkOutcome::VerificationLinkInvalid),
        ("undo-over", LinkOutcome::UndoLinkInvalid),
        ("setup-over", LinkOutcome::SetupLinkInvalid),
        ("address-taken", LinkOutcome::AddressTaken),
        ("verification-invitation-void", LinkOutcome::InvitationVoid),
        ("link-other", LinkOutcome::OtherAccount),
    ] {
        pages.push(render(name, &LinkOutcomePage { layout: layout(t), outcome, return_to }));
    }
    pages
}
