//! How a device is called for its reader, from its `User-Agent`.

use crate::messages::Messages;
use crate::model::device::Device;

/// Such as "Firefox on Linux", or "Unknown device" if the user agent is not recognized.
pub fn display_name(messages: Messages<'_>, user_agent: &str) -> String {
    let parsed = woothee::parser::Parser::new().parse(user_agent);
    let known = |text: &str| !text.is_empty() && text != woothee::woothee::VALUE_UNKNOWN;
    match parsed {
        Some(found) if known(found.name) && known(found.os) => {
            // Its name since 2016, which the library does not know.
            let system = if found.os == "Mac OSX" { "macOS" } else { found.os };
            messages.t("device").with("browser", found.name).with("system", system).to_string()
        }
        Some(found) if known(found.name) => found.name.to_owned(),
        _ => messages.t("device-unknown").to_string(),
    }
}

/// As [`display_name`], with the address, if it is known: "Firefox on Linux, 192.0.2.1".
pub fn with_address(messages: Messages<'_>, device: &Device) -> String {
    let name = display_name(messages, device.user_agent());
    if device.address().is_empty() {
        return name;
    }
    messages.t("device-with-address").with("device", name).with("address", device.address()).to_string()
}

#[cfg(test)]
#[path = "device_name_tests.rs"]
mod tests;
