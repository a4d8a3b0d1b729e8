//! How the service's own types are stored in the columns of either database.

use super::jobs::JobState;
use super::outbox::read::DeliveryState;
use crate::messages::Locale;
use crate::model::api_key::{ApiKeyId, KeyNetworks, Scopes};
use crate::model::auth_method::AuthMethods;
use crate::model::ids::{
    AccountTokenId, AuditId, DeliveryId, EventId, IdentityId, InvitationId, JobId, MailId, OrganizationId, PasskeyId,
    ProcessId, SessionId, UserId,
};
use crate::model::metadata::Metadata;
use crate::model::organization::{InvitationState, MemberRole, OrganizationKind};
use crate::model::provider::{EmailTrust, ProviderKind, ProviderMfa, ProviderName, Tenant};
use crate::model::roles::Roles;
use crate::model::signing::SigningAlgorithm;
use crate::model::time::Time;
use crate::model::verification::AccountTokenKind;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef};
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Database, Decode, Encode, Postgres, Sqlite, Type};
use uuid::Uuid;

/// A type that is stored as another one that both databases know.
macro_rules! stored_as {
    ($type:ty, $column:ty, |$value:ident| $encode:expr, |$raw:ident| $decode:expr) => {
        impl<DB: Database> Type<DB> for $type
        where
            $column: Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <$column as Type<DB>>::type_info()
            }

            fn compatible(ty: &DB::TypeInfo) -> bool {
                <$column as Type<DB>>::compatible(ty)
            }
        }

        impl<'q, DB: Database> Encode<'q, DB> for $type
        where
            $column: Encode<'q, DB>,
        {
            fn encode_by_ref(&self, buffer: &mut DB::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                let $value = self;
                <$column as Encode<'q, DB>>::encode($encode, buffer)
            }
        }

        impl<'r, DB: Database> Decode<'r, DB> for $type
        where
            $column: Decode<'r, DB>,
        {
            fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
                let $raw = <$column as Decode<'r, DB>>::decode(value)?;
                $decode
            }
        }
    };
}

stored_as!(UserId, Uuid, |id| id.0, |uuid| Ok(UserId(uuid)));
stored_as!(OrganizationId, Uuid, |id| id.0, |uuid| Ok(OrganizationId(uuid)));
stored_as!(SessionId, Uuid, |id| id.0, |uuid| Ok(SessionId(uuid)));
stored_as!(InvitationId, Uuid, |id| id.0, |uuid| Ok(InvitationId(uuid)));
stored_as!(AuditId, Uuid, |id| id.0, |uuid| Ok(AuditId(uuid)));
stored_as!(PasskeyId, Uuid, |id| id.0, |uuid| Ok(PasskeyId(uuid)));
stored_as!(IdentityId, Uuid, |id| id.0, |uuid| Ok(IdentityId(uuid)));
stored_as!(EventId, Uuid, |id| id.0, |uuid| Ok(EventId(uuid)));
stored_as!(MailId, Uuid, |id| id.0, |uuid| Ok(MailId(uuid)));
stored_as!(DeliveryId, Uuid, |id| id.0, |uuid| Ok(DeliveryId(uuid)));
stored_as!(ProcessId, Uuid, |id| id.0, |uuid| Ok(ProcessId(uuid)));
stored_as!(JobId, Uuid, |id| id.0, |uuid| Ok(JobId(uuid)));
stored_as!(AccountTokenId, Uuid, |id| id.0, |uuid| Ok(AccountTokenId(uuid)));
stored_as!(AccountTokenKind, String, |kind| kind.as_str().to_owned(), |text| {
    AccountTokenKind::parse(&text).ok_or_else(|| "unknown kind of account token".into())
});
stored_as!(OrganizationKind, String, |kind| kind.as_str().to_owned(), |text| {
    OrganizationKind::parse(&text).ok_or_else(|| "unknown kind of organization".into())
});
stored_as!(MemberRole, String, |role| role.as_str().to_owned(), |text| {
    MemberRole::parse(&text).ok_or_else(|| "unknown member role".into())
});
stored_as!(InvitationState, String, |state| state.as_str().to_owned(), |text| {
    InvitationState::parse(&text).ok_or_else(|| "unknown state of an invitation".into())
});
stored_as!(SigningAlgorithm, String, |algorithm| algorithm.as_str().to_owned(), |text| {
    SigningAlgorithm::parse(&text).ok_or_else(|| "unknown algorithm of a signing key".into())
});
stored_as!(Metadata, String, |metadata| metadata.as_str().to_owned(), |text| Ok(Metadata::from_stored(text)?));
stored_as!(AuthMethods, String, |methods| methods.to_text(), |text| Ok(AuthMethods::parse_text(&text)));
stored_as!(ApiKeyId, String, |id| id.0.clone(), |text| Ok(ApiKeyId(text)));
stored_as!(Scopes, String, |scopes| scopes.to_text(), |text| Ok(Scopes::parse_text(&text)));
stored_as!(KeyNetworks, String, |networks| networks.to_text(), |text| {
    KeyNetworks::parse_text(&text).ok_or_else(|| "unknown network of an API key".into())
});
stored_as!(Roles, String, |roles| roles.to_text(), |text| {
    Roles::parse_text(&text).ok_or_else(|| "unknown platform role".into())
});
stored_as!(ProviderName, String, |name| name.as_str().to_owned(), |text| Ok(ProviderName::parse(&text)?));
stored_as!(ProviderKind, String, |kind| kind.as_str().to_owned(), |text| {
    ProviderKind::parse(&text).ok_or_else(|| "unknown kind of provider".into())
});
stored_as!(EmailTrust, String, |trust| trust.as_str().to_owned(), |text| {
    EmailTrust::parse(&text).ok_or_else(|| "unknown trust in a provider's addresses".into())
});
stored_as!(ProviderMfa, String, |mfa| mfa.as_str().to_owned(), |text| {
    ProviderMfa::parse(&text).ok_or_else(|| "unknown trust in a provider's second factors".into())
});
stored_as!(Tenant, String, |tenant| tenant.to_string(), |text| Ok(Tenant::parse(&text)?));
// A later version, or another set of messages, may know more languages.
stored_as!(Locale, String, |locale| locale.tag().to_owned(), |text| Ok(Locale::parse(&text).unwrap_or_default()));
stored_as!(JobState, String, |state| state.as_str().to_owned(), |text| {
    JobState::parse(&text).ok_or_else(|| "unknown state of a job".into())
});
stored_as!(DeliveryState, String, |state| state.as_str().to_owned(), |text| {
    DeliveryState::parse(&text).ok_or_else(|| "unknown state of a delivery".into())
});

/// INTEGER microseconds since the Unix epoch.
impl Type<Sqlite> for Time {
    fn type_info() -> SqliteTypeInfo {
        <i64 as Type<Sqlite>>::type_info()
    }

    fn compatible(ty: &SqliteTypeInfo) -> bool {
        <i64 as Type<Sqlite>>::compatible(ty)
    }
}

impl Encode<'_, Sqlite> for Time {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        <i64 as Encode<'_, Sqlite>>::encode(self.as_micros(), buffer)
    }
}

impl<'r> Decode<'r, Sqlite> for Time {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Time::from_micros(<i64 as Decode<'r, Sqlite>>::decode(value)?))
    }
}

/// The object id of TIMESTAMPTZ, fixed in PostgreSQL's catalogue.
const TIMESTAMPTZ: Oid = Oid(1184);
/// The one of its arrays.
const TIMESTAMPTZ_ARRAY: Oid = Oid(1185);
/// PostgreSQL counts microseconds from 2000-01-01.
const POSTGRES_EPOCH_MICROS: i64 = 946_684_800_000_000;

impl Type<Postgres> for Time {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(TIMESTAMPTZ)
    }
}

impl PgHasArrayType for Time {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(TIMESTAMPTZ_ARRAY)
    }
}

impl Encode<'_, Postgres> for Time {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        <i64 as Encode<'_, Postgres>>::encode(self.as_micros() - POSTGRES_EPOCH_MICROS, buffer)
    }
}

impl<'r> Decode<'r, Postgres> for Time {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        // Every statement is a prepared one, whose results PostgreSQL sends in binary.
        let micros = <i64 as Decode<'r, Postgres>>::decode(value)?;
        Ok(Time::from_micros(micros.saturating_add(POSTGRES_EPOCH_MICROS)))
    }
}
