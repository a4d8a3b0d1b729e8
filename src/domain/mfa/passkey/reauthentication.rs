//! Reauthentication with a passkey.

use super::add::PasskeyResponse;
use super::at_origin;
use super::verify::{AssertionError, belongs_to, verify_assertion};
use crate::context::App;
use crate::crypto::passkey::{PasskeyAssertion, PasskeyChallenge, PasskeyError};
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::store::Tx;

/// Issues the challenge to reauthenticate, or `None` if the account has no passkey or browsers support none.
pub async fn reauthentication_challenge(
    app: &App,
    principal: &Principal,
    user: UserId,
    csrf_token: &str,
) -> Result<Option<PasskeyChallenge>, Error> {
    let Some(passkeys) = at_origin(app) else { return Ok(None) };
    let existing = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.passkeys_of_user(user).await?;
    if existing.is_empty() {
        return Ok(None);
    }
    let existing = existing.into_iter().map(|row| row.credential_id).collect();
    let challenge = passkeys.start_authentication(user.0.as_bytes(), existing, csrf_token, app.clock.now());
    challenge.map(Some).map_err(Error::crypto)
}

/// Verifies the response to [`reauthentication_challenge`] of a user whom the transaction has locked. A response to a
/// login challenge is not accepted.
pub(in crate::domain) async fn verify_response(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    response: &PasskeyResponse<'_>,
) -> Result<(), AssertionError> {
    let assertion = PasskeyAssertion::parse(response.credential)?;
    let not_theirs = || PasskeyError::Refused("it is not this user's".to_owned());
    let found = tx.passkey_find_by_credential(assertion.credential_id()).await?;
    let found = found.filter(|found| found.user_id == user).ok_or_else(not_theirs)?;
    // An authenticator that was given a list of credentials need not return the user handle (WebAuthn level 3, 7.2,
    // step 6).
    if assertion.handle().is_some() && !belongs_to(&assertion, user) {
        return Err(PasskeyError::UserHandle.into());
    }
    verify_assertion(app, tx, user, found.id, &assertion, user.0.as_bytes(), response).await
}
