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

#[test]
fn administrators_are_told_each_deed_of_each_account() {
    let [ada, bob, eve] = [1, 2, 3].map(|number| UserId(Uuid::from_u128(number)));
    let all = [
        about_admin_notice(AdminNotice::Disabled, ada, bob),
        about_admin_notice(AdminNotice::Enabled, ada, bob),
        about_admin_notice(AdminNotice::Disabled, ada, eve),
        about_admin_notice(AdminNotice::Disabled, bob, ada),
    ];
    let different: std::collections::HashSet<_> = all.iter().collect();
    assert_eq!(different.len(), all.len());
}
