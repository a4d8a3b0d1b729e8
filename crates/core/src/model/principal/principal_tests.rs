use super::*;
use crate::model::ids::UserId;
use crate::model::organization::MemberRole;
use uuid::Uuid;

fn user(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

fn device() -> Device {
    Device::new("test", None)
}

fn key(scopes: &[Scope]) -> Principal {
    Principal::api_key(ApiKeyName::from_stored("backend".to_owned()), scopes.iter().copied().collect())
}

#[test]
fn only_operator_may_do_everything() {
    let everything =
        |principal: &Principal| Operation::ALL.into_iter().all(|operation| principal.require(operation).is_ok());
    let others = [
        key(&Scope::ALL),
        Principal::user(user(1), None, device()),
        Principal::administrator(user(1), PlatformRole::ALL.into_iter().collect(), SessionId(Uuid::nil()), device()),
        Principal::between_factors(user(1), device()),
        Principal::secret_holder(user(1), device()),
        Principal::anonymous(device()),
        Principal::process(&Operation::ALL),
    ];
    assert!(everything(&Principal::operator()));
    assert!(!others.iter().any(everything));
}

#[test]
fn platform_roles_grant_nothing_to_a_person_at_their_own_pages() {
    let person = Principal::user(user(1), None, device());
    assert_eq!(person.require(Operation::ChangeUser).err(), Some(Denied::Operation));
    let covers = |target| person.require(Operation::DeleteUser)?.covers(target);
    assert_eq!(covers(AccountTarget::new(user(2), Roles::NONE)), Err(Denied::OtherAccount));
    assert_eq!(covers(AccountTarget::new(user(1), Roles::NONE.with(PlatformRole::Admin))), Ok(()));
}

#[test]
fn key_without_scope_for_them_may_not_change_accounts_with_platform_roles() {
    let administrator = AccountTarget::new(user(1), Roles::NONE.with(PlatformRole::Monitor));
    let ordinary = AccountTarget::new(user(1), Roles::NONE);
    let covers = |scopes: &[Scope], target| key(scopes).require(Operation::ChangeUser)?.covers(target);
    assert_eq!(covers(&[Scope::UsersWrite], ordinary), Ok(()));
    assert_eq!(covers(&[Scope::UsersWrite], administrator), Err(Denied::Protected));
    assert_eq!(covers(&[Scope::UsersWrite, Scope::PlatformWrite], administrator), Ok(()));
    assert_eq!(covers(&[Scope::UsersRead], ordinary), Err(Denied::Scope(Scope::UsersWrite)));
}

#[test]
fn last_administrator_cannot_be_removed() {
    let target = AccountTarget { ends_last_administrator: true, ..AccountTarget::new(user(1), Roles::NONE) };
    let deleted = Principal::operator().require(Operation::DeleteUser).and_then(|permit| permit.covers(target));
    assert_eq!(deleted, Err(Denied::LastAdministrator));
}

#[test]
fn role_in_organization_counts_as_it_is_read() {
    let role_of = |principal: &Principal, role| principal.require(Operation::RenameOrganization)?.role_in(role);
    let person = Principal::user(user(1), None, device());
    assert_eq!(role_of(&person, None), Err(Denied::NoMember));
    assert_eq!(role_of(&person, Some(MemberRole::Member)), Err(Denied::Role));
    assert_eq!(role_of(&person, Some(MemberRole::Owner)), Ok(MemberRole::Owner));
    assert_eq!(role_of(&key(&[Scope::OrganizationsWrite]), None), Ok(MemberRole::Owner));
}

#[test]
fn process_may_do_what_it_names_and_nothing_of_a_person() {
    let cleaner = Principal::process(&[Operation::CleanUp, Operation::DeleteUser]);
    assert!(cleaner.require(Operation::CleanUp).is_ok());
    assert!(cleaner.require(Operation::Deliver).is_err());
    assert!(cleaner.require(Operation::DeleteUser).is_err());
    assert!(cleaner.require(Operation::LogIn).is_err());
}

#[test]
fn only_clients_without_account_become_the_one_they_create() {
    let became = |principal: Principal| principal.as_new_account(user(2)).and_then(|person| person.user_id());
    assert_eq!(became(Principal::anonymous(device())), Some(user(2)));
    let others = [
        Principal::operator(),
        key(&Scope::ALL),
        Principal::user(user(1), None, device()),
        Principal::secret_holder(user(1), device()),
        Principal::between_factors(user(1), device()),
        Principal::process(&Operation::ALL),
    ];
    assert!(others.into_iter().all(|principal| became(principal).is_none()));
}
