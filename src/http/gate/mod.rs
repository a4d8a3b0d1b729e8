//! `/auth/gate`: whether a request to an application behind a reverse proxy may pass, and whose it is
//! (docs/reference/gate.md 17). It decides on the session, reads no body, sets no cookie and replaces no token.

mod answer;
mod assertion;
mod headers;
mod links;
mod look;
mod original;
mod protected;
mod refusal;
mod rules;
mod values;
mod warnings;

use self::answer::Answer;
pub use self::headers::GateHeaders;
use self::links::GateLinks;
pub use self::look::GateLook;
use self::original::{GateRequest, SEC_FETCH_MODE, Single, is_described, single};
pub use self::original::{Original, OriginalMethod};
pub use self::protected::ProtectedOrigins;
pub use self::refusal::{forbidden, unauthorized};
use self::rules::Lack;
pub use self::rules::{PinnedOrigin, Rules};
use self::values::ValuesCache;
use self::warnings::Warnings;
use crate::context::App;
use crate::error::Error;
use crate::http::client;
use crate::http::visitor::{self, Visitor};
use crate::metrics::GateOutcome;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::header::{ORIGIN, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method};
use axum::response::Response;
use std::sync::Arc;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const PREFLIGHT_METHOD: HeaderName = HeaderName::from_static("access-control-request-method");

/// What the gate of a process is made of.
pub struct Gate {
    origins: ProtectedOrigins,
    headers: GateHeaders,
    links: GateLinks,
    look: GateLook,
    values: ValuesCache,
    warnings: Warnings,
}

impl Gate {
    pub fn new(app: &App) -> Arc<Self> {
        Arc::new(Self {
            origins: ProtectedOrigins::of(&app.settings),
            headers: GateHeaders::of(&app.settings),
            links: GateLinks::of(&app.settings),
            look: GateLook::of(&app.settings.pages.brand),
            values: ValuesCache::default(),
            warnings: Warnings::default(),
        })
    }
}

pub async fn answer(State(app): State<Arc<App>>, Extension(gate): Extension<Arc<Gate>>, request: Request) -> Response {
    let (parts, _unread) = request.into_parts();
    let answer = match gate.decide(&app, &parts).await {
        Ok(answer) => answer,
        Err(error) => Answer::failed(error),
    };
    app.metrics.auth.gate.count(answer.outcome);
    answer::respond(&app, &gate.headers, &gate.look, &parts, answer)
}

impl Gate {
    async fn decide(&self, app: &Arc<App>, request: &Parts) -> Result<Answer, Error> {
        let headers = &request.headers;
        let Ok(rules) = Rules::parse(request.uri.query(), &self.origins) else {
            let peer = client::peer(&request.extensions);
            self.warnings.unreadable_rule(client::is_trusted(&app.settings.server, &peer));
            return Ok(Answer::new(GateOutcome::Error));
        };
        let original = self.original(app, request, &rules);
        if rules.preflight && is_preflight(&original, headers) {
            return Ok(Answer::anonymous());
        }
        let asked = GateRequest { original: &original, headers, own: &request.method };
        let navigation = original.is_navigation(headers, &request.method);
        let Some(visitor) = visitor::find(app, headers, navigation && original.address().is_some()).await? else {
            if rules.optional {
                return Ok(Answer::anonymous());
            }
            return Ok(self.send(app, &asked, navigation, GateOutcome::Login, "/auth/login", ""));
        };
        if rules.same_origin && !self.is_same_origin(&asked) {
            return Ok(self.forbid(app, &asked, navigation));
        }
        if let Some(lack) = rules.lack(&visitor.live.view, app.clock.now()) {
            return Ok(self.refuse(app, &asked, navigation, lack));
        }
        self.admit(app, &asked, &visitor)
    }

    fn original(&self, app: &App, request: &Parts, rules: &Rules) -> Original {
        let headers = &request.headers;
        let peer = client::peer(&request.extensions);
        if !client::is_trusted(&app.settings.server, &peer) {
            if is_described(headers) || rules.origin.is_some() {
                self.warnings.untrusted_peer(&app.settings, peer);
            }
            return Original::UNKNOWN;
        }
        let original = Original::read(headers, rules.origin, &self.origins);
        if let Some(Err(obstacle)) = original.origin {
            self.warnings.obstacle(&app.settings, obstacle);
        }
        original
    }

    /// A user who lacks nothing passes, or is sent to renew the tokens first.
    fn admit(&self, app: &Arc<App>, asked: &GateRequest<'_>, visitor: &Visitor) -> Result<Answer, Error> {
        let knows_method = matches!(asked.original.method, OriginalMethod::Known(_));
        if visitor.is_due && knows_method && self.links.may_renew(visitor.live.id, app.clock.now()) {
            return Ok(self.send(app, asked, true, GateOutcome::Renewal, "/auth/sessions/renew", ""));
        }
        let audience = asked.original.audience().and_then(|place| Some((place, self.origins.get(place)?.as_str())));
        Ok(Answer::passed(self.values.get(app, &visitor.live, audience)?))
    }

    /// A user who lacks something. A page that lacks only what its user can show leads there.
    fn refuse(&self, app: &App, asked: &GateRequest<'_>, navigation: bool, lack: Lack) -> Answer {
        let demand = match lack {
            Lack::Other => return self.forbid(app, asked, navigation),
            Lack::SecondFactor => "&mfa=1".to_owned(),
            // Rounded down, but at least a second: no login would be recent enough for zero.
            Lack::RecentProof(time) => format!("&max_age={}", time.as_secs().max(1)),
        };
        self.send(app, asked, navigation, GateOutcome::StepUp, "/auth/account/confirm", &demand)
    }

    /// The answer that leads to one of our pages and back.
    fn send(
        &self,
        app: &App,
        asked: &GateRequest<'_>,
        navigation: bool,
        outcome: GateOutcome,
        path: &str,
        demand: &str,
    ) -> Answer {
        let (url, back) = self.links.to(app, &self.origins, asked, navigation, path, demand).unzip();
        let redirects = navigation && url.is_some();
        Answer { url, back, redirects, is_nginx: asked.original.is_nginx, ..Answer::new(outcome) }
    }

    /// The answer that leads nowhere, as nothing that its user can show would help; only another account might.
    fn forbid(&self, app: &App, asked: &GateRequest<'_>, navigation: bool) -> Answer {
        let path = "/auth/logout";
        let sent = self.send(app, asked, navigation, GateOutcome::Forbidden, path, "");
        Answer { other_account: sent.url.or_else(|| self.links.alone(path)), url: None, redirects: false, ..sent }
    }

    fn is_same_origin(&self, asked: &GateRequest<'_>) -> bool {
        let is_safe = !opens_websocket(asked.headers)
            && matches!(
                asked.original.method,
                OriginalMethod::Known(Method::GET | Method::HEAD | Method::OPTIONS | Method::TRACE)
            );
        let origin = asked.original.audience().and_then(|place| self.origins.get(place));
        is_safe
            || matches!(single(asked.headers, &SEC_FETCH_SITE), Single::One("same-origin" | "none"))
            || origin.is_some_and(|origin| single(asked.headers, &ORIGIN) == Single::One(origin.as_str()))
    }
}

/// Whether a request opens a WebSocket: a GET, and yet the other side may send and change what it likes. The gate may not
/// see `Upgrade`, which proxies remove; and browsers send `Sec-Fetch-Mode` neither to plain HTTP nor if they are old.
fn opens_websocket(headers: &HeaderMap) -> bool {
    headers.contains_key(SEC_WEBSOCKET_KEY)
        || headers.contains_key(SEC_WEBSOCKET_VERSION)
        || headers.get_all(SEC_FETCH_MODE).iter().any(|mode| mode.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

fn is_preflight(original: &Original, headers: &HeaderMap) -> bool {
    original.method == OriginalMethod::Known(Method::OPTIONS)
        && headers.contains_key(ORIGIN)
        && headers.contains_key(PREFLIGHT_METHOD)
}
