//! `doorward dev`: the service for this machine alone, with what those need who build an application.

use super::dev_args::{Application, DevService};
use super::failure::Failure;
use super::local_server::StopSignals;
use super::output::Output;
use super::runner::as_operator;
use super::{banner, serve, setup_link};
use crate::boot;
use crate::context::App;
use crate::domain::registration::setup;
use crate::model::finding::Finding;
use crate::model::this_machine::{LOCALHOST, is_this_machine};
use crate::settings::{Environment, LoadedSettings, Origin, ServiceName, Settings, Variable};
use serde_json::json;
use std::net::{Ipv4Addr, SocketAddr};

/// The variables, with what the arguments say.
pub(super) fn environment(name: &ServiceName, given: &Environment, how: &DevService) -> Environment {
    let [listen, base_url, allowed, app_url] =
        ["LISTEN", "BASE_URL", "ALLOWED_ORIGINS", "APP_URL"].map(|suffix| name.variable(suffix));
    let mut changes = vec![(listen, Some(SocketAddr::from((Ipv4Addr::LOCALHOST, how.port)).to_string()))];
    if given.get(&base_url) == Variable::Unset {
        let host = how.app.as_ref().map_or(LOCALHOST, |app| app.origin.host());
        changes.push((base_url, Some(format!("http://{host}:{}", how.port))));
    }
    if let Some(app) = &how.app {
        let origins = match given.get(&allowed) {
            Variable::Text(others) => format!("{},{others}", app.origin.as_str()),
            Variable::Unset | Variable::NotUnicode => app.origin.as_str().to_owned(),
        };
        changes.extend([(allowed, Some(origins)), (app_url, Some(app.url.clone()))]);
    }
    given.clone().with(changes)
}

/// Runs until SIGTERM or SIGINT.
pub(super) async fn run(
    loaded: LoadedSettings,
    (environment, application): (&Environment, Option<&Application>),
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let LoadedSettings { mut settings, warnings } = loaded;
    refuse_other_machines(&settings, application).await?;
    settings.mail.stays_here = settings.mail.smtp.is_none();
    let log = serve::start_log(&settings)?;
    let served = serve(settings, environment, &warnings, out).await;
    log.wait_until_written();
    served
}

/// Before anything is written: a mistake must change nothing that people use.
async fn refuse_other_machines(settings: &Settings, application: Option<&Application>) -> Result<(), Failure> {
    let base_url = &settings.server.base_url;
    let database = (!boot::has_own_database(settings)?).then(|| settings.database.url.shown());
    let metrics = settings.server.metrics_listen.filter(|address| !address.ip().is_loopback());
    let host = |host: &str| (!is_this_machine(host)).then(|| host.to_owned());
    let elsewhere = [
        ("BASE_URL", (!base_url.is_this_machine()).then(|| base_url.as_str().to_owned())),
        ("DATABASE_URL", database),
        ("METRICS_LISTEN", metrics.map(|address| address.to_string())),
        ("SMTP_URL", settings.mail.smtp.as_ref().and_then(|smtp| host(&smtp.host))),
        ("WEBHOOK_URL", settings.webhooks.as_ref().and_then(|webhooks| host(webhooks.url.host().unwrap_or_default()))),
    ];
    if let Some((suffix, Some(what))) = elsewhere.into_iter().find(|(_, what)| what.is_some()) {
        let variable = settings.name.variable(suffix);
        return Err(Failure::Operator(format!(
            "{variable} is for another machine: {what}. doorward dev is for this one"
        )));
    }
    if let Some(app) = application.filter(|app| app.origin.host() != base_url.host()) {
        let (app, base_url) = (app.origin.as_str(), base_url.as_str());
        let reason = "browsers send cookies to one host only: give both the same";
        return Err(Failure::Operator(format!("--app: {app} has another host than {base_url}; {reason}")));
    }
    let base = settings.name.variable("BASE_URL");
    match boot::noted_base_url(settings).await? {
        Some(url) if !Origin::parse(&url).is_some_and(|url| url.is_this_machine()) => Err(Failure::Operator(format!(
            "the service on this database was last {url}, and people may use it. Make a copy with doorward backup, \
             restore it in another folder, and start it once with doorward serve and a {base} of this machine"
        ))),
        _ => Ok(()),
    }
}

async fn serve(
    settings: Settings,
    environment: &Environment,
    warnings: &[Finding],
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let (app, server) = serve::start(settings, environment, warnings, "--port").await?;
    let address = server.local_addr().map_err(Failure::Output)?;
    let mut signals = StopSignals::new()?;
    let issued = as_operator(&app, setup::IssueLink).await?;
    greet(&app, environment, issued.map(|(token, _)| setup_link::url(&app, &token)), address, out);
    let mut service = std::pin::pin!(serve::run_until(app.clone(), server, signals.stopped()));
    loop {
        let ended = tokio::select! {
            ended = &mut service => Some(ended),
            () = app.local_mail_arrived.notified() => None,
        };
        print_mails(&app, out);
        if let Some(ended) = ended {
            return ended;
        }
    }
}

/// The service runs, whether this and the emails are read or not.
fn greet(app: &App, environment: &Environment, setup: Option<String>, address: SocketAddr, out: &mut Output<'_>) {
    let url = app.settings.server.base_url.as_str();
    let data = app.settings.database.data_dir.display().to_string();
    let json = json!({"listening": address, "url": url, "setup": setup, "data": data});
    let mut rows = banner::rows(&app.settings, environment);
    let mut own = vec![("App", format!("DOORWARD_URL={url}")), ("Data", data)];
    own.splice(0..0, setup.map(|link| ("Setup", link)));
    rows.splice(1..1, own);
    let _ = out.item(&json, &banner::text(&rows, address));
}

fn print_mails(app: &App, out: &mut Output<'_>) {
    for mail in std::mem::take(&mut *app.local_mails.lock()) {
        let head = format!("Mail {} to {}", mail.kind, mail.to);
        let code = mail.code.iter().map(|code| format!("Code {code}"));
        let link = mail.link.iter().map(|link| format!("Link {link}"));
        let lines: Vec<String> = [head].into_iter().chain(code).chain(link).collect();
        let _ = out.item(&mail, &lines.join("\n"));
    }
}
