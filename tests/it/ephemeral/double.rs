//! A running test double, as the fixtures of an application's tests start it.

use crate::harness::{Call, Client, WAIT_TIMEOUT};
use reqwest::Method;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::time::Instant;

/// Killed when this is dropped.
pub struct Double {
    child: Child,
    /// The parent of its folder, where no other double is.
    folder: PathBuf,
    pub ready: Value,
    pub url: String,
}

#[derive(Clone, Copy)]
pub enum Sent {
    Get,
    Post,
}

impl Sent {
    pub fn call(self, client: &Client, path: &str, body: &str) -> Call {
        match self {
            Sent::Get => client.get(path),
            Sent::Post => {
                let call = client.call(Method::POST, path).header("content-type", "application/json");
                call.body(body.to_owned())
            }
        }
    }
}

impl Double {
    /// Starts it in a folder, which is also that of the user's sockets, and reads its first line.
    pub async fn start(folder: &Path, options: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_doorward"));
        command.args(["serve", "--ephemeral"]).args(options).current_dir(folder).env_clear();
        command.env("XDG_RUNTIME_DIR", folder).envs(variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let output = child.stdout.take().expect("a pipe");
        let line = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            BufReader::new(output).read_line(&mut line).map(|_| line)
        });
        let line = line.await.unwrap().unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let url = ready["url"].as_str().expect("a URL").to_owned();
        Self { child, folder: folder.to_owned(), ready, url }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn client(&self) -> Client {
        Client::new(&self.url, "svc")
    }

    pub fn send(&self, method: Sent, path: &str, body: &str) -> Call {
        let key = self.ready["api_key"].as_str().expect("a key");
        method.call(&self.client(), path, body).header("authorization", &format!("Bearer {key}"))
    }

    pub fn get(&self, path: &str) -> Call {
        self.send(Sent::Get, path, "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Call {
        self.send(Sent::Post, path, &body.to_string())
    }

    /// A browser with a session, and what was answered.
    pub async fn session(&self, wanted: &Value) -> (Client, Value) {
        let session = self.post("/auth/dev/session", wanted).await.expect(200).json();
        let client = self.client();
        for (name, value) in session["cookies"].as_object().unwrap() {
            client.jar().set(name, value.as_str().unwrap());
        }
        (client, session)
    }

    /// The only folder that is there.
    pub fn data_dir(&self) -> PathBuf {
        let [folder] = self.data_dirs().try_into().unwrap();
        folder
    }

    /// The folder that is there besides that of another double, which holds its lock.
    pub fn data_dir_beside(&self, other: &Double) -> PathBuf {
        let is_of = |folder: &PathBuf, double: &Double| {
            let descriptors = std::fs::read_dir(format!("/proc/{}/fd", double.id())).unwrap().flatten();
            descriptors.filter_map(|entry| entry.path().read_link().ok()).any(|target| target == *folder)
        };
        let mut own: Vec<_> = self.data_dirs().into_iter().filter(|folder| is_of(folder, self)).collect();
        assert!(own.len() == 1 && !is_of(&own[0], other), "{own:?}");
        own.remove(0)
    }

    fn data_dirs(&self) -> Vec<PathBuf> {
        let entries = self.folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    }

    /// The variables with which commands find its database.
    pub fn variables_of_commands(&self) -> BTreeMap<String, String> {
        let folder = self.data_dir().display().to_string();
        [("SVC_DATA_DIR", folder), ("SVC_BASE_URL", self.url.clone())]
            .map(|(name, value)| (name.to_owned(), value))
            .into()
    }

    pub fn close_input(&mut self) {
        drop(self.child.stdin.take());
    }

    /// Sends a signal, and returns the exit code.
    pub async fn end_by(mut self, signal: &str) -> Option<i32> {
        let kill = Command::new("kill").args(["-s", signal, &self.id().to_string()]).status().unwrap();
        assert!(kill.success());
        self.wait().await
    }

    pub async fn wait(&mut self) -> Option<i32> {
        let deadline = Instant::now() + WAIT_TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < deadline, "it did not end");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Double {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
