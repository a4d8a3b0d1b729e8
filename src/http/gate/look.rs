//! The look of the gate's pages. Another host shows them, where `/auth/assets/` may not be ours: they carry their style in
//! themselves, and their policy allows that style and nothing else.

use crate::brand::{Brand, integrity};
use crate::http::assets::stylesheet;
use axum::http::HeaderValue;

/// In the source of the stylesheet, what a card with a text and a link needs stands before this.
const END: &str = "/* Forms */";

/// The style, and the policy of a page that has it.
pub struct GateLook {
    /// The content of the page's `style` element.
    pub style: String,
    /// The value of `Content-Security-Policy`.
    pub policy: HeaderValue,
}

impl GateLook {
    /// The look of a brand.
    pub fn of(brand: &Brand) -> Self {
        let sheet = stylesheet(brand.scheme, Some(END));
        let colors = brand.colors.as_ref().map(|colors| String::from_utf8_lossy(colors.body()));
        let style = [sheet.as_str(), &colors.unwrap_or_default()].concat();
        let policy = format!(
            "default-src 'none'; style-src '{}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
            integrity(style.as_bytes())
        );
        Self { style, policy: HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'")) }
    }
}
