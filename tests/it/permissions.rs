//! Who may do what: the table in `docs/reference/permissions.md` is computed from the principals themselves, and the
//! store refuses every other principal.

use crate::harness::{Engine, backend, person};
use crate::invitations::invite;
use crate::organizations::user_id;
use doorward::model::api_key::Scope;
use doorward::model::device::Device;
use doorward::model::ids::{SessionId, UserId};
use doorward::model::organization::MemberRole;
use doorward::model::principal::{AccountTarget, Denied, Operation, Permit, Principal, Reach};
use doorward::model::roles::{PlatformRole, Roles};
use doorward::store::{Queue, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use uuid::Uuid;

single_run![
    table_in_documents_is_computed,
    operations_open_to_every_client_are_few_and_have_reasons,
    last_administrator_cannot_be_removed,
];

both_engines![member_demoted_between_page_and_form_is_refused,];
one_engine![
    change_that_was_not_checked_is_not_committed,
    check_of_something_else_is_none,
    operation_that_is_not_permitted_opens_no_transaction,
];

/// What changes the number of administrators.
const ENDING: [Operation; 3] = [Operation::DeleteUser, Operation::ChangeUser, Operation::SetRoles];
const MAX_OPEN: usize = 12;

fn user(number: u128) -> UserId {
    UserId(Uuid::from_u128(number))
}

fn device() -> Device {
    Device::new("", None)
}

/// The accounts that the walk tries: a person's own, another's, an administrator's.
fn targets() -> [AccountTarget; 3] {
    let administrator = Roles::NONE.with(PlatformRole::Admin);
    [
        AccountTarget::new(user(1), Roles::NONE),
        AccountTarget::new(user(2), Roles::NONE),
        AccountTarget::new(user(3), administrator),
    ]
}

/// On whose account, or with which role in an organization, an operation is permitted.
fn reach(permit: &Permit) -> String {
    let roles = [MemberRole::Member, MemberRole::Admin, MemberRole::Owner];
    let accounts = targets().map(|target| permit.covers(target).is_ok());
    let roles = [None].into_iter().chain(roles.map(Some)).map(|role| permit.role_in(role).is_ok()).collect::<Vec<_>>();
    match (accounts, roles.as_slice()) {
        ([true, false, false], [false, false, false, false]) => "own account".to_owned(),
        ([true, true, false], [true, true, true, true]) => "ordinary".to_owned(),
        ([true, true, true], [true, true, true, true]) => "all".to_owned(),
        ([true, true, true], [false, true, true, true]) => "as member".to_owned(),
        ([true, true, true], [false, false, true, true]) => "as admin".to_owned(),
        ([true, true, true], [false, false, false, true]) => "as owner".to_owned(),
        other => panic!("{:?}: {other:?}", permit.operation()),
    }
}

fn cell(principal: &Principal, operation: Operation) -> String {
    if operation.rule().everyone.is_some() {
        assert!(principal.require(operation).is_ok_and(|permit| permit.reach() == Reach::Any), "{operation:?}");
        return "yes".to_owned();
    }
    principal.require(operation).map_or_else(|_| "–".to_owned(), |permit| reach(&permit))
}

/// The scope that permits it alone, or `–`. With the scope for them, administrators' accounts too.
fn scope_cell(operation: Operation) -> String {
    if operation.rule().everyone.is_some() {
        return cell(&backend(&[]), operation);
    }
    let alone = |scope: &Scope| backend(&[*scope]).require(operation).is_ok();
    let found: Vec<Scope> = Scope::ALL.into_iter().filter(alone).collect();
    match found.as_slice() {
        [] => "–".to_owned(),
        [Scope::PlatformWrite] => {
            assert_eq!(cell(&backend(&[Scope::PlatformWrite]), operation), "all");
            format!("`{}`", Scope::PlatformWrite.as_str())
        }
        [scope] => {
            assert_eq!(cell(&backend(&[*scope]), operation), "ordinary", "{operation:?}");
            assert_eq!(cell(&backend(&[*scope, Scope::PlatformWrite]), operation), "all", "{operation:?}");
            format!("`{}`", scope.as_str())
        }
        other => panic!("{operation:?}: {other:?}"),
    }
}

fn administrator(role: PlatformRole) -> Principal {
    Principal::administrator(user(1), Roles::NONE.with(role), SessionId(Uuid::nil()), device())
}

/// The least platform role that permits it.
fn role_cell(operation: Operation) -> String {
    if operation.rule().everyone.is_some() {
        return cell(&administrator(PlatformRole::Monitor), operation);
    }
    let permits = |role: &PlatformRole| administrator(*role).require(operation).is_ok();
    let mut found: Vec<PlatformRole> = PlatformRole::ALL.into_iter().filter(permits).collect();
    found.pop().map_or_else(|| "–".to_owned(), |least| format!("`{}`", least.as_str()))
}

fn process_cell(operation: Operation) -> &'static str {
    let all: &'static [Operation] = &Operation::ALL;
    if Principal::process(all).require(operation).is_ok() { "yes" } else { "–" }
}

/// `ChangeOwnAccount` as `change own account`.
fn words(operation: Operation) -> String {
    let mut words = String::new();
    for letter in format!("{operation:?}").chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words.replace("api key", "API key")
}

fn table() -> String {
    let mut table =
        "| Operation | API key | Administrator | Person | Between factors | Mailed secret | Any client | Process |\n\
                     |---|---|---|---|---|---|---|---|\n"
            .to_owned();
    for operation in Operation::ALL {
        let operator = cell(&Principal::operator(), operation);
        assert!(["all", "yes"].contains(&operator.as_str()), "{operation:?}");
        let (scope, role) = (scope_cell(operation), role_cell(operation));
        let person = cell(&person(user(1)), operation);
        let between = cell(&Principal::between_factors(user(1), device()), operation);
        let holder = cell(&Principal::secret_holder(user(1), device()), operation);
        let (anyone, process) = (cell(&Principal::anonymous(device()), operation), process_cell(operation));
        let name = words(operation);
        writeln!(table, "| {name} | {scope} | {role} | {person} | {between} | {holder} | {anyone} | {process} |")
            .unwrap();
    }
    table
}

fn document() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/reference/permissions.md")
}

/// The paths below `/auth/admin` with the roles that see them by GET, as the document has them.
pub fn shown_below_admin() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(document()).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `/auth/admin"));
    let roles = |cells: &[&str]| {
        let shows = PlatformRole::ALL.iter().zip(cells).filter(|(_, cell)| cell.contains("GET"));
        shows.map(|(role, _)| role.as_str().to_owned()).collect()
    };
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        (cells[1].trim_matches('`').to_owned(), roles(&cells[2..]))
    };
    rows.map(row).collect()
}

/// Compares the table of the document whose first line begins so; with `DOORWARD_BLESS` set it writes it.
pub fn compare_table(head: &str, computed: &str) {
    let text = std::fs::read_to_string(document()).unwrap();
    let begin = text.find(head).unwrap();
    let end = begin + text[begin..].find("\n\n").unwrap() + 1;
    if std::env::var_os("DOORWARD_BLESS").is_some() {
        std::fs::write(document(), format!("{}{computed}{}", &text[..begin], &text[end..])).unwrap();
        return;
    }
    assert_eq!(&text[begin..end], computed, "docs/reference/permissions.md is not so: DOORWARD_BLESS=1 writes it");
}

async fn table_in_documents_is_computed() {
    compare_table("| Operation |", &table());
}

/// A client of which nothing is known may do these, and each says why that is right.
async fn operations_open_to_every_client_are_few_and_have_reasons() {
    let text = std::fs::read_to_string(document()).unwrap();
    let open = |operation: &Operation| Principal::anonymous(device()).require(*operation).is_ok();
    let open: Vec<Operation> = Operation::ALL.into_iter().filter(open).collect();
    assert!(open.len() <= MAX_OPEN, "{open:?}");
    for operation in open {
        let reason = operation.rule().everyone.unwrap().0;
        let line = format!("- *{}*: {reason}", words(operation));
        assert!(text.contains(&line), "docs/reference/permissions.md lacks: {line}");
    }
}

async fn last_administrator_cannot_be_removed() {
    let all: Vec<Scope> = Scope::ALL.to_vec();
    let principals = [Principal::operator(), backend(&all), administrator(PlatformRole::Admin), person(user(1))];
    for (principal, operation) in principals.iter().flat_map(|by| ENDING.map(|operation| (by, operation))) {
        let Ok(permit) = principal.require(operation) else { continue };
        let target = AccountTarget { ends_last_administrator: true, ..AccountTarget::new(user(1), Roles::NONE) };
        assert_eq!(permit.covers(target), Err(Denied::LastAdministrator), "{principal:?}, {operation:?}");
    }
}

async fn change_that_was_not_checked_is_not_committed(engine: Engine) {
    let app = engine.app().await;
    app.sign_up("ada@example.com").await;
    let store = &app.app.store;
    let mut tx = store.begin(&person(user(1)), Operation::DeleteUser).await.unwrap();
    tx.instance_set_base_url("https://elsewhere.example").await.unwrap();
    let refused = tx.commit().await;
    assert!(matches!(refused, Err(StoreError::Unchecked(Operation::DeleteUser))), "{refused:?}");
    let mut tx = store.begin(&person(user(1)), Operation::DeleteUser).await.unwrap();
    let other = tx.require_own(user(2));
    assert!(matches!(other, Err(StoreError::Denied(Denied::OtherAccount))), "{other:?}");
    assert!(matches!(tx.commit().await, Err(StoreError::Unchecked(_))), "a refused check is none");
    let moved = "SELECT count(*) FROM instance WHERE base_url = 'https://elsewhere.example'";
    assert_eq!(app.database().count(moved).await, 0);
}

/// A wrong check is none: of an account for a member's change, of a role for a key's change of an account, of one's own
/// account by a key; and a transaction cannot continue as another principal before the check that is owed.
async fn check_of_something_else_is_none(engine: Engine) {
    let app = engine.app().await;
    let store = &app.app.store;
    let unchecked =
        |result: Result<(), StoreError>| assert!(matches!(result, Err(StoreError::Unchecked(_))), "{result:?}");
    let mut tx = store.begin(&person(user(1)), Operation::SetMemberRole).await.unwrap();
    tx.require_account(AccountTarget::new(user(2), Roles::NONE)).unwrap();
    unchecked(tx.commit().await);
    let mut tx = store.begin(&backend(&[Scope::OrganizationsWrite]), Operation::AddMember).await.unwrap();
    tx.require_role(None).unwrap();
    unchecked(tx.commit().await);
    let mut tx = store.begin(&backend(&[Scope::UsersWrite]), Operation::DeleteUser).await.unwrap();
    let own = tx.require_own(user(2));
    assert!(matches!(own, Err(StoreError::Denied(Denied::OtherAccount))), "{own:?}");
    unchecked(tx.commit().await);
    let mut tx = store.begin(&person(user(1)), Operation::ChangeOwnAccount).await.unwrap();
    unchecked(tx.continue_as(&person(user(1)), Operation::LogIn));
}

async fn operation_that_is_not_permitted_opens_no_transaction(engine: Engine) {
    let app = engine.app().await;
    let store = &app.app.store;
    let denied = [
        store.begin(&person(user(1)), Operation::ChangeUser).await.map(drop),
        store.begin_autocommit(&Principal::anonymous(device()), Operation::CleanUp).await.map(drop),
        store.begin_lease(&backend(&Scope::ALL), Operation::Deliver).await.map(drop),
        store.begin_claim(&backend(&Scope::ALL), Operation::Deliver, Queue::Webhook).await.map(drop),
        store.read(&Principal::process(&[Operation::Deliver]), Operation::FindUsers).await.map(drop),
    ];
    for result in denied {
        assert!(matches!(result, Err(StoreError::Denied(Denied::Operation))), "{result:?}");
    }
    let unnamed = store.read(&person(user(1)), Operation::ReadOwnAccount).await.map(drop);
    assert!(matches!(unnamed, Err(StoreError::Unchecked(_))), "{unnamed:?}");
    let another = store.read_own(&person(user(1)), Operation::ReadOwnAccount, user(2)).await.map(drop);
    assert!(matches!(another, Err(StoreError::Denied(Denied::OtherAccount))), "{another:?}");
    store.read_own(&person(user(1)), Operation::ReadOwnAccount, user(1)).await.map(drop).unwrap();
}

async fn member_demoted_between_page_and_form_is_refused(engine: Engine) {
    let app = engine.app().await;
    let (ada, bob) = (app.sign_up("ada@example.com").await, app.sign_up("bob@example.com").await);
    let created = ada.post_form("/auth/organizations", &[("name", "Crew")]).await.expect(303);
    let team = created.location().to_owned();
    let link = invite(&ada, &team, "bob@example.com", "admin").await;
    bob.post_form(&format!("{link}/accept"), &[]).await.expect(303);
    bob.get(&team).await.expect(200);
    let member = format!("{team}/members/{}/role", user_id(&bob).await);
    ada.post_form(&member, &[("role", "member")]).await.expect(303);
    bob.post_form(&format!("{team}/rename"), &[("name", "Mine")]).await.expect(403);
    assert_eq!(app.database().count("SELECT count(*) FROM organizations WHERE name = 'Mine'").await, 0);
}
