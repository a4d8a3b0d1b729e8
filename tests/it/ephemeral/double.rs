//! A running test double, as the fixtures of an application's tests start it.

use crate::harness::{Call, Client, Process, eventually};
use reqwest::Method;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub struct Double {
    process: Process,
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
        let arguments = [&["serve", "--ephemeral"], options].concat();
        let given = [("XDG_RUNTIME_DIR", folder.to_str().unwrap())].into_iter().chain(variables.iter().copied());
        let variables = given.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let process = Process::spawn_with_input(folder, &arguments, &variables);
        let line = eventually("the first line", async || Some(process.stdout().split_once('\n')?.0.to_owned())).await;
        let ready: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let url = ready["url"].as_str().expect("a URL").to_owned();
        Self { process, folder: folder.to_owned(), ready, url }
    }

    pub fn id(&self) -> u32 {
        self.process.id()
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
        self.process.close_input();
    }

    /// Sends a signal, and returns the exit code.
    pub async fn end_by(mut self, signal: &str) -> Option<i32> {
        self.process.signal(signal);
        self.wait().await
    }

    pub async fn wait(&mut self) -> Option<i32> {
        self.process.wait().await.code()
    }
}
