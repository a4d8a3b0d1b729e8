#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::single_hosts;
use secrecy::ExposeSecret;

#[track_caller]
fn expect(url: &str, hosts: &[&str]) {
    let found = single_hosts(&url.into()).unwrap();
    assert_eq!(found.iter().map(ExposeSecret::expose_secret).collect::<Vec<_>>(), hosts);
}

#[test]
fn each_host_gets_a_url() {
    expect("postgres://u:p%40@db/app?sslmode=require", &["postgres://u:p%40@db/app?sslmode=require"]);
    expect(
        "postgres://u:p@a,b:5433,[::1]:5434/app",
        &["postgres://u:p@a/app", "postgres://u:p@b:5433/app", "postgres://u:p@[::1]:5434/app"],
    );
    expect("postgresql:///app?host=/run/postgresql", &["postgresql:///app?host=/run/postgresql"]);
    expect("postgres://a,b", &["postgres://a", "postgres://b"]);
}

#[test]
fn only_servers_that_take_writes_are_meant() {
    for attributes in ["read-write", "primary"] {
        expect(&format!("postgres://db/app?target_session_attrs={attributes}"), &["postgres://db/app"]);
        expect(
            &format!("postgres://db?target_session_attrs={attributes}&sslmode=disable"),
            &["postgres://db?sslmode=disable"],
        );
    }
    for query in ["target_session_attrs=any", "target_session_attrs=standby", "host=a,b", "host=a%2Cb", "port=1,2"] {
        single_hosts(&format!("postgres://db/app?{query}").into()).unwrap_err();
    }
}
