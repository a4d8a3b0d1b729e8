//! One SMTP session (RFC 5321).

use super::Shared;
use super::mime::ReceivedMail;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// At `MAIL`.
    Sender,
    /// At `RCPT`.
    Recipient,
    /// At `DATA`.
    Data,
    /// After the final dot.
    Dot,
}

#[derive(Clone, Debug)]
pub enum Treatment {
    Take,
    /// This is the reply at a step.
    Say(Step, &'static str),
    /// There is no reply at a step, and the connection stays open.
    Hang(Step),
    /// The connection is closed at a step.
    Close(Step),
    /// It is accepted once the test has added a permit.
    Held(Arc<Semaphore>),
}

trait Duplex: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Duplex for T {}

struct Session {
    stream: BufReader<Box<dyn Duplex>>,
    encrypted: bool,
    user: Option<String>,
    sender: String,
    recipients: Vec<String>,
    mails: usize,
    treatment: Treatment,
    shared: Arc<Shared>,
}

pub async fn serve_connection(stream: TcpStream, shared: Arc<Shared>) {
    let (stream, encrypted): (Box<dyn Duplex>, bool) = if shared.implicit {
        let Ok(stream) = shared.acceptor.accept(stream).await else { return };
        (Box::new(stream), true)
    } else {
        (Box::new(stream), false)
    };
    let mut session = Session {
        stream: BufReader::new(stream),
        encrypted,
        user: None,
        sender: String::new(),
        recipients: Vec::new(),
        mails: 0,
        treatment: Treatment::Take,
        shared,
    };
    if session.say("220 localhost ESMTP of the tests").await.is_some() {
        while let Some(line) = session.line().await {
            match session.answer(&line).await {
                Some(Next::Encrypt) => match session.encrypt().await {
                    Some(encrypted) => session = encrypted,
                    None => return,
                },
                Some(Next::Line) => {}
                None => return,
            }
        }
    }
}

enum Next {
    Line,
    Encrypt,
}

impl Session {
    async fn say(&mut self, text: &str) -> Option<Next> {
        let text = format!("{text}\r\n");
        self.stream.get_mut().write_all(text.as_bytes()).await.ok()?;
        self.stream.get_mut().flush().await.ok()?;
        Some(Next::Line)
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).await.ok()?;
        let line = line.trim_end().to_owned();
        if !self.encrypted && read > 0 {
            self.shared.plaintext.lock().unwrap().push(line.clone());
        }
        (read > 0).then_some(line)
    }

    async fn encrypt(self) -> Option<Self> {
        let Session { stream, shared, treatment, .. } = self;
        let stream: Box<dyn Duplex> = Box::new(shared.acceptor.accept(stream.into_inner()).await.ok()?);
        let (sender, recipients, user) = (String::new(), Vec::new(), None);
        let stream = BufReader::new(stream);
        Some(Self { stream, encrypted: true, user, sender, recipients, mails: 0, treatment, shared })
    }

    async fn answer(&mut self, line: &str) -> Option<Next> {
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        match verb.as_str() {
            "EHLO" => {
                let text = self.greeting();
                self.say(&text).await
            }
            "STARTTLS" => {
                self.say("220 2.0.0 go ahead").await?;
                Some(Next::Encrypt)
            }
            "AUTH" => self.log_in(line).await,
            "MAIL" => self.begin(line).await,
            "RCPT" => {
                self.recipients.push(address(line));
                self.step(Step::Recipient, "250 2.1.5 ok").await
            }
            "DATA" => self.data().await,
            "NOOP" | "RSET" => self.say("250 2.0.0 ok").await,
            "QUIT" => {
                self.say("221 2.0.0 bye").await;
                None
            }
            _ => self.say("502 5.5.1 what?").await,
        }
    }

    fn greeting(&self) -> String {
        let authentication = format!("AUTH {}", self.shared.mechanisms.lock().unwrap());
        let mut lines = vec!["localhost", "8BITMIME", "SMTPUTF8"];
        if !self.encrypted && *self.shared.offers_starttls.lock().unwrap() {
            lines.push("STARTTLS");
        }
        if self.shared.credentials.lock().unwrap().is_some() {
            lines.push(&authentication);
        }
        let last = lines.pop().unwrap_or_default();
        let first: Vec<String> = lines.iter().map(|line| format!("250-{line}\r\n")).collect();
        format!("{}250 {last}", first.concat())
    }

    async fn log_in(&mut self, line: &str) -> Option<Next> {
        let wanted = self.shared.credentials.lock().unwrap().clone();
        let given = line.rsplit(' ').next().and_then(|text| STANDARD.decode(text).ok()).unwrap_or_default();
        let given = String::from_utf8_lossy(&given).into_owned();
        match wanted {
            Some((user, password)) if given == format!("\0{user}\0{password}") => {
                self.user = Some(user);
                self.say("235 2.7.0 welcome").await
            }
            _ => self.say("535 5.7.8 wrong user name or password").await,
        }
    }

    async fn begin(&mut self, line: &str) -> Option<Next> {
        if self.shared.credentials.lock().unwrap().is_some() && self.user.is_none() {
            return self.say("530 5.7.0 log in first").await;
        }
        (self.sender, self.recipients) = (address(line), Vec::new());
        self.treatment = self.shared.script.lock().unwrap().pop_front().unwrap_or(Treatment::Take);
        self.step(Step::Sender, "250 2.1.0 ok").await
    }

    /// Replies as scripted at this step, else with `usual`.
    async fn step(&mut self, step: Step, usual: &str) -> Option<Next> {
        match self.treatment.clone() {
            Treatment::Say(at, text) if at == step => self.say(text).await,
            Treatment::Close(at) if at == step => None,
            Treatment::Hang(at) if at == step => std::future::pending().await,
            Treatment::Held(permits) if step == Step::Dot => {
                permits.acquire().await.unwrap().forget();
                self.say(usual).await
            }
            _ => self.say(usual).await,
        }
    }

    async fn data(&mut self) -> Option<Next> {
        self.step(Step::Data, "354 go ahead").await?;
        if matches!(self.treatment, Treatment::Say(Step::Data, _)) {
            return Some(Next::Line);
        }
        let mut text = String::new();
        loop {
            let line = self.line().await?;
            if line == "." {
                break;
            }
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
            text.push_str("\r\n");
        }
        let mail = ReceivedMail {
            sender: self.sender.clone(),
            recipients: self.recipients.clone(),
            user: self.user.clone(),
            encrypted: self.encrypted,
            earlier_on_connection: self.mails,
            text,
        };
        self.mails += 1;
        self.shared.received.send_modify(|all| all.push(mail));
        self.step(Step::Dot, "250 2.0.0 queued as 4711").await
    }
}

/// The address between angle brackets.
fn address(line: &str) -> String {
    let inner = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inner.map(|(address, _)| address.to_owned()).unwrap_or_default()
}
