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
    flags(build.files(["c/variadic.c", "c/format.c", "c/st.c", "c/util.c"]));
    build.compile("asterism_capi_c");

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
