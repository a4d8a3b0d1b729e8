//! What a client of progenitor does against a running service.

use client::types::{CreateUser, ErrorCode, User};
use progenitor_client::Error;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use std::env::var;
use std::num::NonZero;

mod client {
    progenitor::generate_api!(spec = "openapi-3.0.json", interface = Builder);
}

type Refusal = Error<client::types::ErrorBody>;

async fn create(backend: &client::Client, email: &str) -> Result<User, Refusal> {
    let metadata = serde_json::from_value(serde_json::json!({"plan": "gold", "seats": [1]})).unwrap();
    let body = CreateUser::builder().email(email).metadata(Some(metadata));
    Ok(backend.create_user().body(body).send().await?.into_inner())
}

fn refused(result: Result<User, Refusal>, status: u16) -> client::types::ErrorContent {
    match result {
        Err(Error::ErrorResponse(answer)) if answer.status() == status => answer.into_inner().error,
        other => panic!("{other:?}"),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let name = var("CLIENT").unwrap();
    let address = |number: u8| format!("{name}-{number}@example.com");
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, format!("Bearer {}", var("DOORWARD_KEY").unwrap()).parse().unwrap());
    let http = reqwest::Client::builder().default_headers(headers).build().unwrap();
    let backend = client::Client::new_with_client(&var("DOORWARD_URL").unwrap(), http);

    for number in 1..=6 {
        let made = create(&backend, &address(number)).await.unwrap();
        assert_eq!(made.metadata["plan"], "gold");
    }

    assert_eq!(refused(create(&backend, &address(1)).await, 409).code, ErrorCode::EmailTaken);
    assert!(refused(create(&backend, "nobody").await, 422).details.contains_key("email"));

    let (mut found, mut after) = (0, None::<String>);
    loop {
        let request = backend.list_users().limit(NonZero::<u64>::new(5).unwrap());
        let request = match after.take() {
            Some(after) => request.after(after),
            None => request,
        };
        let page = request.send().await.unwrap().into_inner();
        assert!(page.data.len() <= 5);
        found += page.data.iter().filter(|user| user.email.starts_with(&name)).count();
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    assert_eq!(found, 6);

    let sessions = backend.list_user_sessions().id(var("DOORWARD_USER").unwrap()).send().await.unwrap();
    assert_eq!(sessions.data[0].methods, ["password"]);
}
