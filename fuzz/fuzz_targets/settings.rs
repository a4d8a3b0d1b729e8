//! See `settings` in the library.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| doorward_fuzz::settings(input));
