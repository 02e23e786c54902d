//! Regexps that sources write: checked before a source runs, and made of the Strings around and in interpolations.

use std::sync::atomic::Ordering;

use asterism_compiler::RegexpText;
use asterism_object::{Value, string};
use asterism_support::encoding::Encoding;
use asterism_vm::{Ec, Exc, Raised, Res};

use super::pattern::{self, EXTENDED, NOENCODING, Pattern, PatternError};
use super::search::encoding_of;
use super::show;

/// Warns of what a regexp of a source is to be warned of; says what is wrong with it, if anything is.
///
/// # Errors
/// NoMemoryError, what a program's `Warning.warn` raises.
pub fn check(ec: &mut Ec, text: &RegexpText, file: &str) -> Res<Option<String>> {
    let encoding = encoding_of(text.encoding);
    let mut warnings = Vec::new();
    let checked = if text.whole {
        Pattern::check(&text.source, text.options, encoding, &mut warnings)
    } else {
        // The parts of a regexp that stand beside code only have escapes.
        let extended = text.options & EXTENDED != 0;
        asterism_regexp::resolve(&text.source, encoding, extended).map(|_| ()).map_err(PatternError::from)
    };
    let verbose = ec.vm().verbose.load(Ordering::Relaxed);
    for warning in warnings.iter().filter(|w| verbose > u64::from(w.verbose)) {
        asterism_vm::load::warn_at(ec, file, text.line, &warning.message)?;
    }
    let message = match checked {
        Ok(()) => return Ok(None),
        Err(PatternError::Syntax(message)) => message,
        // Told when it is made.
        Err(PatternError::Encoding(_)) => return Ok(None),
        Err(PatternError::Memory | PatternError::Ended) => return Err(ec.no_memory()),
    };
    let options = if text.whole { text.options } else { 0 };
    let shown = show::described(message.as_bytes(), &text.source, encoding, options, show::shown_in(ec));
    Ok(Some(String::from_utf8_lossy(&shown).into_owned()))
}

/// The encoding that a part of a regexp insists on.
fn insists(ec: &mut Ec, part: Value, options: u32) -> Res<Option<Encoding>> {
    let mut encoding = encoding_of(string::encoding(part));
    if options & NOENCODING != 0 && encoding != Encoding::BINARY {
        if !string::is_ascii_only(ec, part) {
            let message = "/.../n has a non escaped non ASCII character in non ASCII-8BIT script";
            return Err(ec.raise(Exc::RegexpError, message));
        }
        encoding = Encoding::BINARY;
    }
    let bytes = string::read(ec, part);
    match asterism_regexp::resolve(&bytes, encoding, options & EXTENDED != 0) {
        Ok(resolved) => Ok(resolved.fixed),
        Err(error) => Err(ec.arg_error(error.to_string())),
    }
}

fn mismatch(ec: &mut Ec, one: Encoding, other: Encoding) -> Raised {
    let message =
        format!("encoding mismatch in dynamic regexp : {} and {}", show::plain_name(one), show::plain_name(other));
    ec.raise(Exc::RegexpError, message)
}

/// A Regexp of the Strings of which its source is made.
///
/// # Errors
/// ArgumentError, RegexpError, Encoding::CompatibilityError, NoMemoryError; what writing a warning raises.
pub fn dynamic(ec: &mut Ec, parts: &[Value], options: u32) -> Res {
    let mut fixed: Option<Encoding> = None;
    for part in parts {
        match (fixed, insists(ec, *part, options)?) {
            (Some(known), Some(own)) if known != own => return Err(mismatch(ec, known, own)),
            (None, own) => fixed = own,
            _ => {}
        }
    }
    let source = match parts {
        [one] => *one,
        _ => ec.str_join(parts)?,
    };
    let source = match fixed {
        Some(fixed) if string::encoding(source) != fixed.index() => {
            let bytes = string::to_vec(ec, source);
            ec.str_enc(&bytes, fixed.index())?
        }
        _ => source,
    };
    pattern::make_warning(ec, source, options)
}
