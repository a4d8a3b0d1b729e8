//! Logins that a limit refused, in the audit log.

use crate::context::App;
use crate::model::audit::AuditKind;
use crate::model::device::Device;
use crate::model::ids::UserId;

/// Records a login that was refused before anything was checked: with which factor, and for whose account, if there is
/// one.
pub(in crate::domain) fn record(app: &App, factor: &'static str, user: Option<UserId>, device: &Device) {
    app.failed_attempts.record_for(AuditKind::LoginLimited, factor, user, device, app.clock.now());
}
