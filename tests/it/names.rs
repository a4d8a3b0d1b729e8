//! What names and addresses may not be or have: another account's id, a link, invisible characters
//! (docs/reference/browser.md 10.1 and 11.1).

use crate::harness::{Engine, Reply, TestApp, code_of, run_program};
use crate::organizations::{PASSWORD, create_team, user_id};
use serde_json::Value;

one_engine![
    signup_asks_for_a_username_as_set,
    username_in_the_form_of_an_id_is_refused,
    command_refuses_id_that_is_also_a_username,
    organization_name_is_readable_and_no_link,
    team_with_invisible_name_can_be_deleted,
    invisible_letters_in_addresses_are_refused,
    invitation_mail_quotes_name_and_names_verified_inviter,
    unverified_account_cannot_invite,
    commands_print_no_invisible_characters,
];

fn shows(reply: &Reply, text: &str) -> bool {
    reply.text().contains(text)
}

/// The id as a literal of the engine.
fn id_literal(app: &TestApp, id: &str) -> String {
    if app.app.store.is_sqlite() { format!("x'{}'", id.replace('-', "")) } else { format!("'{id}'") }
}

async fn username_in_the_form_of_an_id_is_refused(engine: Engine) {
    let app = engine.app().await;
    let victim = app.sign_up("victim@example.com").await;
    let mallory = app.sign_up("mallory@example.com").await;
    let id = user_id(&victim).await;
    for name in [id.clone(), id.to_uppercase(), id.replace('-', "")] {
        let fields = [("email", "eve@example.com"), ("password", PASSWORD), ("username", &name)];
        let refused = app.anonymous().post_form("/auth/signup", &fields).await.expect(422);
        assert!(shows(&refused, "can’t look like an ID"), "{}", refused.text());
        let refused = mallory.post_form("/auth/account/username", &[("username", &name)]).await.expect(422);
        assert!(shows(&refused, "can’t look like an ID"), "{}", refused.text());
        let made = ["user", "create", "eve@example.com", "--username", &name];
        let output = run_program(&made, app.variables()).await;
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
    // A derived name is no id either, also where a number would complete it.
    for local in [id.clone(), id.replace('-', ""), id.replace('-', "")[..31].to_owned()] {
        for domain in ["example.com", "example.net"] {
            let eve = app.sign_up(&format!("{local}@{domain}")).await;
            let name = eve.api_user().await.json()["username"].as_str().unwrap().to_owned();
            assert!(uuid::Uuid::try_parse(&name).is_err(), "{name}");
        }
    }
}

async fn command_refuses_id_that_is_also_a_username(engine: Engine) {
    let app = engine.app().await;
    let victim = app.sign_up("victim@example.com").await;
    app.sign_up("mallory@example.com").await;
    let id = user_id(&victim).await;
    // A name from before the rule.
    let named =
        format!("UPDATE users SET username = '{id}', username_key = '{id}' WHERE email = 'mallory@example.com'");
    app.database().execute(&named).await;
    for identifier in [id.clone(), id.to_uppercase()] {
        for arguments in [["user", "disable"], ["user", "delete"], ["user", "set-password"], ["user", "show"]] {
            let output = run_program(&[arguments.as_slice(), &[&identifier]].concat(), app.variables()).await;
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
            let message = String::from_utf8(output.stderr).unwrap();
            assert!(message.contains("victim@example.com") && message.contains("mallory@example.com"), "{message}");
        }
    }
    victim.api_user().await.expect(200);
    let granted = run_program(&["user", "grant", "victim@example.com", "monitor"], app.variables()).await;
    assert!(granted.status.success(), "{granted:?}");
    // Without the collision either name is enough.
    let other = "UPDATE users SET username = 'mallory', username_key = 'mallory' WHERE email = 'mallory@example.com'";
    app.database().execute(other).await;
    assert!(run_program(&["user", "disable", &id], app.variables()).await.status.success());
}

async fn organization_name_is_readable_and_no_link(engine: Engine) {
    let app = engine.prepare().await.set("SVC_RATE_LIMIT", "off").start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let org = team.rsplit('/').next().unwrap();
    for (name, words) in [
        ("Unlock it at https://evil.example/unlock", "a web address"),
        ("See WWW.evil.example", "a web address"),
        ("ada@example.com", "a web address or an @"),
        ("Cr\u{ad}ew", "invisible characters"),
        ("\u{3164}\u{ffa0}", "invisible characters"),
        ("Crew\u{e0041}", "invisible characters"),
        ("Crew\u{61c}", "invisible characters"),
        ("\u{2800}", "invisible characters"),
        ("--!--", "a letter or a digit"),
    ] {
        for path in ["/auth/organizations".to_owned(), format!("{team}/rename")] {
            let refused = ada.post_form(&path, &[("name", name)]).await.expect(422);
            assert!(shows(&refused, words), "{path}: {name:?}: {}", refused.text());
        }
        for arguments in [["org", "create", name, "--owner", "ada"].as_slice(), &["org", "rename", org, name]] {
            // A name that begins with hyphens is an option to the command line.
            let code = run_program(arguments, app.variables()).await.status.code();
            assert!(code == Some(1) || (name.starts_with('-') && code == Some(2)), "{arguments:?}: {code:?}");
        }
    }
    for name in ["Müller & Söhne", "株式会社", "Example.com"] {
        ada.post_form(&format!("{team}/rename"), &[("name", name)]).await.expect(303);
    }
}

async fn team_with_invisible_name_can_be_deleted(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    for (stored, typed) in [("\u{3164}\u{2800}", None), ("The\u{200b} crew\u{202e}", Some("The crew"))] {
        let team = create_team(&ada, "Crew").await;
        let org = team.rsplit('/').next().unwrap();
        // A name from before the rule; it stays until the team is renamed.
        let sql = format!("UPDATE organizations SET name = '{stored}' WHERE id = {}", id_literal(&app, org));
        app.database().execute(&sql).await;
        let typed = typed.unwrap_or(org);
        assert!(shows(&ada.get(&format!("{team}/delete")).await.expect(200), typed));
        ada.post_form(&format!("{team}/delete"), &[("name", "Another")]).await.expect(422);
        ada.post_form(&format!("{team}/delete"), &[("name", "")]).await.expect(422);
        ada.post_form(&format!("{team}/delete"), &[("name", typed)]).await.expect(303);
        ada.get(&team).await.expect(404);
    }
}

async fn invisible_letters_in_addresses_are_refused(engine: Engine) {
    let app = engine.app().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    for filler in ["\u{115f}", "\u{1160}", "\u{3164}", "\u{ffa0}", "\u{ad}", "\u{61c}", "\u{200d}"] {
        for email in [format!("a{filler}da@example.com"), format!("ada@exam{filler}ple.com")] {
            app.anonymous().sign_up(&email).await.expect(422);
            ada.post_form(&format!("{team}/invitations"), &[("email", &email)]).await.expect(422);
            let output = run_program(&["user", "create", &email], app.variables()).await;
            assert_eq!(output.status.code(), Some(1), "{email:?}: {output:?}");
        }
    }
    for email in [".ada@example.com", "ada.@example.com", "a..da@example.com", ".@example.com"] {
        app.anonymous().sign_up(email).await.expect(422);
    }
    app.sign_up("a.d.a@example.com").await;
    app.sign_up("한글@example.com").await;
}

async fn invitation_mail_quotes_name_and_names_verified_inviter(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up_verified("ada@example.com").await;
    let team = create_team(&ada, "Crew” is locked: call “0800").await;
    let invite = async |email: &str, language: &str| {
        let fields = [("email", email), ("role", "member"), ("csrf_token", &ada.token("csrf").unwrap())];
        let page = ada.form(&format!("{team}/invitations"), &fields).header("accept-language", language).await;
        page.expect(200);
        app.mails_to(email).await.remove(0)
    };
    let mail = invite("bob@example.com", "en").await;
    assert_eq!(mail.subject, "ada@example.com invited you to “Crew’ is locked: call ’0800” on Doorward");
    let words = "ada@example.com invited you to join “Crew’ is locked: call ’0800” as a member.";
    assert!(mail.text.contains(words) && mail.html.contains(words), "{}", mail.text);
    let mail = invite("cy@example.com", "de").await;
    assert_eq!(mail.subject, "ada@example.com hat Sie zu „Crew’ is locked: call ’0800“ bei Doorward eingeladen");
    assert!(mail.text.contains("ada@example.com hat Sie eingeladen, „Crew’"), "{}", mail.text);
    // Where no address is verified, none is shown: it may be anybody's.
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "off")]).await;
    let eve = app.sign_up("victim@example.com").await;
    let team = create_team(&eve, "Crew").await;
    crate::invitations::invite(&eve, &team, "dan@example.com", "member").await;
    let mail = app.mails_to("dan@example.com").await.remove(0);
    assert!(mail.text.contains("victim invited you") && !mail.text.contains("victim@example.com"), "{}", mail.text);
}

async fn unverified_account_cannot_invite(engine: Engine) {
    let app = engine.prepare().await.with_email_verification().start().await;
    let ada = app.sign_up("ada@example.com").await;
    let team = create_team(&ada, "Crew").await;
    let (org, invitations) = (team.rsplit('/').next().unwrap(), format!("{team}/invitations"));
    ada.get(&invitations).await.snapshot("invitations/shown_to_unverified");
    let refused = ada.post_form(&invitations, &[("email", "bob@example.com")]).await;
    refused.snapshot("invitations/invite_as_unverified");
    assert_eq!(app.database().count("SELECT count(*) FROM invitations").await, 0);
    assert!(app.mails_to("bob@example.com").await.is_empty());
    // Operators may.
    let made = ["invitation", "create", "--org", org, "--email", "abe@example.com"];
    assert!(run_program(&made, app.variables()).await.status.success());
    let code = code_of(&app.mail_to("ada@example.com", "").await);
    ada.post_form("/auth/email/verify", &[("code", &code)]).await.expect(303);
    let created = ada.post_form(&invitations, &[("email", "bob@example.com")]).await.snapshot("invitations/invited");
    // The newest is first.
    let page = created.text();
    let resend = page.split('"').find(|text| text.ends_with("/resend")).unwrap();
    // A change of the mode or of the address may leave an inviter unverified later.
    app.database().execute("UPDATE users SET email_verified_at = NULL").await;
    assert!(!shows(&ada.get(&invitations).await, "/resend"));
    ada.post_form(resend, &[]).await.snapshot("invitations/resend_as_unverified");
    let app = app.restart_with(&[("SVC_EMAIL_VERIFICATION", "off")]).await;
    ada.at(&app.url()).post_form(resend, &[]).await.expect(200);
}

/// Rows from before the rules, and what clients send, reach the terminal escaped, as text and as JSON.
async fn commands_print_no_invisible_characters(engine: Engine) {
    let app = engine.app().await;
    let ada = app.anonymous();
    let fields = [("email", "ada@example.com"), ("password", PASSWORD)];
    ada.get("/auth/signup").await;
    let signup = ada.form("/auth/signup", &[&fields[..], &[("csrf_token", &ada.token("csrf").unwrap())]].concat());
    signup.header("user-agent", "Mozilla\u{202e}\u{9b}31m\u{61c}").await.expect(303);
    let id = user_id(&ada).await;
    let team = create_team(&ada, "Crew").await;
    let org = team.rsplit('/').next().unwrap();
    crate::invitations::invite(&ada, &team, "bob@example.com", "member").await;
    let nasty = "x\u{61c}\u{202e}\u{9b}2J\u{1b}[31m\u{3164}\u{e0041}";
    for sql in [
        format!("UPDATE organizations SET name = '{nasty}'"),
        format!("UPDATE users SET username = '{nasty}', email = '{nasty}'"),
        format!("UPDATE invitations SET email = '{nasty}'"),
        format!("UPDATE mails SET recipient = '{nasty}', subject = '{nasty}'"),
        format!("UPDATE audit SET user_agent = '{nasty}', detail = '{nasty}'"),
    ] {
        app.database().execute(&sql).await;
    }
    let mail = run_program(&["mail", "list", "--json"], app.variables()).await;
    let mail: Value = serde_json::from_slice(&mail.stdout).unwrap();
    assert_eq!(mail["data"][0]["to"], nasty, "JSON says the same in escapes");
    let invitation = run_program(&["invitation", "list", "--org", org, "--json"], app.variables()).await;
    let invitation: Value = serde_json::from_slice(&invitation.stdout).unwrap();
    let invitation = invitation["data"][0]["id"].as_str().unwrap();
    for arguments in [
        ["user", "list"].as_slice(),
        &["user", "show", &id],
        &["user", "audit", &id],
        &["user", "disable", &id],
        &["user", "enable", &id],
        &["user", "grant", &id, "admin"],
        &["user", "set-password", &id],
        &["user", "two-factor", "reset", &id, "--yes"],
        &["user", "show", nasty],
        &["org", "list"],
        &["org", "show", org],
        &["org", "rename", org, nasty],
        &["org", "members", "list", org],
        &["invitation", "list", "--org", org],
        &["invitation", "resend", invitation],
        &["invitation", "revoke", invitation],
        &["mail", "list"],
        &["mail", "show", mail["data"][0]["id"].as_str().unwrap()],
        &["mail", "show", nasty],
        &["org", "delete", org, "--yes"],
        &["user", "delete", &id, "--yes"],
    ] {
        for json in [false, true] {
            let output =
                run_program(&[arguments, if json { &["--json"] } else { &[] }].concat(), app.variables()).await;
            let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            let is_raw = |c: char| c != '\n' && (c.is_control() || "\u{61c}\u{202e}\u{3164}\u{e0041}".contains(c));
            assert!(!printed.is_empty() && !printed.contains(is_raw), "{arguments:?}: {printed:?}");
        }
    }
}

async fn signup_asks_for_a_username_as_set(engine: Engine) {
    for (setting, typed, named) in
        [("optional", "countess", "countess"), ("hidden", "countess", "ada"), ("optional", "", "ada")]
    {
        let app = engine.prepare().await.set("SVC_SIGNUP_USERNAME", setting).start().await;
        let client = app.anonymous();
        let page = client.get("/auth/signup").await.expect(200).text();
        assert_eq!(page.contains("name=\"username\""), setting != "hidden", "{page}");
        let fields = [("email", "ada@example.com"), ("password", PASSWORD), ("username", typed)];
        client.post_form("/auth/signup", &fields).await.expect(303);
        assert_eq!(client.api_user().await.expect(200).json()["username"], named, "{setting}");
    }
    let app = engine.prepare().await.set("SVC_SIGNUP_USERNAME", "required").start().await;
    let client = app.anonymous();
    client.get("/auth/signup").await.expect(200);
    let fields = [("email", "ada@example.com"), ("password", PASSWORD), ("username", " ")];
    client.post_form("/auth/signup", &fields).await.snapshot("signup/username_required");
}
