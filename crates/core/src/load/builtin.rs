//! Features that are part of the implementation: requiring them loads nothing from a file.

use asterism_compiler::CodeKind;
use asterism_vm::{Ec, Res};

/// A feature of the implementation's own.
pub struct Builtin {
    /// As `require` is given it, without extension.
    pub name: &'static str,
    /// As `$LOADED_FEATURES` shows it.
    pub file: &'static str,
    /// Ruby source to run, if it is not there from the start.
    source: Option<&'static str>,
}

/// In `$LOADED_FEATURES` from the start.
pub const ALWAYS: &[&str] = &[
    "enumerator.so",
    "thread.rb",
    "fiber.so",
    "rational.so",
    "complex.so",
    "ruby2_keywords.rb",
    "set.rb",
    "monitor.rb",
];

const fn present(name: &'static str, file: &'static str) -> Builtin {
    Builtin { name, file, source: None }
}

static BUILTINS: &[Builtin] = &[
    present("enumerator", "enumerator.so"),
    present("thread", "thread.rb"),
    present("fiber", "fiber.so"),
    present("rational", "rational.so"),
    present("complex", "complex.so"),
    present("ruby2_keywords", "ruby2_keywords.rb"),
    present("set", "set.rb"),
    present("monitor", "monitor.rb"),
    Builtin { name: "etc", file: "etc.so", source: Some(include_str!("etc.rb")) },
    Builtin { name: "rbconfig", file: "rbconfig.rb", source: Some(include_str!("rbconfig.rb")) },
    Builtin { name: "stringio", file: "stringio.so", source: Some(include_str!("../io/stringio.rb")) },
    Builtin { name: "strscan", file: "strscan.so", source: Some(include_str!("strscan.rb")) },
    Builtin { name: "io/console", file: "io/console.so", source: Some(include_str!("io_console.rb")) },
    Builtin { name: "delegate", file: "delegate.rb", source: Some(include_str!("delegate.rb")) },
    Builtin { name: "pathname.so", file: "pathname.so", source: Some(include_str!("pathname.rb")) },
    Builtin {
        name: "forwardable/impl",
        file: "forwardable/impl.rb",
        source: Some(include_str!("forwardable_impl.rb")),
    },
    present("io/console/size", "io/console/size.rb"),
    present("io/wait", "io/wait.so"),
    present("io/nonblock", "io/nonblock.so"),
];

/// The built-in feature of a name with or without extension.
pub fn find(name: &[u8]) -> Option<&'static Builtin> {
    let bare = name.strip_suffix(b".rb").or_else(|| name.strip_suffix(b".so")).unwrap_or(name);
    // `pathname.so` is built in, `pathname.rb` is a file of the library.
    BUILTINS.iter().find(|b| b.name.as_bytes() == bare || b.name.as_bytes() == name)
}

/// Makes a built-in feature available.
///
/// # Errors
/// NoMemoryError.
pub fn load(ec: &mut Ec, feature: &Builtin) -> Res<()> {
    match feature.source {
        Some(source) => {
            let file = format!("<internal:{}>", feature.name);
            let code = ec.compile_file(source.as_bytes(), &file, CodeKind::File, true)?;
            ec.run_prelude(&code)
        }
        None => Ok(()),
    }
}
