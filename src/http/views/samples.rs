//! Every page, filled: what the tests look at.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::brand::Brand;
use crate::http::request_id::RequestId;
use crate::messages::{Catalog, Key, Locale};
use crate::model::ids::UserId;
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::time::Time;
use std::sync::LazyLock;
use std::time::Duration;

/// The texts that come from outside, all in one place, so that a test can put script into each.
#[derive(Clone, Copy)]
pub struct Texts {
    pub csrf: &'static str,
    pub return_to: &'static str,
    pub email: &'static str,
    pub username: &'static str,
    pub name: &'static str,
    pub error: &'static str,
    pub device: &'static str,
    pub locale: Locale,
    pub catalog: fn() -> &'static Catalog,
}

pub const ORDINARY: Texts = Texts {
    csrf: "Jx1o0sQ0l3m8cVt2m4n5b6v7c8x9z0aQwErTyUiOpLk",
    return_to: "/app/reports?year=2025",
    email: "grace.hopper@example.org",
    username: "grace",
    name: "Grace’s organization",
    error: "An account with this e-mail address exists already. Log in instead, or use another address.",
    device: "Firefox on Linux",
    locale: Locale::En,
    catalog: Catalog::embedded,
};

impl Texts {
    /// A reason with a text from outside in it.
    #[expect(clippy::unnecessary_wraps, reason = "views take it so")]
    pub fn problem(self) -> Option<&'static Message> {
        Some(Box::leak(Box::new(Message::new("account-last-owner").text("organizations", self.error))))
    }
}

pub fn chrome(t: Texts) -> Chrome<'static> {
    static BRAND: LazyLock<Brand> = LazyLock::new(Brand::default);
    Chrome::with(&BRAND, (t.catalog)().messages(t.locale), t.return_to)
}

/// A page's name and its markup.
pub type Rendered = (&'static str, String);

pub fn all(t: Texts) -> Vec<Rendered> {
    let mut pages = forms(t);
    pages.extend(accounts(t));
    pages.extend(super::samples_addresses::all(t));
    pages.extend(super::samples_account::all(t));
    pages.extend(super::samples_organizations::all(t));
    pages.extend(super::samples_factors::all(t));
    pages.extend(errors(t));
    pages
}

pub(super) fn render(name: &'static str, view: &impl Template) -> Rendered {
    (name, view.render().unwrap())
}

pub fn sign_up(t: Texts) -> SignUpPage<'static> {
    SignUpPage {
        chrome: chrome(t),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        invitation: None,
        email: Field::default(),
        email_fixed: false,
        username: Field::default(),
        password_error: None,
        password_min: 8,
        form_error: None,
    }
}

pub fn log_in(t: Texts) -> LogInPage<'static> {
    LogInPage {
        chrome: chrome(t),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        login: "",
        form_error: None,
        notice: None,
        must_prove: false,
        passkey: None,
        sign_up_open: true,
    }
}

fn forms(t: Texts) -> Vec<Rendered> {
    let email = Field { value: t.email, error: None };
    let bad = |value| Field { value, error: t.problem() };
    vec![
        render("signup", &sign_up(t)),
        render(
            "signup-errors",
            &SignUpPage { email: bad(t.email), username: bad(t.username), password_error: t.problem(), ..sign_up(t) },
        ),
        render("signup-stale", &SignUpPage { email, form_error: Some(&STALE_FORM), ..sign_up(t) }),
        render("signup-invited", &SignUpPage { email, email_fixed: true, invitation: Some(t.csrf), ..sign_up(t) }),
        render("login", &log_in(t)),
        render(
            "login-error",
            &LogInPage { login: t.email, form_error: Some(&LogInPage::WRONG_CREDENTIALS), ..log_in(t) },
        ),
        render("login-notice", &LogInPage { notice: Some(Key("log-in-password-set")), ..log_in(t) }),
        render(
            "login-note",
            &LogInPage { form_error: t.problem(), must_prove: true, sign_up_open: false, ..log_in(t) },
        ),
    ]
}

fn accounts(t: Texts) -> Vec<Rendered> {
    let two = &account_sections("/auth/account");
    let roles = vec![t.name.to_owned()];
    let return_to = Some(t.return_to);
    let chrome = chrome(t);
    let continue_to = t.return_to;
    let paragraphs: &[Message] = &[t.problem().unwrap().clone()];
    let next = Some(Link { href: t.return_to, label: Key("continue") });
    let refused = |refusal| SignUpRefusedPage { chrome, refusal, return_to };
    vec![
        render("account", &account(t)),
        render(
            "account-warned",
            &AccountPage {
                user: Person { roles: &roles, ..account(t).user },
                sections: two,
                unproved: true,
                stolen_token_at: Some(Time::from_micros(1_763_725_620_000_000)),
                ..account(t)
            },
        ),
        render("confirm", &confirm(t)),
        render("confirm-wrong", &ConfirmPage { password_error: t.problem(), ..confirm(t) }),
        render("confirm-stale", &ConfirmPage { form_error: Some(&STALE_FORM), return_to: None, ..confirm(t) }),
        render("refused", &RefusedByApplicationPage { chrome, csrf: t.csrf, username: t.username, continue_to }),
        render("logout", &LogOutPage { chrome, csrf: t.csrf, return_to }),
        render("disabled", &DisabledPage { chrome, return_to }),
        render("signup-closed", &refused(SignUpRefusal::Closed)),
        render("signup-invite", &refused(SignUpRefusal::InvitationOnly)),
        render("signup-void", &refused(SignUpRefusal::InvitationVoid)),
        render("message", &MessagePage { chrome, heading: Key("account-deleted"), paragraphs, next }),
    ]
}

pub(super) fn confirm(t: Texts) -> ConfirmPage<'static> {
    ConfirmPage {
        chrome: chrome(t),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        username: t.username,
        has_password: true,
        passkey: None,
        password_error: None,
        form_error: None,
    }
}

pub fn account(t: Texts) -> AccountPage<'static> {
    AccountPage {
        chrome: chrome(t).viewed_by(t.username, t.csrf),
        sections: &[],
        user: Person {
            id: UserId(uuid::Uuid::from_u128(0x019a_a5d6_7f33_7c41_9b1e_52d8_e1c0_77aa)),
            username: t.username,
            email: t.email,
            roles: &[],
            created_at: Time::from_micros(1_763_725_620_000_000),
        },
        organization: Membership { name: t.name, kind: OrganizationKind::Personal, role: MemberRole::Owner },
        done: None,
        unproved: false,
        stolen_token_at: None,
    }
}

fn errors(t: Texts) -> Vec<Rendered> {
    let retry_after = Duration::from_secs(95);
    let problems = [
        ("error-400", Problem::BadRequest),
        ("error-404", Problem::NotFound),
        ("error-405", Problem::MethodNotAllowed),
        ("error-413", Problem::TooLarge),
        ("error-429", Problem::TooManyRequests { retry_after }),
        ("error-500", Problem::Internal { request_id: RequestId::default() }),
        ("error-503", Problem::Unavailable { retry_after }),
    ];
    problems.map(|(name, problem)| render(name, &ErrorPage { chrome: chrome(t), problem })).into()
}
