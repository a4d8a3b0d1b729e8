use super::*;
use uuid::Uuid;

#[test]
fn names_are_short_and_plain() {
    for name in ["google", "corp-2", "-", "a", &"a".repeat(32)] {
        assert_eq!(ProviderName::parse(name).map(|name| name.0).as_deref(), Ok(name));
    }
    for name in ["", "Google", "a b", "a/b", "..", "ä", "org-", "org-7", "a\n", &"a".repeat(33)] {
        assert!(ProviderName::parse(name).is_err(), "{name:?}");
    }
}

#[test]
fn tenants_are_read_as_they_are_printed() {
    let id = "72f988bf-86f1-41af-91ab-2d7cd011db47";
    for text in [id, "common", "organizations", "consumers"] {
        assert_eq!(Tenant::parse(text).map(|tenant| tenant.to_string()).as_deref(), Ok(text));
    }
    for text in ["", "Common", "example.onmicrosoft.com", "common/"] {
        assert_eq!(Tenant::parse(text), Err(TenantError), "{text:?}");
    }
}

#[test]
fn personal_accounts_are_those_of_one_tenant() {
    let consumers = Uuid::from_u128(0x9188_040d_6c67_4c5b_b112_36a3_04b6_6dad);
    let other = Uuid::from_u128(7);
    let permitted = |tenant: Tenant| [tenant.permits(consumers), tenant.permits(other)];
    assert_eq!(permitted(Tenant::Common), [true, true]);
    assert_eq!(permitted(Tenant::Organizations), [false, true]);
    assert_eq!(permitted(Tenant::Consumers), [true, false]);
    assert_eq!(permitted(Tenant::Id(other)), [false, true]);
}
