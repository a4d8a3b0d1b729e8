//! The look of the gate's pages. Another host shows them, where `/auth/assets/` may not be ours: they carry their style in
//! themselves, and their policy allows that style and nothing else.

use crate::brand::{Brand, integrity};
use crate::http::assets::stylesheet;
use axum::http::HeaderValue;

/// In the source of the stylesheet, what a card with a text and a link needs stands before this.
const END: &str = "/* Forms */";

/// Larger logos stay away: proxies keep an answer in one buffer.
const MAX_LOGO_BYTES: usize = 2500;

/// The style, and the policy of a page that has it.
pub struct GateLook {
    /// The content of the page's `style` element.
    pub style: String,
    /// The operator's logo as `data:` URLs, if it is small: that of light pages, and that of dark ones if it is another.
    pub logo: Option<(String, Option<String>)>,
    pub policy: HeaderValue,
}

impl GateLook {
    pub fn of(brand: &Brand) -> Self {
        let sheet = stylesheet(brand.scheme, Some(END));
        let colors = brand.colors.as_ref().map(|colors| String::from_utf8_lossy(colors.body()));
        let style = [sheet.as_str(), &colors.unwrap_or_default()].concat();
        let logo = logo(brand);
        let policy = format!(
            "default-src 'none'; style-src '{}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'{}",
            integrity(style.as_bytes()),
            if logo.is_some() { "; img-src data:" } else { "" }
        );
        let policy = HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
        Self { style, logo, policy }
    }
}

fn logo(brand: &Brand) -> Option<(String, Option<String>)> {
    let light = brand.logo.as_ref()?.asset.data_url();
    let dark = brand.logo_dark.as_ref().map(|logo| logo.asset.data_url());
    let bytes = light.len() + dark.as_ref().map_or(0, String::len);
    (bytes <= MAX_LOGO_BYTES).then_some((light, dark))
}
