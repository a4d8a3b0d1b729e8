//! skills/doorward/SKILL.md, followed by a coding agent: each of its commands runs, and none needs a terminal.

use crate::harness::{Newcomer, blocks};

single_run![commands_of_the_skill_run_without_a_terminal, skill_has_the_form_of_agent_skills];

const SKILL: &str = include_str!("../../skills/doorward/SKILL.md");
const DEV: &str = "doorward dev --app http://localhost:3000";

async fn commands_of_the_skill_run_without_a_terminal() {
    let (newcomer, blocks) = (Newcomer::new(), blocks(SKILL, "sh"));
    assert!(blocks.iter().any(|block| block.contains(DEV)) && commands_outside(&blocks).is_empty());
    // Each block in a shell of its own, as agents run them.
    let mut lines = vec!["trap 'kill $(cat *.pid) 2>/dev/null' EXIT".to_owned()];
    for (number, block) in blocks.iter().enumerate() {
        let block = block.replace(DEV, &format!("{DEV} --port {}", newcomer.port));
        newcomer.append(&format!("{number}.sh"), &block.replace(":8080", &format!(":{}", newcomer.port)));
        lines.push(format!("sh -e {number}.sh || {{ cat *.log >&2; exit 1; }}"));
    }
    let output = newcomer.run(&lines.join("\n")).await;
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    // With the session for developers, in the list of users, and with that of the double.
    assert_eq!(printed.matches(r#""email":"ada@example.com","username""#).count(), 3, "{printed}");
    assert!(printed.contains("401\n"), "the token has expired: {printed}");
}

/// Commands of the text that are in no block.
fn commands_outside(blocks: &[&str]) -> Vec<&'static str> {
    let text = SKILL.split("```").step_by(2);
    let spans = text.flat_map(|text| text.split('`').skip(1).step_by(2));
    let commands = spans.filter(|span| span.starts_with("doorward "));
    commands.filter(|command| !blocks.iter().any(|block| block.contains(command))).collect()
}

/// <https://agentskills.io/specification>
async fn skill_has_the_form_of_agent_skills() {
    let (head, body) = SKILL.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n\n")).expect("front matter");
    let fields: Vec<_> = head.lines().map(|line| line.split_once(": ").expect("a field a line")).collect();
    let value = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, value)| value.len());
    assert!(fields.contains(&("name", "doorward")), "the name of its folder");
    assert!(value("description").is_some_and(|length| length <= 1024));
    assert!(value("compatibility").is_none_or(|length| length <= 500));
    assert!(fields.iter().all(|(_, value)| !value.contains(": ")), "a colon would need quotes");
    assert!(body.starts_with("# ") && SKILL.len() <= 8000);
}
