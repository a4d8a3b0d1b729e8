//! `doorward dev provider`: a provider of logins whose people and faults are chosen, for development and for our tests.
//!
//! It is an OpenID provider at its origin. So that the rules of the other kinds can be tried with it, too, it is also
//! Microsoft at `/{tenant}/v2.0` and GitHub at `/login/oauth` and `/api/v3`, and it answers by a form where it is asked to, as
//! Apple does. What a person's ID token says besides stands in the field `claims` of the file of people.

mod answer;
mod authorize;
mod form;
mod grant;
mod page;
mod person;
mod server;
mod token;

use super::dev_args::{DevFault, DevProvider};
use super::failure::Failure;
use super::local_server::{self, StopSignals};
use super::output::Output;
use person::DevPerson;
use serde::Serialize;
use server::DevServer;
use std::sync::Arc;
use tokio::net::TcpListener;

/// What a record of this provider needs, in the order of the documentation.
#[derive(Serialize)]
struct Announcement<'a> {
    issuer: &'a str,
    client_id: &'a str,
    client_secret: &'a str,
    pid: u32,
}

/// The only client. The secret is none: who reaches the provider may log in as anyone.
const CLIENT_ID: &str = "doorward-dev";
const CLIENT_SECRET: &str = "dev-provider-secret";

pub(super) async fn run(arguments: &DevProvider, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut stop = StopSignals::new()?;
    let people = match &arguments.people {
        Some(file) => DevPerson::read(file)?,
        None => DevPerson::default_people(),
    };
    let listener = local_server::bind(arguments.port).await?;
    let issuer = format!("http://{}", listener.local_addr().map_err(Failure::Output)?);
    let server = DevServer::new(issuer.clone(), people, arguments.fault)?;
    let announcement =
        Announcement { issuer: &issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET, pid: std::process::id() };
    // One line of JSON, with --json and without.
    let line = serde_json::to_string(&announcement).map_err(|error| Failure::Output(error.into()))?;
    out.item(&announcement, &line)?;
    tokio::select! {
        ended = serve(listener, Arc::new(server)) => ended.map_err(Failure::Output),
        () = stop.stopped() => Ok(()),
    }
}

async fn serve(listener: TcpListener, server: Arc<DevServer>) -> std::io::Result<()> {
    if server.fault == Some(DevFault::Down) {
        loop {
            // It keeps the port, so that nothing else answers there.
            drop(listener.accept().await?);
        }
    }
    local_server::serve(listener, move |request| {
        let server = server.clone();
        async move { server.answer(request).await }
    })
    .await
}
