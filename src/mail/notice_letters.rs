//! The emails about what others did to an account: to its person, and to administrators.

use super::context::MailContext;
use super::letter::Letter;
use super::letter_parts::{button, label_of};
use super::notice::AdminNotice;
use crate::model::user_label::UserLabel;

pub(super) fn email_replaced<'a>(context: MailContext<'a>, called: UserLabel<'_>) -> Letter<'a> {
    let what = context.t("mail-changed-what").with("username", label_of(context, called));
    Letter {
        subject: context.text("mail-changed-subject"),
        heading: context.text("mail-changed-subject"),
        before: vec![what.with("when", context.format_time(context.now)).to_string(), context.text("mail-replaced-by")],
        reason: context.text("mail-changed-reason"),
        ..Letter::empty(context)
    }
}

/// What an administrator did to the account.
pub(super) fn account_notice<'a>(
    context: MailContext<'a>,
    called: UserLabel<'_>,
    subject: &'static str,
    what: &'static str,
) -> Letter<'a> {
    let what = context.t(what).with("username", label_of(context, called));
    Letter {
        subject: context.text(subject),
        heading: context.text(subject),
        before: vec![what.with("when", context.format_time(context.now)).to_string(), context.text("mail-told-by")],
        reason: context.text("mail-reason-account"),
        ..Letter::empty(context)
    }
}

/// The platform roles after a change, as they are stored.
pub(super) fn roles_now(context: MailContext<'_>, stored: &str) -> String {
    let count = if stored.is_empty() { 0 } else { 1 + stored.matches(',').count() };
    let text = context.t("mail-role-changed-now").with("count", i64::try_from(count).unwrap_or(i64::MAX));
    text.with("roles", stored.replace(',', ", ")).to_string()
}

pub(super) fn admin_notice<'a>(
    context: MailContext<'a>,
    link: &'a str,
    called: UserLabel<'_>,
    notice: AdminNotice,
) -> Letter<'a> {
    let label = if notice == AdminNotice::Deleted { "admin-audit" } else { "mail-deed-button" };
    let what = context.t("mail-deed-what").with("deed", notice.as_str()).with("username", label_of(context, called));
    Letter {
        subject: context.text("mail-deed-subject"),
        heading: context.text("mail-deed-subject"),
        before: vec![what.with("when", context.format_time(context.now)).to_string(), context.text("mail-deed-why")],
        action: Some(button(context, label, link)),
        reason: context.text("mail-deed-reason"),
        ..Letter::empty(context)
    }
}

pub(super) fn account_deleted<'a>(context: MailContext<'a>, called: UserLabel<'_>) -> Letter<'a> {
    let what = context.t("mail-deleted-what").with("username", label_of(context, called));
    Letter {
        subject: context.text("mail-deleted-subject"),
        heading: context.text("mail-deleted-subject"),
        before: vec![
            what.with("when", context.format_time(context.now)).to_string(),
            context.text("mail-deleted-not-you"),
        ],
        reason: context.text("mail-deleted-reason"),
        ..Letter::empty(context)
    }
}
