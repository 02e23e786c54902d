//! `sub`, `gsub` and `scan` with String patterns, and what replacements mean.

use asterism_object::string::StrRef;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_support::encoding::chars;
use asterism_support::{Encoding, strutil};
use asterism_symbol::sym;
use asterism_vm::{Args, Block, Ec, NativeDef, Res};

use super::util;
use crate::regexp::hooks;

/// Methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("sub", sub, 1, 2),
    NativeDef::new("sub!", sub_bang, 1, 2),
    NativeDef::new("gsub", gsub, 1, 2),
    NativeDef::new("gsub!", gsub_bang, 1, 2),
    NativeDef::new("scan", scan, 1, 1),
];

/// What takes the place of a match.
#[derive(Clone, Copy)]
pub enum Replacement {
    /// A String with backreferences.
    Text(Value),
    /// A Hash from matched texts.
    Hash(Value),
    /// The value of a block given the matched text.
    Block(Block),
}

impl Replacement {
    /// The replacement that the arguments (behind the pattern) or the block say; `None` for neither.
    ///
    /// # Errors
    /// TypeError if it is neither a String nor a Hash.
    pub fn of(ec: &mut Ec, args: Args<'_>) -> Res<Option<Replacement>> {
        let Some(given) = args.get(1) else {
            return Ok(args.block().map(Replacement::Block));
        };
        if given.is_type(Type::String) {
            return Ok(Some(Replacement::Text(given)));
        }
        if let Some(hash) = ec.check_hash(given)? {
            return Ok(Some(Replacement::Hash(hash)));
        }
        Ok(Some(Replacement::Text(ec.to_str(given)?)))
    }

    /// What the Hash or the block gives for a matched text, as a String. The text's own is
    /// [`expand`]'s business.
    ///
    /// # Errors
    /// What the Hash's default or the block raises.
    pub fn ask(self, ec: &mut Ec, matched: Value) -> Res {
        let answer = match self {
            Replacement::Text(text) => return Ok(text),
            Replacement::Hash(hash) => ec.call(hash, sym::AREF, &[matched])?,
            Replacement::Block(block) => ec.yield1(block, matched)?,
        };
        ec.to_s(answer)
    }
}

/// Appends a replacement text with its backreferences (`\0`, `\1`, `\k<name>`, `` \` ``, `\'`, `\\`) expanded.
/// `group` gives the place of a group in `source`, `None` if it took no part; `named` the number of a named group.
/// The error is the name of a group that does not exist.
pub fn expand(
    out: &mut Vec<u8>,
    text: &[u8],
    source: &[u8],
    whole: (usize, usize),
    group: impl Fn(usize) -> Option<(usize, usize)>,
    named: impl Fn(&[u8]) -> Option<usize>,
) -> Result<(), Vec<u8>> {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&b| b == b'\\') {
        out.extend_from_slice(&rest[..at]);
        let Some(&what) = rest.get(at + 1) else {
            rest = &rest[at..];
            break;
        };
        let mut taken = at + 2;
        let part = match what {
            b'0' | b'&' => Some(whole),
            b'1'..=b'9' => group(usize::from(what - b'0')),
            b'`' => Some((0, whole.0)),
            b'\'' => Some((whole.1, source.len())),
            b'\\' => {
                out.push(b'\\');
                None
            }
            b'k' if rest.get(at + 2) == Some(&b'<') => {
                let name = &rest[at + 3..];
                match name.iter().position(|&b| b == b'>') {
                    Some(len) => {
                        let name = &name[..len];
                        taken = at + 3 + len + 1;
                        let number = std::str::from_utf8(name).ok().and_then(|n| n.parse().ok());
                        match number.or_else(|| named(name)) {
                            Some(0) => Some(whole),
                            Some(n) => group(n),
                            None => return Err(name.to_vec()),
                        }
                    }
                    None => {
                        out.extend_from_slice(b"\\k");
                        None
                    }
                }
            }
            _ => {
                out.extend_from_slice(&rest[at..at + 2]);
                None
            }
        };
        if let Some((from, to)) = part {
            out.extend_from_slice(source.get(from..to).unwrap_or(b""));
        }
        rest = &rest[taken..];
    }
    out.extend_from_slice(rest);
    Ok(())
}

/// A result under construction: its bytes and what encoding they have together.
pub struct Built {
    /// The bytes so far.
    pub bytes: Vec<u8>,
    /// The encoding so far.
    pub encoding: Encoding,
    ascii: bool,
}

impl Built {
    /// Of a source String: its untouched parts will be in the result.
    pub fn of(source: &StrRef) -> Built {
        Built {
            bytes: Vec::with_capacity(source.len()),
            encoding: util::of_index(source.encoding()),
            ascii: source.is_ascii_only(),
        }
    }

    /// Takes note that the text of `v` goes in.
    ///
    /// # Errors
    /// Encoding::CompatibilityError if its encoding does not fit.
    pub fn admit(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        let encoding = util::encoding(v);
        if encoding == self.encoding && !self.ascii {
            return Ok(());
        }
        let ascii = string::is_ascii_only(ec, v);
        if ascii && self.encoding.is_ascii_compatible() {
            return Ok(());
        }
        if encoding == self.encoding || self.ascii && encoding.is_ascii_compatible() {
            self.encoding = encoding;
            self.ascii = self.ascii && ascii;
            return Ok(());
        }
        Err(util::incompatible(ec, self.encoding, encoding))
    }
}

/// The pattern as a String.
fn pattern(ec: &mut Ec, v: Value) -> Res {
    match ec.check_string(v)? {
        Some(s) => Ok(s),
        None => {
            let name = ec.describe_for_conversion(v);
            Err(ec.type_error(format!("wrong argument type {name} (expected Regexp)")))
        }
    }
}

/// The result of `sub` or `gsub`; `None` if the pattern is not found.
fn substitute(
    ec: &mut Ec,
    this: Value,
    args: Args<'_>,
    with: Replacement,
    all: bool,
) -> Res<Option<Built>> {
    let pattern = pattern(ec, args[0])?;
    let encoding = util::check_compatible(ec, this, pattern)?;
    let source = string::read(ec, this);
    let needle = string::read(ec, pattern);
    let search = if source.is_ascii_only() {
        Encoding::BINARY
    } else {
        encoding
    };
    let Some(mut at) = strutil::find(search, &source, &needle, 0) else {
        hooks::set_string_match(ec, this, None)?;
        return Ok(None);
    };
    let mut built = Built::of(&source);
    let mut copied = 0;
    loop {
        let end = at + needle.len();
        built
            .bytes
            .extend_from_slice(source.get(copied..at).unwrap_or(b""));
        hooks::set_string_match(ec, this, Some((at, needle.len())))?;
        match with {
            Replacement::Text(text) => {
                built.admit(ec, text)?;
                let text = string::read(ec, text);
                let whole = (at, end);
                let done = expand(&mut built.bytes, &text, &source, whole, |_| None, |_| None);
                if let Err(name) = done {
                    let message = [b"undefined group name reference: ", &name[..]].concat();
                    return Err(ec.index_error(message));
                }
            }
            _ => {
                let matched = string::dup(ec, pattern);
                let matched = ec.check(pattern, matched)?;
                let text = with.ask(ec, matched)?;
                built.admit(ec, text)?;
                string::with_bytes(ec, text, |s, _| built.bytes.extend_from_slice(s));
            }
        }
        copied = end;
        if !all {
            break;
        }
        // After an empty match the next character is passed over.
        let from = if needle.is_empty() {
            match source.get(end..) {
                Some(rest) if !rest.is_empty() => end + chars::step(search, rest),
                _ => break,
            }
        } else {
            end
        };
        match strutil::find(search, &source, &needle, from) {
            Some(next) => at = next,
            None => break,
        }
    }
    built
        .bytes
        .extend_from_slice(source.get(copied..).unwrap_or(b""));
    Ok(Some(built))
}

fn fresh(ec: &mut Ec, this: Value, built: Option<Built>) -> Res {
    match built {
        Some(built) => util::make(ec, &built.bytes, built.encoding),
        None => {
            let made = string::dup(ec, this);
            ec.check(this, made)
        }
    }
}

fn in_place(ec: &mut Ec, this: Value, built: Option<Built>) -> Res {
    match built {
        Some(built) => {
            util::assign(ec, this, &built.bytes, built.encoding)?;
            Ok(this)
        }
        None => Ok(Value::NIL),
    }
}

fn sub(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(with) = Replacement::of(ec, args)? else {
        return Err(ec.arity_error(1, 2, Some(2)));
    };
    if hooks::is_regexp(ec, args[0]) {
        return hooks::string_sub(ec, this, args);
    }
    let built = substitute(ec, this, args, with, false)?;
    fresh(ec, this, built)
}

fn sub_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(with) = Replacement::of(ec, args)? else {
        return Err(ec.arity_error(1, 2, Some(2)));
    };
    ec.check_frozen(this)?;
    if hooks::is_regexp(ec, args[0]) {
        return hooks::string_sub_bang(ec, this, args);
    }
    let built = substitute(ec, this, args, with, false)?;
    in_place(ec, this, built)
}

fn enumerator(ec: &mut Ec, this: Value, name: &str, args: Args<'_>) -> Res {
    let name = util::intern(ec, name)?;
    ec.call(this, sym::to_enum, &[name, args[0]])
}

fn gsub(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(with) = Replacement::of(ec, args)? else {
        return enumerator(ec, this, "gsub", args);
    };
    if hooks::is_regexp(ec, args[0]) {
        return hooks::string_gsub(ec, this, args);
    }
    let built = substitute(ec, this, args, with, true)?;
    fresh(ec, this, built)
}

fn gsub_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(with) = Replacement::of(ec, args)? else {
        return enumerator(ec, this, "gsub!", args);
    };
    ec.check_frozen(this)?;
    if hooks::is_regexp(ec, args[0]) {
        return hooks::string_gsub_bang(ec, this, args);
    }
    let built = substitute(ec, this, args, with, true)?;
    in_place(ec, this, built)
}

fn scan(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if hooks::is_regexp(ec, args[0]) {
        return hooks::string_scan(ec, this, args);
    }
    let pattern = pattern(ec, args[0])?;
    let encoding = util::check_compatible(ec, this, pattern)?;
    let source = string::read(ec, this);
    let needle = string::read(ec, pattern);
    let search = if source.is_ascii_only() {
        Encoding::BINARY
    } else {
        encoding
    };
    let list = ec.array_with_capacity(0)?;
    let mut from = 0;
    let mut last = None;
    while let Some(at) = strutil::find(search, &source, &needle, from) {
        let end = at + needle.len();
        last = Some((at, needle.len()));
        let matched = string::dup(ec, pattern);
        let matched = ec.check(pattern, matched)?;
        match args.block() {
            Some(block) => {
                hooks::set_string_match(ec, this, last)?;
                ec.yield1(block, matched)?;
            }
            None => ec.array_push(list, matched)?,
        }
        from = if needle.is_empty() {
            match source.get(end..) {
                Some(rest) if !rest.is_empty() => end + chars::step(search, rest),
                _ => break,
            }
        } else {
            end
        };
    }
    hooks::set_string_match(ec, this, last)?;
    Ok(if args.block().is_some() { this } else { list })
}
