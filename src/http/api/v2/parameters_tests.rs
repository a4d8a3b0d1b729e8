#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn read(query: &str) -> Result<Parameters, OperationError> {
    Parameters::read(Some(query), &["after", "limit", "email"], &["id"])
}

#[test]
fn unknown_repeated_and_unreadable_parameters_are_refused() {
    for query in ["x=1", "limit=1&limit=1", "limit=1&x", "%00=1", "email=%00", "email=%ff", "&=", "LIMIT=1"] {
        assert!(read(query).is_err(), "{query}");
    }
    assert!(read(&"id=1&".repeat(128)).is_err());
    let parameters = read("&id=a%20b&id=c&limit=5").unwrap();
    assert_eq!(parameters.all("id").collect::<Vec<_>>(), ["a b", "c"]);
    assert_eq!((parameters.get("limit"), parameters.get("email")), (Some("5"), None));
}

#[test]
fn filters_do_not_depend_on_order_or_place() {
    let one = read("email=a%40b&id=2&id=1&limit=3").unwrap().filters();
    let other = read("id=1&after=x&id=2&email=a@b").unwrap().filters();
    assert_eq!(one, other);
    assert_ne!(one, read("email=a%40b&id=2").unwrap().filters());
    assert_ne!(read("email=a%26id=1").unwrap().filters(), read("email=a&id=1").unwrap().filters());
}
