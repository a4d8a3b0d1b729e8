//! The arguments of `doorward docs` and `doorward explain`. Doc comments here are the help text.

use super::closest::closest;
use crate::model::finding::FindingCode;
use clap::Args;

/// Arguments of `doorward docs`.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct Docs {
    /// The page, such as gate or reference/gate; skill is the one for coding agents. Without it, all are listed
    #[arg(value_name = "PAGE")]
    pub page: Option<String>,
}

/// Arguments of `doorward explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct Explain {
    /// The code, such as DW-053, dw-053 or 53
    #[arg(value_name = "CODE", value_parser = code)]
    pub code: FindingCode,
}

fn code(text: &str) -> Result<FindingCode, String> {
    let text = text.to_ascii_uppercase();
    let wanted = format!("DW-{:0>3}", text.strip_prefix("DW-").unwrap_or(&text));
    let known = || FindingCode::ALL.iter().copied();
    let unknown =
        || format!("no finding has this code; the closest are {}", closest(&wanted, known().map(FindingCode::as_str)));
    known().find(|code| code.as_str() == wanted).ok_or_else(unknown)
}
