//! Arbitrary bytes as a program: whatever they are, there is an exception or a value, and no crash.
#![no_main]

mod options;

use asterism_fuzz::sandbox;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &[u8]| {
    let mut vm = sandbox::closed();
    let ended = sandbox::limited(&mut vm, |vm| vm.eval(source, "fuzz.rb"));
    drop(ended);
    let ended = vm.run(b"nil", "end");
    vm.finish(ended);
});
