//! `/auth/gate/unauthorized` and `/auth/gate/forbidden`: what the gate answers to a refused visitor, for nginx, which keeps
//! no answer of the gate. They look for no session and let nothing pass, so they may be asked by anyone.

use super::answer::{self, Answer};
use super::headers;
use super::original::{GateRequest, Single, single};
use super::{Gate, Rules};
use crate::context::App;
use crate::metrics::GateOutcome;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::request::Parts;
use axum::response::Response;
use std::sync::Arc;

pub async fn unauthorized(
    State(app): State<Arc<App>>,
    Extension(gate): Extension<Arc<Gate>>,
    request: Request,
) -> Response {
    gate.refusal(&app, &request.into_parts().0, |gate, asked, navigation| {
        gate.send(&app, asked, navigation, GateOutcome::Login, "/auth/login", "")
    })
}

pub async fn forbidden(
    State(app): State<Arc<App>>,
    Extension(gate): Extension<Arc<Gate>>,
    request: Request,
) -> Response {
    gate.refusal(&app, &request.into_parts().0, |gate, asked, navigation| match gate.step_up(&app, asked) {
        Some(url) => {
            let sent = gate.send(&app, asked, navigation, GateOutcome::StepUp, "/auth/account/confirm", "");
            Answer { url: Some(url), ..sent }
        }
        None => gate.forbid(&app, asked, navigation),
    })
}

impl Gate {
    fn refusal(
        &self,
        app: &App,
        request: &Parts,
        refuse: impl FnOnce(&Self, &GateRequest<'_>, bool) -> Answer,
    ) -> Response {
        let original = self.original(app, request, &Rules::default());
        let asked = GateRequest { original: &original, headers: &request.headers, own: &request.method };
        let navigation = original.is_navigation(&request.headers, &request.method);
        // nginx has redirected whom the gate told it to.
        let answer = Answer { redirects: false, ..refuse(self, &asked, navigation) };
        answer::respond(app, &self.headers, &self.look, request, answer)
    }

    /// Where the gate would lead a visitor who lacks only a second factor or a fresh login, as the proxy repeats it.
    fn step_up(&self, app: &App, asked: &GateRequest<'_>) -> Option<HeaderValue> {
        asked.original.address()?;
        let name = headers::own(&app.settings, "Login-Url")?;
        let Single::One(url) = single(asked.headers, &name) else { return None };
        self.links.is_own(url).then(|| HeaderValue::try_from(url).ok())?
    }
}
