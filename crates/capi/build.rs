//! Compiles the part of the C interface that is C: functions with a variable number of arguments, and `st`. Beside it, a
//! library with nothing but the names of all functions, which mkmf's `have_func` links its tests with.

use std::fmt::Write as _;
use std::path::PathBuf;

mod exports;

fn main() {
    println!("cargo:rerun-if-changed=c");
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=../../include");
    let flags = |build: &mut cc::Build| {
        build.include("../../include").warnings(false).opt_level(2).std("gnu17");
    };
    let mut build = cc::Build::new();
    let files = [
        "variadic",
        "format",
        "st",
        "util",
        "io",
        "select",
        "ractor",
        "debug",
        "encoding",
        "memory_view",
        "digest",
        "pictures",
    ]
    .map(|name| format!("c/{name}.c"));
    // It runs in every VM, and the variables of the header are those of one.
    let os = std::env::var("CARGO_CFG_TARGET_OS").expect("cargo sets it");
    let cpu = std::env::var("CARGO_CFG_TARGET_ARCH").expect("cargo sets it");
    let platform = format!("\"{cpu}-{os}\"");
    flags(build.define("RUBY_EXTENSION_PER_VM", None).define("ASTERISM_PLATFORM", &*platform).files(files));
    build.compile("asterism_capi_c");
    let mut build = cc::Build::new();
    flags(build.file("c/known.c"));
    build.compile("asterism_capi_known");

    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let mut stubs = String::new();
    for name in exports::names(&root) {
        let _ = writeln!(stubs, "void {name}(void) {{}}");
    }
    let source = out.join("names.c");
    std::fs::write(&source, stubs).expect("the list of names");
    cc::Build::new().file(source).cargo_metadata(false).warnings(false).compile("asterism_names");
}
