//! A String as an Array: `chars`, `bytes`, `codepoints`, `lines`, `grapheme_clusters`, `split`.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use asterism_object::string::{CodeRange, StrRef};
use asterism_object::{Value, array, string};
use asterism_support::encoding::{chars as decode, scan};
use asterism_support::{Encoding, strutil};
use asterism_vm::native::PrimFn;
use asterism_vm::{Args, Block, Ec, NativeDef, Res};

use super::util;
use crate::regexp::hooks;

/// Methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("chars", chars, 0, 0).leaf(),
    NativeDef::new("bytes", bytes, 0, 0).leaf(),
    NativeDef::new("codepoints", codepoints, 0, 0).leaf(),
    NativeDef::new("grapheme_clusters", graphemes, 0, 0).leaf(),
    NativeDef::new("lines", lines, 0, 1).keywords(&["chomp"]).leaf(),
    NativeDef::new("split", split, 0, 2).leaf(),
];

/// Primitives.
pub static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("string_line_source", line_source),
    ("string_lines_from", lines_from),
    ("string_find_bytes", find_bytes),
    ("string_line_at", line_at),
    ("string_chilled", |_, args| Ok(Value::bool(string::chilled(args[0]).is_some()))),
];

fn chars(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.block().is_some() {
        return each(ec, this, "each_char", args);
    }
    let source = string::read(ec, this);
    char_list(ec, &source)
}

/// `chars` with a block and its like: the iteration of that name.
fn each(ec: &mut Ec, this: Value, name: &str, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Ok(this);
    };
    util::outcall(ec, |ec| ec.call_block(this, asterism_symbol::intern(name), args.slice(), block))
}

/// Yields the elements of an Array of the caller's own; `this`.
fn yield_each(ec: &mut Ec, this: Value, list: Value, block: Block) -> Res {
    for i in 0..array::len(list) {
        let v = array::get(list, i as i64);
        util::outcall(ec, |ec| ec.yield1(block, v))?;
    }
    Ok(this)
}

fn char_list(ec: &mut Ec, source: &StrRef) -> Res {
    if source.is_ascii_only() {
        return util::pieces(ec, source, (0..source.len()).map(|i| i..i + 1));
    }
    util::pieces(ec, source, char_ranges(source))
}

/// Where the characters are.
fn char_ranges(source: &StrRef) -> impl Iterator<Item = Range<usize>> {
    ranges_of(scan::chars(util::of_index(source.encoding()), source))
}

/// Where parts are that lie one behind the other.
fn ranges_of<'a>(parts: impl Iterator<Item = &'a [u8]>) -> impl Iterator<Item = Range<usize>> {
    parts.scan(0, |at, part| {
        let start = *at;
        *at += part.len();
        Some(start..*at)
    })
}

fn bytes(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.block().is_some() {
        return each(ec, this, "each_byte", args);
    }
    let source = string::read(ec, this);
    let list = ec.array_with_capacity(source.len())?;
    // A block at a time, from the stack: a push of its own for each byte would cost more than the byte.
    let mut block = [Value::NIL; 64];
    for part in source.chunks(64) {
        for (slot, &byte) in block.iter_mut().zip(part) {
            *slot = Value::fixnum(i64::from(byte));
        }
        let done = array::extend(ec, list, &block[..part.len()]);
        ec.check(list, done)?;
    }
    Ok(list)
}

fn codepoints(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.block().is_some() {
        return each(ec, this, "each_codepoint", args);
    }
    if util::single_byte(ec, this) {
        return bytes(ec, this, args);
    }
    let source = string::read(ec, this);
    let encoding = util::of_index(source.encoding());
    let list = ec.array_with_capacity(source.len() / 2)?;
    let mut at = 0;
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((code, len)) = decode::code_point(encoding, rest) else {
            return Err(super::basic::broken(ec, this));
        };
        ec.array_push(list, Value::fixnum(i64::from(code)))?;
        at += len;
    }
    Ok(list)
}

fn graphemes(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.block().is_some() {
        return each(ec, this, "each_grapheme_cluster", args);
    }
    let source = string::read(ec, this);
    let encoding = util::of_index(source.encoding());
    let parts = ranges_of(scan::graphemes(encoding, &source));
    util::pieces(ec, &source, parts)
}

/// Where the lines of `s` are. `None` as separator is the whole text.
fn line_ranges<'a>(
    encoding: Encoding,
    s: &'a [u8],
    separator: Option<&'a [u8]>,
    chomp: bool,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let default = separator == Some(b"\n");
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= s.len() {
            return None;
        }
        let from = start;
        let found = separator.and_then(|separator| Some((strutil::find(encoding, s, separator, from)?, separator)));
        let Some((at, separator)) = found else {
            start = s.len();
            return Some(from..s.len());
        };
        start = at + separator.len();
        let shown = match chomp {
            false => start,
            true if default => from + super::trim::without_newline(&s[from..start]),
            true => at,
        };
        Some(from..shown)
    })
}

/// The paragraphs of `s`. They end with two line ends, which `chomp` leaves out; more of them are passed over.
fn paragraph_ranges(s: &[u8], chomp: bool) -> impl Iterator<Item = Range<usize>> {
    let newline = |at: usize| match s.get(at..) {
        Some([b'\n', ..]) => 1,
        Some([b'\r', b'\n', ..]) => 2,
        _ => 0,
    };
    let (mut start, mut at) = (0, 0);
    let next = move || {
        // Where the last line end begins and ends.
        let mut line_end = None;
        while at < s.len() {
            let n = newline(at);
            if n == 0 {
                at += 1;
            } else if let Some((text_end, _)) = line_end.filter(|&(_, end)| end == at) {
                let found = start..if chomp { text_end } else { at + n };
                at += n;
                while newline(at) > 0 {
                    at += newline(at);
                }
                start = at;
                return Some(found);
            } else {
                line_end = Some((at, at + n));
                at += n;
            }
        }
        let rest = start..s.len();
        start = s.len();
        (!rest.is_empty()).then_some(rest)
    };
    std::iter::from_fn(next)
}

fn lines(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (argv, keywords) = args.split_keywords();
    let chomp = ec.keyword_values(keywords, ["chomp"])?[0].truthy();
    let separator = match argv.first() {
        None => {
            // `$/` is nil or a String.
            let default = ec.gvar_get(asterism_symbol::intern("$/"))?;
            if default.is_nil() { None } else { Some(string::to_vec(ec, default)) }
        }
        Some(&Value::NIL) => None,
        // An empty String has no lines, whatever would lie between them.
        Some(_) if string::is_empty(this) => return ec.array_with_capacity(0),
        Some(&v) => {
            let s = util::to_str(ec, v)?;
            util::check_compatible(ec, this, s)?;
            Some(string::to_vec(ec, s))
        }
    };
    let source = string::read(ec, this);
    let encoding = util::of_index(source.encoding());
    let encoding = if source.is_ascii_only() { Encoding::BINARY } else { encoding };
    let list = match separator.as_deref() {
        Some(b"") => util::pieces(ec, &source, paragraph_ranges(&source, chomp))?,
        separator => util::pieces(ec, &source, line_ranges(encoding, &source, separator, chomp))?,
    };
    match args.block() {
        None => Ok(list),
        Some(block) => yield_each(ec, this, list, block),
    }
}

/// `string_find_bytes(str, part, at)`: where the bytes of `part` next lie from byte `at` on, whatever the encodings; else nil.
fn find_bytes(ec: &mut Ec, args: &[Value]) -> Res {
    let at = usize::try_from(args[2].as_fixnum()).unwrap_or(usize::MAX);
    match string::with_both(ec, args[0], args[1], |s, part| strutil::find(Encoding::BINARY, s, part, at)) {
        Some(at) => ec.size(at),
        None => Ok(Value::NIL),
    }
}

/// `string_line_at(str, separator, at)`: what lies from byte `at` up to the separator and with it, or to the end; nil behind that.
fn line_at(ec: &mut Ec, args: &[Value]) -> Res {
    let (this, separator) = (util::settled(ec, args[0])?, args[1]);
    let at = usize::try_from(args[2].as_fixnum()).unwrap_or(usize::MAX);
    let length = string::len(this);
    if at >= length {
        return Ok(Value::NIL);
    }
    let end = string::with_both(ec, this, separator, |s, part| strutil::find(Encoding::BINARY, s, part, at));
    let end = end.map_or(length, |end| end + string::len(separator));
    let made = string::substr(ec, this, at, end - at);
    ec.check(this, made)
}

/// Bytes of a long text whose lines are made at once, about.
const LINES_AT_ONCE: usize = 16 << 10;

/// `string_line_source(str)`: the text, frozen, if it is long and its lines end with newlines, so that they can be made part by
/// part; else nil.
fn line_source(ec: &mut Ec, args: &[Value]) -> Res {
    let this = args[0];
    if string::len(this) < 2 * LINES_AT_ONCE || !util::of_index(string::encoding(this)).is_ascii_compatible() {
        return Ok(Value::NIL);
    }
    let default = ec.gvar_get(asterism_symbol::intern("$/"))?;
    if default.is_nil() || !string::with_bytes(ec, default, |bytes, _| bytes == b"\n") {
        return Ok(Value::NIL);
    }
    crate::regexp::match_data::frozen_subject(ec, this)
}

/// `string_lines_from(source, at)`: some lines of a long text, those from byte `at` on, as one String; nil behind the last.
fn lines_from(ec: &mut Ec, args: &[Value]) -> Res {
    let (source, at) = (args[0], usize::try_from(args[1].as_fixnum()).unwrap_or(usize::MAX));
    let length = string::len(source);
    if at >= length {
        return Ok(Value::NIL);
    }
    // In encodings that know ASCII a newline is no part of another character.
    let end = string::with_bytes(ec, source, |bytes, _| {
        let from = at.saturating_add(LINES_AT_ONCE);
        strutil::find(Encoding::BINARY, bytes, b"\n", from).map_or(length, |at| at + 1)
    });
    let made = string::substr(ec, source, at, end - at);
    ec.check(source, made)
}

/// The fields between `separator`s; at most `limit` fields if it is above zero.
fn split_by<'a>(
    encoding: Encoding,
    s: &'a [u8],
    separator: &'a [u8],
    limit: usize,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut start = Some(0);
    let mut made = 0;
    std::iter::from_fn(move || {
        let from = start?;
        made += 1;
        let found = if made == limit { None } else { strutil::find(encoding, s, separator, from) };
        start = found.map(|at| at + separator.len());
        Some(from..found.unwrap_or(s.len()))
    })
}

/// The fields of `split("")`: the characters.
fn split_chars(source: &StrRef, limit: usize) -> impl Iterator<Item = Range<usize>> {
    let mut parts = char_ranges(source);
    let mut at = Some(0);
    let mut made = 0;
    std::iter::from_fn(move || {
        let from = at?;
        made += 1;
        match if made == limit { None } else { parts.next() } {
            Some(part) => {
                at = Some(part.end);
                Some(part)
            }
            None => {
                at = None;
                // A limit keeps the empty field behind the last character.
                (limit > 0).then_some(from..source.len())
            }
        }
    })
}

/// Fields without the empty ones at the end.
fn without_empty_end(parts: impl Iterator<Item = Range<usize>>) -> impl Iterator<Item = Range<usize>> {
    let mut empty = 0;
    parts.flat_map(move |part| {
        let before = if part.is_empty() { 0 } else { std::mem::take(&mut empty) };
        empty += usize::from(part.is_empty());
        let at = part.start;
        std::iter::repeat_n(at..at, before).chain((!part.is_empty()).then_some(part))
    })
}

/// Makes the fields; a limit of zero drops the empty ones at the end.
fn fields(ec: &mut Ec, source: &StrRef, limit: i64, parts: impl Iterator<Item = Range<usize>>) -> Res {
    if limit == 0 { util::pieces(ec, source, without_empty_end(parts)) } else { util::pieces(ec, source, parts) }
}

/// Has any VM of the process had a `$;`? Most never have one, and nobody looks for it.
static FIELD_SEPARATOR: AtomicBool = AtomicBool::new(false);

/// Lets `split` look at `$;` from now on.
pub fn look_at_field_separator() {
    FIELD_SEPARATOR.store(true, Ordering::Relaxed);
}

/// `$;`, of which is warned unless it is nil.
fn default_separator(ec: &mut Ec) -> Res {
    let separator = ec.gvar_get(asterism_symbol::intern("$;"))?;
    if !separator.is_nil() && crate::warning::is_enabled(ec, asterism_symbol::intern("deprecated")) {
        asterism_vm::load::warn_deprecated(ec, "$; is set to non-nil value")?;
    }
    Ok(separator)
}

fn split(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let limit = match args.get(1) {
        // An int of C's, as in CRuby.
        Some(v) => util::outcall(ec, |ec| ec.to_i32(v))?.into(),
        None => 0,
    };
    // One field is the whole, whatever would separate it from others.
    let list = if limit == 1 && !string::is_empty(this) {
        let whole = string::substr(ec, this, 0, usize::MAX);
        let whole = ec.check(this, whole)?;
        ec.array(&[whole])?
    } else {
        let separator = match args.or_nil(0) {
            Value::NIL if FIELD_SEPARATOR.load(Ordering::Relaxed) => util::outcall(ec, default_separator)?,
            given => given,
        };
        if hooks::is_regexp(ec, separator) {
            util::outcall(ec, |ec| hooks::string_split(ec, this, separator, limit))?
        } else {
            split_string(ec, this, separator, limit)?
        }
    };
    match args.block() {
        None => Ok(list),
        Some(block) => {
            let len = string::len(this);
            for i in 0..array::len(list) {
                let field = array::get(list, i as i64);
                util::outcall(ec, |ec| ec.yield1(block, field))?;
                if string::len(this) != len && string::is_own(ec, this) {
                    return Err(ec.raise(asterism_vm::Exc::RuntimeError, "string modified"));
                }
            }
            Ok(this)
        }
    }
}

/// Does `split` take the separator for any whitespace?
fn is_one_space(separator: &StrRef) -> bool {
    // The encodings that do not contain ASCII have wider spaces.
    let bytes = separator.as_bytes();
    bytes == b" " || decode::code_point(util::of_index(separator.encoding()), bytes) == Some((0x20, bytes.len()))
}

fn split_string(ec: &mut Ec, this: Value, separator: Value, limit: i64) -> Res {
    let separator = if separator.is_nil() {
        None
    } else {
        match util::outcall(ec, |ec| ec.check_string(separator))? {
            Some(s) => {
                if string::coderange(ec, s) == CodeRange::Broken {
                    return Err(super::basic::broken(ec, s));
                }
                if is_one_space(&string::read(ec, s)) {
                    // Whitespace is looked for by characters, in whatever encoding each of the two is.
                    None
                } else {
                    if util::compatible(ec, this, s).is_none() {
                        if string::coderange(ec, this) == CodeRange::Broken {
                            return Err(super::basic::broken(ec, this));
                        }
                        util::check_compatible(ec, this, s)?;
                    }
                    Some(string::read(ec, s))
                }
            }
            None => {
                let name = ec.describe_for_conversion(separator);
                return Err(ec.type_error(format!("wrong argument type {name} (expected Regexp)")));
            }
        }
    };
    let source = string::read(ec, this);
    if source.is_empty() {
        return ec.array_with_capacity(0);
    }
    if limit == 1 {
        return util::pieces(ec, &source, std::iter::once(0..source.len()));
    }
    let encoding = util::of_index(source.encoding());
    let range = source.coderange();
    let encoding = if range == CodeRange::SevenBit { Encoding::BINARY } else { encoding };
    if range == CodeRange::Broken && separator.is_some() {
        return Err(super::basic::broken(ec, this));
    }
    // A negative limit keeps all fields; none drops the empty ones at the end.
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    match &separator {
        Some(s) if s.as_bytes().is_empty() => fields(ec, &source, limit, split_chars(&source, most)),
        Some(s) => fields(ec, &source, limit, split_by(encoding, &source, s.as_bytes(), most)),
        None => {
            if range == CodeRange::Broken {
                // The last field of a limited split is not looked at.
                let last = if most > 0 { strutil::split_awk(encoding, &source, most).nth(most - 1) } else { None };
                let seen = last.map_or(source.len(), |last| last.start);
                if string::scan(source.encoding(), &source[..seen]) == CodeRange::Broken {
                    return Err(super::basic::broken(ec, this));
                }
            }
            fields(ec, &source, limit, strutil::split_awk(encoding, &source, most))
        }
    }
}
