//! Two processes behind a proxy, by the blocks of docs/guides/cluster.md.

use super::edits::Edits;
use super::site::{Front, ProxyKind, address_of};
use crate::harness::{Client, Engine, Need, Process, Receiver, eventually, free_port};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::task::JoinSet;

if_installed![
    Nginx: restarts_behind_nginx_cost_no_answer,
    HaProxy: restarts_behind_haproxy_cost_no_answer,
];

const PAGE: &str = include_str!("../../../docs/guides/cluster.md");

/// Where two processes listen, and where `HAProxy` serves its own gate.
#[derive(Clone, Debug)]
pub struct Processes {
    pub addresses: [String; 2],
    pub gate: String,
}

/// A file that was printed for the address of the gate, with the page's block of the proxy.
pub fn with_processes(name: &str, file: &str, processes: &Processes) -> String {
    match name {
        "nginx.conf" => {
            let file = file.replace(&format!("http://{}", processes.gate), "http://doorward");
            format!("{}\n{file}", block("nginx", processes))
        }
        "haproxy.cfg" => {
            let (before, rest) = file.split_once("backend doorward\n").expect("a backend");
            let (_, after) = rest.split_once("backend application\n").expect("the next one");
            format!("{before}{}\nbackend application\n{after}", block("haproxy", processes))
        }
        _ => file.to_owned(),
    }
}

/// The page's first block in a language, with the addresses of a test.
fn block(language: &str, Processes { addresses: [one, two], gate }: &Processes) -> String {
    let rest = PAGE.split_once(&format!("```{language}\n")).expect("a block").1;
    let block = rest.split("```").next().expect("its end");
    let places = [("127.0.0.1:8079", gate), ("127.0.0.1:8080", one), ("127.0.0.1:8081", two)];
    places.into_iter().fold(block.to_owned(), |block, (from, to)| block.replace(from, to))
}

async fn restarts_behind_nginx_cost_no_answer() {
    restarts_cost_no_answer(ProxyKind::Nginx).await;
}

async fn restarts_behind_haproxy_cost_no_answer() {
    restarts_cost_no_answer(ProxyKind::HaProxy).await;
}

/// Each process is restarted twice, as soon as the other is ready again.
async fn restarts_cost_no_answer(kind: ProxyKind) {
    if !Need::Postgres.is_met() {
        return;
    }
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    let builder = Engine::Postgres.prepare().await.set("SVC_RATE_LIMIT", "off");
    let builder = builder.set("SVC_TRUSTED_PROXIES", "127.0.0.1").set("SVC_BASE_URL", &url);
    let variables = [builder.variables().clone(), builder.with_another_port()];
    let mut running = [Process::start(&variables[0]).await, Process::start(&variables[1]).await];
    let application = Receiver::start().await;
    let gate = format!("127.0.0.1:{}", free_port());
    let addresses = variables.each_ref().map(|variables| variables["SVC_LISTEN"].clone());
    let processes = Some(Processes { addresses, gate: gate.clone() });
    let edits = Edits { processes, ..Edits::default() };
    let _front = Front::start_at(port, kind, &gate, &address_of(&application), &edits).await;
    let ada = Client::new(&url, "svc");
    ada.sign_up("ada@example.com").await.expect(303);
    let visits = Visits::begin(&ada);
    for _ in 0..2 {
        for (process, variables) in running.iter_mut().zip(&variables) {
            process.signal("TERM");
            assert!(process.wait().await.success(), "{}", process.stderr());
            *process = Process::start(variables).await;
            visits.some_more().await;
        }
    }
    let statuses = visits.end().await;
    assert_eq!(statuses.keys().collect::<Vec<_>>(), [&200, &204], "{statuses:?}");
}

/// Visitors who ask the login and, through the gate, the application without a pause. They only read: a proxy does not
/// repeat a form that it has sent to a process which ends at that moment.
struct Visits {
    visitors: JoinSet<BTreeMap<u16, usize>>,
    is_over: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
}

impl Visits {
    fn begin(person: &Client) -> Self {
        let (is_over, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let mut visitors = JoinSet::new();
        for _ in 0..4 {
            let (person, is_over, answered) = (person.copy(), is_over.clone(), answered.clone());
            visitors.spawn(async move {
                let mut statuses = BTreeMap::new();
                while !is_over.load(Ordering::Relaxed) {
                    for path in ["/auth/api/v1/user", "/"] {
                        *statuses.entry(person.get(path).await.status).or_default() += 1;
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                }
                statuses
            });
        }
        Self { visitors, is_over, answered }
    }

    /// Waits until each visitor has asked a few times more.
    async fn some_more(&self) {
        let before = self.answered.load(Ordering::Relaxed);
        let answered = async || (self.answered.load(Ordering::Relaxed) >= before + 40).then_some(());
        eventually("more answers", answered).await;
    }

    /// How often each status was answered.
    async fn end(self) -> BTreeMap<u16, usize> {
        self.is_over.store(true, Ordering::Relaxed);
        let mut statuses = BTreeMap::new();
        for (status, count) in self.visitors.join_all().await.into_iter().flatten() {
            *statuses.entry(status).or_default() += count;
        }
        statuses
    }
}
