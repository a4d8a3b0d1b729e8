//! The settings of what is shown: a brand with every link, and the language that is written from right to left.

use super::mirrored;
use crate::harness::TempDir;
use doorward::settings::{Environment, ServiceName, Settings};
use std::sync::LazyLock;

/// A brand with every link.
pub const BRAND: [(&str, &str); 6] = [
    ("SVC_BRAND_NAME", "Mount Wilson Observatory"),
    ("SVC_BRAND_COLOR", "#635bff"),
    ("SVC_APP_URL", "https://observatory.example.org"),
    ("SVC_TERMS_URL", "https://observatory.example.org/terms"),
    ("SVC_PRIVACY_URL", "https://observatory.example.org/privacy"),
    ("SVC_SUPPORT_URL", "mailto:help@observatory.example.org"),
];

pub static SETTINGS: LazyLock<Settings> = LazyLock::new(|| {
    // Read while the settings are loaded.
    let messages = TempDir::new("messages");
    std::fs::write(messages.path().join(format!("{}.ftl", mirrored::TAG)), mirrored::messages()).unwrap();
    let others = [
        ("SVC_BASE_URL", "https://accounts.observatory.example.org"),
        ("SVC_MESSAGES", messages.path().to_str().unwrap()),
    ];
    let environment: Environment = BRAND.into_iter().chain(others).collect();
    let name = ServiceName::parse("svc").unwrap();
    Settings::load(&name, &environment).unwrap_or_else(|problems| panic!("{problems}")).settings
});
