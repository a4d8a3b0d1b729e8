//! Sample data for signup, login, the account, and errors.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::common::{Rendered, Texts, layout, render};
use super::organizations;
use crate::http::request_id::RequestId;
use crate::http::views::*;
use crate::messages::Key;
use crate::model::ids::UserId;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
use crate::settings::SignupUsername;
use std::time::Duration;

static NO_BUTTONS: ProviderButtons = ProviderButtons::NONE;

pub(super) fn all(t: Texts) -> Vec<Rendered> {
    [forms(t), accounts(t), errors(t)].concat()
}

pub fn signup_page(t: Texts) -> SignupPage<'static> {
    SignupPage {
        layout: layout(t),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        invitation: None,
        setup: None,
        email: Field::default(),
        invited: None,
        username: Field::default(),
        username_setting: SignupUsername::Optional,
        numbers_usernames: false,
        password_error: None,
        min_password_length: 8,
        providers: &NO_BUTTONS,
        form_error: None,
    }
}

pub fn login_page(t: Texts) -> LoginPage<'static> {
    LoginPage {
        layout: layout(t),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        login: "",
        form_error: None,
        notice: None,
        verification_required: false,
        passkey: None,
        has_usernames: true,
        providers: &NO_BUTTONS,
        signup_open: true,
    }
}

fn forms(t: Texts) -> Vec<Rendered> {
    let email = Field { value: t.email, error: None };
    let invalid = |value| Field { value, error: t.problem() };
    let invited = Some(Invited { organization: t.name, inviter: Some(t.email) });
    vec![
        render("signup", &signup_page(t)),
        render(
            "signup-errors",
            &SignupPage {
                email: invalid(t.email),
                username: invalid(t.username),
                password_error: t.problem(),
                ..signup_page(t)
            },
        ),
        render("signup-stale", &SignupPage { email, form_error: Some(&CSRF_FAILED), ..signup_page(t) }),
        render("signup-invited", &SignupPage { email, invited, invitation: Some(t.csrf), ..signup_page(t) }),
        render("signup-setup", &SignupPage { setup: Some(t.csrf), ..signup_page(t) }),
        render("signup-numbered", &SignupPage { numbers_usernames: true, ..signup_page(t) }),
        render("login", &login_page(t)),
        render(
            "login-error",
            &LoginPage { login: t.email, form_error: Some(&LoginPage::WRONG_CREDENTIALS), ..login_page(t) },
        ),
        render("login-notice", &LoginPage { notice: Some(Key("log-in-password-set")), ..login_page(t) }),
        render(
            "login-note",
            &LoginPage { form_error: t.problem(), verification_required: true, signup_open: false, ..login_page(t) },
        ),
    ]
}

fn accounts(t: Texts) -> Vec<Rendered> {
    let sections = &account_sections("/auth/account");
    let roles = vec![t.name.to_owned()];
    let return_to = Some(t.return_to);
    let layout = layout(t);
    let continue_to = t.return_to;
    let paragraphs: &[Message] = &[t.problem().unwrap().clone()];
    let next = Some(Link { href: t.return_to, label: Key("continue") });
    let sent_back =
        |sent_back| RefusedByApplicationPage { layout, csrf: t.csrf, username: t.username, sent_back, continue_to };
    let refused = |refusal| SignupRefusedPage { layout, refusal, return_to };
    vec![
        render("account", &account(t)),
        render(
            "account-warned",
            &AccountPage {
                user: Profile { roles: &roles, ..account(t).user },
                sections,
                address_task: Some(AddressTask::Verify),
                stolen_token_at: Some(Time::from_micros(1_763_725_620_000_000)),
                ..account(t)
            },
        ),
        render(
            "account-without-address",
            &AccountPage {
                user: Profile { email: "1@unverified.invalid", name: None, ..account(t).user },
                address_task: Some(AddressTask::Add),
                ..account(t)
            },
        ),
        render("confirm", &confirm(t)),
        render("confirm-wrong", &ConfirmPage { password_error: t.problem(), ..confirm(t) }),
        render("confirm-stale", &ConfirmPage { form_error: Some(&CSRF_FAILED), return_to: None, ..confirm(t) }),
        render("confirm-code", &ConfirmPage { asks_for_factor: true, has_app: true, query: "?mfa=1", ..confirm(t) }),
        render("confirm-no-factor", &ConfirmPage { asks_for_factor: true, query: "?mfa=1", ..confirm(t) }),
        render("refused", &sent_back(true)),
        render("logged-in", &sent_back(false)),
        render("logout", &LogoutPage { layout, form_error: Some(&CSRF_FAILED), csrf: t.csrf, return_to }),
        render("logout-link", &LogoutPage { layout, form_error: None, csrf: t.csrf, return_to }),
        render("disabled", &DisabledPage { layout, return_to }),
        render("signup-closed", &refused(SignupRefusal::Closed)),
        render("signup-invite", &refused(SignupRefusal::InvitationOnly)),
        render("signup-void", &refused(SignupRefusal::InvitationVoid)),
        render("message", &MessagePage { layout, heading: Key("account-deleted"), paragraphs, next }),
    ]
}

pub(super) fn confirm(t: Texts) -> ConfirmPage<'static> {
    ConfirmPage {
        layout: layout(t),
        csrf: t.csrf,
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
        form_error: None,
    }
}

pub fn account(t: Texts) -> AccountPage<'static> {
    AccountPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        sections: &[],
        user: Profile {
            id: UserId(uuid::Uuid::from_u128(0x019a_a5d6_7f33_7c41_9b1e_52d8_e1c0_77aa)),
            username: t.username,
            name: Some(t.name),
            email: t.email,
            is_verified: true,
            roles: &[],
            created_at: Time::from_micros(1_763_725_620_000_000),
        },
        organization: organizations::header(t, OrganizationKind::Personal, MemberRole::Owner),
        notice: None,
        address_task: None,
        stolen_token_at: None,
    }
}

fn errors(t: Texts) -> Vec<Rendered> {
    let retry_after = Duration::from_secs(95);
    let problems = [
        ("error-400", Problem::BadRequest),
        ("error-403", Problem::NotForScripts),
        ("error-404", Problem::NotFound),
        ("error-405", Problem::MethodNotAllowed),
        ("error-413", Problem::TooLarge),
        ("error-500", Problem::Internal),
        ("error-503", Problem::Unavailable { retry_after }),
    ];
    let page = |problem: Problem| ErrorPage {
        layout: layout(t),
        problem,
        request_id: RequestId::default(),
        retry: problem.retry_after().map(|_| Retry::Page("/auth/account")),
    };
    let mut pages: Vec<Rendered> = problems.map(|(name, problem)| render(name, &page(problem))).into();
    let viewer = layout(t).with_viewer(t.email, t.csrf);
    pages.push(render("known-404", &ErrorPage { layout: viewer, ..page(Problem::NotFound) }));
    let limited = page(Problem::TooManyRequests { retry_after });
    let fields = [("email", t.email)];
    let form = |fill_in| RetryForm { action: "/auth/login", csrf: t.csrf, fields: &fields, fill_in };
    let retry = |fill_in| Some(Retry::Form(form(fill_in)));
    pages.push(render("error-429", &ErrorPage { retry: retry(true), ..limited }));
    let limited = page(Problem::TooManyRequests { retry_after });
    pages.push(render("limited-complete", &ErrorPage { layout: viewer, retry: retry(false), ..limited }));
    pages
}
