#![expect(clippy::panic, clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::model::provider::{EmailTrust, ProviderKind};
use zeroize::Zeroizing;

const TENANT: &str = "72f988bf-86f1-41af-91ab-2d7cd011db47";

/// Name, fields, the field that is refused.
type Refused = (&'static str, &'static [(&'static str, &'static str)], &'static str);

fn fields(given: &[(&str, &str)]) -> ProviderFields {
    let mut fields = ProviderFields { client_id: Some("client".to_owned()), ..ProviderFields::default() };
    for (name, value) in given {
        let place = fields.of_name(name).unwrap_or_else(|| panic!("{name}"));
        *place = Some((*value).to_owned());
    }
    fields
}

fn provider(name: &str, given: &[(&str, &str)]) -> Result<Provider, ProviderFieldError> {
    fields(given).provider(ProviderName::parse(name).unwrap())
}

#[test]
fn kinds_have_their_defaults() {
    let google = provider("google", &[]).unwrap();
    assert_eq!((google.kind, google.issuer.as_str()), (ProviderKind::Google, "https://accounts.google.com"));
    assert_eq!((google.label.as_str(), google.scopes.join(" ").as_str()), ("Google", "openid email profile"));
    assert_eq!((google.email, google.signup), (EmailTrust::Verified, true));
    let corp = provider("corp", &[("kind", "oidc"), ("issuer", "https://id.example.com/a/")]).unwrap();
    assert_eq!((corp.label.as_str(), corp.issuer.as_str()), ("corp", "https://id.example.com/a/"));
    let apple = provider("apple", &[("team_id", "TEAM"), ("key_id", "KEY")]).unwrap();
    assert_eq!(apple.scopes.join(" "), "openid email name");
    let github = provider("work", &[("kind", "github"), ("issuer", "https://git.example.com")]).unwrap();
    assert_eq!((github.label.as_str(), github.scopes.join(" ").as_str()), ("GitHub", "read:user user:email"));
}

#[test]
fn wrong_values_are_refused_with_their_field() {
    let cases: [Refused; 28] = [
        ("corp", &[], "kind"),
        ("corp", &[("kind", "saml")], "kind"),
        ("oidc", &[], "issuer"),
        ("oidc", &[("issuer", "id.example.com")], "issuer"),
        ("oidc", &[("issuer", "http://id.example.com")], "issuer"),
        ("oidc", &[("issuer", "https://id.example.com?a=b")], "issuer"),
        ("oidc", &[("issuer", "https://id.example.com/.well-known/openid-configuration")], "issuer"),
        ("oidc", &[("issuer", "https://ada@id.example.com")], "issuer"),
        ("github", &[("issuer", "https://git.example.com/")], "issuer"),
        ("microsoft", &[("tenant", "common"), ("issuer", "https://login.example.com/v2.0")], "issuer"),
        ("google", &[("client_id", "")], "client_id"),
        ("google", &[("client_id", "a b")], "client_id"),
        ("microsoft", &[], "tenant"),
        ("microsoft", &[("tenant", "example.com")], "tenant"),
        ("google", &[("tenant", "common")], "tenant"),
        ("apple", &[("key_id", "KEY")], "team_id"),
        ("apple", &[("team_id", "TEAM")], "key_id"),
        ("apple", &[("team_id", "TEAM/"), ("key_id", "KEY")], "team_id"),
        ("google", &[("key_id", "KEY")], "key_id"),
        ("google", &[("scopes", "email profile")], "scopes"),
        ("google", &[("scopes", "openid openid")], "scopes"),
        ("google", &[("scopes", "")], "scopes"),
        ("google", &[("label", "")], "label"),
        ("google", &[("label", "A\u{202e}B")], "label"),
        ("google", &[("email", "yes")], "email"),
        ("google", &[("mfa", "yes")], "mfa"),
        ("google", &[("signup", "closed")], "signup"),
        ("microsoft", &[("tenant", "organizations"), ("email", "trusted")], "email"),
    ];
    for (name, given, field) in cases {
        assert_eq!(provider(name, given).unwrap_err().field, field, "{name} {given:?}");
    }
    for name in ["google", "github"] {
        assert_eq!(provider(name, &[("email", "trusted")]).unwrap_err().field, "email");
        assert!(provider(name, &[("email", "never")]).is_ok());
    }
    assert!(provider("microsoft", &[("tenant", TENANT), ("email", "trusted")]).is_ok());
}

#[test]
fn update_replaces_what_is_given() {
    let stored = provider("microsoft", &[("tenant", TENANT), ("email", "trusted"), ("label", "Work")]).unwrap();
    let same = ProviderFields::default().over(&stored).unwrap();
    assert!(differences(&stored, &same).is_empty());
    let given = ProviderFields { label: Some("Office".to_owned()), ..ProviderFields::default() };
    let changed = differences(&stored, &given.over(&stored).unwrap());
    assert_eq!((changed.as_slice(), ends_logins(&changed)), (["label"].as_slice(), false));
    // A field that stays must fit the one that is changed.
    let given = ProviderFields { tenant: Some("common".to_owned()), ..ProviderFields::default() };
    assert_eq!(given.over(&stored).unwrap_err().field, "email");
}

#[test]
fn secrets_fit_their_kind() {
    use super::super::secret::SecretField::{ClientSecretEnv, ClientSecretFile, PrivateKeyFile};
    use secrecy::ExposeSecret;
    let secret = |kind, field, text: &str| {
        ProviderSecret::required(kind, Some(GivenSecret { field, text: Zeroizing::new(text.to_owned()) }))
    };
    for text in ["s3cret", "s3cret\n", "s3cret\r\n"] {
        match secret(ProviderKind::Google, ClientSecretFile, text) {
            Ok(ProviderSecret::Client(read)) => assert_eq!(read.expose_secret(), "s3cret"),
            other => panic!("{other:?}"),
        }
    }
    for (kind, field, text) in [
        (ProviderKind::Google, ClientSecretFile, "\n"),
        (ProviderKind::Google, ClientSecretEnv, "two\nlines"),
        (ProviderKind::Google, ClientSecretFile, "two\n\n"),
        (ProviderKind::Google, PrivateKeyFile, "s3cret"),
        (ProviderKind::Apple, ClientSecretFile, "s3cret"),
        (ProviderKind::Apple, PrivateKeyFile, "s3cret"),
    ] {
        let error = secret(kind, field, text).unwrap_err();
        assert_eq!(error.field, field.as_str());
        assert!(!error.to_string().contains("s3cret"), "{error}");
    }
    assert_eq!(ProviderSecret::required(ProviderKind::Apple, None).unwrap_err().field, "private_key_file");
    assert_eq!(ProviderSecret::required(ProviderKind::Oidc, None).unwrap_err().field, "client_secret_file");
}
