//! `doorward docs` and `doorward explain`: every page is in the program, as it stands in `docs`.

use crate::docs::pages::{Page, pages};
use crate::harness::run_program;
use doorward::model::finding::FindingCode;
use serde_json::{Value, json};
use std::collections::BTreeMap;

single_run![every_page_is_printed, page_is_found_by_its_name, every_finding_is_explained];

const FOLDERS: [&str; 3] = ["docs/start/", "docs/guides/", "docs/reference/"];
const SKILL: &str = "skills/doorward/SKILL.md";

/// Exit code, standard output and standard error.
async fn doorward(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run_program(arguments, &BTreeMap::new()).await;
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), out, err)
}

async fn result(arguments: &[&str]) -> Value {
    let (code, out, err) = doorward(&[arguments, &["--json"]].concat()).await;
    assert_eq!(code, Some(0), "{arguments:?}: {err}");
    serde_json::from_str(&out).unwrap()
}

fn name(page: &Page) -> &str {
    if page.path == SKILL { "skill" } else { page.path.trim_start_matches("docs/").trim_end_matches(".md") }
}

fn title(page: &Page) -> &str {
    page.text.lines().find_map(|line| line.strip_prefix("# ")).expect("a title")
}

async fn every_page_is_printed() {
    let pages: Vec<Page> = pages()
        .into_iter()
        .filter(|page| page.path == SKILL || FOLDERS.iter().any(|folder| page.path.starts_with(folder)))
        .collect();
    let listed = result(&["docs"]).await;
    let mut listed = listed["data"].as_array().unwrap().clone();
    let by_page = |entry: &Value| entry["page"].to_string();
    listed.sort_by_key(by_page);
    let mut expected: Vec<Value> = pages.iter().map(|page| json!({"page": name(page), "title": title(page)})).collect();
    expected.sort_by_key(by_page);
    assert_eq!(listed, expected);
    let (_, table, _) = doorward(&["docs"]).await;
    for page in &pages {
        let is_listed = |line: &str| line.starts_with(&format!("{} ", name(page))) && line.ends_with(title(page));
        assert!(table.lines().any(is_listed), "{}: {table}", page.path);
        let (code, printed, _) = doorward(&["docs", name(page)]).await;
        assert!(
            code == Some(0) && printed.trim_end() == page.text.trim_end(),
            "{} is printed otherwise than it stands there",
            page.path
        );
    }
}

/// Also as messages and pages name it.
async fn page_is_found_by_its_name() {
    for given in ["gate", "reference/gate", "docs/reference/gate.md", "gate.md"] {
        assert_eq!(result(&["docs", given]).await["page"], "reference/gate", "{given}");
    }
    for (given, closest) in
        [("gaet", "reference/gate"), ("setings", "reference/settings"), ("webhooks", "guides/webhooks")]
    {
        let (code, out, err) = doorward(&["docs", given]).await;
        assert!(code == Some(2) && out.is_empty() && err.contains(closest), "{given}: {out}{err}");
    }
}

async fn every_finding_is_explained() {
    let page = include_str!("../../docs/reference/doctor.md");
    for code in FindingCode::ALL.iter().map(|code| code.as_str()) {
        let (_, section) = page.split_once(&format!("\n### {code}\n")).expect("its section");
        let section = section.split("\n## ").next().unwrap().split("\n### ").next().unwrap();
        let record = result(&["explain", code]).await;
        assert_eq!((record["code"].as_str(), record["text"].as_str()), (Some(code), Some(section.trim())));
    }
    let (_, printed, _) = doorward(&["explain", "DW-053"]).await;
    for other in ["dw-053", "053", "53"] {
        assert_eq!(doorward(&["explain", other]).await.1, printed, "{other}");
    }
    for unknown in ["DW-999", "DW-", "0053", "gate", "é"] {
        let (code, out, err) = doorward(&["explain", unknown]).await;
        assert!(code == Some(2) && out.is_empty() && err.contains("the closest are DW-"), "{unknown}: {out}{err}");
    }
}
