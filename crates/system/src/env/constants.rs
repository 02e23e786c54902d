//! RUBY_VERSION and its like.

use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Ec, Res};

/// The language version.
pub const VERSION: &str = "4.0.0";
/// The day the language version came out.
pub const RELEASE_DATE: &str = "2025-12-25";
/// `RUBY_PLATFORM`
pub const PLATFORM: &str = if cfg!(target_arch = "aarch64") { "aarch64-linux" } else { "x86_64-linux" };

/// `RUBY_DESCRIPTION`, which `--version` prints.
pub fn description() -> String {
    format!("asterism {} ({VERSION}) [{PLATFORM}]", env!("CARGO_PKG_VERSION"))
}

/// `RUBY_COPYRIGHT`, which `--copyright` prints.
pub const COPYRIGHT: &str = "asterism - Copyright (C) 2026 The Asterism authors";

/// Defines them.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let description = description();
    let engine = std::env::var("ASTERISM_ENGINE").unwrap_or_else(|_| "asterism".to_string());
    // Ruby::VERSION is RUBY_VERSION, and so on.
    let ruby = ec.define_module(object, "Ruby")?;
    let texts = [
        ("RUBY_VERSION", VERSION),
        ("RUBY_RELEASE_DATE", RELEASE_DATE),
        ("RUBY_PLATFORM", PLATFORM),
        ("RUBY_COPYRIGHT", COPYRIGHT),
        ("RUBY_DESCRIPTION", &description),
        ("RUBY_ENGINE", &engine),
        ("RUBY_ENGINE_VERSION", env!("CARGO_PKG_VERSION")),
        ("RUBY_REVISION", ""),
    ];
    for (name, text) in texts {
        let text = ec.str(text)?;
        ec.freeze(text)?;
        define(ec, ruby, name, text)?;
    }
    define(ec, ruby, "RUBY_PATCHLEVEL", Value::fixnum(0))
}

fn define(ec: &mut Ec, ruby: Class, name: &str, value: Value) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    ec.set_constant(object, intern(name), value)?;
    ec.set_constant(ruby, intern(name.trim_start_matches("RUBY_")), value)
}
