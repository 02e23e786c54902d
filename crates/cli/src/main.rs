//! The `asterism` command.

use std::process::ExitCode;

use asterism_compiler::CodeKind;
use asterism_vm::{Options, Vm};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let (source, file) = match args.get(1).map(String::as_str) {
        Some("-e") => (args.get(2).cloned().unwrap_or_default().into_bytes(), "-e".to_string()),
        Some(path) => match std::fs::read(path) {
            Ok(source) => (source, path.to_string()),
            Err(e) => {
                eprintln!("asterism: {e} -- {path} (LoadError)");
                return ExitCode::FAILURE;
            }
        },
        None => return ExitCode::FAILURE,
    };
    let (mut ec, booted) = Vm::create(Options::default(), &asterism_core::HOOKS);
    let result = booted.and_then(|()| ec.run_file(&source, &file, CodeKind::Main));
    match result {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => {
            if let Some(e) = ec.pending_exception() {
                let class = ec.class_name_of(e);
                let message = asterism_object::ivars::get(&mut ec, e, asterism_symbol::sym::message_ivar);
                let text = message.map(|m| asterism_object::string::to_string_lossy(&mut ec, m)).unwrap_or_default();
                eprintln!("{text} ({class})");
                for location in asterism_vm::backtrace::of(&mut ec, e) {
                    eprintln!("\t{location}");
                }
            }
            ExitCode::FAILURE
        }
    }
}
