use super::*;

fn row(owner: u128, actor: &str, actor_user: Option<u128>) -> AuditRow {
    let user = |number| UserId(Uuid::from_u128(number));
    AuditRow {
        id: AuditId(Uuid::nil()),
        at: Time::from_micros(1),
        user_id: Some(user(owner)),
        kind: "disabled".to_owned(),
        actor: actor.to_owned(),
        actor_user_id: actor_user.map(user),
        session_id: Some(SessionId(Uuid::from_u128(7))),
        address: "192.0.2.1".to_owned(),
        user_agent: "a browser".to_owned(),
        detail: "a detail".to_owned(),
        times: 1,
        organization_id: None,
        subject_id: Some(user(owner)),
        fields: Some("{\"reason\":\"spam\",\"roles\":[]}".to_owned()),
    }
}

#[test]
fn owner_sees_administrators_as_the_operator() {
    let seen = serde_json::to_value(AuditRecord::from(&as_owner_sees(row(1, "user", Some(2))))).ok();
    let seen = seen.unwrap_or_default();
    assert_eq!(
        (&seen["actor"], &seen["actor_user_id"], &seen["session_id"]),
        (&"operator".into(), &Value::Null, &Value::Null)
    );
    assert_eq!((&seen["address"], &seen["user_agent"]), (&"".into(), &"".into()));
    assert_eq!((&seen["detail"], &seen["fields"]), (&"a detail".into(), &serde_json::json!({"roles": []})));
    let alone = AuditRow { fields: Some("{\"reason\":\"spam\"}".to_owned()), ..row(1, "user", Some(2)) };
    let alone = serde_json::to_value(AuditRecord::from(&as_owner_sees(alone))).unwrap_or_default();
    assert_eq!(alone["fields"], serde_json::json!({}), "an object also where nothing is left of it");
}

#[test]
fn owner_sees_all_other_entries_as_they_are() {
    for (actor, user) in
        [("user", Some(1)), ("operator", None), ("key:backend", None), ("unknown", None), ("user", None)]
    {
        let seen = as_owner_sees(row(1, actor, user));
        assert_eq!((seen.actor.as_str(), seen.address.as_str()), (actor, "192.0.2.1"));
        assert!(seen.session_id.is_some() && seen.fields.is_some_and(|fields| fields.contains("spam")));
    }
}
