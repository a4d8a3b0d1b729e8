//! The audit log as a whole: listed by what entries are about, by kind and by time, and exported.

use crate::harness::{self, Engine, TestApp, eventually, person, read, run_program};
use doorward::domain::directory::audit::{self, AuditAbout, AuditQuery};
use doorward::domain::directory::audit_export::{self, AuditExport, AuditFormat};
use doorward::domain::directory::list::{self, ListRange};
use doorward::model::audit::AuditKind;
use doorward::model::change::{AccountChange, Change, OrganizationChange, ProviderChange};
use doorward::model::event::OrganizationData;
use doorward::model::ids::{OrganizationId, UserId};
use doorward::model::organization::{MemberRole, OrganizationKind};
use doorward::model::principal::{Operation, Principal};
use doorward::model::provider::{ProviderKind, ProviderName};
use doorward::model::roles::{PlatformRole, Roles};
use doorward::refusal::{ChangeError, Refusal, Rule};
use doorward::store::AuditRow;
use serde_json::Value;
use std::time::Duration;
use uuid::Uuid;

both_engines![
    entries_are_found_by_whom_they_are_about,
    names_that_name_nothing_find_nothing,
    list_goes_on_after_two_thousand_places,
    command_prints_entries_of_all,
    export_has_every_entry_and_is_recorded,
    cells_of_formulas_are_quoted,
    too_many_entries_are_refused_before_the_first,
    every_page_of_an_export_is_read_under_the_role_anew,
];
once_on_postgres![each_way_through_the_log_uses_its_index_on_the_server];

const ADA: UserId = UserId(Uuid::from_u128(0xada));
const BOB: UserId = UserId(Uuid::from_u128(0xb0b));

async fn administrator(app: &TestApp, agent: &str) -> Principal {
    harness::administrator(app, PlatformRole::Admin, agent).await
}

/// Records changes, each a second after the one before.
async fn record(app: &TestApp, principal: &Principal, changes: &[Change<'_>]) {
    for change in changes {
        app.clock().advance(Duration::from_secs(1));
        let mut tx = app.app.store.begin(principal, Operation::RevokeApiKey).await.unwrap();
        tx.record(change.clone()).await.unwrap();
        tx.commit().await.unwrap();
    }
}

async fn kinds(app: &TestApp, query: &AuditQuery) -> Vec<String> {
    let mut conn = read(&app.app.store).await;
    let found = audit::list(&mut conn, query, ListRange::first(50)).await.unwrap();
    assert_eq!(conn.audit_count(query, 50).await.unwrap(), u64::try_from(found.data.len()).unwrap());
    found.data.into_iter().map(|row| row.kind).collect()
}

fn about(id: Uuid) -> AuditQuery {
    AuditQuery { about: Some(AuditAbout::Id(id)), ..AuditQuery::default() }
}

async fn entries_are_found_by_whom_they_are_about(engine: Engine) {
    let app = engine.app().await;
    let provider = ProviderName::parse("google").unwrap();
    let changes = [
        Change::Account(ADA, AccountChange::Disabled),
        Change::Account(BOB, AccountChange::Enabled),
        Change::Provider { name: &provider, kind: ProviderKind::Google, change: ProviderChange::Added },
    ];
    record(&app, &administrator(&app, "a").await, &changes).await;
    record(&app, &Principal::operator(), &[Change::Account(BOB, AccountChange::LoggedOut)]).await;
    let organization = Uuid::from_u128(0x0a);
    let crew = OrganizationData {
        organization_id: OrganizationId(organization),
        name: "Crew".to_owned(),
        kind: OrganizationKind::Team,
        created_by_user_id: None,
    };
    let removed = OrganizationChange::MemberRemoved { organization: &crew, user: BOB, role: MemberRole::Member };
    record(&app, &administrator(&app, "a").await, &[Change::Organization(removed)]).await;
    for (id, expected) in [
        (ADA.0, &["account_disabled"][..]),
        (BOB.0, &["member_removed", "signed_out", "account_enabled"]),
        (
            administrator(&app, "a").await.user_id().unwrap().0,
            &["member_removed", "provider_added", "account_enabled", "account_disabled"],
        ),
        (organization, &["member_removed"]),
    ] {
        assert_eq!(kinds(&app, &about(id)).await, expected, "{id}");
    }
    let by = |actor: &str| AuditQuery { about: AuditAbout::parse(actor), ..AuditQuery::default() };
    assert_eq!(kinds(&app, &by("operator")).await, ["signed_out"]);
    let everything = kinds(&app, &AuditQuery::default()).await;
    assert_eq!(everything, ["member_removed", "signed_out", "provider_added", "account_enabled", "account_disabled"]);
    let of_kind = |about, kind| AuditQuery { about, kind: Some(kind), ..AuditQuery::default() };
    assert_eq!(kinds(&app, &of_kind(None, AuditKind::AccountEnabled)).await, ["account_enabled"]);
    let bobs = of_kind(Some(AuditAbout::Id(BOB.0)), AuditKind::LoggedOut);
    assert_eq!(kinds(&app, &bobs).await, ["signed_out"]);
    let mut conn = read(&app.app.store).await;
    let all = audit::list(&mut conn, &AuditQuery::default(), ListRange::first(50)).await.unwrap().data;
    let (since, until) = (Some(all[3].at), Some(all[1].at));
    let within = AuditQuery { since, until, ..AuditQuery::default() };
    assert_eq!(kinds(&app, &within).await, ["provider_added", "account_enabled"], "the end is not part of it");
    // A person, who may read their own entries, reads none of the whole log.
    assert!(app.app.store.read(&person(ADA), Operation::ReadActivity).await.is_err());
}

async fn names_that_name_nothing_find_nothing(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let mut conn = read(&app.app.store).await;
    let ada = audit::find_about(&mut conn, " ADA@example.com ").await.unwrap();
    assert_eq!(audit::find_about(&mut conn, "Ada").await.unwrap(), ada);
    let query = AuditQuery { about: Some(ada), ..AuditQuery::default() };
    assert_eq!(kinds(&app, &query).await, ["account_created"]);
    let long = "x".repeat(10_000);
    for name in ["bob", "bob@example.com", "%", "_", "'", "a\0da", "key:\0", "key:none", "\u{202e}ada", "", &long] {
        let query =
            AuditQuery { about: Some(audit::find_about(&mut conn, name).await.unwrap()), ..AuditQuery::default() };
        assert_eq!(kinds(&app, &query).await, [""; 0], "{name:.20}");
    }
}

/// A list of one person and one kind compares the kind with what the index of the person finds.
async fn list_goes_on_after_two_thousand_places(engine: Engine) {
    let app = engine.app().await;
    record(&app, &Principal::operator(), &[Change::Account(ADA, AccountChange::Disabled)]).await;
    let many = vec![Change::Account(ADA, AccountChange::LoggedOut); 1100];
    for _ in 0..2 {
        app.clock().advance(Duration::from_secs(1));
        let mut tx = app.app.store.begin(&Principal::operator(), Operation::ManageInstance).await.unwrap();
        tx.record_all(&many).await.unwrap();
        tx.commit().await.unwrap();
    }
    let mut conn = read(&app.app.store).await;
    let query = AuditQuery { kind: Some(AuditKind::AccountDisabled), ..about(ADA.0) };
    let first = audit::list(&mut conn, &query, ListRange::first(50)).await.unwrap();
    assert!(first.data.is_empty() && first.is_cut, "{first:?}");
    let range = ListRange { after: first.next.unwrap(), limit: 50 };
    let rest = audit::list(&mut conn, &query, range).await.unwrap();
    assert_eq!((rest.data.len(), rest.next, rest.is_cut), (1, None, false));
    // Without a kind every place is an entry.
    let all = list::all(async |range| audit::list(&mut read(&app.app.store).await, &about(ADA.0), range).await);
    assert_eq!(all.await.unwrap().len(), 2201);
}

async fn command_prints_entries_of_all(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    record(&app, &administrator(&app, "a").await, &[Change::Account(BOB, AccountChange::Disabled)]).await;
    let run = async |arguments: &[&str]| {
        let output = run_program(&[&["--json", "user", "audit"], arguments].concat(), app.variables()).await;
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let lines =
        |printed: String| printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>();
    let all = lines(run(&["--all"]).await);
    let kinds: Vec<_> = all.iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["account_disabled", "account_created"]);
    let by_administrator = lines(run(&[&administrator(&app, "a").await.user_id().unwrap().to_string(), "--all"]).await);
    assert_eq!(by_administrator.len(), 1);
    assert_eq!(lines(run(&["--kind", "account_created", "--all"]).await).len(), 1);
    let page: Value = serde_json::from_str(&run(&["--limit", "1"]).await).unwrap();
    assert_eq!((page["data"].as_array().unwrap().len(), page["next"].is_string()), (1, true));
}

async fn text(mut export: AuditExport) -> String {
    let mut text = String::new();
    while let Some(chunk) = export.next_chunk().await.unwrap() {
        text.push_str(&chunk);
    }
    text
}

async fn export(app: &TestApp, query: AuditQuery, format: AuditFormat) -> Result<AuditExport, ChangeError> {
    audit_export::export(&app.app, &administrator(app, "a").await, query, format).await
}

async fn export_has_every_entry_and_is_recorded(engine: Engine) {
    let app = engine.app().await;
    let many = vec![Change::Account(ADA, AccountChange::RolesChanged(Roles::NONE)); 1200];
    let mut tx = app.app.store.begin(&Principal::operator(), Operation::ManageInstance).await.unwrap();
    tx.record_all(&many).await.unwrap();
    tx.commit().await.unwrap();
    let exported = text(export(&app, AuditQuery::default(), AuditFormat::Ndjson).await.unwrap()).await;
    let printed = run_program(&["--json", "user", "audit", &ADA.to_string(), "--all"], app.variables()).await;
    assert_eq!(exported, String::from_utf8(printed.stdout).unwrap());
    assert_eq!(exported.lines().count(), 1200);
    let query = AuditQuery { kind: Some(AuditKind::RolesChanged), ..about(ADA.0) };
    let command = audit_export::command(&query);
    assert_eq!(command, format!("doorward --json user audit {ADA} --kind roles_changed --all"));
    let exported = text(export(&app, query, AuditFormat::Csv).await.unwrap()).await;
    let lines: Vec<&str> = exported.split_terminator("\r\n").collect();
    assert!(lines.len() == 1201 && lines[0].starts_with("id,at,user_id,kind,actor,"), "{}", lines[0]);
    assert!(
        lines[1].ends_with(
            "\"{\"\"type\"\":\"\"user\"\",\"\"id\"\":\"\"00000000-0000-0000-0000-000000000ada\"\"}\",\
        \"{\"\"roles\"\":[]}\""
        ),
        "{}",
        lines[1]
    );
    let recorded = "SELECT fields FROM audit WHERE kind = 'audit_exported' ORDER BY at, id";
    assert_eq!(
        app.database().texts(recorded).await,
        [
            r#"{"count":1200,"filter":{},"format":"ndjson"}"#.to_owned(),
            format!(r#"{{"count":1200,"filter":{{"about":"{ADA}","kind":"roles_changed"}},"format":"csv"}}"#),
        ]
    );
    assert_eq!(
        kinds(&app, &about(administrator(&app, "a").await.user_id().unwrap().0)).await,
        ["audit_exported", "audit_exported"]
    );
}

async fn cells_of_formulas_are_quoted(engine: Engine) {
    let app = engine.app().await;
    let formula = "=HYPERLINK(\"https://evil.example/\",\"Look\")";
    record(
        &app,
        &administrator(&app, formula).await,
        &[Change::Account(BOB, AccountChange::NameChanged(Some("-1+1")))],
    )
    .await;
    let exported = text(export(&app, AuditQuery::default(), AuditFormat::Csv).await.unwrap()).await;
    let expected = ",\"'=HYPERLINK(\"\"https://evil.example/\"\",\"\"Look\"\")\",'-1+1,1,,";
    assert!(exported.contains(expected), "{exported}");
    // A spreadsheet may take another separator than the file's.
    let change = [Change::Account(BOB, AccountChange::NameChanged(Some("x;\t=1")))];
    record(&app, &administrator(&app, "x;=cmd|'/C calc'!A0").await, &change).await;
    let exported = text(export(&app, AuditQuery::default(), AuditFormat::Csv).await.unwrap()).await;
    assert!(exported.contains(",x;'=cmd|'/C calc'!A0,x;\t'=1,1,,"), "{exported}");
}

/// Inserts as many entries, each a microsecond before the one before, some of each kind and by each actor.
async fn fill(app: &TestApp, count: usize) {
    let numbers = format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})");
    let (id, at, user) = match app.engine() {
        Engine::Sqlite => ("randomblob(16)", "1700000000000000 - i", "randomblob(16)"),
        Engine::Postgres => {
            ("gen_random_uuid()", "to_timestamp(1700000000) - i * interval '1 microsecond'", "gen_random_uuid()")
        }
    };
    let values = format!(
        "SELECT {id}, {at}, {user}, 'kind' || (i % 50), CASE i % 3 WHEN 0 THEN 'operator' ELSE 'user' END, {user}, '', \
         '', '', 1, {user}, {user} FROM n"
    );
    let columns = "id, at, user_id, kind, actor, actor_user_id, address, user_agent, detail, times, organization_id, \
        subject_id";
    app.database().execute(&format!("INSERT INTO audit ({columns}) {numbers} {values}")).await;
}

async fn too_many_entries_are_refused_before_the_first(engine: Engine) {
    // Which would remove entries as old as these.
    let app = engine.prepare().await.without_background().start().await;
    fill(&app, 100_001).await;
    let refused = export(&app, AuditQuery::default(), AuditFormat::Csv).await.map(drop);
    assert!(matches!(refused, Err(ChangeError::Refused(Refusal::Rule(Rule::Full, _)))), "{refused:?}");
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'audit_exported'").await, 0);
    let by_operator = AuditQuery { about: AuditAbout::parse("operator"), ..AuditQuery::default() };
    let mut begun = export(&app, by_operator, AuditFormat::Csv).await.unwrap();
    assert_eq!(begun.next_chunk().await.unwrap().unwrap().lines().count(), 501);
}

/// A file may be read for long. Once the role is gone no further page is read, and the file breaks off.
async fn every_page_of_an_export_is_read_under_the_role_anew(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    fill(&app, 4_500).await;
    for end in [
        "UPDATE users SET roles = ''",
        "UPDATE users SET roles = 'monitor'",
        "UPDATE users SET disabled_at = created_at",
        "UPDATE sessions SET ended_at = created_at",
    ] {
        let by = harness::administrator(&app, PlatformRole::Auditor, "").await;
        let query = || AuditQuery { about: AuditAbout::parse("operator"), ..AuditQuery::default() };
        let mut file = audit_export::export(&app.app, &by, query(), AuditFormat::Ndjson).await.unwrap();
        assert_eq!(file.next_chunk().await.unwrap().unwrap().lines().count(), 500);
        app.database().execute(end).await;
        assert!(file.next_chunk().await.is_err(), "{end}");
        app.database().execute("UPDATE users SET disabled_at = NULL").await;
    }
    let by = harness::administrator(&app, PlatformRole::Auditor, "").await;
    let operators = AuditQuery { about: AuditAbout::parse("operator"), ..AuditQuery::default() };
    let whole = audit_export::export(&app.app, &by, operators, AuditFormat::Ndjson).await.unwrap();
    assert_eq!(text(whole).await.lines().count(), 1_500);
}

async fn each_way_through_the_log_uses_its_index_on_the_server() {
    let app = Engine::Postgres.app().await;
    fill(&app, 100_000).await;
    app.database().execute("VACUUM ANALYZE audit").await;
    let scans = "SELECT COALESCE(seq_scan, 0)::bigint FROM pg_stat_user_tables WHERE relname = 'audit'";
    let before = app.database().count(scans).await;
    let kind = Some(AuditKind::RolesChanged);
    let of = |about: Option<AuditAbout>, kind| AuditQuery { about, kind, ..AuditQuery::default() };
    let operator = || AuditAbout::parse("operator");
    for query in [
        AuditQuery::default(),
        of(None, kind),
        of(operator(), None),
        of(operator(), kind),
        of(Some(AuditAbout::Id(ADA.0)), None),
        of(Some(AuditAbout::Id(ADA.0)), kind),
    ] {
        let mut conn = read(&app.app.store).await;
        let rows: Vec<AuditRow> = audit::list(&mut conn, &query, ListRange::first(50)).await.unwrap().data;
        assert!(rows.len() <= 50);
        // A number may read all that a person or an actor has, as an export would.
        if query.kind.is_none() || query.about.is_none() {
            conn.audit_count(&query, 1000).await.unwrap();
        }
    }
    let used = "SELECT indexrelname::text FROM pg_stat_user_indexes WHERE relname = 'audit' AND idx_scan > 0 \
        AND indexrelname <> 'audit_pkey' ORDER BY 1";
    let indexes = ["actor", "actor_user_id", "at", "kind", "organization_id", "subject_id", "user_id"];
    let expected: Vec<String> = indexes.iter().map(|index| format!("audit_{index}")).collect();
    eventually("the indexes are used", async || (app.database().texts(used).await == expected).then_some(())).await;
    assert_eq!(app.database().count(scans).await, before, "the table is never read as a whole");
}
