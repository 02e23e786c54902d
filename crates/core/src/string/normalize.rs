//! `unicode_normalize` and its relatives.

use asterism_object::string::CodeRange;
use asterism_object::{Value, string};
use asterism_support::Encoding;
use asterism_support::encoding::convert::{Converter, Decorators, Stop};
use asterism_support::normalize::{Form, normalize as normalized};
use asterism_vm::{Args, Ec, NativeDef, Res};

use super::{update, util};
use crate::encoding::errors;

/// Methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("unicode_normalize", normalize, 0, 1).leaf(),
    NativeDef::new("unicode_normalize!", normalize_bang, 0, 1).leaf(),
    NativeDef::new("unicode_normalized?", is_normalized, 0, 1).leaf(),
];

fn form(ec: &mut Ec, v: Option<Value>) -> Res<Form> {
    let Some(v) = v else { return Ok(Form::Nfc) };
    match v.as_sym().map(|s| s.bytes()) {
        Some(b"nfc") => Ok(Form::Nfc),
        Some(b"nfd") => Ok(Form::Nfd),
        Some(b"nfkc") => Ok(Form::Nfkc),
        Some(b"nfkd") => Ok(Form::Nfkd),
        Some(name) => {
            let message = [b"Invalid normalization form ", name, b"."].concat();
            Err(ec.arg_error(message))
        }
        None => {
            let shown = util::outcall(ec, |ec| ec.to_s(v))?;
            let shown = string::to_vec(ec, shown);
            let message = [b"Invalid normalization form ", &shown[..], b"."].concat();
            Err(ec.arg_error(message))
        }
    }
}

fn between(ec: &mut Ec, from: Encoding, to: Encoding, s: &[u8]) -> Res<Vec<u8>> {
    let mut out = Vec::with_capacity(s.len());
    if let Some(mut converter) = Converter::new(from, to, Decorators::default()) {
        let (_, stop) = converter.run(s, &mut out, None, false, false);
        if let Stop::Failed(failure) = stop {
            let message = converter.message(&failure);
            return Err(errors::raise(ec, &failure, &message));
        }
    }
    Ok(out)
}

/// The normalized bytes; `None` if the text is already.
fn changed(ec: &mut Ec, this: Value, args: Args<'_>) -> Res<Option<Vec<u8>>> {
    let own = util::encoding(this);
    if own == Encoding::US_ASCII {
        return Ok(None);
    }
    if !own.is_unicode() && own.name() != "GB18030" {
        let message = format!("Unicode Normalization not appropriate for {}", own.name());
        return Err(errors::raise_nested(ec, "CompatibilityError", &message));
    }
    let form = form(ec, args.slice().first().copied())?;
    if string::is_ascii_only(ec, this) && own.is_ascii_compatible() {
        return Ok(None);
    }
    if string::coderange(ec, this) == CodeRange::Broken {
        return Err(ec.arg_error(format!("invalid byte sequence in {}", own.name())));
    }
    // The text in UTF-8, its characters taken apart, the result.
    let _made = ec.charge(string::len(this) * 12)?;
    let source = string::read(ec, this);
    let utf8 = if own == Encoding::UTF_8 { None } else { Some(between(ec, own, Encoding::UTF_8, &source)?) };
    let made = match normalized(form, utf8.as_deref().unwrap_or(&source)) {
        Some(made) => made,
        None => return Ok(None),
    };
    let made = if own == Encoding::UTF_8 { made } else { between(ec, Encoding::UTF_8, own, &made)? };
    Ok(Some(made))
}

fn normalize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match changed(ec, this, args)? {
        Some(bytes) => util::make(ec, &bytes, util::encoding(this)),
        None => {
            let bytes = string::read(ec, this);
            util::make(ec, &bytes, util::encoding(this))
        }
    }
}

fn normalize_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    update::change(ec, this, args, |ec, this, args| match changed(ec, this, args)? {
        Some(bytes) => update::become_own(ec, this, &bytes, util::encoding(this)),
        None => Ok(Some(Value::NIL)),
    })?;
    Ok(this)
}

fn is_normalized(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(Value::bool(changed(ec, this, args)?.is_none()))
}
