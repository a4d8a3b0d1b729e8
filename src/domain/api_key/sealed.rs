//! Where the hash of a key's random part is sealed.

use crate::crypto::seal::SealContext;
use crate::model::api_key::ApiKeyId;

pub(super) fn seal_context(id: &ApiKeyId) -> SealContext<'_> {
    SealContext { table: "api_keys", row: id.0.as_bytes(), column: "secret" }
}
