//! A passkey without a browser: the key and the counter of an authenticator (Web Authentication, level 3).

use super::client::Client;
use super::reply::Reply;
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Presence and verification of the user; with a new credential, its data too.
const PRESENT_AND_VERIFIED: u8 = 0x05;
const WITH_CREDENTIAL: u8 = 0x40;
pub const CAN_BE_BACKED_UP: u8 = 0x08;
pub const IS_BACKED_UP: u8 = 0x10;
/// `{"fmt": "none", "attStmt": {}, "authData": …}` and an array of bytes with a length of one byte, in CBOR.
const ATTESTATION: &[u8] = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58";
/// The start of a COSE key: ES256 on P-256; then the coordinates.
const KEY_TYPE: &[u8] = b"\xa5\x01\x02\x03\x26\x20\x01";

/// A passkey of one account at one origin. A clone has the same key and its own counter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Passkey {
    origin: String,
    /// PKCS #8, in base64url as the rest.
    key: String,
    id: String,
    user: String,
    counter: u32,
    /// What it says of backups: [`CAN_BE_BACKED_UP`] and [`IS_BACKED_UP`].
    #[serde(default)]
    backups: u8,
}

impl Passkey {
    /// Adds one to the account of a client that authenticated lately.
    pub async fn add(client: &Client, origin: &str, name: &str) -> Self {
        let page = client.get("/auth/account/passkeys/new").await.expect(200);
        let options = options(&page, "create");
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let mut passkey = Self {
            origin: origin.to_owned(),
            id: URL_SAFE_NO_PAD.encode(&digest(&SHA256, key.as_ref()).as_ref()[..16]),
            key: URL_SAFE_NO_PAD.encode(key.as_ref()),
            user: options["user"]["id"].as_str().unwrap().to_owned(),
            counter: 0,
            backups: 0,
        };
        let mut data = passkey.authenticator_data(PRESENT_AND_VERIFIED | WITH_CREDENTIAL);
        let id = bytes(&passkey.id);
        let point = passkey.key_pair().public_key().as_ref().to_vec();
        data.extend([0; 16]);
        data.extend(u16::try_from(id.len()).unwrap().to_be_bytes());
        data.extend(id);
        data.extend(KEY_TYPE);
        for (label, coordinate) in [(0x21, &point[1..33]), (0x22, &point[33..])] {
            data.extend([label, 0x58, 32]);
            data.extend(coordinate);
        }
        let attestation = [ATTESTATION, &[u8::try_from(data.len()).unwrap()], &data].concat();
        let client_data = passkey.client_data("webauthn.create", &options);
        let response = json!({
            "attestationObject": URL_SAFE_NO_PAD.encode(attestation),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
        });
        let credential = passkey.credential(&response);
        let state = hidden(&page, "create", "state");
        let fields = [("name", name), ("state", state.as_str()), ("credential", &credential)];
        client.post_form("/auth/account/passkeys", &fields).await.expect(303);
        passkey
    }

    /// The same passkey, whose keeper says other things of backups from now on.
    pub fn saying(&self, backups: u8) -> Self {
        Self { backups, ..self.clone() }
    }

    /// The same passkey, whose counter goes back.
    pub fn counting_from(&self, counter: u32) -> Self {
        Self { counter, ..self.clone() }
    }

    /// The same passkey, which does not say whose it is.
    pub fn of_nobody(&self) -> Self {
        Self { user: String::new(), ..self.clone() }
    }

    pub async fn log_in(&mut self, client: &Client) -> Reply {
        let page = client.get("/auth/login").await.expect(200);
        let data = self.authenticator_data(PRESENT_AND_VERIFIED);
        let client_data = self.client_data("webauthn.get", &options(&page, "get"));
        let signed = [data.as_slice(), digest(&SHA256, client_data.as_bytes()).as_ref()].concat();
        let signature = self.key_pair().sign(&SystemRandom::new(), &signed).unwrap();
        let response = json!({
            "authenticatorData": URL_SAFE_NO_PAD.encode(data),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
            "signature": URL_SAFE_NO_PAD.encode(signature.as_ref()),
            "userHandle": (!self.user.is_empty()).then_some(&self.user),
        });
        let (credential, state) = (self.credential(&response), hidden(&page, "get", "state"));
        client.post_form("/auth/login/passkey", &[("state", &state), ("credential", &credential)]).await
    }

    fn key_pair(&self) -> EcdsaKeyPair {
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &bytes(&self.key)).unwrap()
    }

    /// The site, what the user did, and the counter, which grows by one.
    fn authenticator_data(&mut self, flags: u8) -> Vec<u8> {
        self.counter += 1;
        let host = self.origin.split("://").nth(1).unwrap().split(':').next().unwrap();
        [digest(&SHA256, host.as_bytes()).as_ref(), &[flags | self.backups], &self.counter.to_be_bytes()].concat()
    }

    fn client_data(&self, kind: &str, options: &Value) -> String {
        let challenge = &options["challenge"];
        json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false }).to_string()
    }

    fn credential(&self, response: &Value) -> String {
        json!({ "id": self.id, "rawId": self.id, "type": "public-key", "response": response }).to_string()
    }
}

fn bytes(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}

fn form(page: &Reply, kind: &str) -> String {
    let html = page.text();
    html.split(&format!("data-passkey=\"{kind}\"")).nth(1).unwrap_or_else(|| panic!("no form in {html}")).to_owned()
}

/// What the page asks an authenticator for.
fn options(page: &Reply, kind: &str) -> Value {
    let form = form(page, kind);
    let escaped = form.split("data-options=\"").nth(1).unwrap().split('"').next().unwrap();
    let options: Value = serde_json::from_str(&escaped.replace("&#34;", "\"").replace("&quot;", "\"")).unwrap();
    options["publicKey"].clone()
}

fn hidden(page: &Reply, kind: &str, name: &str) -> String {
    let form = form(page, kind);
    form.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap().split('"').next().unwrap().to_owned()
}
