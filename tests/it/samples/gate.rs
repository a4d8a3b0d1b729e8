//! Sample data for the gate's pages, which another host shows: each has its style in itself.

use super::texts::{Sample, Texts, layout, render};
use doorward::brand::{Brand, Color, ColorScheme, Palette};
use doorward::http::views::GatePage;
use doorward::http::{GateLook, RequestId};
use doorward::metrics::GateOutcome;
use std::sync::LazyLock;

const ORIGIN: &str = "https://accounts.observatory.example.org";
const LOGIN: Option<&str> = Some("https://accounts.observatory.example.org/auth/login");

/// A brand of light pages only.
static LIGHT: LazyLock<Brand> = LazyLock::new(|| {
    let (scheme, palette) = (ColorScheme::Light, Palette::of(Color::from_rgb(0xb0_00_40)));
    Brand {
        name: "Navy Yard".to_owned(),
        scheme,
        colors: Some(palette.stylesheet(scheme)),
        palette,
        ..Brand::default()
    }
});

pub(super) fn all(t: Texts) -> Vec<Sample> {
    let light = Texts { brand: || &LIGHT, ..t };
    vec![
        page(t, "gate-login", GateOutcome::Login, None),
        page(t, "gate-login-known", GateOutcome::Login, LOGIN),
        page(t, "gate-rule", GateOutcome::Error, None),
        page(t, "gate-away", GateOutcome::Away, None),
        page(t, "gate-forbidden", GateOutcome::Forbidden, None),
        page(t, "gate-step-up", GateOutcome::StepUp, None),
        page(light, "gate-brand", GateOutcome::Login, None),
    ]
}

fn page(t: Texts, name: &'static str, outcome: GateOutcome, url: Option<&str>) -> Sample {
    let look = GateLook::of((t.brand)());
    let mut layout = layout(t);
    (layout.origin, layout.return_path) = (ORIGIN, "");
    let other = (outcome == GateOutcome::Forbidden).then_some(ORIGIN);
    let page = GatePage::new(layout, (&look.style, look.logo.as_ref()), outcome, url, RequestId::default());
    Sample { policy: look.policy.clone(), ..render(name, &page.with_other(other)) }
}
