//! Generated people: everything about a person derives from a number, so ten million need no memory.

use crate::outcome::Outcome;
use doorward::crypto::refresh_token;
use doorward::crypto::secret_keys::SecretKeys;
use doorward::model::ids::{OrganizationId, SessionId, UserId};
use doorward::random;
use secrecy::SecretString;
use uuid::Uuid;

/// Time in the first person's ids, in milliseconds since the Unix epoch; each next person's is a millisecond later.
const EPOCH_MS: u64 = 1_760_000_000_000;

/// Given names, each of as many people.
pub const GIVEN_NAMES: [&str; 16] = [
    "Ada", "Boris", "Chiara", "David", "Elena", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Katya", "Liam", "Maria",
    "Noor", "Olga", "Pedro",
];
/// Among a million people, twenty have the same one.
const FAMILY_NAMES: u64 = 50_000;

/// A user with a personal organization, a membership in it, and a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person(pub u64);

impl Person {
    pub fn user(self) -> UserId {
        UserId(self.id(1))
    }

    pub fn organization(self) -> OrganizationId {
        OrganizationId(self.id(2))
    }

    pub fn session(self) -> SessionId {
        SessionId(self.id(3))
    }

    /// The nonce that the session's refresh tokens are derived from.
    pub fn nonce(self) -> [u8; 16] {
        self.id(4).into_bytes()
    }

    /// The email address, which is its own folded form.
    pub fn email(self) -> String {
        format!("{}@example.org", self.username())
    }

    /// The username, which is its own folded form and sorts by number.
    pub fn username(self) -> String {
        format!("person{:09}", self.0)
    }

    pub fn name(self) -> String {
        let given = usize::try_from(mix(self.0) % 16).ok().and_then(|number| GIVEN_NAMES.get(number));
        format!("{} {}", given.copied().unwrap_or_default(), self.family_name())
    }

    pub fn family_name(self) -> String {
        format!("Family{}", self.0 % FAMILY_NAMES)
    }

    /// The first refresh token of the session.
    pub fn refresh_token(self, keys: &SecretKeys) -> SecretString {
        refresh_token::mint(keys, self.session(), 1, &self.nonce())
    }

    /// Like the service's own ids: UUID version 7, ordered by creation with a random end.
    fn id(self, kind: u64) -> Uuid {
        let random = mix(self.0.wrapping_mul(8).wrapping_add(kind));
        let high = (EPOCH_MS + self.0) << 16 | 0x7000 | random >> 52;
        let low = 0x8000_0000_0000_0000 | mix(random) >> 2;
        Uuid::from_u64_pair(high, low)
    }
}

/// Steele's splitmix64.
pub fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A random number below `below`; not for secrets.
pub fn any_below(below: u64) -> Outcome<u64> {
    Ok(u64::from_le_bytes(random::bytes()?) % below)
}

/// A random person of a database of this size.
pub fn random_person(people: u64) -> Outcome<Person> {
    any_below(people).map(Person)
}
