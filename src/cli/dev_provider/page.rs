//! The pages of the scripted provider.

use super::form::DevFields;
use super::person::DevPerson;

/// A button for each person, with what the request said.
pub(super) fn choose(people: &[DevPerson], path: &str, request: &DevFields) -> String {
    let kept = request.iter().filter(|(name, _)| name.as_str() != "person");
    let kept: String = kept.map(|(name, value)| hidden(name, value)).collect();
    let button = |person: &DevPerson| {
        let shown = person.name.as_deref().unwrap_or(&person.sub);
        let email = person.email.as_deref().unwrap_or("no address");
        let (sub, shown, email) = (escaped(&person.sub), escaped(shown), escaped(email));
        format!("<p><button name=\"person\" value=\"{sub}\">{shown} ({email})</button></p>")
    };
    let buttons: String = people.iter().map(button).collect();
    let path = escaped(path);
    document("Log in as", &format!("<form action=\"{path}\"><h1>Log in as</h1>{kept}{buttons}</form>"))
}

/// A form that sends itself, as Apple answers.
pub(super) fn post(action: &str, fields: &[(&str, String)]) -> String {
    let action = escaped(action);
    let fields: String = fields.iter().map(|(name, value)| hidden(name, value)).collect();
    let send = "<script>document.forms[0].submit()</script>";
    document("Back", &format!("<form method=\"post\" action=\"{action}\">{fields}<button>Back</button></form>{send}"))
}

pub(super) fn sentence(text: &str) -> String {
    document("Provider", &format!("<p>{}</p>", escaped(text)))
}

fn document(title: &str, body: &str) -> String {
    format!("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><main>{body}</main></html>")
}

fn hidden(name: &str, value: &str) -> String {
    format!("<input type=\"hidden\" name=\"{}\" value=\"{}\">", escaped(name), escaped(value))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
