//! People with platform roles, and the forms of their acts.

use super::{Client, PASSWORD, Reply, TestApp};
use regex::Regex;

/// The id of the account with this address.
pub async fn id_of(app: &TestApp, email: &str) -> String {
    let client = app.anonymous();
    client.log_in(email, PASSWORD).await.expect(303);
    client.api_user().await.expect(200).json()["id"].as_str().unwrap().to_owned()
}

/// Someone with a platform role, who has just logged in.
pub async fn someone_with(app: &TestApp, role: &str) -> Client {
    let email = format!("{role}@example.com");
    app.sign_up(&email).await;
    app.database().execute(&format!("UPDATE users SET roles = '{role}' WHERE email = '{email}'")).await;
    let client = app.anonymous();
    client.log_in(&email, PASSWORD).await.expect(303);
    client
}

/// Carries an act out as a person does: opens its form, and sends what it shows beside these fields.
pub async fn act(client: &Client, path: &str, fields: &[(&str, &str)]) -> Reply {
    let form = client.get(path).header("sec-fetch-mode", "navigate").await.expect(200);
    let page = form.hidden("page");
    let token = client.token("csrf").unwrap();
    let sent = [fields, &[("csrf_token", token.as_str()), ("page", &page)]].concat();
    let call = client.form(path, &sent).header("accept", "text/html");
    call.header("sec-fetch-mode", "navigate").header("sec-fetch-site", "same-origin").await
}

/// The values of the cells in the first column of the page's tables.
pub fn first_column(reply: &Reply) -> Vec<String> {
    let row = Regex::new(r#"(?s)<th scope="row">(.*?)</th>"#).unwrap();
    let tag = Regex::new("<[^>]*>").unwrap();
    row.captures_iter(&reply.text()).map(|found| tag.replace_all(&found[1], "").trim().to_owned()).collect()
}
