//! `encode`, `scrub` and `unicode_normalize`.

use asterism_object::string::CodeRange;
use asterism_object::types::Type;
use asterism_object::{Value, hash, string};
use asterism_support::Encoding;
use asterism_support::encoding::scan;
use asterism_support::encoding::transcode::{self, Problem};
use asterism_symbol::sym;
use asterism_vm::{ANY, Args, Ec, NativeDef, Raised, Res};

use super::util;
use crate::{encoding, support_error};

/// Methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("encode", encode, 0, 3),
    NativeDef::new("encode!", encode_bang, 0, 3),
    NativeDef::new("scrub", scrub, 0, 1),
    NativeDef::new("scrub!", scrub_bang, 0, 1),
    NativeDef::new("unicode_normalize", normalize, 0, ANY),
    NativeDef::new("unicode_normalize!", normalize, 0, ANY),
    NativeDef::new("unicode_normalized?", normalize, 0, ANY),
];

fn normalize(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Err(ec.not_implemented("Unicode normalization is not implemented"))
}

/// How line ends are changed.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Newline {
    #[default]
    Keep,
    Universal,
    Crlf,
    Cr,
}

/// The options of `encode`. Values in it are on the stack with it.
struct Options {
    replace_invalid: bool,
    replace_undefined: bool,
    replacement: Value,
    fallback: Value,
    /// `xml: :text` or `xml: :attr`, the latter with quotes.
    xml: Option<bool>,
    newline: Newline,
}

fn option(ec: &mut Ec, keywords: Value, name: &str) -> Res {
    let key = util::intern(ec, name)?;
    Ok(ec.hash_get(keywords, key)?.unwrap_or(Value::NIL))
}

/// Is the option `:replace`? nil is not; anything else is an error.
fn is_replace(ec: &mut Ec, v: Value, name: &str) -> Res<bool> {
    if v.is_nil() {
        return Ok(false);
    }
    if v.as_sym().is_some_and(|s| s.bytes() == b"replace") {
        return Ok(true);
    }
    Err(ec.arg_error(format!("unknown value for {name} character option")))
}

fn options(ec: &mut Ec, keywords: Option<Value>) -> Res<Options> {
    let mut found = Options {
        replace_invalid: false,
        replace_undefined: false,
        replacement: Value::NIL,
        fallback: Value::NIL,
        xml: None,
        newline: Newline::Keep,
    };
    let Some(keywords) = keywords else {
        return Ok(found);
    };
    if hash::len(keywords) == 0 {
        return Ok(found);
    }
    let v = option(ec, keywords, "invalid")?;
    found.replace_invalid = is_replace(ec, v, "invalid")?;
    let v = option(ec, keywords, "undef")?;
    found.replace_undefined = is_replace(ec, v, "undefined")?;
    let v = option(ec, keywords, "replace")?;
    if !v.is_nil() {
        found.replacement = ec.to_str(v)?;
    }
    found.fallback = option(ec, keywords, "fallback")?;
    let v = option(ec, keywords, "xml")?;
    if !v.is_nil() {
        found.xml = match v.as_sym().map(|s| s.bytes()) {
            Some(b"text") => Some(false),
            Some(b"attr") => Some(true),
            _ => return Err(ec.arg_error("unexpected value for xml option")),
        };
    }
    let v = option(ec, keywords, "newline")?;
    if !v.is_nil() {
        found.newline = match v.as_sym().map(|s| s.bytes()) {
            Some(b"universal") => Newline::Universal,
            Some(b"crlf") => Newline::Crlf,
            Some(b"cr") => Newline::Cr,
            Some(b"lf") => Newline::Universal,
            _ => return Err(ec.arg_error("unexpected value for newline option")),
        };
    }
    for (name, newline) in
        [("universal_newline", Newline::Universal), ("crlf_newline", Newline::Crlf), ("cr_newline", Newline::Cr)]
    {
        if option(ec, keywords, name)?.truthy() {
            found.newline = newline;
        }
    }
    Ok(found)
}

/// What `encode` makes: the bytes, or `None` if they stay as they are, and the encoding.
fn encoded(ec: &mut Ec, this: Value, args: Args<'_>) -> Res<(Option<Vec<u8>>, Encoding)> {
    let (argv, keywords) = args.split_keywords();
    if argv.len() > 2 {
        return Err(ec.arity_error(argv.len(), 0, Some(2)));
    }
    let options = options(ec, keywords)?;
    let own = util::encoding(this);
    let to = match argv.first() {
        Some(&v) => target(ec, v, own)?,
        None => encoding::internal(ec).unwrap_or(own),
    };
    let from = match argv.get(1) {
        Some(&v) => target(ec, v, to)?,
        None => own,
    };
    let plain = options.xml.is_none() && options.newline == Newline::Keep;
    if plain {
        if from == to {
            if options.replace_invalid && !argv.is_empty() {
                let replacement = replacement(ec, &options, to)?;
                let bytes = string::to_vec(ec, this);
                return Ok((scan::scrub(to, &bytes, |_| replacement.clone()), to));
            }
            return Ok((None, if argv.len() > 1 { to } else { own }));
        }
        if from.is_ascii_compatible() && to.is_ascii_compatible() && string::is_ascii_only(ec, this) {
            return Ok((None, to));
        }
    }
    let source = string::to_vec(ec, this);
    let mut bytes = if from == to {
        source
    } else {
        if !transcode::can_convert(from, to) {
            let error = transcode::converter_not_found(from.name(), to.name());
            return Err(support_error::raise(ec, &error));
        }
        convert(ec, &source, from, to, &options)?
    };
    if let Some(quotes) = options.xml {
        bytes = escape_xml(to, &bytes, quotes);
    }
    if options.newline != Newline::Keep {
        bytes = change_newlines(to, &bytes, options.newline);
    }
    Ok((Some(bytes), to))
}

/// An encoding given to `encode`; an unknown name means that there is no converter.
fn target(ec: &mut Ec, v: Value, other: Encoding) -> Res<Encoding> {
    if let Some(found) = encoding::of_object(v) {
        return Ok(found);
    }
    let s = ec.to_str(v)?;
    let name = string::to_vec(ec, s);
    match encoding::find_name(ec, &name) {
        Some(found) => Ok(found),
        None => {
            let name = String::from_utf8_lossy(&name).into_owned();
            let error = transcode::converter_not_found(other.name(), &name);
            Err(support_error::raise(ec, &error))
        }
    }
}

/// The replacement text in the destination's encoding.
fn replacement(ec: &mut Ec, options: &Options, to: Encoding) -> Res<Vec<u8>> {
    if options.replacement.is_nil() {
        return Ok(transcode::replacement(to).to_vec());
    }
    let given = options.replacement;
    let from = util::encoding(given);
    let bytes = string::to_vec(ec, given);
    if from == to || !transcode::can_convert(from, to) {
        return Ok(bytes);
    }
    transcode::transcode(from, to, &bytes, |problem| {
        Err::<Vec<u8>, Raised>(encoding::raise_problem(ec, from, to, &bytes, problem))
    })
}

fn convert(ec: &mut Ec, source: &[u8], from: Encoding, to: Encoding, options: &Options) -> Res<Vec<u8>> {
    transcode::transcode(from, to, source, |problem| match problem {
        Problem::Invalid { .. } if options.replace_invalid => replacement(ec, options, to),
        Problem::Undefined { bytes, .. } if !options.fallback.is_nil() => {
            let bad = source.get(bytes.clone()).unwrap_or(b"");
            match fallback(ec, options.fallback, bad, from, to)? {
                Some(bytes) => Ok(bytes),
                None => Err(encoding::raise_problem(ec, from, to, source, problem)),
            }
        }
        Problem::Undefined { code: Some(code), .. } if options.xml.is_some() => {
            let text = format!("&#x{code:X};");
            let mut out = Vec::new();
            for b in text.bytes() {
                transcode::encode_char(to, u32::from(b), &mut out);
            }
            Ok(out)
        }
        Problem::Undefined { .. } if options.replace_undefined => replacement(ec, options, to),
        _ => Err(encoding::raise_problem(ec, from, to, source, problem)),
    })
}

/// What the `fallback:` option gives for a character without a place.
fn fallback(ec: &mut Ec, fallback: Value, bad: &[u8], from: Encoding, to: Encoding) -> Res<Option<Vec<u8>>> {
    let bad = util::make(ec, bad, from)?;
    let answer = if fallback.is_type(Type::Hash) || !ec.respond_to(fallback, sym::call, true)? {
        ec.call(fallback, sym::AREF, &[bad])?
    } else {
        ec.call(fallback, sym::call, &[bad])?
    };
    if answer.is_nil() {
        return Ok(None);
    }
    let answer = ec.to_str(answer)?;
    let (own, bytes) = (util::encoding(answer), string::to_vec(ec, answer));
    if own == to || bytes.is_ascii() && to.is_ascii_compatible() {
        return Ok(Some(bytes));
    }
    let converted =
        transcode::transcode(own, to, &bytes, |_| Err::<Vec<u8>, Raised>(ec.arg_error("too big fallback string")))?;
    Ok(Some(converted))
}

fn escape_xml(encoding: Encoding, s: &[u8], attribute: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len() + 16);
    let put = |out: &mut Vec<u8>, text: &str| {
        for b in text.bytes() {
            transcode::encode_char(encoding, u32::from(b), out);
        }
    };
    if attribute {
        put(&mut out, "\"");
    }
    for c in scan::chars(encoding, s) {
        match asterism_support::encoding::chars::code_point(encoding, c).map(|found| found.0) {
            Some(0x26) => put(&mut out, "&amp;"),
            Some(0x3c) => put(&mut out, "&lt;"),
            Some(0x3e) => put(&mut out, "&gt;"),
            Some(0x22) if attribute => put(&mut out, "&quot;"),
            _ => out.extend_from_slice(c),
        }
    }
    if attribute {
        put(&mut out, "\"");
    }
    out
}

fn change_newlines(encoding: Encoding, s: &[u8], newline: Newline) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len() + 16);
    let mut chars = scan::chars(encoding, s).peekable();
    let code = |c: &[u8]| asterism_support::encoding::chars::code_point(encoding, c).map(|found| found.0);
    let put = |out: &mut Vec<u8>, c: u32| {
        transcode::encode_char(encoding, c, out);
    };
    while let Some(c) = chars.next() {
        match (code(c), newline) {
            (Some(0x0d), Newline::Universal) => {
                if chars.peek().is_some_and(|next| code(next) == Some(0x0a)) {
                    chars.next();
                }
                put(&mut out, 0x0a);
            }
            (Some(0x0a), Newline::Crlf) => {
                put(&mut out, 0x0d);
                put(&mut out, 0x0a);
            }
            (Some(0x0a), Newline::Cr) => put(&mut out, 0x0d),
            _ => out.extend_from_slice(c),
        }
    }
    out
}

fn encode(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match encoded(ec, this, args)? {
        (Some(bytes), encoding) => util::make(ec, &bytes, encoding),
        (None, encoding) => {
            let made = string::dup(ec, this);
            let made = ec.check(this, made)?;
            retag(ec, made, encoding)
        }
    }
}

fn retag(ec: &mut Ec, s: Value, encoding: Encoding) -> Res {
    if util::encoding(s) != encoding {
        let done = string::force_encoding(ec, s, encoding.index());
        ec.check(s, done)?;
    }
    Ok(s)
}

fn encode_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    match encoded(ec, this, args)? {
        (Some(bytes), encoding) => {
            util::assign(ec, this, &bytes, encoding)?;
            Ok(this)
        }
        (None, encoding) => retag(ec, this, encoding),
    }
}

/// The scrubbed bytes, `None` if nothing is broken.
fn scrubbed(ec: &mut Ec, this: Value, args: Args<'_>) -> Res<Option<Vec<u8>>> {
    if string::coderange(ec, this) != CodeRange::Broken {
        return Ok(None);
    }
    let encoding = util::encoding(this);
    let source = string::to_vec(ec, this);
    let given = match args.or_nil(0) {
        Value::NIL => None,
        v => {
            let s = ec.to_str(v)?;
            if string::coderange(ec, s) == CodeRange::Broken {
                return Err(ec.arg_error("replacement must be valid byte sequence '".to_string() + "'"));
            }
            if util::encoding(s) != encoding && !string::is_ascii_only(ec, s) {
                return Err(util::incompatible(ec, encoding, util::encoding(s)));
            }
            Some(string::to_vec(ec, s))
        }
    };
    let mut out = Vec::with_capacity(source.len());
    let mut last = 0;
    for range in scan::broken_ranges(encoding, &source) {
        out.extend_from_slice(&source[last..range.start]);
        last = range.end;
        match (&given, args.block()) {
            (Some(text), _) => out.extend_from_slice(text),
            (None, Some(block)) => {
                let bad = util::make(ec, &source[range], encoding)?;
                let answer = ec.yield1(block, bad)?;
                let answer = ec.to_str(answer)?;
                string::with_bytes(ec, answer, |s, _| out.extend_from_slice(s));
            }
            (None, None) => out.extend_from_slice(scan::default_replacement(encoding)),
        }
    }
    out.extend_from_slice(&source[last..]);
    Ok(Some(out))
}

fn scrub(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match scrubbed(ec, this, args)? {
        Some(bytes) => util::make(ec, &bytes, util::encoding(this)),
        None => {
            let made = string::dup(ec, this);
            ec.check(this, made)
        }
    }
}

fn scrub_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    if let Some(bytes) = scrubbed(ec, this, args)? {
        util::assign(ec, this, &bytes, util::encoding(this))?;
    }
    Ok(this)
}
