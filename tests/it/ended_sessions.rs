//! A request that was let in with a session which has ended by the time it changes something: as when an account went
//! back to its owner while somebody else's request was under way.

use crate::harness::Engine;
use crate::organizations::user_id;
use doorward::domain::account::change_password::{ChangePasswordError, NewPassword, change_password};
use doorward::domain::account::change_username::{ChangeUsernameError, change_username};
use doorward::domain::session::active;
use doorward::model::audit::By;
use doorward::model::device::Device;
use doorward::model::ids::UserId;
use uuid::Uuid;

both![a_session_that_has_ended_changes_nothing];

async fn a_session_that_has_ended_changes_nothing(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let user = UserId(Uuid::parse_str(&user_id(&ada).await).unwrap());
    let session = active::list(&app.app, user).await.unwrap()[0].id;
    let by = By::user(user, Some(session), Device::new("", None));
    assert!(change_username(&app.app, user, "lovelace", &by).await.unwrap(), "while it is live it can");
    assert!(active::end(&app.app, user, session, &by).await.unwrap());

    let renamed = change_username(&app.app, user, "intruder", &by).await;
    assert!(matches!(renamed, Err(ChangeUsernameError::NoSuchUser)), "{renamed:?}");
    let typed = NewPassword {
        current: crate::harness::PASSWORD.into(),
        new: "a harbour in the morning".into(),
        end_others: true,
    };
    let changed = change_password(&app.app, (user, session), typed, true, &by).await;
    assert!(matches!(changed, Err(ChangePasswordError::WrongCurrent)), "{changed:?}");
    let anew = app.anonymous();
    let fields = [("email", "lovelace"), ("password", crate::harness::PASSWORD)];
    anew.post_form("/auth/login", &fields).await.expect(303);
}
