//! See `env_file` in the library.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| doorward_fuzz::env_file(input));
