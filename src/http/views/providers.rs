//! Buttons of providers, and the pages of a login with one.

use super::{Field, Icon, Layout, MailedCodeField, Shell};
use crate::messages::{Key, Message};
use crate::model::ids::IdentityId;
use crate::model::provider::ProviderKind;
use crate::model::time::Time;
use crate::settings::ProvidersPlace;
use askama::Template;

/// A button that begins a login with a provider.
#[derive(Clone, Debug)]
pub struct ProviderButton {
    pub kind: ProviderKind,
    pub label: String,
    pub href: String,
    /// Whether this browser logged in by it last.
    pub is_last: bool,
}

#[derive(Clone, Debug)]
pub struct ProviderButtons {
    pub place: ProvidersPlace,
    pub list: Vec<ProviderButton>,
}

impl ProviderButtons {
    pub const NONE: Self = Self { place: ProvidersPlace::Below, list: Vec::new() };

    pub(super) fn are_above(&self) -> bool {
        self.place == ProvidersPlace::Above && !self.list.is_empty()
    }

    pub(super) fn are_below(&self) -> bool {
        self.place == ProvidersPlace::Below && !self.list.is_empty()
    }
}

/// `/auth/login/with/{name}`, for a browser that another site sent.
#[derive(Template)]
#[template(path = "provider_start.html")]
pub struct ProviderStartPage<'a> {
    pub layout: Layout<'a>,
    pub button: &'a ProviderButton,
}

/// An answer to a form that goes on elsewhere.
#[derive(Template)]
#[template(path = "departure.html")]
pub struct DeparturePage<'a> {
    pub layout: Layout<'a>,
    /// The host that it goes on to.
    pub host: &'a str,
    pub target: &'a str,
}

/// `/auth/login/with/{name}/connect`.
#[derive(Template)]
#[template(path = "provider_connect.html")]
pub struct ProviderConnectPage<'a> {
    pub layout: &'a Shell<'a>,
    pub action: &'a str,
    /// Which login it is.
    pub state: &'a str,
    pub provider: &'a str,
    /// The address that both have.
    pub email: &'a str,
    pub step: ConnectStep<'a>,
}

/// How far a person is who is offered to connect an account.
#[derive(Clone, Copy, Debug)]
pub enum ConnectStep<'a> {
    /// They must log in to the account first, here.
    LogIn(&'a str),
    /// The account has nothing to log in with: they enter a mailed code in its place.
    MailedCode(MailedCodeField<'a>),
    /// They are logged in to it, and called so.
    Connect(&'a str),
    /// They are logged in to another one, which is known by this.
    OtherAccount(&'a str),
}

impl ConnectStep<'_> {
    const fn has_sent_code(self) -> bool {
        matches!(self, Self::MailedCode(MailedCodeField { is_sent: true, .. }))
    }

    /// Where the way on leads without a connection.
    const fn way_out(self) -> &'static str {
        match self {
            Self::LogIn(_) | Self::MailedCode(_) => "/auth/login",
            Self::Connect(_) | Self::OtherAccount(_) => "/auth/account",
        }
    }
}

/// `/auth/login/with/{name}/address`.
#[derive(Template)]
#[template(path = "provider_details.html")]
pub struct ProviderDetailsPage<'a> {
    pub layout: &'a Shell<'a>,
    pub action: &'a str,
    /// Which login it is.
    pub state: &'a str,
    pub provider: &'a str,
    /// The address, where it is asked for.
    pub email: Option<Field<'a>>,
    /// The username, where it is asked for.
    pub username: Option<Field<'a>>,
    pub requires_username: bool,
}

pub struct ConnectionLine<'a> {
    pub id: IdentityId,
    pub kind: ProviderKind,
    pub provider: &'a str,
    /// The address that was last stated.
    pub email: Option<&'a str>,
    pub exists: bool,
    pub created_at: Time,
    pub last_used_at: Option<Time>,
}

pub struct ConnectChoice<'a> {
    pub action: String,
    pub kind: ProviderKind,
    pub label: &'a str,
    /// Whether an account there is connected already.
    pub is_another: bool,
}

/// `/auth/account/connections`.
#[derive(Template)]
#[template(path = "connections.html")]
pub struct ConnectionsPage<'a> {
    pub layout: &'a Shell<'a>,
    pub notice: Option<&'a Message>,
    /// The connected accounts, the oldest first.
    pub connections: &'a [ConnectionLine<'a>],
    pub choices: &'a [ConnectChoice<'a>],
    /// The account that is connected: its email address, or its username.
    pub account: &'a str,
}

impl ConnectionsPage<'_> {
    /// Providers of which nothing is connected yet; all of them where there are no such.
    fn first_choices(&self) -> impl Iterator<Item = &ConnectChoice<'_>> {
        let has_new = self.has_new_choices();
        self.choices.iter().filter(move |choice| !has_new || !choice.is_another)
    }

    /// The others: few want a second account of a provider.
    fn further_choices(&self) -> impl Iterator<Item = &ConnectChoice<'_>> {
        let has_new = self.has_new_choices();
        self.choices.iter().filter(move |choice| has_new && choice.is_another)
    }

    fn has_new_choices(&self) -> bool {
        self.choices.iter().any(|choice| !choice.is_another)
    }
}

impl ProviderDetailsPage<'_> {
    fn has_error(&self) -> bool {
        let has_error = |field: Option<Field<'_>>| field.is_some_and(|field| field.error.is_some());
        self.layout.form_error.is_some() || has_error(self.email) || has_error(self.username)
    }

    fn what(&self) -> Key {
        Key(if self.email.is_some() { "details-address" } else { "details-username" })
    }
}
