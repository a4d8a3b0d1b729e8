//! The fields whose rules depend on the provider's kind.

use super::field_error::ProviderFieldError;
use super::values::one_of;
use crate::model::provider::{AppleKeyName, EmailTrust, ProviderKind, ProviderName, Tenant};
use crate::outbound::ExternalUrl;

const MAX_SCOPES: usize = 20;

pub(super) fn kind(name: &ProviderName, given: Option<&str>) -> Result<ProviderKind, ProviderFieldError> {
    let known = ProviderKind::ALL.map(ProviderKind::as_str);
    match given {
        Some(text) => one_of("kind", &known, text).and_then(|text| {
            ProviderKind::parse(text).ok_or_else(|| ProviderFieldError::new("kind", "is no kind of provider"))
        }),
        None => ProviderKind::parse(name.as_str()).ok_or_else(|| {
            ProviderFieldError::new("kind", format!("is required unless the name is a kind: {}", known.join(", ")))
        }),
    }
}

/// Where an issuer has its metadata (OpenID Connect Discovery 1.0, 4). Providers show this address where they are asked for
/// the issuer.
const METADATA_PATH: &str = "/.well-known/openid-configuration";

/// The issuer, letter by letter: it is compared with what the provider states (OpenID Connect Discovery 1.0, 4.3).
pub(super) fn issuer(kind: ProviderKind, given: Option<&str>) -> Result<String, ProviderFieldError> {
    let refused = |sentence: String| ProviderFieldError::new("issuer", sentence);
    let Some(text) = given else {
        return kind.issuer().map(str::to_owned).ok_or_else(|| refused("is required for the kind oidc".to_owned()));
    };
    let url = ExternalUrl::parse(text).map_err(|error| refused(error.to_string()))?;
    if text.contains('?') {
        return Err(refused("the address must not have a query".to_owned()));
    }
    if text.ends_with(METADATA_PATH) {
        return Err(refused(format!("leave out {METADATA_PATH}: the issuer is what stands before it")));
    }
    let is_origin = !text.ends_with('/') && url.uri().path() == "/";
    let needs_origin = matches!(kind, ProviderKind::Microsoft | ProviderKind::GitHub);
    if needs_origin && !is_origin {
        let kind = kind.as_str();
        return Err(refused(format!("of the kind {kind} it is scheme and host, without a path or a slash at the end")));
    }
    Ok(text.to_owned())
}

pub(super) fn tenant(kind: ProviderKind, given: Option<&str>) -> Result<Option<Tenant>, ProviderFieldError> {
    let refused = |sentence: &str| ProviderFieldError::new("tenant", sentence);
    match (kind, given) {
        (ProviderKind::Microsoft, Some(text)) => {
            Tenant::parse(text).map(Some).map_err(|error| refused(&error.to_string()))
        }
        (ProviderKind::Microsoft, None) => Err(refused("is required for the kind microsoft")),
        (_, Some(_)) => Err(refused("is for the kind microsoft only")),
        (_, None) => Ok(None),
    }
}

pub(super) fn apple(
    kind: ProviderKind,
    team_id: Option<&str>,
    key_id: Option<&str>,
) -> Result<Option<AppleKeyName>, ProviderFieldError> {
    let fields = [("team_id", team_id), ("key_id", key_id)];
    if kind != ProviderKind::Apple {
        let odd = fields.into_iter().find(|(_, given)| given.is_some());
        return odd.map_or(Ok(None), |(field, _)| Err(ProviderFieldError::new(field, "is for the kind apple only")));
    }
    let [team_id, key_id] = fields.map(|(field, given)| apple_id(field, given));
    Ok(Some(AppleKeyName { team_id: team_id?, key_id: key_id? }))
}

/// Both are ten letters and digits today.
fn apple_id(field: &'static str, given: Option<&str>) -> Result<String, ProviderFieldError> {
    let text = given.ok_or_else(|| ProviderFieldError::new(field, "is required for the kind apple"))?;
    let is_id = (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_id { Ok(text.to_owned()) } else { Err(ProviderFieldError::new(field, "has letters and digits only")) }
}

/// The scopes, in the order given (RFC 6749, 3.3). Without `openid` there would be no ID token.
pub(super) fn scopes(kind: ProviderKind, given: Option<&str>) -> Result<Vec<String>, ProviderFieldError> {
    let Some(text) = given else { return Ok(kind.scopes().iter().map(|&scope| scope.to_owned()).collect()) };
    let refused = |sentence: &str| ProviderFieldError::new("scopes", sentence);
    let scopes: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
    let is_permitted = |byte: u8| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e);
    if scopes.is_empty() || scopes.len() > MAX_SCOPES || !scopes.iter().all(|scope| scope.bytes().all(is_permitted)) {
        return Err(refused("are one to twenty words, separated by spaces"));
    }
    if scopes.iter().enumerate().any(|(place, scope)| scopes.iter().take(place).any(|before| before == scope)) {
        return Err(refused("have each word once"));
    }
    if kind != ProviderKind::GitHub && !scopes.iter().any(|scope| scope == "openid") {
        return Err(refused("must have openid"));
    }
    Ok(scopes)
}

/// Which addresses count as verified. Where anybody may have an account that states any address, not all of them can.
pub(super) fn email(
    kind: ProviderKind,
    tenant: Option<Tenant>,
    given: Option<&str>,
) -> Result<EmailTrust, ProviderFieldError> {
    let Some(text) = given else { return Ok(EmailTrust::Verified) };
    let text = one_of("email", &EmailTrust::ALL.map(EmailTrust::as_str), text)?;
    let trust = EmailTrust::parse(text).unwrap_or(EmailTrust::Verified);
    if trust != EmailTrust::Trusted || kind.can_be_trusted(tenant) {
        return Ok(trust);
    }
    let sentence = match kind {
        ProviderKind::Microsoft => "can be trusted only if tenant is the id of one".to_owned(),
        kind => format!("cannot be trusted for the kind {}", kind.as_str()),
    };
    Err(ProviderFieldError::new("email", sentence))
}
