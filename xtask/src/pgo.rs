//! `cargo xtask pgo`: the release build, laid out and inlined by what programs do (profile-guided optimisation).
//!
//! A program that is more than a loop waits for instructions: on a page of Rails each line of machine code is fetched about once. What
//! programs run often is put together by what a build with counters has counted in the benchmark programs, compiled and interpreted.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::dist::perform;
use crate::repo;

/// How each program is run.
const MODES: [&str; 2] = ["--jit=on", "--jit=off"];

/// Builds, runs the programs, and builds again.
pub fn run(args: &[String]) -> Result<bool, String> {
    let root = repo::root();
    let mut profile = "release".to_owned();
    match args {
        [] => {}
        [flag, name] if flag == "--profile" => profile.clone_from(name),
        _ => return Err("usage: cargo xtask pgo [--profile NAME]".into()),
    }
    let merge = profdata()?;
    let out = root.join("target/pgo");
    let counts = out.join("counts");
    if counts.exists() {
        std::fs::remove_dir_all(&counts).map_err(|error| format!("{}: {error}", counts.display()))?;
    }
    let counting = build(&root, &out.join("counting"), &profile, &format!("-Cprofile-generate={}", counts.display()))?;
    for program in programs(&root)? {
        for mode in MODES {
            train(&counting, mode, &program)?;
        }
    }
    let merged = out.join("merged.profdata");
    perform(Command::new(&merge).arg("merge").arg("-o").arg(&merged).arg(&counts))?;
    let built = build(&root, &out, &profile, &format!("-Cprofile-use={}", merged.display()))?;
    println!("{}", built.display());
    Ok(true)
}

/// The tool of the toolchain's that merges counts.
fn profdata() -> Result<PathBuf, String> {
    let asked = Command::new("rustc").args(["--print", "target-libdir"]).output();
    let output = asked.map_err(|error| format!("cannot run rustc: {error}"))?;
    let tool = Path::new(String::from_utf8_lossy(&output.stdout).trim()).with_file_name("bin").join("llvm-profdata");
    if tool.is_file() { Ok(tool) } else { Err("no llvm-profdata: rustup component add llvm-tools".into()) }
}

/// What is run while it counts.
fn programs(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut all = repo::ruby_files(&root.join("benches/programs"))?;
    all.extend(repo::ruby_files(&root.join("benches/iterators"))?);
    // Sockets, IO.select and text in small pieces, of which the others have little.
    all.push(root.join("benches/ractor/served.rb"));
    Ok(all)
}

/// The command built with these flags. Its own target folder keeps the usual build.
fn build(root: &Path, target: &Path, profile: &str, flags: &str) -> Result<PathBuf, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--package", "asterism-cli", "--profile", profile, "--target-dir"]).arg(target);
    perform(cargo.current_dir(root).env("RUSTFLAGS", flags))?;
    Ok(target.join(profile).join("asterism"))
}

/// Runs a program, of whose output nothing is wanted.
fn train(bin: &Path, mode: &str, program: &Path) -> Result<(), String> {
    let mut command = Command::new(bin);
    command.arg(mode).arg(program).stdout(std::process::Stdio::null());
    perform(command.current_dir(program.parent().unwrap_or(program)))
}
