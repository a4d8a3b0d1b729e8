//! systemd and a shell, as readers of files of variables.

use crate::harness::systemd_library;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const SYSTEMD: &str = include_str!("systemd.py");

/// What systemd reads in each text; `None` where it refuses the file.
pub fn by_systemd(texts: &[Vec<u8>]) -> Vec<Option<BTreeMap<String, String>>> {
    let mut python = Command::new("python3");
    python.args(["-c", SYSTEMD]).arg(systemd_library().expect("its library"));
    python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = python.spawn().unwrap();
    let mut input = child.stdin.take().expect("its input");
    input.write_all(serde_json::to_string(texts).unwrap().as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Before version 254, systemd takes the line after a comment that ends with a backslash for a part of it.
pub fn systemd_continues_comments() -> bool {
    let name = systemd_library().expect("its library");
    let digits = name.file_name().unwrap().to_str().unwrap().replace(|c: char| !c.is_ascii_digit(), " ");
    digits.split_whitespace().next().unwrap().parse::<u32>().unwrap() < 254
}

/// What a shell sets when it reads the file.
pub fn by_shell(file: &Path) -> BTreeMap<String, String> {
    let program = "set -a; . \"$0\"; exec python3 -c 'import json, os; print(json.dumps(dict(os.environ)))'";
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", program]).arg(file).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let variables: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut variables: BTreeMap<String, String> = serde_json::from_value(variables).unwrap();
    variables.retain(|name, _| name.starts_with("SVC_"));
    variables
}
