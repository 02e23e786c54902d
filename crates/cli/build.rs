//! Exports the functions of the C interface from the command: extensions find them in the executable.

use std::fmt::Write as _;
use std::path::PathBuf;

#[path = "../capi/exports.rs"]
mod exports;

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let capi = root.join("../capi");
    println!("cargo:rerun-if-changed={}", capi.display());
    let mut arguments = String::new();
    for name in exports::names(&capi) {
        let _ = writeln!(arguments, "-Wl,-u,{name}\n-Wl,--export-dynamic-symbol={name}");
    }
    let file = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it")).join("exports.args");
    std::fs::write(&file, arguments).expect("the list of exports");
    println!("cargo:rustc-link-arg-bins=@{}", file.display());
}
