//! The network between the service and its database: packets that are lost without a word, and certificates.

use crate::harness::{
    Builder, Client, Engine, MOVED_NAME, Namespace, Need, Process, Proxy, Receiver, TempDir, TestDatabase, Way,
    eventually, run_program,
};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Output};
use tokio::task::JoinSet;

once_on_postgres![
    black_hole_costs_no_connection_and_does_not_keep_process_from_ending,
    certificate_of_version_1_is_named,
];

/// Connections that requests may use at once: the default of `SVC_DATABASE_POOL_MAX`, less four for other work.
const SLOTS: i64 = 20;

/// A service in a namespace. By the first way it reaches its database; the second one is that of its clients, of its
/// webhooks, and of the database after its name has moved.
struct FarService {
    namespace: Namespace,
    builder: Builder,
    receiver: Receiver,
    process: Process,
    ada: Client,
    _proxies: [Proxy; 3],
}

impl FarService {
    async fn start(namespace: Namespace) -> Self {
        let receiver = Receiver::start().await;
        let builder = Engine::Postgres.prepare().await.webhooks(&receiver).set("SVC_RATE_LIMIT", "off");
        let (server, hook) = (builder.database().server_address().to_owned(), receiver.url());
        let receiver_address = hook.split('/').nth(2).expect("an address").to_owned();
        let here = |way, port| SocketAddr::from((namespace.here(way), port));
        let proxies = [
            Proxy::start_at(here(Way::First, 5432), &server).await,
            Proxy::start_at(here(Way::Second, 5432), &server).await,
            Proxy::start_at(here(Way::Second, 8000), &receiver_address).await,
        ];
        let url = builder.database().url().replace(&server, &format!("{MOVED_NAME}:5432"));
        let there = SocketAddr::from((namespace.there(Way::Second), 8080)).to_string();
        let builder = builder
            .set("SVC_WEBHOOK_URL", hook.replace(&receiver_address, &proxies[2].address().to_string()))
            .set("SVC_DATABASE_URL", url)
            .set("SVC_BASE_URL", format!("http://{there}"))
            .set("SVC_LISTEN", &there);
        let mut process = Process::spawn_in(&namespace, builder.variables());
        process.wait_until_ready(&there).await;
        let ada = builder.anonymous();
        ada.sign_up("ada@example.com").await.expect(303);
        Self { namespace, builder, receiver, process, ada, _proxies: proxies }
    }

    /// The statuses of more requests at once than there are connections, each of which needs one.
    async fn use_every_connection(&self) -> Vec<u16> {
        let mut requests = JoinSet::new();
        for _ in 0..2 * SLOTS {
            let client = self.ada.clone();
            requests.spawn(async move { client.get("/auth/account/sessions").await.status });
        }
        requests.join_all().await
    }

    /// Fails unless all connections are in use at the same time, and then answer.
    async fn expect_every_slot(&self) {
        let lock = self.builder.database().hold_table("users").await;
        let mut changes = JoinSet::new();
        for number in 0..2 * SLOTS {
            let client = self.ada.clone();
            let name = format!("ada{number}");
            changes
                .spawn(async move { client.post_form("/auth/account/username", &[("username", &name)]).await.status });
        }
        self.builder.database().wait_for_blocked(SLOTS).await;
        lock.release().await;
        assert!(changes.join_all().await.iter().all(|status| *status == 303));
    }
}

/// The host of the database is lost, and its name leads to another one.
async fn black_hole_costs_no_connection_and_does_not_keep_process_from_ending() {
    let Some(namespace) = Namespace::new().await else { return };
    let mut service = FarService::start(namespace).await;
    assert_eq!(service.use_every_connection().await, [200; 40]);
    let before = service.receiver.received().len();
    service.namespace.make_black_hole(Way::First);
    assert!(service.use_every_connection().await.contains(&503), "the way is still open");
    service.namespace.lead_name_to(Way::Second);
    let all = async || service.use_every_connection().await.iter().all(|status| *status == 200).then_some(());
    eventually("every request is answered", all).await;
    service.expect_every_slot().await;
    service.builder.anonymous().sign_up("bob@example.com").await.expect(303);
    eventually("a webhook", async || (service.receiver.received().len() > before).then_some(())).await;
    // Now nothing is left: no client, no receiver, no database.
    let client = service.ada.clone();
    let under_way = tokio::spawn(async move { client.get("/auth/account/sessions").await });
    service.namespace.make_black_hole(Way::Second);
    service.process.signal("TERM");
    assert_eq!(service.process.wait().await.code(), Some(0), "{}", service.process.stderr());
    under_way.abort();
}

/// Signs a key's certificate with the key: of version 3 if it has extensions, else of version 1.
fn write_certificate(folder: &Path, version: u8) {
    let extensions = if version == 3 { "-extfile extensions" } else { "" };
    let script = format!(
        "set -e; echo subjectAltName=IP:127.0.0.1 > extensions; \
         openssl req -new -newkey rsa:2048 -nodes -keyout key -subj /CN=database -out request; \
         openssl x509 -req -in request -signkey key -days 2 {extensions} -out certificate; \
         openssl x509 -in certificate -noout -text | grep -q 'Version: {version} '"
    );
    let made = Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{made:?}");
}

/// Gives the server a certificate. Its own user writes the files, as no other user may read them.
async fn install_certificate(database: &TestDatabase, folder: &Path) {
    for (from, to) in [("key", "server.key"), ("certificate", "server.crt")] {
        let text = std::fs::read_to_string(folder.join(from)).unwrap();
        let lines = format!("SELECT unnest(string_to_array(trim('{text}', E'\\n'), E'\\n'))");
        database.execute(&format!("COPY ({lines}) TO PROGRAM 'umask 077; cat > {to}'")).await;
    }
    database.execute("ALTER SYSTEM SET ssl = on").await;
    database.texts("SELECT pg_reload_conf()::text").await;
}

async fn certificate_of_version_1_is_named() {
    if !Need::OpenSsl.is_met() {
        return;
    }
    let builder = Engine::Postgres.prepare().await.on_database(TestDatabase::on_own_server().await);
    let with_mode = async |command: &[&str], mode: &str| -> Output {
        let mut variables = builder.variables().clone();
        variables.insert("SVC_DATABASE_URL".to_owned(), format!("{}?sslmode={mode}", builder.database().url()));
        run_program(command, &variables).await
    };
    let folder = TempDir::new("certificate");
    write_certificate(folder.path(), 3);
    install_certificate(builder.database(), folder.path()).await;
    let is_taken = async || with_mode(&["user", "list"], "require").await.status.success().then_some(());
    eventually("the server has a certificate of version 3", is_taken).await;
    // The last connection of the test itself, which would be refused, too.
    write_certificate(folder.path(), 1);
    install_certificate(builder.database(), folder.path()).await;
    let is_refused = async || (!with_mode(&["user", "list"], "require").await.status.success()).then_some(());
    eventually("the server has one of version 1", is_refused).await;
    for mode in ["prefer", "require"] {
        let refused = with_mode(&["serve"], mode).await;
        let error = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{mode}: {error}");
        assert!(error.contains("SVC_DATABASE_URL") && error.contains("certificate is of X.509 version 1"), "{error}");
    }
    assert!(with_mode(&["user", "list"], "disable").await.status.success());
}
