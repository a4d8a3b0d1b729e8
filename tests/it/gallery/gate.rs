//! What the gate shows to people, which a proxy passes on.

use super::visitor::EMAIL;
use super::{LANGUAGES, Language, Visitor};

browser![gate_pages, gate_pages_of_a_brand];

/// Goes to the gate by way of another page, as this one is drawn before the window has its new size.
async fn go(visitor: &Visitor, path: &str) {
    visitor.go("/auth/signup").await;
    visitor.go(path).await;
}

async fn gate_pages() {
    for language in LANGUAGES {
        let visitor = Visitor::open(language, &[]).await;
        visitor.sign_up(EMAIL).await;
        go(&visitor, "/auth/gate").await;
        visitor.see("gate", "gate-login").await;
        go(&visitor, "/auth/gate?admin").await;
        visitor.see("gate", "gate-rule").await;
        visitor.log_in(EMAIL).await;
        go(&visitor, "/auth/gate?platform=admin").await;
        visitor.see("gate", "gate-forbidden").await;
        go(&visitor, "/auth/gate?mfa").await;
        visitor.see("gate", "gate-step-up").await;
    }
}

async fn gate_pages_of_a_brand() {
    let brand = [("SVC_BRAND_NAME", "Navy Yard"), ("SVC_BRAND_COLOR", "#b00040"), ("SVC_COLOR_SCHEME", "light")];
    let visitor = Visitor::open(Language::English, &brand).await;
    go(&visitor, "/auth/gate").await;
    let color = "return getComputedStyle(document.documentElement).getPropertyValue('--brand')";
    let color = visitor.browser.page.execute(color, vec![]).await.unwrap();
    assert_eq!(color.as_str(), Some("#b00040"), "the page's own policy lets its style in");
    visitor.see("gate", "gate-brand").await;
}
