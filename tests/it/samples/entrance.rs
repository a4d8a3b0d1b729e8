//! Sample data for signup, login and logout, and for messages.

use super::factors::challenge;
use super::texts::{Sample, Texts, card, layout, leaked, render};
use doorward::domain::registration::admission::NotAdmitted;
use doorward::http::views::*;
use doorward::messages::{Key, Message};
use doorward::model::login_way::LoginWay;
use doorward::settings::SignupUsername;

static NO_BUTTONS: ProviderButtons = ProviderButtons::NONE;

pub(super) fn all(t: Texts) -> Vec<Sample> {
    [signups(t), logins(t), refusals(t), messages(t)].concat()
}

pub fn signup_page(t: Texts) -> SignupPage<'static> {
    SignupPage {
        layout: card(t, None),
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
        password_is_last: false,
    }
}

pub fn login_page(t: Texts) -> LoginPage<'static> {
    LoginPage {
        layout: card(t, None),
        return_to: Some(t.return_to),
        login: "",
        notice: None,
        verification_required: false,
        passkey: None,
        has_usernames: true,
        providers: &NO_BUTTONS,
        last_way: None,
        signup_open: true,
    }
}

fn signups(t: Texts) -> Vec<Sample> {
    let email = Field { value: t.email, error: None };
    let invalid = |value| Field { value, error: t.problem() };
    let invited = Some(Invited { organization: t.name, inviter: Some(t.label()) });
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
        render("signup-stale", &SignupPage { layout: card(t, Some(&CSRF_FAILED)), email, ..signup_page(t) }),
        render("signup-invited", &SignupPage { email, invited, invitation: Some(t.csrf), ..signup_page(t) }),
        render("signup-setup", &SignupPage { setup: Some(t.csrf), ..signup_page(t) }),
        render("signup-numbered", &SignupPage { numbers_usernames: true, ..signup_page(t) }),
    ]
}

fn logins(t: Texts) -> Vec<Sample> {
    let notice = |key| LoginPage { notice: Some(Key(key)), ..login_page(t) };
    let told = |key| Message::new(key).text("base", "https://login.example.org");
    let refused = |why| LoginPage { layout: card(t, leaked(why)), ..login_page(t) };
    vec![
        render("login", &login_page(t)),
        render("login-error", &LoginPage { login: t.email, ..refused(LoginPage::WRONG_CREDENTIALS) }),
        render("login-other-origin", &refused(told("form-other-origin").text("origin", t.place))),
        render("login-no-cookie", &refused(told("form-no-cookie"))),
        render("login-filled-in", &LoginPage { login: t.email, ..login_page(t) }),
        render("login-confirmed", &notice("log-in-confirmed")),
        render("login-notice", &notice("log-in-password-set")),
        render(
            "login-note",
            &LoginPage {
                layout: card(t, t.problem()),
                verification_required: true,
                signup_open: false,
                ..login_page(t)
            },
        ),
        render("login-last-used", &LoginPage { last_way: Some(LoginWay::Password), ..login_page(t) }),
        render("login-passkey", &LoginPage { passkey: Some(challenge()), ..login_page(t) }),
    ]
}

fn refusals(t: Texts) -> Vec<Sample> {
    let (layout, return_to) = (layout(t), Some(t.return_to));
    let sent_back = |sent_back| RefusedByApplicationPage {
        layout: card(t, None),
        called: t.name,
        sent_back,
        continue_to: t.return_to,
    };
    let refused = |refusal| SignupRefusedPage { layout, refusal, return_to };
    let logout = |form_error| LogoutPage { layout: card(t, form_error), return_to, of_two: None };
    vec![
        render("refused", &sent_back(true)),
        render("logged-in", &sent_back(false)),
        render("logout", &logout(Some(&CSRF_FAILED))),
        render("logout-link", &logout(None)),
        render("logout-two", &LogoutPage { of_two: Some("sealed"), ..logout(None) }),
        render("disabled", &DisabledPage { layout, return_to }),
        render("signup-closed", &refused(NotAdmitted::Closed)),
        render("signup-invite", &refused(NotAdmitted::InvitationOnly)),
        render("signup-void", &refused(NotAdmitted::InvitationVoid)),
    ]
}

fn messages(t: Texts) -> Vec<Sample> {
    let invitation = |name, heading, why, next| {
        message(layout(t), name, heading, Message::new(why).text("organization", t.name), next)
    };
    let deleted = Message::new("account-deleted-what");
    let (viewed, refused) = (layout(t).seen_by(Some(t.email)), t.problem().unwrap().clone());
    let account = (t.return_to, "error-to-account");
    let organizations = ("/auth/organizations", "invitation-to-organizations");
    vec![
        message(layout(t), "message", "account-deleted", deleted, ("/auth/login", "error-to-log-in")),
        message(viewed, "organization-refused", "error-forbidden", refused, (t.return_to, "organization-back")),
        invitation("invitation-declined", "invitation-declined", "invitation-declined-why", organizations),
        invitation("invitation-over", "invitation-revoked", "invitation-revoked-why", account),
        invitation("invitation-unknown", "invitation-void", "invitation-void-why", account),
    ]
}

fn message(
    layout: Layout<'_>,
    name: &'static str,
    heading: &'static str,
    text: Message,
    (href, label): (&str, &'static str),
) -> Sample {
    let next = Some(Link { href, label: Key(label) });
    render(name, &MessagePage { layout, heading: Key(heading), paragraphs: &[text], next })
}
