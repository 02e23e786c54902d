//! Compiles the Ruby part of the core library when the implementation is built: a VM starts from the image.

use std::path::PathBuf;

use asterism_compiler::{CodeKind, Options, compile, image};

#[path = "src/prelude.rs"]
mod prelude;

fn main() {
    println!("cargo::rerun-if-changed=src");
    let codes: Vec<_> = prelude::PRELUDE
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
