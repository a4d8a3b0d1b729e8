use super::*;

#[test]
fn kept_answers_are_read_as_they_were_written() {
    let answers = [(201, Some("/auth/api/v2/users/7".to_owned()), b"{}".to_vec()), (202, None, Vec::new())];
    for (status, location, body) in answers {
        let answer = KeptAnswer { status, location, body };
        assert_eq!(decode(&encode(&[7; 32], &answer)), Some(([7; 32], answer)));
    }
    assert_eq!(decode(&[0; 35]), None);
}

#[test]
fn requests_differ_by_each_part() {
    let request = |family: &str, method, path, key| {
        RepeatableRequest::new(&ApiKeyId(family.to_owned()), method, path, key, b"").id
    };
    let ids = [
        request("a", "POST", "/x", "k"),
        request("b", "POST", "/x", "k"),
        request("a", "PUT", "/x", "k"),
        request("a", "POST", "/xk", ""),
        request("a", "POST", "/x", "l"),
    ];
    for (index, id) in ids.iter().enumerate() {
        assert!(!ids[index + 1..].contains(id), "{index}");
    }
}
