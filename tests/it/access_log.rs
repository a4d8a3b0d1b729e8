//! The lines of the log that requests cause, as text and as JSON.

use crate::harness::{Engine, Process, snapshot};

single_run![requests_are_logged_as_text_and_as_json];

async fn requests_are_logged_as_text_and_as_json() {
    for format in ["text", "json"] {
        let builder = Engine::Sqlite.prepare().await.set("SVC_LOG_FORMAT", format);
        let builder = builder.set("SVC_LOG", "info,doorward::access=debug");
        let mut process = Process::start(builder.variables()).await;
        let ada = builder.anonymous();
        ada.sign_up("ada@example.com").await.expect(303);
        ada.get("/auth/account").await.expect(200);
        ada.api_user().await.expect(200);
        ada.get("/auth/gate").await.expect(200);
        ada.get("/auth/nowhere").await.expect(404);
        ada.refresh_call("?audience=app").await.expect(400);
        builder.anonymous().log_in("ada@example.com", "not the password").await.expect(401);
        ada.log_out().await.expect(204);
        process.signal("TERM");
        assert!(process.wait().await.success());
        let log = process.stderr();
        // How often it is asked whether it is ready varies.
        let is_request = |line: &&str| line.contains("request") && !line.contains("/auth/ready");
        snapshot(&format!("log/{format}"), &log.lines().filter(is_request).collect::<Vec<_>>().join("\n"));
    }
}
