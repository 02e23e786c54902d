//! What the linker is told about the command: it exports the functions of the C interface, which extensions find in the executable, and
//! the functions that programs call lie next to each other, so that few pages of code are touched (`cargo xtask order`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[path = "../capi/exports.rs"]
mod exports;

/// Letters of a hash and of the end of a name.
const HASH: usize = 17;

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let capi = root.join("../capi");
    println!("cargo:rerun-if-changed={}", capi.display());
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let mut arguments = String::new();
    for name in exports::names(&capi) {
        let _ = writeln!(arguments, "-Wl,-u,{name}\n-Wl,--export-dynamic-symbol={name}");
    }
    arrange(&root, &out);
    let file = out.join("exports.args");
    std::fs::write(&file, arguments).expect("the list of exports");
    println!("cargo:rustc-link-arg-bins=@{}", file.display());
}

/// Has the linker put the functions of `functions.txt` before the others, in their order. Names of sections are those of functions, in
/// Rust with a hash behind; functions that are listed with theirs come last under any other, which another compiler may have given them.
/// Behind any name there may be the number of a part or a copy (`.part.0`, `.764`).
fn arrange(root: &Path, out: &Path) {
    let list = root.join("functions.txt");
    println!("cargo:rerun-if-changed={}", list.display());
    let other_linker = std::env::var("CARGO_ENCODED_RUSTFLAGS")
        .is_ok_and(|flags| ["mold", "gold", "wild"].iter().any(|linker| flags.contains(linker)));
    // Scripts that insert are for the linkers of GNU and LLVM.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") || other_linker {
        return;
    }
    let mut script = String::from("SECTIONS {\n.text.used : {\n");
    let names = std::fs::read_to_string(&list).expect("the list of functions");
    let hashed = |name: &&str| name.starts_with("_ZN") && name.ends_with('E');
    let mut others: Vec<&str> = names.lines().filter(hashed).map(|name| &name[..name.len() - HASH]).collect();
    others.dedup();
    for name in names.lines().chain(others) {
        let _ = if name.starts_with("_ZN") {
            writeln!(script, "*(.text.{name}* .text.unlikely.{name}*)")
        } else {
            writeln!(script, "*(.text.{name} .text.{name}.* .text.unlikely.{name} .text.unlikely.{name}.*)")
        };
    }
    script.push_str("}\n}\nINSERT BEFORE .text;\n");
    let file = out.join("functions.ld");
    std::fs::write(&file, script).expect("the linker's script");
    println!("cargo:rustc-link-arg-bins=-Wl,-T,{}", file.display());
}
