//! People with platform roles, and the forms of their acts.

use super::{Client, Engine, PASSWORD, Reply, TestApp};
use doorward::model::device::Device;
use doorward::model::ids::{SessionId, UserId};
use doorward::model::principal::Principal;
use doorward::model::roles::{PlatformRole, Roles};
use regex::Regex;
use uuid::Uuid;

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

/// The principal of the person with this address at the pages of administrators, where they have this role, with a live
/// session.
pub async fn administrator_of(app: &TestApp, email: &str, role: PlatformRole, device: Device) -> Principal {
    let grant = format!("UPDATE users SET roles = '{}' WHERE email = '{email}'", role.as_str());
    app.database().execute(&grant).await;
    let user: Uuid = id_of(app, email).await.parse().unwrap();
    let id = match app.engine() {
        Engine::Sqlite => "lower(hex(s.id))",
        Engine::Postgres => "s.id::text",
    };
    let newest = format!(
        "SELECT {id} FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = '{email}' \
         ORDER BY s.created_at DESC LIMIT 1"
    );
    let session: Uuid = app.database().texts(&newest).await.remove(0).parse().unwrap();
    Principal::administrator(UserId(user), Roles::NONE.with(role), SessionId(session), device)
}

/// The same of an account that is made if it is not there, and of which the audit log has nothing.
pub async fn administrator(app: &TestApp, role: PlatformRole, user_agent: &str) -> Principal {
    let email = format!("{}@example.com", role.as_str());
    if app.database().count(&format!("SELECT count(*) FROM users WHERE email = '{email}'")).await == 0 {
        app.sign_up(&email).await;
    }
    let principal = administrator_of(app, &email, role, Device::new(user_agent, None)).await;
    let made = "kind IN ('account_created', 'signed_in')";
    let own = format!("DELETE FROM audit WHERE {made} AND user_id IN (SELECT id FROM users WHERE email = '{email}')");
    app.database().execute(&own).await;
    principal
}
