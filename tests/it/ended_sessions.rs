//! A request that was authenticated with a session that ends before the change: as when an account is returned to its
//! owner while a request of an attacker is in progress.

use crate::harness::Engine;
use crate::organizations::user_id;
use doorward::domain::account::change_password::{ChangePassword, NewPassword};
use doorward::domain::account::own_name::OwnName;
use doorward::domain::change;
use doorward::domain::directory::list::ListRange;
use doorward::domain::directory::session;
use doorward::domain::session::active::{EndSessions, Which};
use doorward::messages::Message;
use doorward::model::device::Device;
use doorward::model::ids::UserId;
use doorward::model::principal::{Operation, Principal};
use doorward::refusal::{ChangeError, Refusal};
use uuid::Uuid;

one_engine![changes_from_ended_session_are_refused,];

async fn changes_from_ended_session_are_refused(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let user = UserId(Uuid::parse_str(&user_id(&ada).await).unwrap());
    let mut conn = app.app.store.read(&Principal::operator(), Operation::ListSessions).await.unwrap();
    let (settings, now, range) = (&app.app.settings, app.app.clock.now(), ListRange::first(1));
    let session = session::list(&mut conn, settings, now, user, range).await.unwrap().data[0].id;
    drop(conn);
    let device = Device::new("", None);
    let by = Principal::user(user, Some(session), device.clone());
    assert!(
        change::run(&app.app, &by, OwnName::username("lovelace").unwrap()).await.unwrap(),
        "while it is live it can"
    );
    let ended = change::run(&app.app, &by, EndSessions { user, which: Which::One(session) }).await.unwrap();
    assert_eq!(ended, 1);

    let renamed = change::run(&app.app, &by, OwnName::username("intruder").unwrap()).await;
    assert!(matches!(renamed, Err(ChangeError::Refused(Refusal::NotFound("user")))), "{renamed:?}");
    let new_password = NewPassword {
        current: crate::harness::PASSWORD.into(),
        new: "a harbour in the morning".into(),
        end_others: true,
    };
    let prepared = ChangePassword::prepare(&app.app, &by, (user, session), new_password, true, &device).await;
    let changed = change::run(&app.app, &by, prepared.unwrap()).await;
    let wrong = Refusal::field("current", Message::new("password-wrong"));
    assert!(matches!(&changed, Err(ChangeError::Refused(refusal)) if *refusal == wrong), "{changed:?}");
    let client = app.anonymous();
    let fields = [("email", "lovelace"), ("password", crate::harness::PASSWORD)];
    client.post_form("/auth/login", &fields).await.expect(303);
}
