//! `GET /auth/language`: the switch at the foot of every page.

use super::visit::Visit;
use crate::http::form::Fields;
use crate::messages::Locale;
use axum::response::Response;

/// Keeps the choice in a cookie and leads back to where the reader was. Links and not a form: a switch without a CSRF
/// token works on every page, also where there is none; another site can choose nothing here.
pub async fn choose(mut visit: Visit) -> Response {
    let target = visit.return_to(&Fields::default()).unwrap_or_else(|| "/auth/".to_owned());
    if let Some(locale) = visit.query.get("to").and_then(Locale::parse)
        && !visit.is_from_another_site()
    {
        visit.set_language(locale);
    }
    visit.redirect(Some(&target))
}
