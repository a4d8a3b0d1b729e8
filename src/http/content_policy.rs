//! The Content Security Policy (level 3) of our pages.

use crate::settings::Origin;

/// The value of `Content-Security-Policy` for every page.
///
/// It allows only our own stylesheet, script and icon, and no framing. `form-action` includes `return_origins`:
/// Chromium applies it to the redirect that answers a form, so a login could not end at an application on another
/// origin without them.
pub fn content_policy<'a>(return_origins: impl IntoIterator<Item = &'a Origin>) -> String {
    let mut policy = String::from(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; \
         frame-ancestors 'none'; form-action 'self'",
    );
    for origin in return_origins {
        policy.push(' ');
        policy.push_str(origin.as_str());
    }
    policy
}

#[cfg(test)]
#[path = "content_policy_tests.rs"]
mod tests;
