//! A buffer's contents: values, strings, copies, comparison, bit operations, the hexdump.

use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, string};
use asterism_vm::{Args, Ec, NativeDef, Res};

use super::memory::{Access, access, access_or_empty, access_to_write, access_to_write_or_empty, fail};
use super::{exact, life, natural, range};

/// Instance methods.
pub static BUFFER: &[NativeDef] = &[
    NativeDef::new("get_value", get_value, 2, 2),
    NativeDef::new("set_value", set_value, 3, 3),
    NativeDef::new("get_values", get_values, 2, 2),
    NativeDef::new("set_values", set_values, 3, 3),
    NativeDef::new("get_string", get_string, 0, 3),
    NativeDef::new("set_string", set_string, 1, 4),
    NativeDef::new("copy", copy, 1, 4),
    NativeDef::new("clear", clear, 0, 3),
    NativeDef::new("<=>", compare, 1, 1),
    NativeDef::new("__mask", mask, 3, 3).private(),
    NativeDef::new("bit_count", bit_count, 0, 2),
    NativeDef::new("__hexdump", hexdump, 3, 3).private(),
];

/// Singleton methods.
pub static SINGLETON: &[NativeDef] = &[NativeDef::new("size_of", size_of, 1, 1)];

/// A type of value.
#[derive(Clone, Copy)]
struct Kind {
    size: usize,
    signed: bool,
    float: bool,
    big: bool,
}

fn kind(ec: &mut Ec, v: Value) -> Res<Kind> {
    let name = v.as_sym().map(|s| s.text().into_owned()).unwrap_or_default();
    let bytes = name.as_bytes();
    let size = match name.get(1..) {
        Some("8") => 1,
        Some("16") => 2,
        Some("32") => 4,
        Some("64") => 8,
        Some("128") => 16,
        _ => 0,
    };
    let letter = bytes.first().copied().unwrap_or(0);
    let known = match letter {
        b'U' | b'S' => size > 0,
        b'u' | b's' => size > 1,
        b'f' | b'F' => size == 4 || size == 8,
        _ => false,
    };
    if !known {
        return Err(ec.arg_error("Invalid type name!"));
    }
    Ok(Kind {
        size,
        signed: letter.eq_ignore_ascii_case(&b's'),
        float: letter.eq_ignore_ascii_case(&b'f'),
        big: letter.is_ascii_uppercase(),
    })
}

fn size_of(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if !args[0].is_type(Type::Array) {
        let n = kind(ec, args[0])?.size;
        return ec.size(n);
    }
    let mut total = 0;
    let mut i = 0;
    while let Some(one) = array::at(args[0], i) {
        total += kind(ec, one)?.size;
        i += 1;
    }
    ec.size(total)
}

/// The place of a value within a buffer of `len` bytes.
fn place(ec: &mut Ec, kind: Kind, offset: usize, len: usize) -> Res<()> {
    match offset.checked_add(kind.size) {
        Some(end) if end <= len => Ok(()),
        _ => Err(ec.arg_error(format!("Type extends beyond end of buffer! (offset={offset} > size={len})"))),
    }
}

fn load(ec: &mut Ec, from: &Access, kind: Kind, offset: usize) -> Res {
    place(ec, kind, offset, from.len)?;
    let raw = from.read(ec, offset, kind.size, |bytes| {
        let mut word = [0u8; 16];
        word[..bytes.len()].copy_from_slice(bytes);
        if kind.big {
            word[..bytes.len()].reverse();
        }
        u128::from_le_bytes(word)
    })?;
    if kind.float {
        let f = if kind.size == 4 { f64::from(f32::from_bits(raw as u32)) } else { f64::from_bits(raw as u64) };
        return ec.float(f);
    }
    let unused = if kind.signed { 128 - 8 * kind.size as u32 } else { 0 };
    let signed = ((raw << unused) as i128) >> unused;
    let made = if kind.signed || signed >= 0 {
        bigint::from_i128(ec, signed)
    } else {
        bigint::new(ec, num_bigint::BigInt::from(raw))
    };
    ec.check(Value::NIL, made)
}

/// The bytes of a value, the first `size` of them.
fn encode(ec: &mut Ec, kind: Kind, v: Value) -> Res<[u8; 16]> {
    let raw = if kind.float {
        let f = ec.to_f64(v)?;
        u128::from(if kind.size == 4 { u64::from((f as f32).to_bits()) } else { f.to_bits() })
    } else {
        let n = ec.to_integer(v)?;
        match n.fixnum_value() {
            Some(n) => i128::from(n) as u128,
            None => {
                let digits = bigint::get(&n);
                let mut words = digits.iter_u64_digits().map(u128::from);
                let low = words.next().unwrap_or(0) | words.next().unwrap_or(0) << 64;
                let fits = digits.bits() <= if kind.size == 16 { 128 } else { 64 };
                if !fits {
                    let what = match (kind.size, kind.signed) {
                        (16, true) => "int128_t",
                        (16, false) => "uint128_t",
                        (_, true) => "long long",
                        (_, false) => "unsigned long long",
                    };
                    return Err(ec.range_error(format!("bignum too big to convert into '{what}'")));
                }
                if digits.sign() == num_bigint::Sign::Minus { low.wrapping_neg() } else { low }
            }
        }
    };
    let mut word = raw.to_le_bytes();
    if kind.big {
        word[..kind.size].reverse();
    }
    Ok(word)
}

fn store(ec: &mut Ec, to: &Access, kind: Kind, offset: usize, v: Value) -> Res<()> {
    place(ec, kind, offset, to.len)?;
    let word = encode(ec, kind, v)?;
    to.write(ec, offset, kind.size, |bytes| bytes.copy_from_slice(&word[..kind.size]))
}

fn get_value(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let offset = natural(ec, args[1], "Offset")?;
    let from = access(ec, this)?;
    let kind = kind(ec, args[0])?;
    load(ec, &from, kind, offset)
}

fn set_value(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let offset = natural(ec, args[1], "Offset")?;
    let to = access_to_write(ec, this)?;
    let kind = kind(ec, args[0])?;
    store(ec, &to, kind, offset, args[2])?;
    ec.size(offset + kind.size)
}

fn get_values(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut offset = natural(ec, args[1], "Offset")?;
    let from = access_or_empty(ec, this)?;
    if !args[0].is_type(Type::Array) {
        return Err(ec.arg_error("Argument buffer_types should be an array!"));
    }
    let list = ec.array(&[])?;
    let mut i = 0;
    while let Some(one) = array::at(args[0], i) {
        let kind = kind(ec, one)?;
        let value = load(ec, &from, kind, offset)?;
        ec.array_push(list, value)?;
        offset += kind.size;
        i += 1;
    }
    Ok(list)
}

fn set_values(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if !args[0].is_type(Type::Array) {
        return Err(ec.arg_error("Argument buffer_types should be an array!"));
    }
    if !args[2].is_type(Type::Array) {
        return Err(ec.arg_error("Argument values should be an array!"));
    }
    if array::len(args[0]) != array::len(args[2]) {
        return Err(ec.arg_error("Argument buffer_types and values should have equal length!"));
    }
    let mut offset = natural(ec, args[1], "Offset")?;
    let to = access_to_write_or_empty(ec, this)?;
    let mut i = 0;
    while let (Some(one), Some(value)) = (array::at(args[0], i), array::at(args[2], i)) {
        let kind = kind(ec, one)?;
        store(ec, &to, kind, offset, value)?;
        offset += kind.size;
        i += 1;
    }
    ec.size(offset)
}

fn get_string(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let from = access_or_empty(ec, this)?;
    let (offset, len) = range(ec, args.or_nil(0), args.or_nil(1), from.len)?;
    let encoding = match args.get(2) {
        None | Some(Value::NIL) => asterism_symbol::BINARY,
        Some(v) => asterism_core::encoding::from_value(ec, v)?.index(),
    };
    let bytes = from.copy(ec, offset, len)?;
    ec.str_enc(&bytes, encoding)
}

/// Copies bytes into a buffer: the arguments are offset, length and offset in the source.
fn copy_in(ec: &mut Ec, this: Value, source: &[u8], rest: [Value; 3]) -> Res {
    let to = access_to_write_or_empty(ec, this)?;
    let offset = if rest[0].is_nil() { 0 } else { natural(ec, rest[0], "Offset")? };
    let from = if rest[2].is_nil() { 0 } else { natural(ec, rest[2], "Offset")? };
    let Some(available) = source.len().checked_sub(from) else {
        return Err(ec.arg_error("The given source offset is bigger than the buffer size!"));
    };
    let len = if rest[1].is_nil() { available } else { natural(ec, rest[1], "Length")? };
    if len > available {
        return Err(ec.arg_error("The computed source range exceeds the size of the source buffer!"));
    }
    if offset.checked_add(len).is_none_or(|end| end > to.len) {
        return Err(super::out_of_range(ec));
    }
    to.put(ec, offset, &source[from..from + len])?;
    ec.size(len)
}

fn set_string(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let s = ec.to_str(args[0])?;
    let source = string::read(ec, s);
    copy_in(ec, this, &source, [args.or_nil(1), args.or_nil(2), args.or_nil(3)])
}

fn copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let source = access_or_empty(ec, args[0])?;
    let bytes = source.copy(ec, 0, source.len)?;
    copy_in(ec, this, &bytes, [args.or_nil(1), args.or_nil(2), args.or_nil(3)])
}

fn clear(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let value = if args.is_empty() { 0 } else { ec.to_i64(args[0])? as u8 };
    let to = access_to_write(ec, this)?;
    let (offset, len) = range(ec, args.or_nil(1), args.or_nil(2), to.len)?;
    to.write(ec, offset, len, |bytes| bytes.fill(value))?;
    Ok(this)
}

fn compare(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (one, other) = (access_or_empty(ec, this)?, access_or_empty(ec, args[0])?);
    let order = match one.len.cmp(&other.len) {
        std::cmp::Ordering::Equal => {
            let copy = other.copy(ec, 0, other.len)?;
            one.read(ec, 0, one.len, |bytes| bytes.cmp(&copy[..]))?
        }
        unequal => unequal,
    };
    Ok(Value::fixnum(order as i64))
}

/// `__mask(operation, mask or nil, in place)`: 0 and, 1 or, 2 xor, 3 not.
fn mask(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let operation = ec.to_i64(args[0])?;
    let mask = if operation == 3 {
        vec![0xff]
    } else {
        let source = access(ec, args[1])?;
        source.copy(ec, 0, source.len)?
    };
    if mask.is_empty() {
        return Err(fail(ec, "MaskError", "Zero-length mask given!"));
    }
    let apply = |bytes: &mut [u8]| {
        for (byte, m) in bytes.iter_mut().zip(mask.iter().cycle()) {
            match operation {
                0 => *byte &= m,
                1 => *byte |= m,
                _ => *byte ^= m,
            }
        }
    };
    if args[2].truthy() {
        let to = access_to_write(ec, this)?;
        to.write(ec, 0, to.len, apply)?;
        return Ok(this);
    }
    let from = access(ec, this)?;
    let mut bytes = from.copy(ec, 0, from.len)?;
    apply(&mut bytes);
    life::make_from(ec, this, bytes)
}

fn bit_count(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let from = access_or_empty(ec, this)?;
    let (offset, len) = range(ec, args.or_nil(0), args.or_nil(1), from.len)?;
    let n = from.read(ec, offset, len, |bytes| bytes.iter().map(|b| u64::from(b.count_ones())).sum::<u64>())?;
    ec.int(i64::try_from(n).unwrap_or(i64::MAX))
}

/// `__hexdump(offset, length, width)`
fn hexdump(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    use std::fmt::Write;
    let from = access_or_empty(ec, this)?;
    let (offset, len) = range(ec, args[0], args[1], from.len)?;
    let width = exact(ec, args[2], "Width")?;
    if width < 8 {
        return Err(ec.arg_error("Width must be at least 8!"));
    }
    let width = width.min(4096);
    // A byte is four characters, a line has its offset.
    let _shown = ec.charge(len.saturating_mul(5).saturating_add(len / width * 16))?;
    let bytes = from.copy(ec, offset, len)?;
    let mut text = String::new();
    for (i, line) in bytes.chunks(width).enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(text, "{}0x{:08x} ", if i == 0 { "" } else { "\n" }, offset + i * width);
        for byte in line {
            let _ = write!(text, " {byte:02x}");
        }
        for _ in line.len()..width {
            text.push_str("   ");
        }
        text.push(' ');
        text.extend(line.iter().map(|&b| if (0x20..0x7f).contains(&b) { char::from(b) } else { '.' }));
    }
    ec.str(text)
}
