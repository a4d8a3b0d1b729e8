use super::split;
use secrecy::ExposeSecret;

#[test]
fn password_is_taken_out_of_a_url() {
    for (url, rest, password) in [
        ("postgres://ada@db/doorward", "postgres://ada@db/doorward", None),
        ("postgres:///doorward?host=/run", "postgres:///doorward?host=/run", None),
        ("postgres://ada:s3cret@db:5433/doorward", "postgres://ada@db:5433/doorward", Some("s3cret")),
        (
            "postgresql://ada:a%2Fb%40@a,b:5433/d?sslmode=require",
            "postgresql://ada@a,b:5433/d?sslmode=require",
            Some("a/b@"),
        ),
        ("postgres://ada:@db/d", "postgres://ada@db/d", Some("")),
        ("postgres://ada:x@y@db/d", "postgres://ada@db/d", Some("x@y")),
        ("postgres://ada@db/d?password=p%20q&sslmode=require", "postgres://ada@db/d?sslmode=require", Some("p q")),
        ("postgres://db/d?password=p", "postgres://db/d", Some("p")),
    ] {
        let (found, secret) = split(url);
        assert_eq!((found.as_str(), secret.as_ref().map(ExposeSecret::expose_secret)), (rest, password), "{url}");
    }
}
