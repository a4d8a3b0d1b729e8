//! The people of the scripted provider.

use crate::cli::failure::Failure;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::path::Path;

/// A person. `email_verified` may be what it is at no other provider, such as a text.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DevPerson {
    pub(super) sub: String,
    pub(super) email: Option<String>,
    pub(super) email_verified: Option<Value>,
    pub(super) name: Option<String>,
    /// Further claims of the ID token, in place of others of these names; null takes one away. GitHub's `id` and `emails`
    /// stand here, too.
    #[serde(default)]
    pub(super) claims: Map<String, Value>,
    /// An error in place of a code, such as `access_denied`.
    pub(super) error: Option<String>,
}

impl DevPerson {
    /// Ada and Bob.
    pub(super) fn default_people() -> Vec<Self> {
        let person = |sub: &str, name: &str| Self {
            sub: sub.to_owned(),
            email: Some(format!("{sub}@example.com")),
            email_verified: Some(Value::Bool(true)),
            name: Some(name.to_owned()),
            ..Self::default()
        };
        vec![person("ada", "Ada Lovelace"), person("bob", "Bob Example")]
    }

    pub(super) fn read(file: &Path) -> Result<Vec<Self>, Failure> {
        let refused = |why: &dyn std::fmt::Display| Failure::Operator(format!("--people {}: {why}", file.display()));
        let text = std::fs::read(file).map_err(|error| refused(&error))?;
        let people: Vec<Self> = serde_json::from_slice(&text).map_err(|error| refused(&error))?;
        let mut subjects = HashSet::new();
        if people.is_empty() || !people.iter().all(|person| subjects.insert(&person.sub)) {
            return Err(refused(&"it needs at least one person, and each sub once"));
        }
        Ok(people)
    }

    /// Whether `login_hint` means this person.
    pub(super) fn is_meant_by(&self, hint: &str) -> bool {
        self.sub == hint || self.email.as_ref().is_some_and(|email| email.eq_ignore_ascii_case(hint))
    }

    pub(super) fn userinfo(&self) -> Map<String, Value> {
        let fields = [
            ("sub", Some(json!(self.sub))),
            ("email", self.email.as_ref().map(|email| json!(email))),
            ("email_verified", self.email_verified.clone()),
            ("name", self.name.as_ref().map(|name| json!(name))),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// What GitHub says of the user, who is the one of this number here.
    pub(super) fn github_user(&self, number: usize) -> Value {
        let id = self.claims.get("id").cloned().unwrap_or_else(|| json!(number + 1));
        json!({ "id": id, "login": self.sub, "name": self.name, "email": self.email })
    }

    pub(super) fn github_emails(&self) -> Value {
        let verified = self.email_verified == Some(Value::Bool(true));
        let of = |email: &String| json!([{ "email": email, "primary": true, "verified": verified }]);
        let stated = || self.email.as_ref().map_or_else(|| json!([]), of);
        self.claims.get("emails").cloned().unwrap_or_else(stated)
    }
}
