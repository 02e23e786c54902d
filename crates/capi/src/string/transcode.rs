//! Strings from and to other encodings.

use std::ffi::{c_char, c_int, c_long};

use asterism_core::encoding as encodings;
use asterism_object::Value;
use asterism_object::string;
use asterism_support::Encoding;
use asterism_vm::{Ec, Exc, Res};

use super::new;
use crate::encoding::Enc;
use crate::types::{In, Text};

/// In the encoding that strings of the outside have, transcoded to the internal one if there is one.
fn external(ec: &mut Ec, bytes: &[u8], encoding: Encoding) -> Res {
    let made = new(ec, bytes, encoding.index())?;
    match encodings::internal(ec) {
        Some(to) if to != encoding && encoding != Encoding::BINARY => convert(ec, made, Some(encoding), Some(to)),
        _ => Ok(made),
    }
}

/// The same of text that comes from the system: in its encoding of this name, which is UTF-8 where it is not said.
fn of_system(ec: &mut Ec, bytes: &[u8], name: &[u8]) -> Res {
    let encoding = encodings::find_name(ec, name).unwrap_or(Encoding::UTF_8);
    external(ec, bytes, encoding)
}

/// The `len` bytes that C gave; a copy, because transcoding runs Ruby code.
fn copied(ec: &mut Ec, text: In<c_char>, len: c_long) -> Res<Vec<u8>> {
    crate::types::copy(ec, In(text.0.cast::<u8>()).slice(len), 0)
}

/// The String in another encoding; itself where it cannot be.
fn convert(ec: &mut Ec, v: Value, from: Option<Encoding>, to: Option<Encoding>) -> Res {
    crate::demand::a_string(ec, v)?;
    let Some(to) = to else { return Ok(v) };
    let from = from.unwrap_or(Encoding::from_index(usize::from(string::encoding(v))).unwrap_or(Encoding::BINARY));
    if from == to {
        return Ok(v);
    }
    let ascii = string::is_ascii_only(ec, v);
    if to.is_ascii_compatible() && ascii || to == Encoding::BINARY {
        if string::encoding(v) == to.index() {
            return Ok(v);
        }
        if from == Encoding::BINARY && !ascii {
            return Ok(v);
        }
        let copy = string::dup(ec, v);
        let copy = ec.check(v, copy)?;
        let set = string::force_encoding(ec, copy, to.index());
        ec.check(copy, set)?;
        return Ok(copy);
    }
    let class = ec.exc_class(Exc::EncodingError);
    let (from, to) = (encodings::object(ec, from), encodings::object(ec, to));
    match ec.rescue(class, |ec| {
        crate::lock::in_ruby(ec, |ec| ec.call(v, asterism_symbol::intern_static("encode"), &[to, from]))
    })? {
        Ok(made) => Ok(made),
        Err(_) => Ok(v),
    }
}

api! {
    fn rb_external_str_new(ec, text: In<c_char>, len: c_long) -> Value {
        let encoding = encodings::external(ec);
        let bytes = copied(ec, text, len)?;
        external(ec, &bytes, encoding)
    }

    fn rb_external_str_new_cstr(ec, text: Text) -> Value {
        let encoding = encodings::external(ec);
        external(ec, text.bytes(), encoding)
    }

    fn rb_external_str_new_with_enc(ec, text: In<c_char>, len: c_long, enc: Enc) -> Value {
        let bytes = copied(ec, text, len)?;
        let encoding = crate::encoding::of(enc).unwrap_or(Encoding::BINARY);
        let ascii = encoding == Encoding::US_ASCII && !bytes.is_ascii();
        external(ec, &bytes, if ascii { Encoding::BINARY } else { encoding })
    }

    fn rb_locale_str_new(ec, text: In<c_char>, len: c_long) -> Value {
        let bytes = copied(ec, text, len)?;
        of_system(ec, &bytes, b"locale")
    }

    fn rb_locale_str_new_cstr(ec, text: Text) -> Value {
        of_system(ec, text.bytes(), b"locale")
    }

    fn rb_filesystem_str_new(ec, text: In<c_char>, len: c_long) -> Value {
        let bytes = copied(ec, text, len)?;
        of_system(ec, &bytes, b"filesystem")
    }

    fn rb_filesystem_str_new_cstr(ec, text: Text) -> Value {
        of_system(ec, text.bytes(), b"filesystem")
    }

    fn rb_str_conv_enc(ec, v: Value, from: Enc, to: Enc) -> Value {
        convert(ec, v, crate::encoding::of(from), crate::encoding::of(to))
    }

    fn rb_str_conv_enc_opts(ec, v: Value, from: Enc, to: Enc, flags: c_int, options: Value) -> Value {
        if flags != 0 || !options.is_nil() {
            return Err(ec.raise(Exc::NotImplementedError, "rb_str_conv_enc_opts with options"));
        }
        convert(ec, v, crate::encoding::of(from), crate::encoding::of(to))
    }

    fn rb_str_export(ec, v: Value) -> Value {
        let to = encodings::external(ec);
        convert(ec, v, None, Some(to))
    }

    fn rb_str_export_locale(ec, v: Value) -> Value {
        let to = encodings::find_name(ec, b"locale");
        convert(ec, v, None, to)
    }

    fn rb_str_export_to_enc(ec, v: Value, to: Enc) -> Value {
        convert(ec, v, None, crate::encoding::of(to))
    }

    fn rb_str_encode(ec, v: Value, to: Value, flags: c_int, options: Value) -> Value {
        crate::encoding::encode(ec, v, to, flags, options)
    }

    fn rb_str_encode_ospath(_ec, v: Value) -> Value {
        Ok(v)
    }
}
