//! Compiles the Ruby part of the core library when the implementation is built: a VM starts from the image. Each crate lists its
//! own sources; they run in the order of the crates.

use std::path::PathBuf;

use asterism_compiler::{CodeKind, Options, compile, image};

#[path = "../core/src/prelude.rs"]
mod core;
#[path = "../marshal/src/prelude.rs"]
mod marshal;
#[path = "../rubyvm/src/prelude.rs"]
mod rubyvm;
#[path = "../system/src/prelude.rs"]
mod system;

fn main() {
    for part in ["core", "marshal", "system", "rubyvm"] {
        println!("cargo::rerun-if-changed=../{part}/src");
    }
    let sources = [core::PRELUDE, marshal::PRELUDE, system::PRELUDE, rubyvm::PRELUDE].concat();
    let codes: Vec<_> = sources
        .iter()
        .map(|(file, source)| {
            let options = Options { internal: true, ..Options::new(file, CodeKind::File) };
            match compile(source.as_bytes(), &options) {
                Ok(compiled) => compiled.code,
                Err(error) => panic!("{file}: {error}"),
            }
        })
        .collect();
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("prelude.image"), image::encode(&codes)).expect("the image can be written");
}
