use super::*;

#[test]
fn notices_of_one_kind_about_different_methods_or_accounts_are_told_apart() {
    let [ada, bob] = [1, 2].map(|number| UserId(Uuid::from_u128(number)));
    let added = Notice::LoginMethodAdded;
    let all = [
        added(LoginMethod::Passkey).about(ada),
        added(LoginMethod::AuthenticatorApp).about(ada),
        added(LoginMethod::RecoveryCodes).about(ada),
        added(LoginMethod::Passkey).about(bob),
    ];
    let different: std::collections::HashSet<_> = all.iter().collect();
    assert_eq!(different.len(), all.len());
    assert_eq!(added(LoginMethod::Passkey).about(ada), all[0]);
}
