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
    /// Natives to define first, and sources that build on them, with their names.
    native: Option<(Define, &'static [(&'static str, &'static str)])>,
}

/// Defines a feature's native part.
type Define = fn(&mut Ec) -> Res<()>;

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
    Builtin { name, file, source: None, native: None }
}

const fn ruby(name: &'static str, file: &'static str, source: &'static str) -> Builtin {
    Builtin { name, file, source: Some(source), native: None }
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
    ruby("etc", "etc.so", include_str!("etc.rb")),
    Builtin { name: "fcntl", file: "fcntl.so", source: None, native: Some((super::fcntl::define, &[])) },
    ruby("rbconfig", "rbconfig.rb", include_str!("rbconfig.rb")),
    ruby("rbconfig/sizeof", "rbconfig/sizeof.so", include_str!("sizeof.rb")),
    ruby("stringio", "stringio.so", include_str!("../io/stringio.rb")),
    Builtin {
        name: "strscan",
        file: "strscan.so",
        source: None,
        native: Some((crate::strscan::define, &[("<internal:strscan>", include_str!("../strscan/strscan.rb"))])),
    },
    ruby("io/console", "io/console.so", include_str!("io_console.rb")),
    ruby("delegate", "delegate.rb", include_str!("delegate.rb")),
    ruby("pathname.so", "pathname.so", include_str!("pathname.rb")),
    ruby("forwardable/impl", "forwardable/impl.rb", include_str!("forwardable_impl.rb")),
    Builtin {
        name: "socket",
        file: "socket.so",
        source: None,
        native: Some((crate::socket::define, crate::socket::SOURCES)),
    },
    Builtin {
        name: "did_you_mean",
        file: "did_you_mean.rb",
        source: Some(include_str!("../exception/did_you_mean.rb")),
        native: None,
    },
    Builtin {
        name: "json",
        file: "json.rb",
        source: None,
        native: Some((crate::json::init, &[("<internal:json>", include_str!("../json/json.rb"))])),
    },
    ruby("json/ext", "json/ext.rb", "require 'json'"),
    ruby("json/common", "json/common.rb", "require 'json'"),
    ruby("json/version", "json/version.rb", "require 'json'"),
    Builtin {
        name: "digest.so",
        file: "digest.so",
        source: None,
        native: Some((crate::digest::init, &[("<internal:digest>", include_str!("../digest/digest.rb"))])),
    },
    ruby("digest/md5", "digest/md5.so", "require 'digest'"),
    ruby("digest/sha1", "digest/sha1.so", "require 'digest'"),
    ruby("digest/rmd160", "digest/rmd160.so", "require 'digest'"),
    ruby("digest/sha2.so", "digest/sha2.so", "require 'digest.so'"),
    Builtin {
        name: "cgi/escape",
        file: "cgi/escape.so",
        source: None,
        native: Some((
            crate::text_escape::init,
            &[("<internal:cgi/escape>", include_str!("../text_escape/cgi_escape.rb"))],
        )),
    },
    Builtin {
        name: "erb/escape",
        file: "erb/escape.so",
        source: None,
        native: Some((
            crate::text_escape::init,
            &[("<internal:erb/escape>", include_str!("../text_escape/erb_escape.rb"))],
        )),
    },
    Builtin {
        name: "zlib",
        file: "zlib.so",
        source: None,
        native: Some((crate::zlib::init, &[("<internal:zlib>", include_str!("../zlib/zlib.rb"))])),
    },
    Builtin { name: "psych.so", file: "psych.so", source: None, native: Some((crate::psych::define, &[])) },
    Builtin { name: "date_core", file: "date_core.so", source: None, native: Some((no_natives, crate::date::SOURCES)) },
    ruby("pp", "pp.rb", include_str!("pp_show.rb")),
    ruby("objspace", "objspace.so", include_str!("objspace_ext.rb")),
    ruby("drb/mvm", "drb/mvm.rb", include_str!("../rubyvm/drb_mvm.rb")),
    present("io/console/size", "io/console/size.rb"),
    present("io/wait", "io/wait.so"),
    present("io/nonblock", "io/nonblock.so"),
];

/// For features in several Ruby files.
fn no_natives(_ec: &mut Ec) -> Res<()> {
    Ok(())
}

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
    if let Some((define, sources)) = feature.native {
        define(ec)?;
        for (file, source) in sources {
            let code = ec.compile_file(source.as_bytes(), file, CodeKind::File, true)?;
            ec.run_prelude(&code)?;
        }
    }
    match feature.source {
        Some(source) => {
            let file = format!("<internal:{}>", feature.name);
            let code = ec.compile_file(source.as_bytes(), &file, CodeKind::File, true)?;
            ec.run_prelude(&code)
        }
        None => Ok(()),
    }
}
