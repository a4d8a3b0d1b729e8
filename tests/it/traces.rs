//! Distributed traces: a caller's place in its trace reaches the log and the webhooks, and spans reach a collector.

use crate::harness::{
    Builder, Call, Client, Engine, PASSWORD, Process, Receiver, TempDir, api_tools, eventually, free_port, run_program,
    snapshot_of_command,
};
use serde_json::json;
use std::path::Path;
use std::process::{Child, Command, Stdio};

one_engine![webhooks_carry_on_caller, invalid_parents_are_ignored, parent_of_stranger_is_not_believed,];

single_run![access_line_has_trace_of_caller, other_protocols_are_refused_at_start, absent_collector_costs_nothing,];

if_installed![
    ApiTools: collector_sees_request_in_trace_of_caller,
    ApiTools: collector_sees_link_to_trace_of_stranger,
];

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A signup that is not sent yet.
async fn signup(client: &Client) -> Call {
    client.get("/auth/signup").await.expect(200);
    let token = client.token("csrf").unwrap();
    client.form("/auth/signup", &[("email", "ada@example.com"), ("password", PASSWORD), ("csrf_token", &token)])
}

/// A service that trusts this machine as a proxy.
async fn behind_proxy(engine: Engine, receiver: &Receiver) -> Builder {
    engine.prepare().await.webhooks(receiver).set("SVC_TRUSTED_PROXIES", "127.0.0.1")
}

async fn webhooks_carry_on_caller(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = behind_proxy(engine, &receiver).await.start().await;
    let ada = app.anonymous();
    signup(&ada).await.header("traceparent", PARENT).await.expect(303);
    for event in receiver.wait_for(3).await {
        assert_eq!(event.header("traceparent"), Some(PARENT), "{event:?}");
    }
    ada.post_form("/auth/organizations", &[("name", "Crew")]).await.expect(303);
    assert_eq!(receiver.wait_for(4).await[3].header("traceparent"), None);
}

async fn invalid_parents_are_ignored(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = behind_proxy(engine, &receiver).await.start().await;
    let ada = app.anonymous();
    let nobody = format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32));
    let form = signup(&ada).await.header("traceparent", &nobody).also_header("traceparent", PARENT);
    form.await.expect(303);
    assert_eq!(receiver.wait_for(1).await[0].header("traceparent"), None);
}

/// Neither in webhooks nor in the log: anyone may name any trace.
async fn parent_of_stranger_is_not_believed(engine: Engine) {
    let receiver = Receiver::start().await;
    let builder = engine.prepare().await.webhooks(&receiver);
    let variables = builder.with_another_port();
    let mut process = Process::start(&variables).await;
    let ada = Client::new(&format!("http://{}", variables["SVC_LISTEN"]), "svc");
    signup(&ada).await.header("traceparent", PARENT).header("x-forwarded-for", "127.0.0.1").await.expect(303);
    assert_eq!(receiver.wait_for(1).await[0].header("traceparent"), None);
    process.signal("TERM");
    assert!(process.wait().await.success());
    let log = process.stderr();
    assert!(log.contains("account created") && !log.contains(TRACE), "{log}");
}

/// The one line that each request has.
async fn access_line_has_trace_of_caller() {
    let builder = Engine::Sqlite.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.1").set("SVC_LOG_FORMAT", "json");
    let mut process = Process::start(builder.variables()).await;
    let ada = builder.anonymous();
    signup(&ada).await.header("traceparent", PARENT).await.expect(303);
    process.signal("TERM");
    assert!(process.wait().await.success());
    let log = process.stderr();
    let lines = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let lines: Vec<_> = lines.filter(|line| line["target"] == "doorward::access").collect();
    let traces: Vec<_> = lines.iter().map(|line| (&line["fields"]["method"], &line["fields"]["trace"])).collect();
    assert_eq!(traces, [(&json!("GET"), &json!(null)), (&json!("POST"), &json!(TRACE))], "{log}");
}

/// The gRPC port answers nothing that HTTP understands.
async fn other_protocols_are_refused_at_start() {
    let mut variables = Engine::Sqlite.prepare().await.variables().clone();
    variables.insert("OTEL_EXPORTER_OTLP_ENDPOINT".to_owned(), "http://127.0.0.1:4317".to_owned());
    variables.insert("OTEL_EXPORTER_OTLP_PROTOCOL".to_owned(), "grpc".to_owned());
    let refused = run_program(&["serve"], &variables).await;
    snapshot_of_command("traces/other_protocol_refused", &["serve"], &refused);
}

async fn absent_collector_costs_nothing() {
    let builder = Engine::Sqlite.prepare().await;
    let mut variables = builder.with_another_port();
    variables.insert("OTEL_EXPORTER_OTLP_ENDPOINT".to_owned(), format!("http://127.0.0.1:{}", free_port()));
    variables.insert("OTEL_BSP_SCHEDULE_DELAY".to_owned(), "50".to_owned());
    let mut process = Process::start(&variables).await;
    let client = Client::new(&format!("http://{}", variables["SVC_LISTEN"]), "svc");
    for _ in 0..200 {
        client.get("/auth/login").await.expect(200);
    }
    let warned = async || process.stderr().contains("traces do not reach their collector").then_some(());
    eventually("the operator is told", warned).await;
    assert_eq!(process.stderr().matches("traces do not reach").count(), 1, "once for an outage");
    process.signal("TERM");
    assert!(process.wait().await.success());
}

/// Prints each span that it is sent as `trace parent span links service status name`.
const COLLECTOR: &str = r#"
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

class Collector(BaseHTTPRequestHandler):
    def do_POST(self):
        request = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["content-length"])))
        assert self.path == "/v1/traces", self.path
        with open(sys.argv[2], "a") as out:
            for resource in request.resource_spans:
                service = {a.key: a.value.string_value for a in resource.resource.attributes}["service.name"]
                for span in (span for scope in resource.scope_spans for span in scope.spans):
                    status = {a.key: a.value.int_value for a in span.attributes}["http.response.status_code"]
                    ids = [id.hex() for id in (span.trace_id, span.parent_span_id, span.span_id)]
                    links = ",".join(f"{link.trace_id.hex()}:{link.span_id.hex()}" for link in span.links)
                    print(*ids, f"[{links}]", service, status, span.name, file=out)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass

HTTPServer(("127.0.0.1", int(sys.argv[1])), Collector).serve_forever()
"#;

/// Killed when dropped.
struct Collector(Child);

impl Collector {
    fn start(port: u16, spans: &Path) -> Self {
        let python = Path::new(&api_tools().unwrap()).join("python3");
        let mut command = Command::new(python);
        command.args(["-c", COLLECTOR, &port.to_string()]).arg(spans).stdin(Stdio::null());
        Self(command.spawn().unwrap())
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The ids of the span of a signup: trace, parent, span, links; and what its webhook carried on.
async fn traced_signup(proxies: &str) -> ([String; 4], Option<String>) {
    let (folder, port, receiver) = (TempDir::new("spans"), free_port(), Receiver::start().await);
    let spans = folder.path().join("spans");
    let _collector = Collector::start(port, &spans);
    let builder = Engine::Sqlite.prepare().await.webhooks(&receiver).set("SVC_TRUSTED_PROXIES", proxies);
    let mut variables = builder.with_another_port();
    variables.insert("OTEL_EXPORTER_OTLP_ENDPOINT".to_owned(), format!("http://127.0.0.1:{port}"));
    variables.insert("OTEL_BSP_SCHEDULE_DELAY".to_owned(), "50".to_owned());
    let _process = Process::start(&variables).await;
    let ada = Client::new(&format!("http://{}", variables["SVC_LISTEN"]), "svc");
    signup(&ada).await.header("traceparent", PARENT).await.expect(303);
    let signup = eventually("the span of the signup", async || {
        let lines = std::fs::read_to_string(&spans).unwrap_or_default();
        lines.lines().find(|line| line.ends_with(" doorward 303 POST /auth/signup")).map(str::to_owned)
    });
    let signup = signup.await;
    let ids: Vec<String> = signup.split(' ').take(4).map(str::to_owned).collect();
    (ids.try_into().unwrap(), receiver.wait_for(1).await[0].header("traceparent").map(str::to_owned))
}

async fn collector_sees_request_in_trace_of_caller() {
    let ([trace, parent, span, links], carried) = traced_signup("127.0.0.1").await;
    assert_eq!([trace.as_str(), &parent, &links], [TRACE, "00f067aa0ba902b7", "[]"]);
    assert_eq!(carried, Some(format!("00-{TRACE}-{span}-01")));
}

async fn collector_sees_link_to_trace_of_stranger() {
    let ([trace, parent, span, links], carried) = traced_signup("192.0.2.1").await;
    assert_ne!(trace, TRACE);
    assert_eq!([parent.as_str(), &links], ["", &format!("[{TRACE}:00f067aa0ba902b7]")]);
    assert_eq!(carried, Some(format!("00-{trace}-{span}-01")));
}
