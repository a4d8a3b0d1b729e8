//! A received mail and its MIME parts.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

#[derive(Clone, Debug)]
pub struct ReceivedMail {
    pub sender: String,
    pub recipients: Vec<String>,
    pub user: Option<String>,
    pub encrypted: bool,
    /// The number of earlier mails on the same connection.
    pub earlier_on_connection: usize,
    /// The whole message, without SMTP dot-stuffing.
    pub text: String,
}

impl ReceivedMail {
    /// The only header of this name, unfolded.
    pub fn header(&self, name: &str) -> String {
        let (head, _) = self.text.split_once("\r\n\r\n").expect("a head");
        let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
        let prefix = format!("{}:", name.to_ascii_lowercase());
        let values: Vec<&str> = head
            .split("\r\n")
            .filter(|line| line.to_ascii_lowercase().starts_with(&prefix))
            .map(|line| line[prefix.len()..].trim())
            .collect();
        assert_eq!(values.len(), 1, "{name} in {head}");
        values[0].to_owned()
    }

    /// The subject as people see it, with encoded words decoded (RFC 2047).
    pub fn subject(&self) -> String {
        let header = self.header("subject").replace("?= =?utf-8?b?", "?==?utf-8?b?");
        let mut parts = header.split("=?utf-8?b?");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (word, rest) = part.split_once("?=").expect("the end of an encoded word");
            text.push_str(std::str::from_utf8(&STANDARD.decode(word).expect("base64")).expect("UTF-8"));
            text.push_str(rest);
        }
        text
    }

    /// The decoded part of this type, such as `text/plain`.
    pub fn part(&self, kind: &str) -> String {
        let content_type = self.header("content-type");
        assert!(content_type.starts_with("multipart/alternative"), "{content_type}");
        let boundary = content_type.split("boundary=").nth(1).expect("a boundary").trim_matches('"');
        let mark = format!("--{boundary}");
        let parts = self.text.split(&mark);
        let part = parts.filter_map(|part| part.split_once("\r\n\r\n")).find(|(head, _)| head.contains(kind));
        let (head, body) = part.unwrap_or_else(|| panic!("no {kind} in {}", self.text));
        let encoding = head.to_ascii_lowercase();
        let bytes = if encoding.contains("quoted-printable") {
            quoted_printable(body)
        } else if encoding.contains("base64") {
            STANDARD.decode(body.replace("\r\n", "")).unwrap()
        } else {
            body.as_bytes().to_vec()
        };
        String::from_utf8(bytes).unwrap()
    }

    /// The first link in the text, as a path.
    pub fn link(&self) -> String {
        let text = self.part("text/plain");
        let at = text.find("/auth/").unwrap_or_else(|| panic!("no link in {text}"));
        text[at..].split_whitespace().next().unwrap_or_default().to_owned()
    }
}

/// Decodes quoted-printable (RFC 2045, 6.7).
fn quoted_printable(text: &str) -> Vec<u8> {
    let joined = text.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_str();
    while let Some((before, after)) = rest.split_once('=') {
        bytes.extend_from_slice(before.as_bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).expect("two digits"));
        rest = &after[2..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}
