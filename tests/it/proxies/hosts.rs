//! The login on a host of its own, as `proxy-config --login-host` prints it (docs/guides/proxies.md "The first recipe").

use super::edits::Edits;
use super::page;
use super::site::{Front, ProxyKind, address_of};
use crate::harness::{Call, Client, Engine, PASSWORD, Receiver, TestApp, free_port};

through_each_proxy![login_has_a_host_of_its_own];

const WIKI: &str = "wiki.example.test";
const GIT: &str = "git.example.test";
const LOGIN: &str = "auth.example.test";

/// A file, with a further application out of the file that is printed for it.
pub fn with_further(name: &str, file: &str, further: &str) -> String {
    let between = |begin: &str, end: &str| {
        let part = further.split_once(begin).expect(begin).1;
        format!("{begin}{}", part.split_once(end).map_or(part, |(part, _)| part))
    };
    match name {
        "nginx.conf" => format!("{file}\n{}", block_of_application(further, "server {")),
        "Caddyfile" => format!("{file}\n{}", block_of_application(further, "http://")),
        "haproxy.cfg" => {
            let chosen = format!("    use_backend git if {{ req.hdr(host),field(1,:) -i {GIT} }}\n    default_backend");
            let backend = between("\nbackend application", "\0").replace("backend application", "backend git");
            format!("{}{backend}", file.replace("    default_backend", &chosen))
        }
        "traefik.yml" => {
            let mut routers = between("    protected:", "  services:").replace("protected", "git-protected");
            for router in ["person", "anonymous", "broken"] {
                routers = routers.replace(&format!("    {router}:"), &format!("    git-{router}:"));
            }
            let routers = routers.replace("service: application", "service: git");
            let services = further.split_once("  services:").expect("services").1;
            let service = services.split_once("    application:").expect("a service").1;
            format!("{}    git:{service}", file.replace("  services:", &format!("{routers}  services:")))
        }
        "envoy.yaml" => {
            let host = between("                    - name: app\n", "                http_filters:");
            let host = host.replace("name: app\n", "name: git\n").replace("cluster: application", "cluster: git");
            let cluster = between("    - name: application", "\0").replace("name: application", "name: git");
            let filters = "                http_filters:";
            format!("{}{cluster}", file.replace(filters, &format!("{host}{filters}")))
        }
        _ => file.to_owned(),
    }
}

/// The second of two blocks, with which the file ends.
fn block_of_application<'a>(file: &'a str, begin: &str) -> &'a str {
    let begin = format!("\n{begin}");
    assert_eq!(file.matches(&begin).count(), 2, "{file}");
    &file[file.rfind(&begin).expect("two")..]
}

struct Hosts {
    app: TestApp,
    wiki: Receiver,
    git: Receiver,
    port: u16,
    front: Front,
}

impl Hosts {
    async fn start(kind: ProxyKind) -> Self {
        let port = free_port();
        let builder = Engine::Sqlite.prepare().await.set("SVC_TRUSTED_PROXIES", "127.0.0.1");
        let builder = builder.set("SVC_BASE_URL", format!("http://{LOGIN}:{port}"));
        let builder = builder.set("SVC_COOKIE_DOMAIN", "example.test");
        let origins = format!("http://{WIKI}:{port},http://{GIT}:{port}");
        let app = builder.set("SVC_RETURN_ORIGINS", origins).start().await;
        let (wiki, git) = (Receiver::start().await, Receiver::start().await);
        let further = Some((GIT, address_of(&git)));
        let edits = Edits { hosts: Some([WIKI, LOGIN]), further, ..Edits::default() };
        let front = Front::start_at(port, kind, &app.address().to_string(), &address_of(&wiki), &edits).await;
        Self { app, wiki, git, port, front }
    }

    fn url(&self, host: &str) -> String {
        format!("http://{host}:{}", self.port)
    }

    fn stranger(&self) -> Client {
        Client::new(&format!("http://{}", self.front.address), "svc")
    }

    fn at(&self, host: &str, call: Call) -> Call {
        call.header("host", &format!("{host}:{}", self.port))
    }

    fn arrived(&self) -> Vec<String> {
        self.wiki.received().into_iter().map(|request| request.request_line).collect()
    }
}

async fn login_has_a_host_of_its_own(kind: ProxyKind) {
    let site = Hosts::start(kind).await;
    site.app.sign_up("ada@example.com").await;
    let browser = site.stranger();
    let wanted = format!("{}/page?a=1", site.url(WIKI));
    led_to_login_and_back(&site, &browser, &wanted).await;
    let arrived = site.arrived();
    assert!(arrived.len() == 1 && arrived[0].starts_with("GET /page?a=1 "), "{arrived:?}");
    let first = site.wiki.received().remove(0);
    assert_eq!(first.header("x-svc-user-username"), Some("ada"));
    further_application_knows_her_too(&site, &browser).await;
    login_is_nowhere_else(&site, &browser).await;
    nothing_else_is_at_login(&site, &browser).await;
    link_logs_out(&site, &browser).await;
}

async fn led_to_login_and_back(site: &Hosts, browser: &Client, wanted: &str) {
    let login = site.at(WIKI, page(browser, "/page?a=1")).await.expect(302).location().to_owned();
    let path = login.strip_prefix(&site.url(LOGIN)).expect("the login's host").to_owned();
    site.at(LOGIN, page(browser, &path)).await.expect(200);
    let token = browser.token("csrf").expect("a token");
    let fields = [("email", "ada"), ("password", PASSWORD), ("return_to", wanted), ("csrf_token", &token)];
    let reply = site.at(LOGIN, browser.form("/auth/login", &fields)).await.expect(303);
    assert_eq!(reply.location(), wanted);
    site.at(WIKI, page(browser, "/page?a=1")).await.expect(204);
}

async fn further_application_knows_her_too(site: &Hosts, browser: &Client) {
    let login = site.at(GIT, page(&site.stranger(), "/project")).await.expect(302).location().to_owned();
    let back: String = form_urlencoded::byte_serialize(format!("{}/project", site.url(GIT)).as_bytes()).collect();
    assert_eq!(login.replace("%2E", "."), format!("{}/auth/login?return_to={back}", site.url(LOGIN)));
    site.at(GIT, page(browser, "/project")).await.expect(204);
    let received = site.git.received();
    assert_eq!(received.len(), 1, "{received:?}");
    assert_eq!(received[0].header("x-svc-user-username"), Some("ada"));
    assert!(received[0].header("x-svc-assertion").is_some_and(|value| !value.is_empty()));
}

/// Under `/auth/` of its host is the application, behind the gate.
async fn login_is_nowhere_else(site: &Hosts, browser: &Client) {
    let before = site.arrived().len();
    for path in ["/auth/login", "/auth/account", "/auth/api/v1/user"] {
        site.at(WIKI, browser.get(path)).await.expect(204);
        site.at(WIKI, site.stranger().get(path)).await.expect(401);
    }
    assert_eq!(site.arrived().len(), before + 3, "a stranger came in");
}

async fn nothing_else_is_at_login(site: &Hosts, browser: &Client) {
    let before = site.arrived().len();
    for path in ["/", "/page", "/metrics", "/healthz", "/auth/gate", "/auth/gate?optional", "/index.html"] {
        let reply = site.at(LOGIN, browser.get(path)).await;
        assert!(reply.status == 404, "{path}: {} {}", reply.status, reply.text());
        assert!(reply.header("x-svc-user-id").is_none(), "{path}");
    }
    assert_eq!(site.arrived().len(), before);
}

async fn link_logs_out(site: &Hosts, browser: &Client) {
    let back = format!("{}/", site.url(WIKI));
    let query: String = form_urlencoded::Serializer::new(String::new()).append_pair("return_to", &back).finish();
    let form = site.at(LOGIN, page(browser, &format!("/auth/logout?{query}"))).await.expect(200).text();
    assert!(form.contains(&format!("value=\"{back}\"")), "{form}");
    let token = browser.token("csrf").expect("a token");
    let fields = [("return_to", back.as_str()), ("csrf_token", &token)];
    let reply = site.at(LOGIN, browser.form("/auth/sessions/logout", &fields).header("accept", "text/html")).await;
    assert_eq!(reply.expect(303).location(), back);
    site.at(WIKI, page(browser, "/page")).await.expect(302);
}
