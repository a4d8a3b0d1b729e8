//! The files of `deploy/` for containers, and the release workflow: who reaches whom, and what is pinned.

use crate::harness::{Engine, Process, run_program};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

single_run![
    kubernetes_does_not_start_before_proxies_are_named,
    workflows_use_only_pinned_actions_and_images,
    images_that_others_make_are_pinned,
];
if_installed![
    Ruby: kubernetes_lets_only_proxies_and_prometheus_in,
    Ruby: application_of_compose_reaches_caddy_alone,
];

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const KUBERNETES: &str = "deploy/kubernetes/doorward.yaml";
const COMPOSE: &str = "deploy/compose/compose.yaml";

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

fn documents(path: &str) -> Vec<Value> {
    let script = "puts JSON.generate(YAML.load_stream(File.read(ARGV[0])))";
    let mut command = Command::new("ruby");
    let output = command.args(["-ryaml", "-rjson", "-e", script]).arg(Path::new(ROOT).join(path)).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn of_kind<'a>(documents: &'a [Value], kind: &str) -> &'a Value {
    documents.iter().find(|document| document["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"))
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// A network of all pods, which some clusters have there, would let each of them choose its address.
async fn kubernetes_does_not_start_before_proxies_are_named() {
    let line = "  SVC_TRUSTED_PROXIES: ";
    let value = read(KUBERNETES).lines().find_map(|text| text.strip_prefix(line).map(str::to_owned)).unwrap();
    assert!(value.starts_with("REPLACE"), "{value}: a service with it would start");
    let mut variables = Engine::Sqlite.prepare().await.variables().clone();
    variables.insert("SVC_TRUSTED_PROXIES".to_owned(), value);
    let output = run_program(&["serve"], &variables).await;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("SVC_TRUSTED_PROXIES") && text.contains("a comma-separated list of networks"), "{text}");
    variables.insert("SVC_TRUSTED_PROXIES".to_owned(), "10.1.2.0/28".to_owned());
    Process::start(&variables).await;
}

async fn kubernetes_lets_only_proxies_and_prometheus_in() {
    let documents = documents(KUBERNETES);
    let (policy, deployment) = (of_kind(&documents, "NetworkPolicy"), of_kind(&documents, "Deployment"));
    assert_eq!(policy["spec"]["podSelector"], deployment["spec"]["selector"], "the policy is for every process");
    assert_eq!(policy["spec"]["policyTypes"], json!(["Ingress"]));
    let mut open = BTreeMap::new();
    for rule in policy["spec"]["ingress"].as_array().unwrap() {
        let (from, ports) = (rule["from"].as_array().unwrap(), rule["ports"].as_array().unwrap());
        for peer in from {
            // An empty selector selects everything, and two in a list are two peers.
            for selector in ["namespaceSelector", "podSelector"] {
                assert!(!peer[selector]["matchLabels"].as_object().unwrap().is_empty(), "{rule}");
            }
        }
        let pods = from.iter().map(|peer| &peer["podSelector"]["matchLabels"]["app.kubernetes.io/name"]);
        open.insert(ports[0]["port"].as_str().unwrap(), pods.map(|name| name.as_str().unwrap()).collect::<Vec<_>>());
        assert_eq!(ports.len(), 1, "{rule}");
    }
    assert_eq!(open, BTreeMap::from([("http", vec!["traefik"]), ("metrics", vec!["prometheus"])]));
}

/// An application that is broken into must not read the mail with its links, nor be believed about addresses.
async fn application_of_compose_reaches_caddy_alone() {
    let file = documents(COMPOSE).remove(0);
    let services = file["services"].as_object().unwrap();
    let networks = |name: &str| -> Vec<String> {
        match &services[name]["networks"] {
            Value::Object(networks) => networks.keys().cloned().collect(),
            list => texts(list).into_iter().map(str::to_owned).collect(),
        }
    };
    assert_eq!(services["mailpit"]["network_mode"], "service:doorward");
    let [own] = networks("app").try_into().unwrap();
    let beside: Vec<_> = services.keys().filter(|name| *name != "mailpit" && networks(name).contains(&own)).collect();
    assert_eq!(beside, ["app", "caddy"]);
    let trusted = services["doorward"]["environment"]["SVC_TRUSTED_PROXIES"].as_str().unwrap();
    assert_eq!(services["caddy"]["networks"]["login"]["ipv4_address"], trusted, "no other address is trusted");
    for (name, service) in services {
        for port in service["ports"].as_array().into_iter().flatten() {
            assert!(port.as_str().unwrap().starts_with("127.0.0.1:"), "{name}");
        }
    }
}

fn is_pinned(image: &str) -> bool {
    let digest = image.split_once("@sha256:").map(|(_, digest)| digest);
    digest.is_some_and(|digest| digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// What follows a key in each line of a file that has it.
fn values<'a>(text: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| line.trim_start().trim_start_matches("- ").strip_prefix(key)).map(str::trim)
}

/// A tag can be moved to other code, which would have the workflow's rights.
async fn workflows_use_only_pinned_actions_and_images() {
    let mut found = 0;
    for file in fs::read_dir(Path::new(ROOT).join(".github/workflows")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for action in values(&text, "uses:") {
            let (_, commit) = action.split_once('@').unwrap();
            let (commit, version) = commit.split_once(" # v").unwrap_or_else(|| panic!("{action}: of which version?"));
            assert!(commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{action}");
            assert_eq!(version.split('.').count(), 3, "{action}");
            found += 1;
        }
        for image in ["container:", "image:"].into_iter().flat_map(|key| values(&text, key)) {
            assert!(is_pinned(image), "{image}");
            found += 1;
        }
        assert!(text.contains("\npermissions:\n  contents: read\n"), "every job begins with the least");
        let rights: Vec<_> = text.lines().filter(|line| line.ends_with(": write")).map(str::trim).collect();
        let attests = text.contains("actions/attest-build-provenance@");
        let needed: &[&str] = if attests { &["id-token: write", "attestations: write"] } else { &[] };
        assert_eq!(rights, needed);
    }
    assert!(found >= 6, "{found}");
}

async fn images_that_others_make_are_pinned() {
    let compose = read(COMPOSE);
    let own = format!("doorward:{}", env!("CARGO_PKG_VERSION"));
    let images: Vec<_> = values(&compose, "image:").filter(|image| *image != own).collect();
    assert_eq!(images.len(), 4, "{images:?}");
    let containerfile = read("deploy/Containerfile");
    let bases = values(&containerfile, "FROM ").map(|base| base.split(' ').next().unwrap());
    for image in images.into_iter().chain(bases.filter(|base| *base != "scratch")) {
        assert!(is_pinned(image), "{image}");
    }
}
