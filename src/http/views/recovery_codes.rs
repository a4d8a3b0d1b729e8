//! Recovery codes, shown once.

use super::{Chrome, Section};
use crate::messages::Message;
use askama::Template;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use zeroize::Zeroizing;

/// `/auth/account/recovery-codes`.
#[derive(Template)]
#[template(path = "recovery_codes.html")]
pub struct RecoveryCodesPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// Codes just made, to be shown this once.
    pub codes: &'a [Zeroizing<String>],
    /// Whether two-factor log-in was turned on with them.
    pub just_turned_on: bool,
    /// How many codes are left.
    pub left: usize,
    /// Why nothing was changed.
    pub form_error: Option<&'a Message>,
}

impl RecoveryCodesPage<'_> {
    /// The codes as a file, in the link itself: nothing has to keep them until it is followed.
    fn download(&self) -> Zeroizing<String> {
        let title = self.chrome.t("recovery-codes-file").with("brand", self.chrome.brand.name.as_str());
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
