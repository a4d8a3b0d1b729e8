//! Addresses among the arguments.

use hyper::Uri;

/// Reads an absolute URL that begins with one of these, such as `http://`, and holds neither user nor password: arguments
/// are no place for secrets.
pub(super) fn parse(text: &str, beginnings: &[&str]) -> Result<Uri, String> {
    let uri: Uri = text.parse().map_err(|_| "it is not a URL".to_owned())?;
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let scheme = uri.scheme_str().map(|scheme| format!("{scheme}://"));
    if scheme.is_some_and(|scheme| beginnings.contains(&scheme.as_str())) && !authority.contains('@') {
        return Ok(uri);
    }
    Err(format!("it must begin with {} and hold neither user nor password", beginnings.join(" or ")))
}
