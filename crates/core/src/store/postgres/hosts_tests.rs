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

#[test]
fn user_before_an_empty_host_is_for_a_socket() {
    expect("postgres://u@/app?host=/run/postgresql", &["postgres:///app?user=u&host=/run/postgresql"]);
    expect("postgres://u:p+%40@:5433/app", &["postgres:///app?user=u&password=p%2B%40&port=5433"]);
    expect("postgres://u@", &["postgres:///?user=u"]);
}

#[test]
fn password_that_ends_the_authority_is_explained() {
    for url in ["u:p#ss@db/app", "u:p/ss@db/app", "u:p?ss@db/app", "u:12#3@db/app", "u:12/3@db/app", "u:12?3@db/app"] {
        let refused = single_hosts(&format!("postgres://{url}").into()).unwrap_err();
        assert!(refused.contains("# is written as %23"), "{url}: {refused}");
    }
    expect("postgres://db/app?application_name=a@b", &["postgres://db/app?application_name=a@b"]);
    expect("postgres://u:p%23ss@db/app", &["postgres://u:p%23ss@db/app"]);
}
