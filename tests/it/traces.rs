//! Distributed traces: a caller's place in its trace reaches the log and the webhooks, and spans reach a collector.

use crate::harness::{
    Call, Client, Engine, PASSWORD, Process, Receiver, TempDir, api_tools, eventually, free_port, run_program,
    snapshot_of_command,
};
use std::path::Path;
use std::process::{Child, Command, Stdio};

both_engines![webhooks_carry_on_caller, invalid_parents_are_ignored];

single_run![other_protocols_are_refused_at_start, absent_collector_costs_nothing];

if_installed![ApiTools: collector_sees_request_in_trace_of_caller];

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A signup that is not sent yet.
async fn signup(client: &Client) -> Call {
    client.get("/auth/signup").await.expect(200);
    let token = client.token("csrf").unwrap();
    client.form("/auth/signup", &[("email", "ada@example.com"), ("password", PASSWORD), ("csrf_token", &token)])
}

async fn webhooks_carry_on_caller(engine: Engine) {
    let receiver = Receiver::start().await;
    let app = engine.prepare().await.webhooks(&receiver).start().await;
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
    let app = engine.prepare().await.webhooks(&receiver).start().await;
    let ada = app.anonymous();
    let nobody = format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32));
    let form = signup(&ada).await.header("traceparent", &nobody).also_header("traceparent", PARENT);
    form.await.expect(303);
    assert_eq!(receiver.wait_for(1).await[0].header("traceparent"), None);
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

/// Prints each span that it is sent as `trace parent span name status`.
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
                    print(*ids, service, status, span.name, file=out)
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

async fn collector_sees_request_in_trace_of_caller() {
    let (folder, port, receiver) = (TempDir::new("spans"), free_port(), Receiver::start().await);
    let spans = folder.path().join("spans");
    let _collector = Collector::start(port, &spans);
    let mut variables = Engine::Sqlite.prepare().await.webhooks(&receiver).with_another_port();
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
    let ids: Vec<&str> = signup.split(' ').collect();
    assert_eq!(ids[..2], [TRACE, "00f067aa0ba902b7"], "{signup}");
    assert_eq!(receiver.wait_for(1).await[0].header("traceparent"), Some(format!("00-{TRACE}-{}-01", ids[2]).as_str()));
}
