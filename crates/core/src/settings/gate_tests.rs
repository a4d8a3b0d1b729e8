use crate::model::finding::FindingCode;
use crate::model::gate_value::GateValue;
use crate::settings::testing::{load, refused, settings};
use std::time::Duration;

#[test]
fn headers_are_added_by_name_and_value() {
    assert!(settings(&[]).gate.headers.is_empty());
    let gate = settings(&[("GATE_HEADERS", "Remote-User=username, Remote-Email=email")]).gate;
    let headers: Vec<_> = gate.headers.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(headers, [("remote-user", GateValue::Username), ("remote-email", GateValue::Email)]);
}

#[test]
fn headers_of_the_request_itself_are_refused() {
    let wrong = [
        "Remote-User",
        "Remote-User=nickname",
        "Remote_User=username",
        "Remote User=username",
        "Host=username",
        "Cookie=username",
        "Set-Cookie=username",
        "Authorization=assertion",
        "Content-Type=username",
        "X-Forwarded-User=username",
        "Connection=username",
        "Transfer-Encoding=username",
        "X-Svc-User-Id=email",
    ];
    refused("GATE_HEADERS", &wrong, "a comma-separated list such as");
    refused("GATE_HEADERS", &["Remote-User=username,remote-user=email"], "different headers");
}

#[test]
fn names_that_strangers_choose_are_warned_of() {
    let (open, verified) = (("SIGNUP", "open"), ("EMAIL_VERIFICATION", "required"));
    let (invited, optional) = (("SIGNUP", "invite"), ("EMAIL_VERIFICATION", "optional"));
    for (headers, others, said) in [
        ("Remote-User=username", [open, verified], vec!["remote-user=username says"]),
        ("Remote-User=username", [invited, optional], vec!["remote-user=username says"]),
        ("Remote-User=email", [open, verified], vec!["remote-user=email says"]),
        ("Remote-User=email", [invited, optional], vec!["remote-user=email may be"]),
        ("Remote-User=email", [invited, verified], vec![]),
        ("A=username,B=email", [open, optional], vec!["a=username says", "b=email says", "b=email may be"]),
        ("Remote-User=name", [invited, verified], vec!["remote-user=name says"]),
        ("X-Login-As=name,Remote-User=username", [open, verified], vec!["remote-user=username,x-login-as=name says"]),
        ("Remote-User=id,Remote-Groups=roles,Remote-Name=name", [open, optional], vec![]),
    ] {
        let warnings = load(&[&[("GATE_HEADERS", headers)], &others[..]].concat()).map(|loaded| loaded.warnings);
        let warnings = warnings.unwrap_or_default();
        assert_eq!(warnings.len(), said.len(), "{headers} {others:?}: {warnings:?}");
        for (found, said) in warnings.iter().zip(said) {
            assert_eq!(found.code, FindingCode::NamesOfStrangers);
            assert!(found.message.starts_with("SVC_GATE_HEADERS: ") && found.message.contains(said), "{found}");
            assert!(!said.contains("username") || found.message.ends_with(": send the id"), "{found}");
        }
    }
}

#[test]
fn renewal_comes_at_half_of_a_token_life_at_the_latest() {
    let renew_after = |variables: &[(&str, &str)]| settings(variables).gate.renew_after;
    assert_eq!(renew_after(&[]), Duration::from_hours(1));
    assert_eq!(renew_after(&[("REFRESH_TTL", "30m")]), Duration::from_mins(15));
    assert_eq!(renew_after(&[("REFRESH_TTL", "30m"), ("GATE_RENEW_AFTER", "15m")]), Duration::from_mins(15));
    assert!(load(&[("REFRESH_TTL", "30m"), ("GATE_RENEW_AFTER", "16m")]).is_err());
    refused("GATE_RENEW_AFTER", &["1", "200h"], "a duration");
}
