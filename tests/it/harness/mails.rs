//! Queued mails, decrypted with the service's own keys.

use super::app::TestApp;
use super::client::Client;
use super::database::Engine;
use super::runner::eventually;
use doorward::mail::Content;
use doorward::model::ids::MailId;
use uuid::Uuid;

impl TestApp {
    /// The mails to an address that are not erased, oldest first.
    pub async fn mails_to(&self, address: &str) -> Vec<Content> {
        let hex = match self.engine() {
            Engine::Sqlite => "hex(o.id) || ' ' || hex(o.payload)",
            Engine::Postgres => "encode(uuid_send(o.id), 'hex') || ' ' || encode(o.payload, 'hex')",
        };
        let key = doorward::model::mail_domain::key(address);
        let sql = format!(
            "SELECT {hex} FROM outbox o JOIN mails m ON m.id = o.id WHERE m.recipient_key = '{key}' \
             AND length(o.payload) > 0 ORDER BY o.id"
        );
        let rows = self.database().texts(&sql).await;
        rows.iter().map(|row| self.open_mail(row)).collect()
    }

    fn open_mail(&self, row: &str) -> Content {
        let (id, payload) = row.split_once(' ').expect("id and payload");
        let id = MailId(Uuid::parse_str(id).expect("an id"));
        Content::open(&self.app.secret_keys, id, &bytes(payload)).expect("a mail").expect("not erased")
    }

    /// A client that has just signed up and verified its address, whether that is required or optional.
    pub async fn sign_up_verified(&self, email: &str) -> Client {
        let client = self.sign_up(email).await;
        let code = code_of(&self.mail_to(email, "").await);
        client.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);
        client
    }

    /// Proves by a mailed code who the person of a session is, whose account has neither password nor passkey.
    pub async fn confirm_by_mail(&self, client: &Client, email: &str) {
        client.post_form("/auth/account/confirm/mail", &[]).await.expect(303);
        let code = code_of(&self.mail_to(email, "Confirm it’s you").await);
        client.post_form("/auth/account/confirm/code", &[("mailed_code", &code)]).await.expect(303);
    }

    /// Waits for a mail to an address with these words in its subject; returns the newest.
    pub async fn mail_to(&self, address: &str, subject: &str) -> Content {
        let newest = async || self.mails_to(address).await.into_iter().rfind(|mail| mail.subject.contains(subject));
        eventually(&format!("a mail to {address} about {subject:?}"), newest).await
    }
}

pub fn link_of(mail: &Content) -> String {
    let link = mail.link.as_deref().expect("a link");
    link[link.find("/auth/").expect("a path of ours")..].to_owned()
}

pub fn code_of(mail: &Content) -> String {
    let is_code = |word: &&str| word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit());
    mail.text.split_whitespace().find(is_code).unwrap_or_else(|| panic!("no code in {}", mail.text)).to_owned()
}

/// A code that differs from this one.
pub fn wrong_code(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().expect("digits") + 1) % 1_000_000)
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal")).collect()
}
