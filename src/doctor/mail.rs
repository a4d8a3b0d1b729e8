//! The mail server: name, connection, TLS and login; nothing is sent.

use super::certificate;
use super::report::Report;
use crate::clock::Clock;
use crate::mail::{Mailer, SmtpOutcome};
use crate::model::finding::{Finding, FindingCode};
use crate::settings::Settings;

const CHECK: &str = "mail";

pub(super) async fn examine(report: &mut Report, settings: &Settings, clock: &Clock) {
    let Some(smtp) = &settings.mail.smtp else {
        let variable = settings.name.variable("SMTP_URL");
        return report.ok(CHECK, format!("off: emails wait until {variable} is set"));
    };
    let mailer = match Mailer::new(smtp, settings.server.base_url.host(), &settings.pages.brand) {
        Ok(mailer) => mailer,
        Err(error) => return report.found(CHECK, Finding::new(FindingCode::MailTls, error.to_string())),
    };
    let server = format!("{}:{}", smtp.host, smtp.port);
    let Some(result) = report.in_time(CHECK, Box::pin(mailer.log_in())).await else { return };
    let is_encrypted = matches!(&result, Ok(Some(_)));
    if let Some(warning) = settings.mail.without_tls(&settings.name).filter(|_| !is_encrypted) {
        report.found(CHECK, warning);
    }
    let outcome = match result {
        Ok(end) => {
            certificate::examine(report, CHECK, &server, end, clock);
            return report.ok_unless_found(CHECK, format!("{server} accepts connections and the login"));
        }
        Err(outcome) => outcome,
    };
    let said = outcome.reply().map_or_else(|| outcome.detail().to_owned(), ToString::to_string);
    let (code, remedy) = remedy(settings, &outcome);
    report.found(CHECK, Finding::new(code, format!("{server}: {said}; {remedy}")));
}

fn remedy(settings: &Settings, outcome: &SmtpOutcome) -> (FindingCode, String) {
    let variable = |suffix| settings.name.variable(suffix);
    match outcome.class() {
        "name" => (FindingCode::NameNotResolved, format!("check {} and the name in DNS", variable("SMTP_URL"))),
        "tls" => {
            let remedy = format!(
                "its certificate must be for this name, from an authority that this machine trusts ({})",
                variable("SMTP_CA_FILE")
            );
            (FindingCode::MailTls, remedy)
        }
        "starttls" => (FindingCode::MailTls, "for a port with TLS from the start, use smtps://".to_owned()),
        "login" => (FindingCode::MailLogin, format!("check username and password in {}", variable("SMTP_URL"))),
        _ => (
            FindingCode::MailUnreachable,
            "check that it is up, that its port is reachable from here, and whether it needs smtp:// or smtps://"
                .to_owned(),
        ),
    }
}
