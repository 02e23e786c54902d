//! `encode` and `scrub`.

use asterism_object::string::CodeRange;
use asterism_object::{Value, string};
use asterism_support::Encoding;
use asterism_support::encoding::convert::{self, Converter, Decorators};
use asterism_support::encoding::scan;
use asterism_vm::memory::Buffer;
use asterism_vm::{Args, Ec, NativeDef, Res};

use super::{update, util};
use crate::encoding;
use crate::encoding::options::{Options, drive};
use crate::support_error;

/// Methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("encode", encode, 0, 2).keywords(asterism_vm::native::ANY_KEYWORDS),
    NativeDef::new("encode!", encode_bang, 0, 2).keywords(asterism_vm::native::ANY_KEYWORDS),
    NativeDef::new("scrub", scrub, 0, 1),
    NativeDef::new("scrub!", scrub_bang, 0, 1),
];

/// What `encode` makes: the bytes, or `None` if they stay as they are, and the encoding.
fn encoded(ec: &mut Ec, this: Value, args: Args<'_>) -> Res<(Option<Buffer>, Encoding)> {
    let (argv, keywords) = args.split_keywords();
    let mut options = Options::read(ec, keywords)?;
    let own = util::encoding(this);
    let to = match argv.first() {
        Some(&v) => Some(named(ec, v)?),
        None => encoding::internal(ec).map(|e| (Some(e), e.name().to_string())),
    };
    let from = match argv.get(1).filter(|v| !v.is_nil()) {
        Some(&v) => named(ec, v)?,
        None => (Some(own), own.name().to_string()),
    };
    let Some(to) = to else {
        return without_target(ec, this, own, &options);
    };
    let ((Some(from), _), (Some(to), _)) = (&from, &to) else {
        let error = convert::not_found(&from.1, &to.1, options.decorators);
        return Err(support_error::raise(ec, &error));
    };
    let (from, to) = (*from, *to);
    if argv.is_empty() && from != to {
        // The default internal encoding gets what can be had.
        (options.replace_invalid, options.replace_undefined) = (true, true);
    }
    if options.decorators == Decorators::default() {
        if from == to {
            if options.replace_invalid {
                return Ok((replaced(ec, this, to, &options)?, to));
            }
            return Ok((None, if argv.len() > 1 { to } else { own }));
        }
        if from.is_ascii_compatible() && to.is_ascii_compatible() && string::is_ascii_only(ec, this) {
            return Ok((None, to));
        }
    }
    if from == to {
        return without_target(ec, this, to, &options);
    }
    let Some(mut converter) = Converter::new(from, to, options.decorators) else {
        let error = convert::not_found(from.name(), to.name(), options.decorators);
        return Err(support_error::raise(ec, &error));
    };
    let _copy = ec.charge(string::len(this))?;
    let source = string::to_vec(ec, this);
    let made = drive(ec, &mut converter, to, &source, false, &options)?;
    Ok((Some(made), to))
}

/// The text in its own encoding: only decorated.
fn without_target(ec: &mut Ec, this: Value, own: Encoding, options: &Options) -> Res<(Option<Buffer>, Encoding)> {
    if options.decorators == Decorators::default() {
        if options.replace_invalid {
            return Ok((replaced(ec, this, own, options)?, own));
        }
        return Ok((None, own));
    }
    let mut converter = if own.is_ascii_compatible() {
        Converter::with_path(Vec::new(), options.decorators)
    } else {
        Converter::decorating(own, options.decorators)
    };
    let _copy = ec.charge(string::len(this))?;
    let source = string::to_vec(ec, this);
    let made = drive(ec, &mut converter, own, &source, false, options)?;
    Ok((Some(made), own))
}

/// The text with the replacement for what is broken; `None` if nothing is.
fn replaced(ec: &mut Ec, this: Value, own: Encoding, options: &Options) -> Res<Option<Buffer>> {
    if own == util::encoding(this) && string::coderange(ec, this) != CodeRange::Broken {
        return Ok(None);
    }
    let text = match options.replacement {
        Value::NIL => scan::default_replacement(own).to_vec(),
        s => string::to_vec(ec, s),
    };
    // Each byte may be broken.
    let _made = ec.charge(string::len(this).saturating_mul(text.len().max(1)))?;
    let source = string::to_vec(ec, this);
    let Some(made) = scan::scrub(own, &source, |_| text.clone()) else { return Ok(None) };
    let mut out = Buffer::new(ec);
    out.append(ec, &made)?;
    Ok(Some(out))
}

/// An encoding given to `encode`, and how it is called; an unknown name means that there is no converter.
fn named(ec: &mut Ec, v: Value) -> Res<(Option<Encoding>, String)> {
    if let Some(found) = encoding::of_object(v) {
        return Ok((Some(found), found.name().to_string()));
    }
    let s = ec.to_str(v)?;
    let name = string::to_vec(ec, s);
    if name.contains(&0) {
        return Err(ec.arg_error("string contains null byte"));
    }
    let found = encoding::find_name(ec, &name);
    let shown = found.map_or_else(|| String::from_utf8_lossy(&name).into_owned(), |e| e.name().to_string());
    Ok((found, shown))
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
    update::change_seen(ec, this, |ec, copy| {
        match encoded(ec, copy, args)? {
            (Some(bytes), encoding) => util::assign(ec, copy, &bytes, encoding)?,
            (None, encoding) => {
                retag(ec, copy, encoding)?;
            }
        }
        Ok((copy, copy))
    })
}

/// The scrubbed bytes, `None` if nothing is broken.
fn scrubbed(ec: &mut Ec, this: Value, args: Args<'_>) -> Res<Option<Buffer>> {
    if !args.or_nil(0).is_nil() && args.block().is_some() {
        return Err(ec.arg_error("both of block and replacement given"));
    }
    if string::coderange(ec, this) != CodeRange::Broken {
        return Ok(None);
    }
    let encoding = util::encoding(this);
    let _copy = ec.charge(string::len(this))?;
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
    let mut out = Buffer::new(ec);
    let mut last = 0;
    for range in scan::broken_ranges(encoding, &source) {
        out.append(ec, &source[last..range.start])?;
        last = range.end;
        match (&given, args.block()) {
            (Some(text), _) => out.append(ec, text)?,
            (None, Some(block)) => {
                let bad = util::make(ec, &source[range], encoding)?;
                let answer = ec.yield1(block, bad)?;
                let answer = ec.to_str(answer)?;
                if string::is_own(ec, this) && string::with_bytes(ec, this, |s, _| s.len() != source.len()) {
                    return Err(ec.raise(asterism_vm::Exc::RuntimeError, "string modified"));
                }
                if util::encoding(answer) != encoding && !string::is_ascii_only(ec, answer) {
                    return Err(util::incompatible(ec, encoding, util::encoding(answer)));
                }
                if string::coderange(ec, answer) == CodeRange::Broken {
                    let shown = ec.inspect_for_error(answer)?;
                    let message = [b"replacement must be valid byte sequence '", &shown[..], b"'"].concat();
                    return Err(ec.arg_error(message));
                }
                out.reserve(ec, string::len(answer))?;
                string::with_bytes(ec, answer, |s, _| out.extend_from_slice(s));
            }
            (None, None) => out.append(ec, scan::default_replacement(encoding))?,
        }
    }
    out.append(ec, &source[last..])?;
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
    // A frozen String that is valid stays as it is.
    if string::coderange(ec, this) == CodeRange::Broken {
        ec.check_frozen(this)?;
        update::change_seen(ec, this, |ec, copy| {
            match scrubbed(ec, copy, args)? {
                Some(bytes) => util::assign(ec, copy, &bytes, util::encoding(copy))?,
                None => return Ok((Value::NIL, copy)),
            }
            Ok((copy, copy))
        })?;
    }
    Ok(this)
}
