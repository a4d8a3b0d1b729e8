//! Passwords, tokens, sealed secrets: everything that needs a cryptographic primitive.
