//! What the overview of administrators counts by the hour: read from what this process counts anyhow.

use crate::context::App;
use crate::metrics::SignupResult;
use crate::model::audit::AuditKind;
use crate::store::{Channel, HourlySeries, SeriesCounts, StoreError};

/// The entries of logins that were refused.
const REFUSED_LOGINS: [AuditKind; 5] = [
    AuditKind::LoginFailed,
    AuditKind::LoginRefused,
    AuditKind::LoginLimited,
    AuditKind::SecondFactorFailed,
    AuditKind::ProviderRefused,
];

/// Adds what was counted since the last time to the hour that it is.
pub async fn write(app: &App) -> Result<(), StoreError> {
    app.hourly_counts.write(&app.store, totals(app), app.clock.now()).await
}

/// The counts since the start of this process.
fn totals(app: &App) -> SeriesCounts {
    let audited = app.store.audit_counts();
    let entries = |kinds: &[AuditKind]| {
        let of_kinds = audited.iter().filter(|(name, _)| kinds.iter().any(|kind| kind.as_str() == *name));
        of_kinds.map(|(_, count)| count).sum()
    };
    let sent = |channel: Channel| app.metrics.delivered(channel.as_str());
    SeriesCounts::new(|series| match series {
        HourlySeries::Signups => app.metrics.auth.signups.of(SignupResult::Created),
        HourlySeries::Logins => entries(&[AuditKind::LoggedIn]),
        HourlySeries::LoginFailures => entries(&REFUSED_LOGINS),
        HourlySeries::Deliveries => sent(Channel::Webhook).delivered,
        HourlySeries::DeliveryFailures => sent(Channel::Webhook).failed,
        HourlySeries::Mails => sent(Channel::Mail).delivered,
        HourlySeries::MailFailures => sent(Channel::Mail).failed,
    })
}
