#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz_targets::block(data));
