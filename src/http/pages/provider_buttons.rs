//! The buttons of providers on the pages of login and signup.

use super::page_context::PageContext;
use crate::http::departure::WITH;
use crate::http::return_to;
use crate::http::views::{ProviderButton, ProviderButtons};
use crate::model::login_way::LoginWay;
use crate::store::ProviderRow;

#[derive(Clone, Copy, Default)]
pub(super) struct PassedOn<'a> {
    pub(super) return_to: Option<&'a str>,
    pub(super) invitation: Option<&'a str>,
    pub(super) login_hint: Option<&'a str>,
}

/// A button that begins a login with a provider.
pub(super) fn button(row: &ProviderRow, passed_on: PassedOn<'_>) -> ProviderButton {
    let provider = &row.provider;
    let mut href = format!("{WITH}{}", provider.name);
    for (name, value) in [("invitation", passed_on.invitation), ("login_hint", passed_on.login_hint)] {
        if let Some(value) = value {
            href = return_to::with_query(&href, name, value);
        }
    }
    let href = return_to::append(&href, passed_on.return_to);
    ProviderButton { kind: provider.kind, label: provider.label.clone(), href, is_last: false }
}

/// The buttons of a page; `for_signup`: of those providers through which new people may come. Without the database there
/// are none, and the form is shown all the same.
pub(super) async fn buttons(context: &PageContext, passed_on: PassedOn<'_>, for_signup: bool) -> ProviderButtons {
    let Ok(providers) = context.app.store.providers().await else { return ProviderButtons::NONE };
    // Without its secret nobody can log in.
    let is_offered = |row: &&std::sync::Arc<ProviderRow>| row.secret.is_some() && (row.provider.signup || !for_signup);
    let used_last = context.last_used().way;
    let as_button = |row: &std::sync::Arc<ProviderRow>| {
        let way = LoginWay::Provider(row.provider.name.as_str().to_owned());
        ProviderButton { is_last: used_last == Some(way), ..button(row, passed_on) }
    };
    let list = providers.iter().filter(is_offered).map(as_button).collect();
    ProviderButtons { place: context.app.settings.providers.place, list }
}
