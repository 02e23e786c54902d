//! `JSON.generate`: core objects straight into one buffer; others through their `to_json`.

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, float, hash, ownership, string};
use asterism_support::float_fmt::shortest_digits;
use asterism_support::int::decimal;
use asterism_symbol::{BINARY, US_ASCII, UTF_8, intern, sym};
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Raised, Res};

use super::{HIGH, bytes_that_are, special_bytes};

/// Most texts are shorter than some hundred bytes: their room need not grow.
const FIRST_ROOM: usize = 256;
/// No number has more bytes than that.
const LONGEST_NUMBER: usize = 48;

/// What the options say, and the text so far. Lies on the machine stack.
struct Generator {
    /// Is nothing written between the parts?
    compact: bool,
    indent: Vec<u8>,
    space: Vec<u8>,
    space_before: Vec<u8>,
    object_nl: Vec<u8>,
    array_nl: Vec<u8>,
    /// 0: no limit.
    max_nesting: i64,
    allow_nan: bool,
    ascii_only: bool,
    script_safe: bool,
    strict: bool,
    as_json: Value,
    sort_keys: Value,
    /// true: duplicate keys raise; nil and false let them pass.
    unique_keys: bool,
    /// The State that `to_json` of other objects is given; nil until it is needed.
    state: Value,
    depth: i64,
    out: Buffer,
}

/// `Primitive.json_generate(object, config, state, depth, fallback)`. `fallback`: an instance of a subclass of a core
/// class is asked for its `to_json`, rather than being the one whose `to_json` is under way.
pub(super) fn generate(ec: &mut Ec, args: &[Value]) -> Res {
    let &[object, config, state, depth, fallback] = args else {
        return Err(ec.fatal("json_generate takes five arguments"));
    };
    if !config.is_type(Type::Array) {
        return Err(ec.type_error("wrong argument type (expected Array)"));
    }
    let option = |i: usize| array::at(config, i).unwrap_or(Value::NIL);
    let is_text = |v: Value| v.is_type(Type::String) && !string::is_empty(v);
    let text = |ec: &mut Ec, v: Value| if is_text(v) { string::to_vec(ec, v) } else { Vec::new() };
    let mut generator = Generator {
        compact: !(0..5).any(|i| is_text(option(i))),
        indent: text(ec, option(0)),
        space: text(ec, option(1)),
        space_before: text(ec, option(2)),
        object_nl: text(ec, option(3)),
        array_nl: text(ec, option(4)),
        max_nesting: option(5).fixnum_value().unwrap_or(0),
        allow_nan: option(6).truthy(),
        ascii_only: option(7).truthy(),
        script_safe: option(8).truthy(),
        strict: option(9).truthy(),
        as_json: option(10),
        sort_keys: option(11),
        unique_keys: option(12).truthy(),
        state,
        depth: depth.fixnum_value().unwrap_or(0),
        out: Buffer::new(ec),
    };
    generator.out.reserve(ec, FIRST_ROOM)?;
    generator.value(ec, object, fallback.truthy())?;
    ec.str_enc(&generator.out, UTF_8)
}

impl Generator {
    /// Appends, or NoMemoryError.
    fn put(&mut self, ec: &mut Ec, bytes: &[u8]) -> Res<()> {
        self.out.append(ec, bytes)
    }

    /// A comma, if one of what is listed went before, and the beginning of a line.
    #[inline(always)]
    fn part(&mut self, ec: &mut Ec, object: bool, first: bool) -> Res<()> {
        if !first {
            self.out.reserve(ec, 1)?;
            self.out.push(b',');
        }
        if self.compact {
            return Ok(());
        }
        self.newline(ec, object)?;
        self.indentation(ec)
    }

    #[cold]
    fn newline(&mut self, ec: &mut Ec, object: bool) -> Res<()> {
        if if object { self.object_nl.is_empty() } else { self.array_nl.is_empty() } {
            return Ok(());
        }
        let nl = std::mem::take(if object { &mut self.object_nl } else { &mut self.array_nl });
        let done = self.put(ec, &nl);
        *(if object { &mut self.object_nl } else { &mut self.array_nl }) = nl;
        done
    }

    fn indentation(&mut self, ec: &mut Ec) -> Res<()> {
        if self.indent.is_empty() {
            return Ok(());
        }
        let n = usize::try_from(self.depth).unwrap_or(0);
        self.out.reserve(ec, self.indent.len().saturating_mul(n))?;
        for _ in 0..n {
            self.out.extend_from_slice(&self.indent);
        }
        Ok(())
    }

    fn value(&mut self, ec: &mut Ec, v: Value, fallback: bool) -> Res<()> {
        self.any(ec, v, fallback, false)
    }

    fn any(&mut self, ec: &mut Ec, v: Value, fallback: bool, asked: bool) -> Res<()> {
        match v {
            Value::NIL => return self.put(ec, b"null"),
            Value::TRUE => return self.put(ec, b"true"),
            Value::FALSE => return self.put(ec, b"false"),
            _ => {}
        }
        if let Some(n) = v.fixnum_value() {
            self.out.reserve(ec, LONGEST_NUMBER)?;
            self.out.extend_from_slice(decimal(n, &mut [0; 20]));
            return Ok(());
        }
        if float::is_float(v) {
            return self.float(ec, v);
        }
        if bigint::is_integer(v) {
            let text = bigint::get(&v).to_string();
            return self.put(ec, text.as_bytes());
        }
        if let Some(name) = v.as_symbol() {
            if self.strict {
                let s = ec.symbol_name(v, name)?;
                return self.string(ec, s, asked);
            }
            return self.other(ec, v, asked);
        }
        let exact = |ec: &Ec, which| !fallback || ec.class_of(v) == ec.known(which);
        if v.is_type(Type::String) && exact(ec, WellKnown::String) {
            return self.string(ec, v, asked);
        }
        if v.is_type(Type::Array) && exact(ec, WellKnown::Array) {
            return self.list(ec, v);
        }
        if v.is_type(Type::Hash) && exact(ec, WellKnown::Hash) {
            return self.object(ec, v);
        }
        if v.is_heap() {
            let fragment = super::constant(ec, "Fragment")?;
            if ec.class_of(v).0 == fragment {
                let json = ec.call(v, intern("json"), &[])?;
                let json = ec.to_str(json)?;
                let text = string::to_vec(ec, json);
                return self.put(ec, &text);
            }
        }
        self.other(ec, v, asked)
    }

    fn deeper(&mut self, ec: &mut Ec) -> Res<()> {
        ec.check_stack()?;
        self.depth += 1;
        if self.max_nesting > 0 && self.depth > self.max_nesting {
            let depth = self.depth;
            self.depth -= 1;
            let class = super::constant(ec, "NestingError")?;
            let message =
                format!("nesting of {depth} is too deep. Did you try to serialize objects with circular references?");
            return Err(ec.raise_class(class, message.as_bytes()));
        }
        Ok(())
    }

    fn list(&mut self, ec: &mut Ec, list: Value) -> Res<()> {
        self.deeper(ec)?;
        if array::is_empty(list) {
            self.depth -= 1;
            return self.put(ec, b"[]");
        }
        self.put(ec, b"[")?;
        let mut i = 0;
        while let Some(v) = array::at(list, i) {
            self.part(ec, false, i == 0)?;
            self.value(ec, v, true)?;
            i += 1;
            ec.poll()?;
        }
        self.depth -= 1;
        if !self.array_nl.is_empty() {
            self.newline(ec, false)?;
            self.indentation(ec)?;
        }
        self.put(ec, b"]")
    }

    fn object(&mut self, ec: &mut Ec, table: Value) -> Res<()> {
        let mut table = table;
        if !self.sort_keys.is_nil() {
            table = ec.call(self.sort_keys, intern("call"), &[table])?;
            if !table.is_type(Type::Hash) {
                let name = ec.class_name_of(table);
                return Err(ec.type_error(format!("wrong argument type {name} (expected Hash)")));
            }
        }
        self.deeper(ec)?;
        if hash::len(table) == 0 {
            self.depth -= 1;
            return self.put(ec, b"{}");
        }
        self.put(ec, b"{")?;
        let mut pos = 0;
        let mut first = true;
        let mut kinds = 0;
        let walk = hash::Walk::new(table);
        while let Some((next, key, v)) = walk.next(pos) {
            pos = next;
            self.part(ec, true, first)?;
            first = false;
            kinds |= if key.is_type(Type::String) { 1 } else { 2 };
            self.key(ec, key)?;
            if !self.space_before.is_empty() {
                self.out.extend_from_slice(&self.space_before);
            }
            self.put(ec, b":")?;
            if !self.space.is_empty() {
                self.out.extend_from_slice(&self.space);
            }
            self.value(ec, v, true)?;
            ec.poll()?;
        }
        if kinds == 3 && self.unique_keys {
            let json = ec.known(WellKnown::Object);
            let json = ec.constant_from(json, intern("JSON"))?;
            ec.call(json, intern("check_unique_keys"), &[table])?;
        }
        self.depth -= 1;
        if !self.object_nl.is_empty() {
            self.newline(ec, true)?;
            self.indentation(ec)?;
        }
        self.put(ec, b"}")
    }

    fn key(&mut self, ec: &mut Ec, key: Value) -> Res<()> {
        let mut key = key;
        if !key.is_type(Type::String) && !key.is_sym() && self.strict {
            if !self.as_json.is_nil() {
                key = ec.call(self.as_json, intern("call"), &[key, Value::TRUE])?;
            }
            if !key.is_type(Type::String) && !key.is_sym() {
                let name = ec.class_name_of(key);
                return Err(self.error(ec, key, format!("{name} not allowed as object key in JSON").as_bytes()));
            }
        }
        if let Some(name) = key.as_symbol() {
            let mut short = [0; 48];
            let copied = name.with_name(|bytes, _| {
                short.get_mut(..bytes.len()).filter(|_| bytes.is_ascii())?.copy_from_slice(bytes);
                Some(bytes.len())
            });
            if let Some(len) = copied {
                return self.escaped(ec, &short[..len]);
            }
            if let Some(name) = name.with_name(|bytes, _| std::str::from_utf8(bytes).is_ok().then(|| bytes.to_vec())) {
                return self.escaped(ec, &name);
            }
            let s = ec.symbol_name(key, name)?;
            return self.string(ec, s, true);
        }
        let text = if key.is_type(Type::String) && ec.class_of(key) == ec.known(WellKnown::String) {
            key
        } else {
            let text = ec.call(key, sym::to_s, &[])?;
            if !text.is_type(Type::String) {
                let got = ec.class_name_of(text);
                return Err(ec.conversion_mismatch(key, "String", sym::to_s, &got));
            }
            if ec.class_of(text) != ec.known(WellKnown::String) {
                // One of a class of its own may have a `to_json` of its own.
                return self.any(ec, text, true, true);
            }
            text
        };
        self.string(ec, text, true)
    }

    fn float(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        let f = float::get(v);
        if f.is_finite() {
            self.out.reserve(ec, LONGEST_NUMBER)?;
            write_float(f, &mut self.out);
            return Ok(());
        }
        let shown = asterism_support::float_fmt::float_to_s(f);
        if self.allow_nan {
            return self.put(ec, shown.as_bytes());
        }
        if self.strict && !self.as_json.is_nil() {
            let other = ec.call(self.as_json, intern("call"), &[v, Value::FALSE])?;
            if other != v && !float::is_float(other) {
                self.deeper(ec)?;
                self.value(ec, other, true)?;
                self.depth -= 1;
                return Ok(());
            }
        }
        Err(self.error(ec, v, format!("{shown} not allowed in JSON").as_bytes()))
    }

    fn string(&mut self, ec: &mut Ec, s: Value, asked: bool) -> Res<()> {
        let mut s = s;
        let range = string::coderange(ec, s);
        if range == string::CodeRange::SevenBit && self.plain(ec, s)? {
            return Ok(());
        }
        let encoding = string::encoding(s);
        let good = match range {
            string::CodeRange::SevenBit => true,
            string::CodeRange::Valid => encoding == UTF_8 || encoding == US_ASCII,
            _ => false,
        };
        if !good {
            s = self.repaired(ec, s, asked)?;
            if !s.is_type(Type::String) {
                return self.any(ec, s, true, true);
            }
        }
        let text = string::read(ec, s);
        if !good && std::str::from_utf8(text.as_bytes()).is_err() {
            return Err(self.error(ec, s, b"source sequence is illegal/malformed utf-8"));
        }
        self.escaped(ec, text.as_bytes())
    }

    /// Appends a short ASCII String in which nothing is to be escaped, which needs no look that lasts; whether it was one.
    #[inline]
    fn plain(&mut self, ec: &mut Ec, s: Value) -> Res<bool> {
        if string::len(s) > SHORT {
            return Ok(false);
        }
        self.out.reserve(ec, SHORT + 2)?;
        let (out, script_safe) = (&mut self.out, self.script_safe);
        Ok(string::with_bytes(ec, s, |text, _| {
            let words = plain_words(text, script_safe);
            let rest = &text[words..];
            // Another thread may have made it longer, or something else, meanwhile.
            let plain = text.len() <= SHORT && rest.iter().all(|&b| SURELY_PLAIN[usize::from(b)]);
            if plain {
                out.push(b'"');
                out.extend_from_slice(text);
                out.push(b'"');
            }
            plain
        }))
    }

    /// A String that is not valid UTF-8 as one that is, if there is a way.
    #[cold]
    fn repaired(&mut self, ec: &mut Ec, s: Value, asked: bool) -> Res {
        if !asked && self.strict && !self.as_json.is_nil() {
            let other = ec.call(self.as_json, intern("call"), &[s, Value::FALSE])?;
            if other != s {
                return Ok(other);
            }
        }
        match string::encoding(s) {
            UTF_8 => return Err(self.error(ec, s, b"source sequence is illegal/malformed utf-8")),
            BINARY => {
                let bytes = string::to_vec(ec, s);
                if std::str::from_utf8(&bytes).is_ok() {
                    return ec.str(&bytes);
                }
            }
            _ => {}
        }
        let utf8 = asterism_core::encoding::object(ec, asterism_support::encoding::Encoding::UTF_8);
        let standard = ec.known(WellKnown::StandardError).0;
        match ec.rescue(standard, |ec| ec.call(s, intern("encode"), &[utf8]))? {
            Ok(encoded) => Ok(encoded),
            Err(e) => {
                let message = ec.call(e, sym::message, &[])?;
                let message = ec.to_str(message)?;
                let message = string::to_vec(ec, message);
                Err(self.error(ec, s, &message))
            }
        }
    }

    /// Appends UTF-8 text as a string.
    fn escaped(&mut self, ec: &mut Ec, text: &[u8]) -> Res<()> {
        self.out.reserve(ec, text.len() + 2)?;
        self.out.push(b'"');
        let mut from = 0;
        let mut at = plain_words(text, self.script_safe);
        while at < text.len() {
            let b = text[at];
            let plain = match b {
                _ if SURELY_PLAIN[usize::from(b)] => true,
                b'"' | b'\\' | 0..=0x1f => false,
                b'/' => !self.script_safe,
                0x80.. => !(self.ascii_only || self.script_safe && b == 0xe2),
                _ => true,
            };
            if plain {
                at += 1;
                continue;
            }
            self.out.reserve(ec, at - from + 12)?;
            self.out.extend_from_slice(&text[from..at]);
            let length = self.escape(&text[at..]);
            at += length;
            from = at;
        }
        self.out.reserve(ec, text.len() - from + 1)?;
        self.out.extend_from_slice(&text[from..]);
        self.out.push(b'"');
        Ok(())
    }

    /// Appends the escape of the first character; its length in the text.
    fn escape(&mut self, text: &[u8]) -> usize {
        let b = text[0];
        let short = match b {
            b'"' | b'\\' | b'/' => b,
            8 => b'b',
            12 => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0..=0x1f => {
                self.out.extend_from_slice(format!("\\u{b:04x}").as_bytes());
                return 1;
            }
            _ => return self.escape_wide(text),
        };
        self.out.extend_from_slice(&[b'\\', short]);
        1
    }

    fn escape_wide(&mut self, text: &[u8]) -> usize {
        let length = match text[0] {
            0xf0.. => 4,
            0xe0.. => 3,
            _ => 2,
        };
        let length = length.min(text.len());
        let Some(c) = std::str::from_utf8(&text[..length]).ok().and_then(|s| s.chars().next()) else {
            // Callers have checked the text; a stray byte stays what it is.
            self.out.push(text[0]);
            return 1;
        };
        if !self.ascii_only && !matches!(c, '\u{2028}' | '\u{2029}') {
            self.out.extend_from_slice(&text[..length]);
            return length;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            self.out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
        }
        length
    }

    /// An object of another class.
    fn other(&mut self, ec: &mut Ec, v: Value, asked: bool) -> Res<()> {
        ec.check_stack()?;
        if self.strict {
            if !self.as_json.is_nil() && !asked {
                let other = ec.call(self.as_json, intern("call"), &[v, Value::FALSE])?;
                return self.any(ec, other, true, true);
            }
            let name = ec.class_name_of(v);
            return Err(self.error(ec, v, format!("{name} not allowed in JSON").as_bytes()));
        }
        let to_json = intern("to_json");
        if !ec.respond_to(v, to_json, false)? {
            let text = ec.call(v, sym::to_s, &[])?;
            let text = ec.to_str(text)?;
            return self.string(ec, text, true);
        }
        if self.state.is_nil() {
            let class = super::constant(ec, "State")?;
            self.state = ec.call(class, sym::new, &[])?;
        }
        ec.ivar_put(self.state, intern("@depth"), Value::fixnum(self.depth))?;
        let text = ec.call(v, to_json, &[self.state])?;
        if !text.is_type(Type::String) {
            let name = ec.class_name_of(text);
            return Err(ec.type_error(format!("wrong argument type {name} (expected String)")));
        }
        let text = string::to_vec(ec, text);
        self.put(ec, &text)
    }

    #[cold]
    fn error(&mut self, ec: &mut Ec, object: Value, message: &[u8]) -> Raised {
        let made = super::constant(ec, "GeneratorError").and_then(|class| {
            let e = ec.new_exception(class, message)?;
            if !ownership::is_frozen(e) {
                ec.ivar_put(e, intern("@invalid_object"), object)?;
            }
            Ok(e)
        });
        match made {
            Ok(e) => ec.raise_exception(e),
            Err(raised) => raised,
        }
    }
}

/// Bytes that are not escaped whatever the options say.
static SURELY_PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut b = 0x20;
    while b < 0x80 {
        plain[b] = !matches!(b as u8, b'"' | b'\\' | b'/');
        b += 1;
    }
    plain
};

/// A String up to this length is looked at and copied while it is held.
const SHORT: usize = 128;

/// The length of a beginning, in whole words of eight bytes, of which no byte is to be escaped whatever the options say.
fn plain_words(text: &[u8], script_safe: bool) -> usize {
    let is_plain = |bytes: &[u8; 8]| {
        let word = u64::from_le_bytes(*bytes);
        let slash = if script_safe { bytes_that_are(b'/', word) } else { 0 };
        (word & HIGH | special_bytes(word) | slash) == 0
    };
    8 * text.as_chunks::<8>().0.iter().take_while(|bytes| is_plain(bytes)).count()
}

/// Below this, all digits of a whole number are needed to read back the same.
const WHOLE: f64 = 1e15;

/// A finite Float: the shortest digits that read back the same; an exponent only where it is far from 0.
fn write_float(f: f64, out: &mut Buffer) {
    if f.is_sign_negative() {
        out.push(b'-');
    }
    if f == 0.0 {
        out.extend_from_slice(b"0.0");
        return;
    }
    if f.abs() < WHOLE && f.trunc() == f {
        out.extend_from_slice(decimal(f.abs() as i64, &mut [0; 20]));
        out.extend_from_slice(b".0");
        return;
    }
    let (digits, point) = shortest_digits(f);
    let count = digits.len() as i32;
    // The value is DIGITS * 10**scale.
    let scale = point - count;
    let exponent = (point - 1).abs();
    if scale >= 0 && exponent < 15 {
        out.extend_from_slice(&digits);
        out.extend(std::iter::repeat_n(b'0', scale as usize));
        out.extend_from_slice(b".0");
    } else if scale < 0 && (scale > -7 || exponent < 10) {
        if point <= 0 {
            out.extend_from_slice(b"0.");
            out.extend(std::iter::repeat_n(b'0', point.unsigned_abs() as usize));
            out.extend_from_slice(&digits);
        } else {
            let (whole, fraction) = digits.split_at((point as usize).min(digits.len()));
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(fraction);
        }
    } else {
        out.push(digits[0]);
        if count > 1 {
            out.push(b'.');
            out.extend_from_slice(&digits[1..]);
        }
        let sign = if point - 1 < 0 { '-' } else { '+' };
        out.extend_from_slice(format!("e{sign}{exponent}").as_bytes());
    }
}
