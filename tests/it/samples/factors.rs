//! Sample data for the pages about second factors.

use super::texts::{AT, Sample, Texts, card, render, viewed};
use doorward::crypto::passkey::PasskeyChallenge;
use doorward::http::views::*;
use doorward::messages::Message;
use doorward::model::ids::PasskeyId;
use zeroize::Zeroizing;

/// What the script needs to ask a browser, be it for a new passkey or a known one.
const PASSKEY_OPTIONS: &str = r#"{"publicKey": {
    "challenge": "AAAA",
    "rpId": "localhost",
    "rp": {"id": "localhost", "name": "localhost"},
    "user": {"id": "AAAA", "name": "grace", "displayName": "grace"},
    "pubKeyCredParams": [{"type": "public-key", "alg": -7}]
}}"#;
const URI: &str = "otpauth://totp/Doorward:ada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Doorward";

pub(super) fn all(t: Texts) -> Vec<Sample> {
    let key = [t.code, t.code].join(" ").leak();
    let setup = || {
        TwoFactorState::Setup(TwoFactorSetup { qr: QrCode::of(URI), uri: URI, email: t.email, key, end_others: true })
    };
    let on = |codes_left, devices| TwoFactorState::On { since: AT, codes_left, devices };
    let error = t.problem();
    let recovery_factor = || SecondFactorPage { prompt: CodePrompt::RecoveryCode, ..second_factor(t) };
    let codes: Vec<Zeroizing<String>> = (0..10).map(|_| Zeroizing::new(t.code.to_owned())).collect();
    vec![
        render("second-factor", &second_factor(t)),
        render("second-factor-error", &SecondFactorPage { code_error: error, remember: true, ..second_factor(t) }),
        render("second-factor-used-code", &SecondFactorPage { code_error: Some(&USED_CODE), ..second_factor(t) }),
        render("second-factor-recovery", &recovery_factor()),
        render("second-factor-recovery-error", &SecondFactorPage { code_error: error, ..recovery_factor() }),
        render(
            "second-factor-refused",
            &SecondFactorPage { layout: card(t, error), code_error: error, ..recovery_factor() },
        ),
        render("two-factor-off", &two_factor(t, TwoFactorState::Off)),
        render("two-factor-setup", &two_factor(t, setup())),
        render(
            "two-factor-code",
            &TwoFactorPage { layout: shell(t, error), code_error: error, ..two_factor(t, setup()) },
        ),
        render("two-factor-on", &two_factor(t, on(10, 0))),
        render("two-factor-few", &two_factor(t, on(0, 2))),
        render("two-factor-remove", &removal(t)),
        render(
            "two-factor-remove-error",
            &RemoveTwoFactorPage { password_error: error, end_others: true, ..removal(t) },
        ),
        render("two-factor-remove-passkey", &RemoveTwoFactorPage { has_password: false, ..removal(t) }),
        render("passkeys-none", &PasskeysPage { challenge: Some(challenge()), ..passkeys(t, &[], true) }),
        render("passkeys-impossible", &passkeys(t, &[], false)),
        render("passkeys", &passkeys(t, &[passkey(t, false), passkey(t, true)], true)),
        render("passkey-remove", &passkey_removal(t, None)),
        render("passkey-remove-error", &passkey_removal(t, error)),
        render("passkey-new", &new_passkey(t)),
        render("passkey-new-error", &NewPasskeyPage { layout: shell(t, error), ..new_passkey(t) }),
        render("passkey", &one_passkey(t)),
        render("passkey-error", &PasskeyPage { name: Field { value: t.name, error }, ..one_passkey(t) }),
        render("recovery-codes", &recovery(t)),
        render("recovery-codes-error", &RecoveryCodesPage { layout: shell(t, error), codes_left: 3, ..recovery(t) }),
        render("recovery-codes-new", &RecoveryCodesPage { codes: &codes, ..recovery(t) }),
        render("recovery-codes-first", &RecoveryCodesPage { codes: &codes, just_enabled: true, ..recovery(t) }),
    ]
}

fn shell(t: Texts, form_error: Option<&'static Message>) -> &'static Shell<'static> {
    viewed(t, "/auth/account/security", form_error)
}

fn second_factor(t: Texts) -> SecondFactorPage<'static> {
    SecondFactorPage {
        layout: card(t, None),
        return_to: Some(t.return_to),
        account: t.email,
        prompt: CodePrompt::Totp,
        remember: false,
        code_error: None,
    }
}

fn two_factor(t: Texts, state: TwoFactorState<'static>) -> TwoFactorPage<'static> {
    TwoFactorPage { layout: shell(t, None), state, code_error: None }
}

fn removal(t: Texts) -> RemoveTwoFactorPage<'static> {
    RemoveTwoFactorPage { layout: shell(t, None), end_others: false, has_password: true, password_error: None }
}

fn recovery<'a>(t: Texts) -> RecoveryCodesPage<'a> {
    RecoveryCodesPage { layout: shell(t, None), codes: &[], just_enabled: false, codes_left: 0 }
}

pub fn challenge() -> &'static PasskeyChallenge {
    Box::leak(Box::new(PasskeyChallenge { options: PASSKEY_OPTIONS.to_owned(), state: "AbCd".to_owned() }))
}

fn passkey(t: Texts, used: bool) -> PasskeyLine<'static> {
    PasskeyLine {
        id: PasskeyId(uuid::Uuid::nil()),
        name: t.name,
        backed_up: used,
        created_at: AT,
        last_used_at: used.then_some(AT),
    }
}

fn passkeys<'a>(t: Texts, passkeys: &'a [PasskeyLine<'a>], supported: bool) -> PasskeysPage<'a> {
    PasskeysPage { layout: shell(t, None), passkeys, supported, challenge: None, notice: None }
}

fn passkey_removal(t: Texts, form_error: Option<&'static Message>) -> RemovePasskeyPage<'static> {
    RemovePasskeyPage { layout: shell(t, form_error), passkey: passkey(t, true) }
}

fn new_passkey(t: Texts) -> NewPasskeyPage<'static> {
    NewPasskeyPage { layout: shell(t, None), challenge: challenge() }
}

fn one_passkey(t: Texts) -> PasskeyPage<'static> {
    PasskeyPage { layout: shell(t, None), passkey: passkey(t, true), name: Field { value: t.name, error: None } }
}

pub fn mailed_code(t: Texts) -> MailedCodeField<'static> {
    MailedCodeField { email: t.email, is_sent: false, resend_after: 0, error: None }
}
