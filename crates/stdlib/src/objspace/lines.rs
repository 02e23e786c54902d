//! The lines of the objects that there are most of: `dump_all` writes them without running Ruby code for each.

use std::fmt::Write;

use asterism_core::string::dedup;
use asterism_object::string::CodeRange;
use asterism_object::types::Type;
use asterism_object::{Value, array, data, hash, ivars, ownership, string};
use asterism_symbol::{BINARY, US_ASCII, UTF_8};
use asterism_vm::backtrace::Allocations;
use asterism_vm::memory::Buffer;
use asterism_vm::ractor::shareable;
use asterism_vm::{Ec, Res};

use super::snapshot::{Detail, Snapshot};
use super::{Wrapper, is_shown, type_name, unwrap};

/// So much text is written at once.
const PIECE: usize = 1 << 16;

/// `objspace_lines(found, at)`: what `objspace_snapshot` gave, from that element on, as lines; the text, and the first element that is none of it:
/// one whose line Ruby code writes, or where the text has become long.
pub(super) fn lines(ec: &mut Ec, args: &[Value]) -> Res {
    let found = args[0];
    let mut at = usize::try_from(ec.to_i64(args[1])?).unwrap_or(usize::MAX);
    let first = array::at(found, 0).unwrap_or(Value::NIL);
    let Some(taken) = data::get::<Snapshot>(&first) else { return Err(ec.type_error("not a snapshot")) };
    let mut out = Buffer::new(ec);
    let mut text = String::new();
    while out.len() < PIECE
        && let (Some(object), Some(number)) = (array::at(found, at), array::at(found, at + 1))
        && let Some(detail) = number.fixnum_value().and_then(|number| taken.details.get(number as usize))
    {
        text.clear();
        if line(ec, object, detail, taken, &mut text).is_none() {
            break;
        }
        out.append(ec, text.as_bytes())?;
        at += 2;
    }
    let text = ec.str_enc(&out, UTF_8)?;
    ec.array(&[text, Value::fixnum(at as i64)])
}

/// Appends the line of one object; `None`: Ruby code has to write it.
fn line(ec: &mut Ec, shown: Value, detail: &Detail, taken: &Snapshot, out: &mut String) -> Option<()> {
    let v = unwrap(shown);
    let internal = data::get::<Wrapper>(&shown).is_some();
    let name = type_name(v);
    let of_type = v.cell().map(asterism_object::types::type_of);
    let usual = matches!(of_type, Some(Type::Object | Type::String | Type::Array | Type::Hash));
    if name == "T_DATA" || !internal && !usual || ec.vm().part::<Allocations>().of(v).is_some() {
        return None;
    }
    // Writing to a String cannot fail.
    let _ = write!(out, "{{\"address\":\"{:#x}\", \"type\":\"", detail.address);
    match name.strip_prefix("imemo_") {
        Some(kind) => {
            let _ = write!(out, "IMEMO\", \"imemo_type\":\"{kind}\"");
        }
        None => {
            let _ = write!(out, "{}\"", name.trim_start_matches("T_"));
        }
    }
    if name == "T_OBJECT" {
        detail.write_shape(out);
    }
    let _ = write!(out, ", \"slot_size\":{}", detail.size);
    if detail.class != 0 {
        let _ = write!(out, ", \"class\":\"{:#x}\"", detail.class);
    }
    if !internal {
        describe(ec, v, detail, taken, out)?;
    }
    if let Some(id) = detail.shown_id() {
        let _ = write!(out, ", \"object_id\":{id}");
    }
    for (i, address) in detail.references.iter().enumerate() {
        let _ = write!(out, "{}\"{address:#x}\"", if i == 0 { ", \"references\":[" } else { ", " });
    }
    if !detail.references.is_empty() {
        out.push(']');
    }
    let _ = write!(out, ", \"memsize\":{}, \"flags\":{{\"wb_protected\":true, ", detail.size + detail.held);
    out.push_str(if detail.old { "\"age\":3, \"old\":true" } else { "\"age\":0" });
    if !internal && is_shown(v) && shareable::is_shareable(ec, v) {
        out.push_str(", \"shareable\":true");
    }
    out.push_str("}}\n");
    Some(())
}

/// What a String, an Array, a Hash or an object of a program's class has to tell.
fn describe(ec: &mut Ec, v: Value, detail: &Detail, taken: &Snapshot, out: &mut String) -> Option<()> {
    let frozen = ownership::is_frozen(v);
    if frozen {
        out.push_str(", \"frozen\":true");
    }
    let embedded = if detail.held == 0 { ", \"embedded\":true" } else { "" };
    // Writing to a String cannot fail.
    let _ = if v.is_type(Type::String) {
        if taken.literals.contains(&detail.address) || frozen && dedup::is_interned(ec, v) {
            out.push_str(", \"fstring\":true");
        }
        if string::is_shared(v) {
            out.push_str(", \"shared\":true");
        }
        out.push_str(embedded);
        return text(ec, v, out);
    } else if v.is_type(Type::Array) {
        write!(out, ", \"length\":{}{embedded}", array::len(v))
    } else if v.is_type(Type::Hash) {
        write!(out, ", \"size\":{}{embedded}", hash::len(v))
    } else {
        let variables = ivars::names(ec, v).iter().filter(|name| name.text().starts_with('@')).count();
        write!(out, "{embedded}, \"ivars\":{variables}")
    };
    Some(())
}

/// A String's content. `None` for another encoding than these, and for bytes that make no characters.
fn text(ec: &mut Ec, v: Value, out: &mut String) -> Option<()> {
    let range = string::coderange(ec, v);
    let encoding = match string::encoding(v) {
        UTF_8 => "UTF-8",
        US_ASCII if range == CodeRange::SevenBit => "US-ASCII",
        BINARY if range == CodeRange::SevenBit => "ASCII-8BIT",
        _ => return None,
    };
    let content = string::read(ec, v);
    let content = std::str::from_utf8(content.as_bytes()).ok()?;
    let _ = write!(out, ", \"bytesize\":{}, \"value\":\"", content.len());
    let mut plain = 0;
    for (at, b) in content.bytes().enumerate() {
        if !matches!(b, 0..=0x1f | b'"' | b'\\' | 0x7f) {
            continue;
        }
        out.push_str(&content[plain..at]);
        plain = at + 1;
        let _ = match b {
            b'"' | b'\\' => write!(out, "\\{}", char::from(b)),
            b'\n' => write!(out, "\\n"),
            b'\r' => write!(out, "\\r"),
            b'\t' => write!(out, "\\t"),
            8 => write!(out, "\\b"),
            12 => write!(out, "\\f"),
            _ => write!(out, "\\u{b:04x}"),
        };
    }
    out.push_str(&content[plain..]);
    let range = if range == CodeRange::SevenBit { "7bit" } else { "valid" };
    let _ = write!(out, "\", \"encoding\":\"{encoding}\", \"coderange\":\"{range}\"");
    Some(())
}
