//! Sample data for the pages about second factors.

use super::common::{Rendered, Texts, layout, render};
use super::general::{confirm, login_page};
use crate::crypto::passkey::PasskeyChallenge;
use crate::http::views::*;
use crate::messages::Message;
use crate::model::ids::PasskeyId;
use crate::model::time::Time;
use zeroize::Zeroizing;

const SECTIONS: [NavigationItem; 0] = [];
const URI: &str = "otpauth://totp/Doorward:ada%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Doorward";

pub(super) fn all(t: Texts) -> Vec<Rendered> {
    let setup = || {
        TwoFactorState::Setup(TwoFactorSetup {
            qr: QrCode::of(URI),
            uri: URI,
            email: t.name,
            key: t.name,
            end_others: true,
        })
    };
    let on = |codes_left, devices| TwoFactorState::On {
        since: Time::from_micros(1_763_725_620_000_000),
        codes_left,
        devices,
    };
    let error = t.problem();
    let codes: Vec<Zeroizing<String>> = (0..10).map(|_| Zeroizing::new(t.name.to_owned())).collect();
    vec![
        render("second-factor", &second_factor(t)),
        render("second-factor-error", &SecondFactorPage { code_error: error, remember: true, ..second_factor(t) }),
        render("second-factor-recovery", &SecondFactorPage { prompt: CodePrompt::RecoveryCode, ..second_factor(t) }),
        render(
            "second-factor-refused",
            &SecondFactorPage {
                prompt: CodePrompt::RecoveryCode,
                form_error: error,
                code_error: error,
                ..second_factor(t)
            },
        ),
        render("two-factor-off", &two_factor(t, TwoFactorState::Off)),
        render("two-factor-setup", &two_factor(t, setup())),
        render("two-factor-code", &TwoFactorPage { code_error: error, form_error: error, ..two_factor(t, setup()) }),
        render("two-factor-on", &two_factor(t, on(10, 0))),
        render("two-factor-few", &two_factor(t, on(0, 2))),
        render("two-factor-remove", &removal(t)),
        render(
            "two-factor-remove-error",
            &RemoveTwoFactorPage { password_error: error, end_others: true, ..removal(t) },
        ),
        render("two-factor-remove-passkey", &RemoveTwoFactorPage { has_password: false, ..removal(t) }),
        render("confirm-mail", &ConfirmPage { mailed_code: Some(mailed_code(t)), ..without_means(t) }),
        render(
            "confirm-mail-sent",
            &ConfirmPage {
                mailed_code: Some(MailedCodeField { is_sent: true, error: t.problem(), ..mailed_code(t) }),
                ..without_means(t)
            },
        ),
        render("confirm-nothing", &without_means(t)),
        render("confirm-passkey", &ConfirmPage { passkey: Some(challenge()), ..confirm(t) }),
        render(
            "confirm-passkey-only",
            &ConfirmPage { passkey: Some(challenge()), has_password: false, form_error: error, ..confirm(t) },
        ),
        render("login-passkey", &LoginPage { passkey: Some(challenge()), ..login_page(t) }),
        render("passkeys-none", &PasskeysPage { challenge: Some(challenge()), ..passkeys(t, &[], true) }),
        render("passkeys-impossible", &passkeys(t, &[], false)),
        render("passkeys", &passkeys(t, &[passkey(t, false), passkey(t, true)], true)),
        render("passkey-remove", &passkey_removal(t, None)),
        render("passkey-remove-error", &passkey_removal(t, error)),
        render("passkey-new", &new_passkey(t)),
        render("passkey-new-error", &NewPasskeyPage { form_error: error, ..new_passkey(t) }),
        render("passkey", &one_passkey(t)),
        render("passkey-error", &PasskeyPage { name: Field { value: t.name, error }, ..one_passkey(t) }),
        render("recovery-codes", &recovery(t)),
        render("recovery-codes-error", &RecoveryCodesPage { form_error: error, codes_left: 3, ..recovery(t) }),
        render("recovery-codes-new", &RecoveryCodesPage { codes: &codes, ..recovery(t) }),
        render("recovery-codes-first", &RecoveryCodesPage { codes: &codes, just_enabled: true, ..recovery(t) }),
    ]
}

fn second_factor(t: Texts) -> SecondFactorPage<'static> {
    SecondFactorPage {
        layout: layout(t),
        csrf: t.csrf,
        return_to: Some(t.return_to),
        account: t.email,
        prompt: CodePrompt::Totp,
        remember: false,
        code_error: None,
        form_error: None,
    }
}

fn two_factor(t: Texts, state: TwoFactorState<'static>) -> TwoFactorPage<'static> {
    TwoFactorPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &SECTIONS,
        state,
        code_error: None,
        form_error: None,
    }
}

fn removal(t: Texts) -> RemoveTwoFactorPage<'static> {
    RemoveTwoFactorPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &SECTIONS,
        end_others: false,
        has_password: true,
        password_error: None,
        form_error: None,
    }
}

fn recovery<'a>(t: Texts) -> RecoveryCodesPage<'a> {
    RecoveryCodesPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &SECTIONS,
        codes: &[],
        just_enabled: false,
        codes_left: 0,
        form_error: None,
    }
}

fn challenge() -> &'static PasskeyChallenge {
    Box::leak(Box::new(PasskeyChallenge { options: "{\"publicKey\":{}}".to_owned(), state: "AbCd".to_owned() }))
}

fn passkey(t: Texts, used: bool) -> PasskeyLine<'static> {
    let at = Time::from_micros(1_763_725_620_000_000);
    PasskeyLine {
        id: PasskeyId(uuid::Uuid::nil()),
        name: t.name,
        backed_up: used,
        created_at: at,
        last_used_at: used.then_some(at),
    }
}

fn passkeys<'a>(t: Texts, passkeys: &'a [PasskeyLine<'a>], supported: bool) -> PasskeysPage<'a> {
    PasskeysPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        sections: &SECTIONS,
        passkeys,
        supported,
        csrf: t.csrf,
        challenge: None,
        notice: None,
    }
}

fn passkey_removal(t: Texts, form_error: Option<&'static Message>) -> RemovePasskeyPage<'static> {
    RemovePasskeyPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &SECTIONS,
        passkey: passkey(t, true),
        form_error,
    }
}

fn new_passkey(t: Texts) -> NewPasskeyPage<'static> {
    NewPasskeyPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &SECTIONS,
        challenge: challenge(),
        form_error: None,
    }
}

fn one_passkey(t: Texts) -> PasskeyPage<'static> {
    PasskeyPage {
        layout: layout(t).with_viewer(t.email, t.csrf),
        csrf: t.csrf,
        sections: &SECTIONS,
        passkey: passkey(t, true),
        name: Field { value: t.name, error: None },
        form_error: None,
    }
}

pub fn mailed_code(t: Texts) -> MailedCodeField<'static> {
    MailedCodeField { email: t.email, is_sent: false, resend_after: 0, error: None }
}

fn without_means(t: Texts) -> ConfirmPage<'static> {
    ConfirmPage { has_password: false, ..confirm(t) }
}
