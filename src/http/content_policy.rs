//! What a browser may do with our pages (Content Security Policy, level 3).

use crate::settings::Origin;

/// The value of `Content-Security-Policy` for every page.
///
/// Nothing is loaded but our own stylesheet, script and icon, and no one may frame a page. `form-action` names
/// `return_to_origins` too: Chromium applies it to the redirect that answers a form, so that without them a log-in
/// could not end at an application on another origin.
pub fn content_policy(return_to_origins: &[Origin]) -> String {
    let mut policy = String::from(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; \
         frame-ancestors 'none'; form-action 'self'",
    );
    for origin in return_to_origins {
        policy.push(' ');
        policy.push_str(origin.as_str());
    }
    policy
}

#[cfg(test)]
#[path = "content_policy_tests.rs"]
mod tests;
