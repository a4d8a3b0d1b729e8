//! Requests to other servers, all in one place.
//!
//! A profile for each kind of server:
//!
//! - *operator*, for servers that the operator named (receiver, collector, the service's own address): a
//!   [`ConnectionPool`], or a connection of its own for one [`exchange`]. Limits are the caller's.
//! - *external*, for servers that others name: [`ExternalClient`], with narrow limits, and never to an inner address.
//!
//! Neither follows redirects, reads variables that name a proxy, or takes content codings.

mod address;
mod certificate;
mod connect;
mod exchange;
mod external;
mod external_request;
mod external_url;
mod places;
mod pool;
mod resolver;
mod shared;
mod unanswered;

pub use address::is_global;
pub use certificate::{certificate_end, end_of};
pub use connect::{Stream, connect};
pub use exchange::{Limits, ServerAnswer, exchange};
pub use external::{ExternalClient, ExternalError, NamedBy};
pub use external_request::{ExternalRequest, ExternalShare};
pub use external_url::{ExternalUrl, ExternalUrlError};
pub use pool::{ConnectionPool, PoolOptions};
pub use resolver::resolve;
pub use shared::SharedExternalClient;
pub use unanswered::Unanswered;

use std::fmt::Write as _;

/// The causes of an error, from the outermost to the innermost, as one text.
fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    for cause in std::iter::successors(error.source(), |&error| error.source()) {
        // Writing to a string cannot fail.
        let _ = write!(text, ": {cause}");
    }
    text
}
