//! What the reader of a page and the operator are told of a refused change. No try of the reader mends what the browser or
//! the settings cause.

use super::csrf::CsrfRefusal;
use super::views::CSRF_FAILED;
use crate::context::App;
use crate::messages::Message;
use crate::settings::Settings;

impl CsrfRefusal {
    /// For programs, which are told all that it may be.
    pub const EXPLANATION: &'static str =
        "The CSRF token is missing or not the cookie's, or the request comes from an origin that is not allowed.";

    pub fn message(&self, settings: &Settings) -> Message {
        let told = |id| Message::new(id).text("base", settings.server.base_url.as_str());
        match self {
            Self::Stale => CSRF_FAILED.clone(),
            Self::NoCookie => told("form-no-cookie"),
            Self::OtherOrigin(origin) => told("form-other-origin").text("origin", origin.as_str()),
        }
    }

    /// Tells the operator, at most once an hour for each origin: any client can cause it.
    pub fn log(&self, app: &App) {
        let base = app.settings.server.base_url.as_str();
        let [base_url, allowed, domain] =
            ["BASE_URL", "ALLOWED_ORIGINS", "COOKIE_DOMAIN"].map(|suffix| app.settings.name.variable(suffix));
        match self {
            // One browser that blocks cookies is not the operator's fault.
            Self::NoCookie if app.rate_limiter.is_origin_warning_due(base) => tracing::info!(
                "a form came back without our cookie: a browser blocks cookies, or {domain} or a proxy keeps them from \
                 all browsers"
            ),
            Self::OtherOrigin(origin) if app.rate_limiter.is_origin_warning_due(origin.as_str()) => tracing::warn!(
                origin = origin.as_str(),
                "a change was refused that a page of this origin sent: {base_url} is {base}. Who opens the service under \
                 another name or scheme cannot log in; an application there stands in {allowed}, or in --app of doorward \
                 dev"
            ),
            Self::Stale | Self::NoCookie | Self::OtherOrigin(_) => {}
        }
    }
}
