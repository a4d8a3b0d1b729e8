//! See `accept_language` in the library.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| doorward_fuzz::accept_language(input));
