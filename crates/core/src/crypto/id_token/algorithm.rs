//! The algorithms of ID tokens (RFC 7518, 3.1; RFC 8037, 3.1), and the kind of key that each needs.

use crate::model::names::names;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ECDSA_P521_SHA512_FIXED, ED25519, EcdsaVerificationAlgorithm,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, VerificationAlgorithm,
};

names! {
    /// An algorithm that an ID token may have. There is none without a signature and none with a shared secret: a public
    /// key must never serve as one (RFC 8725, 2.1).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum IdTokenAlgorithm {
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        Rs256 = "RS256",
        /// RSASSA-PKCS1-v1_5 with SHA-384.
        Rs384 = "RS384",
        /// RSASSA-PKCS1-v1_5 with SHA-512.
        Rs512 = "RS512",
        /// RSASSA-PSS with SHA-256.
        Ps256 = "PS256",
        /// RSASSA-PSS with SHA-384.
        Ps384 = "PS384",
        /// RSASSA-PSS with SHA-512.
        Ps512 = "PS512",
        /// ECDSA with P-256 and SHA-256.
        Es256 = "ES256",
        /// ECDSA with P-384 and SHA-384.
        Es384 = "ES384",
        /// ECDSA with P-521 and SHA-512.
        Es512 = "ES512",
        /// `EdDSA` with Ed25519.
        EdDsa = "EdDSA",
    }
}

/// What verifies the signatures of an algorithm.
pub(super) enum SignatureRule {
    Rsa(&'static RsaParameters),
    /// With the bytes of a public key.
    Bytes(&'static dyn VerificationAlgorithm),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyKind {
    Rsa,
    P256,
    P384,
    P521,
    Ed25519,
}

impl KeyKind {
    /// The bytes of one coordinate of a point, which a JWK states in full (RFC 7518, 6.2.1.2).
    pub(super) const fn coordinate_bytes(self) -> Option<usize> {
        match self {
            Self::Rsa => None,
            Self::P256 | Self::Ed25519 => Some(32),
            Self::P384 => Some(48),
            Self::P521 => Some(66),
        }
    }
}

impl IdTokenAlgorithm {
    /// The only kind of key that it works with.
    pub(super) const fn key_kind(self) -> KeyKind {
        match self {
            Self::Rs256 | Self::Rs384 | Self::Rs512 | Self::Ps256 | Self::Ps384 | Self::Ps512 => KeyKind::Rsa,
            Self::Es256 => KeyKind::P256,
            Self::Es384 => KeyKind::P384,
            Self::Es512 => KeyKind::P521,
            Self::EdDsa => KeyKind::Ed25519,
        }
    }

    /// What verifies its signatures. `jsonwebtoken` knows no P-521; the library below it does.
    pub(super) fn check(self) -> SignatureRule {
        const fn ecdsa(algorithm: &'static EcdsaVerificationAlgorithm) -> SignatureRule {
            SignatureRule::Bytes(algorithm)
        }
        match self {
            Self::Rs256 => SignatureRule::Rsa(&RSA_PKCS1_2048_8192_SHA256),
            Self::Rs384 => SignatureRule::Rsa(&RSA_PKCS1_2048_8192_SHA384),
            Self::Rs512 => SignatureRule::Rsa(&RSA_PKCS1_2048_8192_SHA512),
            Self::Ps256 => SignatureRule::Rsa(&RSA_PSS_2048_8192_SHA256),
            Self::Ps384 => SignatureRule::Rsa(&RSA_PSS_2048_8192_SHA384),
            Self::Ps512 => SignatureRule::Rsa(&RSA_PSS_2048_8192_SHA512),
            Self::Es256 => ecdsa(&ECDSA_P256_SHA256_FIXED),
            Self::Es384 => ecdsa(&ECDSA_P384_SHA384_FIXED),
            Self::Es512 => ecdsa(&ECDSA_P521_SHA512_FIXED),
            Self::EdDsa => SignatureRule::Bytes(&ED25519),
        }
    }
}
