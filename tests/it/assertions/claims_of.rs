use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header, jwk::JwkSet};

#[derive(serde::Deserialize)]
pub struct Claims {
    pub sub: String,
    pub email: String,
    pub org_id: Option<String>,
}

pub fn claims_of(assertion: &str, keys: &JwkSet) -> Option<Claims> {
    let header = decode_header(assertion).ok()?;
    let key = DecodingKey::from_jwk(keys.find(&header.kid?)?).ok()?;
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_required_spec_claims(&["iss", "aud", "exp"]);
    validation.set_issuer(&["https://auth.example.org"]);
    validation.set_audience(&["https://app.example.org"]);
    validation.leeway = 0;
    let claims = decode(assertion, &key, &validation).ok()?.claims;
    (header.typ.as_deref() == Some("gate+jwt")).then_some(claims)
}
