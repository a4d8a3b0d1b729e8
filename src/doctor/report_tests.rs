use super::*;
use std::future::pending;

#[tokio::test(start_paused = true)]
async fn check_that_does_not_end_is_an_error() {
    let mut report = Report::default();
    assert_eq!(report.in_time("mail", pending::<()>()).await, None);
    assert_eq!(report.errors(), [FindingCode::CheckTimedOut]);
    let Line { check, code, .. } = report.lines[0];
    assert_eq!((check, code), ("mail", Some(FindingCode::CheckTimedOut)));
    assert_eq!(report.in_time("mail", async { 7 }).await, Some(7));
    assert_eq!(report.errors(), [FindingCode::CheckTimedOut]);
}
