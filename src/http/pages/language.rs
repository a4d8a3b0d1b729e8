//! `GET /auth/language`: the language switch in every page's footer.

use super::page_context::PageContext;
use crate::http::form::Fields;
use crate::messages::Locale;
use axum::response::Response;

/// Stores the language in a cookie and redirects back. The switch is a link and needs no CSRF token, so it works on
/// every page; cross-site requests are ignored.
pub async fn choose(mut context: PageContext) -> Response {
    let target = context.return_to(&Fields::default()).unwrap_or_else(|| "/auth/".to_owned());
    if let Some(locale) = context.query.get("to").and_then(Locale::parse)
        && !context.is_cross_site()
    {
        context.set_language(locale);
    }
    context.redirect(Some(&target))
}
