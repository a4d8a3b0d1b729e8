//! The stranger and the owner of an address, with their browsers.

use super::deeds::Deed;
use crate::harness::{Client, Reply, ScriptedProvider, TestApp, code_of, link_of};
use crate::provider_logins::{add_as, return_path_of};
use doorward::domain::provider::fields::ProviderFields;
use serde_json::json;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex};

const STRANGERS: &str = "the password of a stranger";
const OWNERS: &str = "the password of the owner";
const NEW: &str = "the owner has a new password";

/// A service with a provider whose word counts, and one whose word does not.
pub struct Stage {
    pub app: TestApp,
    worthy: ScriptedProvider,
    claims: ScriptedProvider,
}

fn address(seed: u64) -> String {
    format!("o{seed}q@example.com")
}

impl Stage {
    /// With the accounts at providers of these orders.
    pub async fn new(app: TestApp, seeds: Range<u64>) -> Self {
        // Whose login is a recent proof: else strangers could connect less.
        let now = json!({ "auth_time": app.clock().now().as_seconds() });
        let person =
            |sub: String, email: String| json!({"sub": sub, "email": email, "email_verified": true, "claims": now});
        let worthy = seeds.clone().flat_map(|seed| {
            let own = person(format!("stranger-{seed}"), format!("s{seed}q@example.com"));
            [person(format!("owner-{seed}"), address(seed)), own]
        });
        let claims =
            seeds.flat_map(|seed| ["owner", "stranger"].map(|who| person(format!("{who}-{seed}"), address(seed))));
        let (worthy, claims) = (worthy.collect(), claims.collect());
        let worthy = ScriptedProvider::with_people(&worthy).await;
        let claims = ScriptedProvider::with_people(&claims).await;
        add_as(&app, &worthy, "worthy", ProviderFields::default()).await;
        let never = ProviderFields { email: Some("never".to_owned()), ..ProviderFields::default() };
        add_as(&app, &claims, "claims", never).await;
        Self { app, worthy, claims }
    }
}

pub type Names = BTreeSet<String>;

/// Into which accounts who once had a way.
#[derive(Clone, Default)]
pub struct Had {
    pub stranger: Names,
    pub owner: Names,
}

/// The stranger and the owner of one order.
pub struct Pair {
    stage: Arc<Stage>,
    seed: u64,
    stranger: Client,
    owner: [Client; 2],
    /// The pages that ask something after a return, of the owner's browsers.
    asked: Mutex<[Option<Question>; 2]>,
    said_mine: Mutex<Names>,
    had: Mutex<Had>,
}

#[derive(Clone)]
struct Question {
    provider: &'static str,
    state: String,
    holder: Option<String>,
}

impl Pair {
    pub fn new(stage: &Arc<Stage>, seed: u64) -> Self {
        let client = || stage.app.anonymous();
        Self {
            stage: stage.clone(),
            seed,
            stranger: client(),
            owner: [client(), client()],
            asked: Mutex::default(),
            said_mine: Mutex::default(),
            had: Mutex::default(),
        }
    }

    /// Does it, as far as it can be done now: what is refused is part of the order.
    pub async fn does(&self, deed: Deed) {
        let address = address(self.seed);
        let [here, elsewhere] = &self.owner;
        match deed {
            Deed::StrangerSignsUp => sign_up(&self.stranger, &address, STRANGERS).await,
            Deed::StrangerClaims => {
                self.log_in_with("claims", "stranger", &self.stranger).await;
            }
            Deed::StrangerConnects => self.connect_own(&self.stranger).await,
            Deed::StrangerForgets => forget(&self.stranger, &address).await,
            Deed::StrangerAnswers => self.answer(&self.stranger, 0, "keep").await,
            Deed::StrangerAccepts => self.accept(&self.stranger, 0).await,
            Deed::OwnerSignsUp => sign_up(here, &address, OWNERS).await,
            Deed::OwnerLogsIn => {
                for password in [OWNERS, NEW] {
                    here.log_in(&address, password).await;
                }
            }
            Deed::OwnerArrives => self.arrive(0).await,
            Deed::OwnerArrivesElsewhere => self.arrive(1).await,
            Deed::OwnerClaims => {
                self.log_in_with("claims", "owner", here).await;
            }
            Deed::OwnerVerifies => self.verify(here, "keep").await,
            Deed::OwnerVerifiesAnew => self.verify(here, "anew").await,
            Deed::OwnerOpensLink => self.open_link(elsewhere).await,
            Deed::OwnerResets => self.reset(here, "keep").await,
            Deed::OwnerResetsAnew => self.reset(here, "anew").await,
            Deed::OwnerSaysMine => self.answer(here, 0, "keep").await,
            Deed::OwnerSaysNotMine => self.answer(elsewhere, 1, "anew").await,
            Deed::OwnerAccepts => self.accept(here, 0).await,
        }
    }

    async fn log_in_with(&self, provider: &'static str, who: &str, browser: &Client) -> Option<Reply> {
        let hint = format!("{who}-{}", self.seed);
        let start = browser.get(&format!("/auth/login/with/{provider}?login_hint={hint}")).await;
        // A logged-in browser is sent on.
        if start.status != 303 || !start.location().contains("://") {
            return None;
        }
        let at = if provider == "worthy" { &self.stage.worthy } else { &self.stage.claims };
        let fields = at.visit(start.location()).await;
        Some(browser.get(&return_path_of(provider, &fields)).await)
    }

    async fn arrive(&self, which: usize) {
        let Some(page) = self.log_in_with("worthy", "owner", &self.owner[which]).await else { return };
        let text = page.text();
        let state = page.find_hidden("state").or_else(|| {
            let rest = text.split_once("state%3D")?.1;
            Some(rest.split_once('"')?.0.to_owned())
        });
        if let Some(state) = state {
            self.asked.lock().unwrap()[which] =
                Some(Question { provider: "worthy", state, holder: page.find_hidden("holder") });
        }
    }

    async fn connect_own(&self, browser: &Client) {
        let departure = browser.post_form("/auth/account/connections/worthy", &[]).await;
        let Some(address) = departure.departure() else { return };
        let fields = self.stage.worthy.visit(&format!("{address}&login_hint=stranger-{}", self.seed)).await;
        browser.get(&return_path_of("worthy", &fields)).await;
    }

    fn asked(&self, which: usize) -> Option<Question> {
        self.asked.lock().unwrap()[which].clone()
    }

    async fn answer(&self, browser: &Client, which: usize, account: &str) {
        let Some(Question { provider, state, holder: Some(holder) }) = self.asked(which) else { return };
        let is_owner = !std::ptr::eq(browser, &raw const self.stranger);
        if is_owner && account == "keep" {
            self.note_mine().await;
        }
        let fields = [("state", state.as_str()), ("holder", &holder), ("account", account)];
        browser.post_form(&format!("/auth/login/with/{provider}/whose"), &fields).await;
    }

    async fn accept(&self, browser: &Client, which: usize) {
        let Some(Question { provider, state, holder: None }) = self.asked(which) else { return };
        browser.post_form(&format!("/auth/login/with/{provider}/connect"), &[("state", &state)]).await;
    }

    /// The account that holds the address unverified is the one that the owner is asked about.
    async fn note_mine(&self) {
        let sql =
            format!("SELECT username FROM users WHERE email = '{}' AND email_verified_at IS NULL", address(self.seed));
        let names = self.stage.app.database().texts(&sql).await;
        self.said_mine.lock().unwrap().extend(names);
    }

    async fn verify(&self, browser: &Client, account: &str) {
        let mails = self.stage.app.mails_to(&address(self.seed)).await;
        for mail in mails.iter().rev().filter(|mail| mail.link.as_deref().is_some_and(|l| l.contains("/email/verify/")))
        {
            let code = code_of(mail);
            let page = browser.post_form("/auth/email/verify", &[("code", &code)]).await;
            if let Some(holder) = page.find_hidden("holder") {
                if account == "keep" {
                    self.note_mine().await;
                }
                let fields = [("code", code.as_str()), ("holder", &holder), ("account", account)];
                browser.post_form("/auth/email/verify", &fields).await;
            }
        }
    }

    async fn open_link(&self, browser: &Client) {
        let mails = self.stage.app.mails_to(&address(self.seed)).await;
        let Some(mail) = mails.iter().rfind(|mail| mail.link.as_deref().is_some_and(|l| l.contains("/email/verify/")))
        else {
            return;
        };
        browser.post_form(&link_of(mail), &[("password", OWNERS)]).await;
    }

    async fn reset(&self, browser: &Client, account: &str) {
        let address = address(self.seed);
        forget(browser, &address).await;
        let mails = self.stage.app.mails_to(&address).await;
        let Some(mail) =
            mails.iter().rfind(|mail| mail.link.as_deref().is_some_and(|l| l.contains("/password/reset/")))
        else {
            return;
        };
        if account == "keep" {
            self.note_mine().await;
        }
        browser.post_form(&link_of(mail), &[("password", NEW), ("account", account)]).await;
    }

    /// Notes in which accounts the browsers are now.
    pub async fn note(&self) {
        let stranger = session(&self.stranger).await;
        let mut owner = Names::new();
        for browser in &self.owner {
            owner.extend(session(browser).await);
        }
        let mut had = self.had.lock().unwrap();
        had.stranger.extend(stranger);
        had.owner.extend(owner);
    }

    pub fn said_mine(&self) -> Names {
        self.said_mine.lock().unwrap().clone()
    }

    pub fn had(&self) -> Had {
        self.had.lock().unwrap().clone()
    }

    /// The accounts that verified the owner's address.
    pub async fn verified(&self, app: &TestApp) -> Names {
        let address = address(self.seed);
        let sql = format!("SELECT username FROM users WHERE email = '{address}' AND email_verified_at IS NOT NULL");
        app.database().texts(&sql).await.into_iter().collect()
    }

    pub async fn stranger_ways(&self) -> Names {
        self.ways("stranger", &[&self.stranger], &[STRANGERS]).await
    }

    pub async fn owner_ways(&self) -> Names {
        self.ways("owner", &[&self.owner[0], &self.owner[1]], &[OWNERS, NEW]).await
    }

    /// The accounts into which someone has a way: a session, an account at a provider, a password.
    async fn ways(&self, who: &str, browsers: &[&Client], passwords: &[&str]) -> Names {
        let mut ways = Names::new();
        for browser in browsers {
            ways.extend(session(browser).await);
        }
        let database = self.stage.app.database();
        let subject = format!("{who}-{}", self.seed);
        let of_identities = format!(
            "SELECT u.username FROM users u JOIN identities i ON i.user_id = u.id WHERE i.subject = '{subject}'"
        );
        ways.extend(database.texts(&of_identities).await);
        let local = format!("o{}q", self.seed);
        let with_password =
            format!("SELECT username FROM users WHERE username LIKE '{local}%' AND password_hash IS NOT NULL");
        for name in database.texts(&with_password).await {
            for password in passwords {
                let browser = self.stage.app.anonymous();
                if browser.log_in(&name, password).await.status == 303 {
                    ways.insert(name.clone());
                }
            }
        }
        ways
    }
}

async fn sign_up(browser: &Client, address: &str, password: &str) {
    browser.post_form("/auth/signup", &[("email", address), ("password", password)]).await;
}

async fn forget(browser: &Client, address: &str) {
    browser.post_form("/auth/password/forgot", &[("email", address)]).await;
}

/// The account that a browser is logged in to.
async fn session(browser: &Client) -> Option<String> {
    let reply = browser.api_user().await;
    if reply.status != 200 {
        return None;
    }
    Some(reply.json()["username"].as_str().unwrap().to_owned())
}
