//! A request that was let in with a session which has ended by the time it changes something: as when an account went
//! back to its owner while somebody else's request was under way.

use crate::harness::Engine;
use crate::organizations::user_id;
use doorward::domain::accounts::{self, ChangePasswordError, ChangeUsernameError, NewPassword};
use doorward::domain::audit::By;
use doorward::domain::ids::UserId;
use doorward::domain::sessions::{self, Device};
use uuid::Uuid;

both![a_session_that_has_ended_changes_nothing];

async fn a_session_that_has_ended_changes_nothing(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let user = UserId(Uuid::parse_str(&user_id(&ada).await).unwrap());
    let session = sessions::list(&app.app, user).await.unwrap()[0].id;
    let by = By::user(user, Some(session), Device::new("", None));
    assert!(accounts::change_username(&app.app, user, "lovelace", &by).await.unwrap(), "while it is live it can");
    assert!(sessions::end(&app.app, user, session, &by).await.unwrap());

    let renamed = accounts::change_username(&app.app, user, "intruder", &by).await;
    assert!(matches!(renamed, Err(ChangeUsernameError::NoSuchUser)), "{renamed:?}");
    let typed = NewPassword {
        current: crate::harness::PASSWORD.into(),
        new: "a harbour in the morning".into(),
        end_others: true,
    };
    let changed = accounts::change_password(&app.app, (user, session), typed, true, &by).await;
    assert!(matches!(changed, Err(ChangePasswordError::WrongCurrent)), "{changed:?}");
    let anew = app.anonymous();
    let fields = [("email", "lovelace"), ("password", crate::harness::PASSWORD)];
    anew.post_form("/auth/login", &fields).await.expect(303);
}
