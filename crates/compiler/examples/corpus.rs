//! Compiles and checks Ruby files: `cargo run -p asterism-compiler --example corpus -- DIR_OR_FILE…`.
//! With `--dump` in front it shows the bytecode, with `--internal` it compiles as part of the
//! implementation.

use std::path::{Path, PathBuf};

use asterism_compiler::{CodeKind, Options, compile, disassemble, verify};

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let Ok(entries) = std::fs::read_dir(path) else {
            return;
        };
        for entry in entries.flatten() {
            collect(&entry.path(), out);
        }
    } else {
        out.push(path.to_path_buf());
    }
}

fn main() {
    let mut files = Vec::new();
    let (mut dump, mut internal) = (false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--dump" => dump = true,
            "--internal" => internal = true,
            path if Path::new(path).is_dir() => {
                let mut all = Vec::new();
                collect(Path::new(path), &mut all);
                files.extend(all.into_iter().filter(|f| f.extension().is_some_and(|e| e == "rb")));
            }
            path => files.push(PathBuf::from(path)),
        }
    }
    files.sort();
    let mut bad = 0;
    for file in &files {
        let source = match std::fs::read(file) {
            Ok(source) => source,
            Err(error) => {
                println!("{}: {error}", file.display());
                bad += 1;
                continue;
            }
        };
        let name = file.to_string_lossy();
        let options = Options { internal, ..Options::new(&name, CodeKind::File) };
        match compile(&source, &options) {
            Err(error) => {
                println!("{}:{}: {}", file.display(), error.line(), error.message());
                bad += 1;
            }
            Ok(compiled) => {
                if dump {
                    print!("{}", disassemble(&compiled.code));
                }
                if let Err(defect) = verify::verify(&compiled.code) {
                    println!("{}: {defect}", file.display());
                    bad += 1;
                }
            }
        }
    }
    println!("{} files, {bad} bad", files.len());
    if bad > 0 {
        std::process::exit(1);
    }
}
