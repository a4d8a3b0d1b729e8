//! The buttons of providers, and the pages of a login with one.

use super::entrance::{login_page, signup_page};
use super::factors::mailed_code;
use super::texts::{AT, Sample, Texts, card, done, layout, render, viewed};
use doorward::domain::ownership::unverified::UnverifiedHolder;
use doorward::http::views::*;
use doorward::model::ids::{IdentityId, UserId};
use doorward::model::provider::ProviderKind;
use doorward::settings::ProvidersPlace;
use uuid::Uuid;

const KINDS: [ProviderKind; 5] =
    [ProviderKind::Google, ProviderKind::Apple, ProviderKind::Microsoft, ProviderKind::GitHub, ProviderKind::Oidc];

fn buttons(t: Texts, place: ProvidersPlace) -> ProviderButtons {
    let button = |kind: ProviderKind| ProviderButton {
        kind,
        label: kind.label().unwrap_or(t.name).to_owned(),
        href: format!("/auth/login/with/{}", kind.as_str()),
        is_last: kind == ProviderKind::Google,
    };
    ProviderButtons { place, list: KINDS.map(button).into() }
}

pub(super) fn all(t: Texts) -> Vec<Sample> {
    [entrances(t), questions(t), connections(t)].concat()
}

fn entrances(t: Texts) -> Vec<Sample> {
    let (above, below) = (buttons(t, ProvidersPlace::Above), buttons(t, ProvidersPlace::Below));
    let button = &below.list[4];
    vec![
        render("login-providers", &LoginPage { providers: &below, ..login_page(t) }),
        render("login-providers-above", &LoginPage { providers: &above, ..login_page(t) }),
        render("signup-providers", &SignupPage { providers: &below, ..signup_page(t) }),
        render("signup-providers-above", &SignupPage { providers: &above, ..signup_page(t) }),
        render("provider-start", &ProviderStartPage { layout: layout(t), button }),
        render(
            "departure",
            &DeparturePage {
                layout: layout(t),
                host: "accounts.rear-admirals.mathematics.example.org",
                target: t.return_to,
            },
        ),
    ]
}

fn questions(t: Texts) -> Vec<Sample> {
    let account = UnverifiedHolder {
        id: UserId(Uuid::from_u128(1)),
        username: t.username.to_owned(),
        created_at: AT,
        organizations: vec![t.name.to_owned()],
    };
    let connect = |step, form_error| ProviderConnectPage {
        layout: card(t, form_error),
        action: "/auth/login/with/corp/connect",
        state: t.csrf,
        provider: t.name,
        email: t.email,
        step,
    };
    let field = |error| Some(Field { value: t.email, error });
    let details = |email, username, form_error| ProviderDetailsPage {
        layout: card(t, form_error),
        action: "/auth/login/with/corp/address",
        state: t.csrf,
        provider: t.name,
        email,
        username,
        requires_username: username.is_some(),
    };
    let whose = |error| WhoseAccountPage {
        layout: card(t, error),
        email: t.email,
        secret: CarriedSecret::State { action: "/auth/login/with/corp/whose", state: t.csrf },
        question: AccountQuestion { account: &account, answer: None, error },
    };
    vec![
        render("provider-connect-log-in", &connect(ConnectStep::LogIn("/auth/login"), None)),
        render("provider-connect-mail", &connect(ConnectStep::MailedCode(mailed_code(t)), None)),
        render(
            "provider-connect-code",
            &connect(
                ConnectStep::MailedCode(MailedCodeField { is_sent: true, resend_after: 42, ..mailed_code(t) }),
                None,
            ),
        ),
        render("provider-connect", &connect(ConnectStep::Connect(t.username), None)),
        render("provider-connect-error", &connect(ConnectStep::Connect(t.username), t.problem())),
        render("provider-connect-other", &connect(ConnectStep::OtherAccount(t.username), None)),
        render("provider-address", &details(field(None), None, None)),
        render("provider-address-error", &details(field(t.problem()), field(t.problem()), t.problem())),
        render("provider-username", &details(None, field(None), None)),
        render("provider-whose", &whose(None)),
        render("provider-whose-error", &whose(t.problem())),
    ]
}

fn connections(t: Texts) -> Vec<Sample> {
    let line = |email, last_used_at, exists| ConnectionLine {
        id: IdentityId(Uuid::from_u128(1)),
        kind: if exists { ProviderKind::GitHub } else { ProviderKind::Oidc },
        provider: t.name,
        email,
        exists,
        created_at: AT,
        last_used_at,
    };
    let lines = [line(Some(t.email), Some(AT), true), line(None, None, false)];
    let choices = KINDS.map(|kind| ConnectChoice {
        action: format!("/auth/account/connections/{}", kind.as_str()),
        kind,
        label: kind.label().unwrap_or(t.name),
        is_another: kind == ProviderKind::Google,
    });
    let page = |connections, choices, notice, form_error| ConnectionsPage {
        layout: viewed(t, "/auth/account/security", form_error),
        notice,
        connections,
        choices,
        account: t.email,
    };
    vec![
        render("connections-none", &page(&[], &choices, None, None)),
        render("connections", &page(&lines, &choices, done("connections-connected"), None)),
        render("connections-error", &page(&lines, &[], None, t.problem())),
    ]
}
