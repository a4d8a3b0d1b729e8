//! Where a login at the scripted provider begins.

use super::CLIENT_ID;
use super::answer::{DevAnswer, page, redirect};
use super::form::DevFields;
use super::grant::{Flavor, Grant};
use super::page;
use super::person::DevPerson;
use super::server::DevServer;
use crate::cli::dev_args::DevFault;
use hyper::StatusCode;
use serde_json::json;

impl DevServer {
    /// Answers a request to log in: by a page, or with the person whom it hints at.
    pub(super) fn authorize(&self, path: &str, flavor: &Flavor, request: &DevFields) -> DevAnswer {
        let refused = |text: &str| page(StatusCode::BAD_REQUEST, page::sentence(text));
        if request.get("client_id") != Some(CLIENT_ID) {
            return refused("This client is unknown.");
        }
        let is_address = |url: &&str| url.starts_with("http://") || url.starts_with("https://");
        let Some(redirect_uri) = request.get("redirect_uri").filter(is_address) else {
            return refused("There is no redirect address.");
        };
        let challenge = request.get("code_challenge").filter(|_| request.get("code_challenge_method") == Some("S256"));
        let Some(challenge) = challenge.filter(|_| request.get("response_type") == Some("code")) else {
            return self.back(flavor, request, redirect_uri, vec![("error", "invalid_request".to_owned())]);
        };
        let Some((number, person)) = self.chosen(request) else {
            return page(StatusCode::OK, page::choose(&self.people, path, request));
        };
        if let Some(error) = &person.error {
            return self.back(flavor, request, redirect_uri, vec![("error", error.clone())]);
        }
        let grant = Grant {
            flavor: flavor.clone(),
            person: number,
            redirect_uri: redirect_uri.to_owned(),
            nonce: request.get("nonce").map(str::to_owned),
            challenge: challenge.to_owned(),
        };
        let Some(code) = self.grants.code(grant) else { return refused("There are no random bytes.") };
        let mut fields = vec![("code", code)];
        if is_posted(request) && self.grants.tells_name(number) {
            fields.push(("user", user(person)));
        }
        self.back(flavor, request, redirect_uri, fields)
    }

    fn chosen(&self, request: &DevFields) -> Option<(usize, &DevPerson)> {
        let mut people = self.people.iter().enumerate();
        if let Some(sub) = request.get("person") {
            return people.find(|(_, person)| person.sub == sub);
        }
        let hint = request.get("login_hint").or_else(|| request.get("login"))?;
        people.find(|(_, person)| person.is_meant_by(hint))
    }

    /// Sends the browser back, by an address or by a form.
    fn back(
        &self,
        flavor: &Flavor,
        request: &DevFields,
        redirect_uri: &str,
        mut fields: Vec<(&'static str, String)>,
    ) -> DevAnswer {
        fields.extend(request.get("state").map(|state| ("state", state.to_owned())));
        if *flavor == Flavor::OpenId {
            let iss = if self.fault == Some(DevFault::IssParameter) { self.another() } else { self.issuer() };
            fields.push(("iss", iss));
        }
        if is_posted(request) {
            return page(StatusCode::OK, page::post(redirect_uri, &fields));
        }
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(fields);
        let separator = if redirect_uri.contains('?') { '&' } else { '?' };
        redirect(&format!("{redirect_uri}{separator}{}", query.finish()))
    }
}

fn is_posted(request: &DevFields) -> bool {
    request.get("response_mode") == Some("form_post")
}

/// The field `user` of Apple.
fn user(person: &DevPerson) -> String {
    let name = person.name.as_deref().unwrap_or_default();
    let (first, last) = name.split_once(' ').unwrap_or((name, ""));
    json!({ "name": { "firstName": first, "lastName": last }, "email": person.email }).to_string()
}
