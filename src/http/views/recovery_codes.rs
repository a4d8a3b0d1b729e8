//! The page for recovery codes.

use super::Shell;
use askama::Template;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use zeroize::Zeroizing;

/// `/auth/account/recovery-codes`.
#[derive(Template)]
#[template(path = "recovery_codes.html")]
pub struct RecoveryCodesPage<'a> {
    pub layout: &'a Shell<'a>,
    /// The codes just created, shown once.
    pub codes: &'a [Zeroizing<String>],
    /// Whether two-factor authentication was turned on with them.
    pub just_enabled: bool,
    pub codes_left: usize,
}

impl RecoveryCodesPage<'_> {
    /// The codes as a file in a `data:` URL, so that the server does not have to store them.
    fn download(&self) -> Zeroizing<String> {
        let title = self.layout.t("recovery-codes-file").with("brand", self.layout.brand.name.as_str());
        let mut text = Zeroizing::new(format!("{title}\n\n"));
        for code in self.codes {
            text.push_str(code);
            text.push('\n');
        }
        Zeroizing::new(format!("data:text/plain;charset=utf-8,{}", utf8_percent_encode(&text, NON_ALPHANUMERIC)))
    }

    /// The codes for the clipboard.
    fn lines(&self) -> Zeroizing<String> {
        Zeroizing::new(self.codes.iter().map(|code| code.as_str()).collect::<Vec<_>>().join("\n"))
    }
}
