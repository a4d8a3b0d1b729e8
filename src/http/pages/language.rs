//! `GET /auth/language`: the language switch in every page's footer.

use super::page_context::PageContext;
use crate::domain::account::language;
use crate::error::Error;
use crate::http::form::Typed;
use crate::http::language::offered;
use crate::http::page_error::PageError;
use crate::messages::Locale;
use axum::response::Response;

/// Stores the language in a cookie, for a logged-in user also with the account, and redirects back. The switch is a link
/// and needs no CSRF token, so it works on every page; cross-site requests are ignored.
pub async fn choose(context: PageContext) -> Result<Response, PageError> {
    let target = context.return_to(&Typed::default()).unwrap_or_else(|| "/auth/".to_owned());
    let catalog = context.app.settings.pages.catalog();
    if let Some(locale) = context.query.get("to").and_then(|tag| offered(catalog, tag))
        && !context.is_cross_site()
    {
        context.set_language(locale);
        keep_with_account(&context, locale).await?;
    }
    Ok(context.redirect(Some(&target)))
}

/// A GET may be cut off when its client disconnects, a transaction must not: it runs in its own task.
async fn keep_with_account(context: &PageContext, locale: Locale) -> Result<(), PageError> {
    let Some(live) = context.session().await? else { return Ok(()) };
    let (app, principal, user) = (context.app.clone(), context.principal(&live), live.view.user_id);
    let kept = tokio::spawn(async move { language::choose(&app, &principal, user, locale).await }).await;
    Ok(kept.map_err(|_| Error::Inconsistent("the choice of a language panicked".to_owned()))??)
}
