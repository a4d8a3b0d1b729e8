//! How to recognize the template of the page in the browser.

/// A template and how to recognize its page.
pub struct Page {
    /// The template's name without its extension.
    pub name: &'static str,
    /// A selector that matches only this page among those under its path.
    pub selector: &'static str,
    /// The prefix of the page's path.
    pub path: &'static str,
}

const fn page(name: &'static str, path: &'static str, selector: &'static str) -> Page {
    Page { name, selector, path }
}

/// A card with one message and one button, below which a link may stand.
const MESSAGE_CARD: &str = "main.card > h1 + p + a.button.primary:is(:last-child, :has(+ .links))";

/// Every template that is a page, by name.
pub const PAGES: [Page; 64] = [
    page("account", "/auth/account", "#profile"),
    page("account_activity", "/auth/account/activity", ".sections a[href='/auth/account/activity'][aria-current]"),
    page(
        "account_confirm",
        "/auth/account/confirm",
        "form[action^='/auth/account/confirm'], a.primary[href='/auth/account/two-factor'], a.primary[href='/auth/logout']",
    ),
    page("account_delete", "/auth/account/delete", "form[action='/auth/account/delete']"),
    page("account_email", "/auth/account/email", "form[action^='/auth/account/email']"),
    page("account_export", "/auth/account/export", "form[action='/auth/account/export']"),
    page("account_name", "/auth/account/name", "form[action='/auth/account/name']"),
    page("account_password", "/auth/account/password", "form[action='/auth/account/password']"),
    page("account_security", "/auth/account/security", "#sign-in"),
    page("account_sessions", "/auth/account/sessions", ".sections a[href='/auth/account/sessions'][aria-current]"),
    page("account_username", "/auth/account/username", "form[action='/auth/account/username']"),
    page("admin_act", "/auth/admin/", "main form.panel #reason"),
    page("admin_list", "/auth/admin/", ".page-head.with-acts"),
    page("admin_overview", "/auth/admin", "#figures"),
    page("admin_thing", "/auth/admin/", ".page-head:not(.with-acts) ~ .group"),
    page("connections", "/auth/account/connections", ".page-head ~ .group #own"),
    page("departure", "/auth/", "html:not(:has(.dense)) meta[http-equiv='refresh']"),
    page("disabled", "/auth/login", "main.card > h1 + p + p ~ a.button:not(.primary):last-child"),
    page(
        "email_confirm",
        "/auth/email/verify/",
        "form[action^='/auth/email/verify/']:not([action$='/resend'], :has([name='holder']))",
    ),
    page("email_undo", "/auth/email/undo/", "form[action^='/auth/email/undo/']"),
    page("email_verify", "/auth/email/verify", "main.card form[action='/auth/email/verify/resend']"),
    page("error", "/auth/", "main.card > .status"),
    page("gate", "/auth/gate", "main.card#main > h1 + p ~ a.button:is(:last-child, :has(+ .links:last-child))"),
    page("invitation", "/auth/invitations/", ".aside time"),
    page("link_outcome", "/auth/email/", MESSAGE_CARD),
    page("link_outcome", "/auth/password/", MESSAGE_CARD),
    page("link_outcome", "/auth/setup/", MESSAGE_CARD),
    page("login", "/auth/login", "form[action='/auth/login']"),
    page("login_address", "/auth/login/address", "form[action='/auth/login/address']"),
    page("logout", "/auth/logout", "main.card > h1 + p + form[action='/auth/sessions/logout']"),
    page("logout", "/auth/sessions/logout", "main.card > h1 + .notice + form[action='/auth/sessions/logout']"),
    page("member", "/auth/organizations/", "form[action*='/members/'][action$='/role']"),
    page("member_remove", "/auth/organizations/", "form[action*='/members/'][action$='/remove']"),
    page("message", "/auth/", "main.card > h1 + p:last-child"),
    page(
        "message",
        "/auth/account/",
        "html:not(:has(meta[http-equiv='refresh'])) main.card > h1 + p + a.button.primary:last-child",
    ),
    page("message", "/auth/invitations/", MESSAGE_CARD),
    page("message", "/auth/organizations/", MESSAGE_CARD),
    page("organization", "/auth/organizations/", "#members"),
    page("organization_delete", "/auth/organizations/", "form[action$='/delete']"),
    page("organization_invitations", "/auth/organizations/", "#invitations"),
    page("organization_leave", "/auth/organizations/", "form[action$='/leave'], #cannot-leave"),
    page("organization_new", "/auth/organizations", "form[action='/auth/organizations']"),
    page(
        "organization_settings",
        "/auth/organizations/",
        "form[action$='/rename'], .tabs a[href$='/settings'][aria-current]",
    ),
    page("organizations", "/auth/organizations", "#yours"),
    page("passkey", "/auth/account/passkeys/", "form[action$='/rename']"),
    page("passkey_new", "/auth/account/passkeys", "#new form[data-passkey='create']"),
    page("passkey_remove", "/auth/account/passkeys/", ".page-head ~ form[action$='/remove']"),
    page("passkeys", "/auth/account/passkeys", "#own"),
    page("password_forgot", "/auth/password/forgot", "form[action='/auth/password/forgot'] [type='email']"),
    page("password_reset", "/auth/password/reset/", "form[action^='/auth/password/reset/']"),
    page(
        "provider_connect",
        "/auth/login/with/",
        "form[action$='/connect'], a[href^='/auth/login?return_to'], a[href='/auth/logout']",
    ),
    page("provider_details", "/auth/login/with/", "form[action$='/address']"),
    page("provider_start", "/auth/login/with/", "a.primary[href^='/auth/login/with/']"),
    page("provider_whose", "/auth/login/with/", "input[name='holder']"),
    page("recovery_codes", "/auth/account/", ".codes, form[action='/auth/account/recovery-codes']"),
    page("refused_by_application", "/auth/login", "main.card > a.primary + form[action='/auth/sessions/logout']"),
    page("reset_sent", "/auth/password/forgot", "form[action='/auth/password/forgot'] [data-wait]"),
    page("second_factor", "/auth/login/second-factor", "form[action='/auth/login/second-factor']"),
    page("signup", "/auth/signup", "form[action='/auth/signup']"),
    page("signup", "/auth/setup/", "form[action^='/auth/setup/']"),
    page("signup_refused", "/auth/signup", MESSAGE_CARD),
    page("two_factor", "/auth/account/two-factor", "#app, #scan"),
    page("two_factor_remove", "/auth/account/two-factor/remove", "form[action='/auth/account/two-factor/remove']"),
    page("whose_account", "/auth/email/verify", "input[name='holder']"),
];
