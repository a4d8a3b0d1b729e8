//! Platform roles as arguments.

use crate::model::roles::PlatformRole;
use crate::settings::ServiceName;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// Reads a platform role, also as tokens and records spell it: `svc:admin`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoleParser;

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(PlatformRole::ALL.map(PlatformRole::as_str))
}

impl TypedValueParser for RoleParser {
    type Value = PlatformRole;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<PlatformRole, Error> {
        let parts = value.to_str().and_then(|text| text.split_once(':'));
        let bare =
            parts.filter(|(name, _)| ServiceName::parse(name).is_ok()).map_or(value, |(_, role)| OsStr::new(role));
        let parser = names().try_map(|word| PlatformRole::parse(&word).ok_or("not a platform role"));
        parser.parse_ref(command, argument, bare)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values: Vec<_> = names().possible_values()?.collect();
        Some(Box::new(values.into_iter()))
    }
}
