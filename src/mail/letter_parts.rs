//! What several emails have in common: buttons, names, the place.

use super::context::MailContext;
use super::letter::Action;
use crate::device_name;
use crate::model::device::Device;
use crate::model::mail_domain::in_letters;
use crate::model::user_label::UserLabel;

pub(super) fn button<'a>(context: MailContext<'a>, label: &'static str, url: &'a str) -> Action<'a> {
    Action { label: context.text(label), url, is_quiet: false }
}

/// A button that nearly everyone leaves alone.
pub(super) fn quiet_button<'a>(context: MailContext<'a>, label: &'static str, url: &'a str) -> Action<'a> {
    Action { is_quiet: true, ..button(context, label, url) }
}

/// The messages put a name in quotation marks, which it must not close itself: what follows would read as the service's
/// own words.
pub(super) fn quotable(name: &str) -> String {
    name.chars().map(|c| if DOUBLE_QUOTES.contains(&c) { '’' } else { c }).collect()
}

/// A person with the account that tells them from others: what stands in quotation marks the user has chosen, or who was
/// in the account.
pub(super) fn label_of(context: MailContext<'_>, label: UserLabel<'_>) -> String {
    let account = in_letters(label.account()).into_owned();
    match label.name {
        Some(name) => context.t("mail-person").with("name", quotable(name)).with("account", account).to_string(),
        None => account,
    }
}

/// The double ones of Unicode's property `Quotation_Mark`, but for those of East Asian brackets, and what looks like them.
const DOUBLE_QUOTES: [char; 22] =
    ['"', '«', '»', '“', '”', '„', '‟', '⹂', '〝', '〞', '〟', '＂', '❝', '❞', '″', '‶', 'ʺ', 'ˮ', '״', '🙶', '🙷', '🙸'];

/// Where the reader did it, if they did it and that is known.
pub(super) fn place(context: MailContext<'_>, device: Option<&Device>) -> Option<String> {
    let device = device_name::with_address(context.messages, device?);
    Some(context.t("mail-device").with("device", device).to_string())
}
