//! See `gate_rules` in the library.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| doorward_fuzz::gate_rules(input));
