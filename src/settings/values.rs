//! The values of settings as texts: given by the environment, or the default.

use super::environment::{Environment, Variable};
use super::name::ServiceName;
use super::spec::{DefaultValue, Exposure, Spec};
use std::borrow::Cow;

/// The texts of the settings, before they are understood.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub(super) name: &'a ServiceName,
    pub(super) environment: &'a Environment,
}

impl<'a> Values<'a> {
    /// What the environment says. Blanks around a value go, except around a secret, whose every byte may count.
    pub(super) fn given(&self, spec: &Spec) -> Variable<'a> {
        match self.environment.get(&spec.variable(self.name)) {
            Variable::Text(text) if spec.exposure != Exposure::Secret => Variable::Text(text.trim()),
            other => other,
        }
    }

    /// What holds when the environment says nothing.
    pub(super) fn default(&self, spec: &Spec) -> Option<Cow<'static, str>> {
        match spec.default {
            DefaultValue::Unset(_) => None,
            DefaultValue::Fixed(text) => Some(Cow::Borrowed(text)),
            DefaultValue::Derived(_, derive) => derive(self).map(Cow::Owned),
        }
    }

    /// What holds; `None` if nothing does or the value is not UTF-8.
    pub(super) fn effective(&self, spec: &Spec) -> Option<Cow<'a, str>> {
        match self.given(spec) {
            Variable::Text(text) => Some(Cow::Borrowed(text)),
            Variable::Unset => self.default(spec),
            Variable::NotUnicode => None,
        }
    }
}

/// The part of a value that may be shown, or `None` if nothing of it may.
pub(super) fn shown(exposure: Exposure, value: &str) -> Option<Cow<'_, str>> {
    match exposure {
        Exposure::Public => Some(Cow::Borrowed(value)),
        Exposure::Url => shown_url(value),
        Exposure::Secret => None,
    }
}

/// A URL without user name, password and query. Built for URLs with mistakes, too: whatever stands before the last `@`
/// goes, and what could be a password that lost its `@` hides the whole.
fn shown_url(url: &str) -> Option<Cow<'_, str>> {
    if url.starts_with("sqlite:") {
        return Some(Cow::Borrowed(url));
    }
    let (scheme, rest) = url.split_once("://")?;
    if !scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) {
        return None;
    }
    let (mask, rest) = rest.rsplit_once('@').map_or(("", rest), |(_, rest)| ("***@", rest));
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let port = authority.rsplit(']').next().and_then(|tail| tail.split_once(':'));
    if port.is_some_and(|(_, port)| !port.chars().all(|c| c.is_ascii_digit())) {
        return None;
    }
    Some(Cow::Owned(format!("{scheme}://{mask}{}{}", &rest[..end], if end < rest.len() { "?***" } else { "" })))
}

#[cfg(test)]
#[path = "values_tests.rs"]
mod tests;
