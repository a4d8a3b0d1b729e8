//! What the tests of this folder share: records, and a provider on the loopback address.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::clock::Clock;
use crate::crypto::login_secrets::ReturnSecrets;
use crate::crypto::scripted_token::{ScriptedKey, ScriptedSignature};
use crate::model::provider::{AppleKeyName, EmailTrust, Provider, ProviderKind, ProviderMfa, ProviderName, Tenant};
use crate::model::time::Time;
use crate::outbound::ExternalClient;
use parking_lot::Mutex;
use secrecy::SecretString;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

pub const NOW: Time = Time::from_micros(1_800_000_000_000_000);
pub const TENANT: &str = "72f988bf-86f1-41af-91ab-2d7cd011db47";
pub const REDIRECT: &str = "https://login.example/auth/login/with/corp/return";

/// A record of a kind as an operator would make it.
pub fn provider(kind: ProviderKind, issuer: &str) -> Provider {
    let is = |other| kind == other;
    Provider {
        name: ProviderName::parse("corp").unwrap(),
        kind,
        issuer: issuer.to_owned(),
        client_id: "client".to_owned(),
        tenant: is(ProviderKind::Microsoft).then_some(Tenant::Common),
        apple: is(ProviderKind::Apple).then(|| AppleKeyName { team_id: "TEAM".to_owned(), key_id: "KEY".to_owned() }),
        scopes: kind.scopes().iter().map(|scope| (*scope).to_owned()).collect(),
        label: "Corp".to_owned(),
        email: EmailTrust::Verified,
        mfa: ProviderMfa::Ask,
        signup: true,
    }
}

pub fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}").into_bytes()
}

pub fn json_answer(body: &Value) -> Vec<u8> {
    answer("200 OK", "", &body.to_string())
}

/// Answers a request; `None` is silence.
type Script = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync;

/// A server whose requests are counted and kept.
pub struct Server {
    pub origin: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts it; the script is made for its origin.
    pub async fn start<S>(script: impl FnOnce(String) -> S) -> Self
    where
        S: Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let (script, requests): (Arc<Script>, _) =
            (Arc::new(script(origin.clone())), Arc::<Mutex<Vec<String>>>::default());
        let seen = requests.clone();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (script, seen) = (script.clone(), seen.clone());
                tokio::spawn(async move {
                    let request = read(&mut stream).await;
                    seen.lock().push(request.clone());
                    match script(&request) {
                        // The client may be gone.
                        Some(answer) => drop(stream.write_all(&answer).await),
                        None => std::future::pending().await,
                    }
                });
            }
        });
        Self { origin, requests }
    }

    pub fn requests(&self, path: &str) -> Vec<String> {
        let is_to = |request: &&String| request.split(' ').nth(1) == Some(path);
        self.requests.lock().iter().filter(is_to).cloned().collect()
    }
}

async fn read(stream: &mut tokio::net::TcpStream) -> String {
    let (mut request, mut piece) = (Vec::new(), vec![0; 4096]);
    loop {
        let length = stream.read(&mut piece).await.unwrap_or_default();
        request.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if length == 0 {
                return text;
            }
            continue;
        };
        let head = head.to_ascii_lowercase();
        let expected = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
        if length == 0 || body.len() >= expected {
            return text;
        }
    }
}

/// A provider with a key, whose answers a test may change.
pub struct TestProvider {
    pub server: Server,
    pub key: Arc<ScriptedKey>,
    pub answers: Arc<Mutex<Answers>>,
    pub external: ExternalClient,
    pub documents: ProviderDocuments,
    pub clock: Clock,
    pub secrets: ReturnSecrets,
}

/// What it answers; `None` where it is silent.
pub struct Answers {
    pub metadata: Option<Vec<u8>>,
    pub keys: Option<Vec<u8>>,
    pub token: Option<Vec<u8>>,
    /// In place of `token` where the client's secret comes in a header.
    pub token_of_header: Option<Vec<u8>>,
    pub userinfo: Option<Vec<u8>>,
    pub emails: Option<Vec<u8>>,
}

/// The metadata of a provider at an origin.
pub fn metadata_json(origin: &str) -> Value {
    json!({
        "issuer": origin,
        "authorization_endpoint": format!("{origin}/authorize"),
        "token_endpoint": format!("{origin}/token"),
        "jwks_uri": format!("{origin}/keys"),
        "userinfo_endpoint": format!("{origin}/userinfo"),
    })
}

impl TestProvider {
    pub async fn start() -> Self {
        let key = Arc::new(ScriptedKey::generate().unwrap());
        let keys = json_answer(&json!({ "keys": [key.jwk()] }));
        let not_found = || Some(answer("404 Not Found", "", "{}"));
        let silent = Answers {
            metadata: None,
            keys: Some(keys),
            token: None,
            token_of_header: None,
            userinfo: None,
            emails: not_found(),
        };
        let answers = Arc::new(Mutex::new(silent));
        let script = answers.clone();
        let server = Server::start(|origin| {
            script.lock().metadata = Some(json_answer(&metadata_json(&origin)));
            move |request: &str| {
                let answers = script.lock();
                let by_header = answers.token_of_header.clone().filter(|_| request.contains("authorization: Basic "));
                match request.split(' ').nth(1).unwrap_or_default() {
                    "/keys" => answers.keys.clone(),
                    "/token" if by_header.is_some() => by_header,
                    "/token" | "/login/oauth/access_token" => answers.token.clone(),
                    "/userinfo" | "/api/v3/user" => answers.userinfo.clone(),
                    "/api/v3/user/emails?per_page=100" => answers.emails.clone(),
                    path if path.contains("/.well-known/openid-configuration") => answers.metadata.clone(),
                    _ => not_found(),
                }
            }
        })
        .await;
        let (external, secrets) = (ExternalClient::new(Vec::new()).unwrap(), ReturnSecrets::generate().unwrap());
        let (documents, clock) = (ProviderDocuments::default(), Clock::system());
        Self { server, key, answers, external, documents, clock, secrets }
    }

    pub fn provider(&self, kind: ProviderKind) -> Provider {
        provider(kind, &self.server.origin)
    }

    pub fn client(&self) -> ProviderClient<'_> {
        ProviderClient { external: self.external.share_of(None), documents: &self.documents, clock: &self.clock }
    }

    pub fn claims(&self) -> Value {
        let now = self.clock.now().as_seconds();
        json!({
            "iss": self.server.origin, "aud": "client", "sub": "ada", "nonce": self.secrets.nonce(),
            "iat": now, "exp": now + 300, "email": "ada@example.com", "email_verified": true, "name": "Ada",
        })
    }

    /// The token endpoint answers with these claims.
    pub fn says(&self, claims: &Value) {
        let token = self.key.sign(claims, ScriptedSignature::Right).unwrap();
        self.answers.lock().token = Some(json_answer(&json!({ "id_token": token, "access_token": "secret-token" })));
    }

    pub async fn log_in(&self, provider: &Provider) -> Result<ProviderProfile, ProviderFault> {
        self.log_in_with(provider, CallbackParams { code: Some("the code"), ..CallbackParams::default() }).await
    }

    pub async fn log_in_with(
        &self,
        provider: &Provider,
        returned: CallbackParams<'_>,
    ) -> Result<ProviderProfile, ProviderFault> {
        let client_secret = SecretString::from("s3cret+/:");
        let redemption = Redemption { client_secret: &client_secret, redirect_uri: REDIRECT, secrets: &self.secrets };
        self.client().profile(provider, redemption, returned).await
    }
}
