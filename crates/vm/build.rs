//! Says whether the interpreter's handlers may jump from one to the next (`src/interp/dispatch.rs`): where LLVM is asked to
//! optimise, for a target whose calling convention lets a call at the end of a function be a jump. Elsewhere each handler
//! returns to the loop.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(asterism_threaded)");
    let is = |name: &str, values: &[&str]| var(name).is_ok_and(|value| values.contains(&value.as_str()));
    let optimised = is("OPT_LEVEL", &["2", "3", "s", "z"]);
    let target = is("CARGO_CFG_TARGET_ARCH", &["x86_64", "aarch64"]);
    // Debug assertions and sanitizers put something behind the last call.
    let checked = var("CARGO_CFG_DEBUG_ASSERTIONS").is_ok() || var("CARGO_CFG_ASTERISM_SANITIZE").is_ok();
    if optimised && target && !checked {
        println!("cargo::rustc-cfg=asterism_threaded");
    }
}
