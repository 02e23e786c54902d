//! Escaping for HTML and URLs, for the libraries `cgi/escape` and `erb/escape`.

use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_vm::memory::Buffer;
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};

static PRIMITIVES: &[(&str, PrimFn)] =
    &[("html_escape", html_escape), ("url_escape", url_escape), ("url_unescape", url_unescape)];

/// Registers the primitives.
///
/// # Errors
/// None: the signature is that of what loads a feature.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

fn text_of(ec: &mut Ec, args: &[Value]) -> Res {
    match args.first() {
        Some(s) if s.is_type(Type::String) => Ok(*s),
        Some(s) => ec.to_str(*s),
        None => Err(ec.fatal("an argument is missing")),
    }
}

/// `Primitive.html_escape(string)`: a new String, or nil if nothing needs to be escaped. Only for encodings that extend
/// ASCII byte by byte.
fn html_escape(ec: &mut Ec, args: &[Value]) -> Res {
    let s = text_of(ec, args)?;
    let text = string::read(ec, s);
    let bytes = text.as_bytes();
    let entity = |b: u8| -> Option<&'static [u8]> {
        Some(match b {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'"' => b"&quot;",
            b'\'' => b"&#39;",
            _ => return None,
        })
    };
    let Some(first) = bytes.iter().position(|&b| entity(b).is_some()) else {
        return Ok(Value::NIL);
    };
    let mut out = Buffer::new(ec);
    let longer: usize = bytes.iter().filter_map(|&b| entity(b)).map(<[u8]>::len).sum();
    out.reserve(ec, bytes.len() + longer)?;
    out.extend_from_slice(&bytes[..first]);
    let mut from = first;
    for (at, &b) in bytes.iter().enumerate().skip(first) {
        if let Some(name) = entity(b) {
            out.extend_from_slice(&bytes[from..at]);
            out.extend_from_slice(name);
            from = at + 1;
        }
    }
    out.extend_from_slice(&bytes[from..]);
    ec.str_enc(&out, text.encoding())
}

/// `Primitive.url_escape(string, plus)`: `plus`: a space becomes `+`.
fn url_escape(ec: &mut Ec, args: &[Value]) -> Res {
    let s = text_of(ec, args)?;
    let plus = args.get(1).is_some_and(|v| v.truthy());
    let text = string::read(ec, s);
    let mut out = Buffer::new(ec);
    let kept = |b: u8| matches!(b, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~');
    let escaped = text.as_bytes().iter().filter(|&&b| !kept(b)).count();
    out.reserve(ec, text.as_bytes().len() + 2 * escaped)?;
    for &b in text.as_bytes() {
        match b {
            _ if kept(b) => out.push(b),
            b' ' if plus => out.push(b'+'),
            _ => {
                let digit = |n: u8| b"0123456789ABCDEF"[usize::from(n & 15)];
                out.extend_from_slice(&[b'%', digit(b >> 4), digit(b)]);
            }
        }
    }
    ec.str_enc(&out, text.encoding())
}

/// `Primitive.url_unescape(string, plus)`: bytes, in the encoding of the argument.
fn url_unescape(ec: &mut Ec, args: &[Value]) -> Res {
    let s = text_of(ec, args)?;
    let plus = args.get(1).is_some_and(|v| v.truthy());
    let text = string::read(ec, s);
    let bytes = text.as_bytes();
    let mut out = Buffer::new(ec);
    out.reserve(ec, bytes.len())?;
    let digit = |at: usize| bytes.get(at).and_then(|b| char::from(*b).to_digit(16));
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
                continue;
            }
            (b'+', ..) if plus => out.push(b' '),
            (b, ..) => out.push(b),
        }
        at += 1;
    }
    ec.str_enc(&out, text.encoding())
}
