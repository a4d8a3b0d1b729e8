//! How the user of a session has authenticated.

use super::names::names;

names! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    pub enum AuthMethod {
        Password = "password",
        Totp = "totp",
        RecoveryCode = "recovery_code",
        /// A passkey that verified its user: two factors in one.
        Passkey = "passkey",
        /// A trusted device, on which no second factor was asked for.
        TrustedDevice = "trusted_device",
        /// A link or code from an email.
        MailedLink = "mailed_link",
        Provider = "provider",
        /// A second factor that was shown at a provider whose word the operator takes for it.
        ProviderMfa = "provider_mfa",
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuthMethods(u8);

impl AuthMethods {
    /// None: not known, as of sessions that an older version opened.
    pub const NONE: AuthMethods = AuthMethods(0);

    #[must_use]
    pub const fn with(self, method: AuthMethod) -> Self {
        AuthMethods(self.0 | 1 << method as u8)
    }

    pub const fn contains(self, method: AuthMethod) -> bool {
        self.0 & (1 << method as u8) != 0
    }

    /// Whether a second factor was shown. That a device is trusted shows none.
    pub const fn has_second_factor(self) -> bool {
        self.has_code() || self.contains(AuthMethod::Passkey) || self.contains(AuthMethod::ProviderMfa)
    }

    /// Whether a code of an app or a recovery code was shown.
    pub const fn has_code(self) -> bool {
        self.contains(AuthMethod::Totp) || self.contains(AuthMethod::RecoveryCode)
    }

    pub fn iter(self) -> impl Iterator<Item = AuthMethod> {
        AuthMethod::ALL.into_iter().filter(move |method| self.contains(*method))
    }

    /// The set as it is stored: comma-separated names.
    pub fn to_text(self) -> String {
        self.iter().map(AuthMethod::as_str).collect::<Vec<_>>().join(",")
    }

    /// Reads what [`AuthMethods::to_text`] wrote. A name that a newer version wrote counts as none.
    pub fn parse_text(text: &str) -> Self {
        text.split(',').filter_map(AuthMethod::parse).collect()
    }
}

impl From<AuthMethod> for AuthMethods {
    fn from(method: AuthMethod) -> Self {
        Self::NONE.with(method)
    }
}

impl FromIterator<AuthMethod> for AuthMethods {
    fn from_iter<I: IntoIterator<Item = AuthMethod>>(methods: I) -> Self {
        methods.into_iter().fold(Self::NONE, AuthMethods::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_text_is_read_back_and_unknown_names_are_ignored() {
        let all: AuthMethods = AuthMethod::ALL.into_iter().collect();
        assert_eq!(
            all.to_text(),
            "password,totp,recovery_code,passkey,trusted_device,mailed_link,provider,provider_mfa"
        );
        assert_eq!(AuthMethods::parse_text(&all.to_text()), all);
        assert_eq!(AuthMethods::parse_text(""), AuthMethods::NONE);
        assert_eq!(AuthMethods::parse_text("password,iris"), AuthMethod::Password.into());
    }

    #[test]
    fn second_factor_is_what_was_shown() {
        for method in AuthMethod::ALL {
            let shows = match method {
                AuthMethod::Totp | AuthMethod::RecoveryCode | AuthMethod::Passkey | AuthMethod::ProviderMfa => true,
                AuthMethod::Password | AuthMethod::TrustedDevice | AuthMethod::MailedLink | AuthMethod::Provider => {
                    false
                }
            };
            assert_eq!(AuthMethods::from(AuthMethod::Password).with(method).has_second_factor(), shows, "{method:?}");
        }
    }
}
