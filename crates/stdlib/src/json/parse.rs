//! `JSON.parse`: one pass over the bytes without recursion. Finished values lie on a stack that the collector sees; the open arrays
//! and objects are a list of positions in it.

use asterism_core::string::dedup::dedup;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, hash, string};
use asterism_symbol::{UTF_8, intern};
use asterism_vm::{Ec, Raised, Res};
use num_bigint::BigInt;

use super::finished::Finished;
use super::special_bytes;

/// What the options say; a snapshot of the Array that `json.rb` makes of them.
struct Options {
    /// 0: no limit.
    max_nesting: i64,
    allow_nan: bool,
    trailing_comma: bool,
    comments: bool,
    control_characters: bool,
    invalid_escapes: bool,
    duplicate_keys: bool,
    symbolize: bool,
    freeze: bool,
    /// A Proc, or nil.
    on_load: Value,
    /// `[receiver, method name]` that makes a decimal of its text, or nil.
    decimal: Value,
}

/// An array or object that is not closed yet.
struct Open {
    object: bool,
    /// Where its values begin on the stack.
    base: usize,
    /// Where it began in the text.
    start: usize,
}

/// Keys of objects that were seen last, by a hash of their bytes: documents repeat them.
const CACHED_KEYS: usize = 64;

/// Objects with no more entries than this are made at once if their keys differ.
const FEW: usize = 8;

/// Keys longer than this are not kept.
const CACHED_LENGTH: usize = 40;

/// How much of the text an error shows.
const FRAGMENT: usize = 32;

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    options: Options,
    /// Is each value to be frozen, or shown to `on_load`?
    handles_values: bool,
    finished: Finished,
    open: Vec<Open>,
    /// Frozen Strings, or nil. The parser lies on the machine stack, so the collector sees them.
    keys: [Value; CACHED_KEYS],
    /// Their hashes.
    hashes: [u64; CACHED_KEYS],
}

/// Where a key of these bytes, of which there are some, is kept: told by its length, its first and its last bytes.
#[inline]
fn slot_of(bytes: &[u8]) -> usize {
    let word = |part: &[u8]| part.iter().fold(0, |word: u64, &b| word << 8 | u64::from(b));
    let (head, tail) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(head), Some(tail)) => (u64::from_le_bytes(*head), u64::from_le_bytes(*tail)),
        _ => (word(bytes), 0),
    };
    let mixed = (head ^ tail.rotate_left(23) ^ bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize % CACHED_KEYS
}

/// What comes next at a place in the text.
enum Step {
    Value,
    /// The first key or `}`.
    FirstKey,
    Key,
    /// `,` or the end of what is open.
    Next,
    Done,
}

/// `Primitive.json_parse(source, options)`: `source` is a String, or what stands for one.
pub(super) fn parse(ec: &mut Ec, args: &[Value]) -> Res {
    let &[source, options] = args else {
        return Err(ec.fatal("json_parse takes two arguments"));
    };
    let source = match source.is_type(Type::String) && string::encoding(source) == UTF_8 {
        true => source,
        false => {
            let json = ec.known(WellKnown::Object);
            let json = ec.constant_from(json, intern("JSON"))?;
            ec.call(json, intern("utf8"), &[source])?
        }
    };
    if !source.is_type(Type::String) || !options.is_type(Type::Array) {
        return Err(ec.type_error("wrong argument type (expected String)"));
    }
    let option = |i: usize| array::at(options, i).unwrap_or(Value::NIL);
    let options = Options {
        max_nesting: option(0).fixnum_value().unwrap_or(0),
        allow_nan: option(1).truthy(),
        trailing_comma: option(2).truthy(),
        comments: option(3).truthy(),
        control_characters: option(4).truthy(),
        invalid_escapes: option(5).truthy(),
        duplicate_keys: option(6).truthy(),
        symbolize: option(7).truthy(),
        freeze: option(8).truthy(),
        on_load: option(9),
        decimal: option(10),
    };
    let text = string::read(ec, source);
    let mut parser = Parser {
        text: text.as_bytes(),
        at: 0,
        handles_values: options.freeze || !options.on_load.is_nil(),
        options,
        finished: Finished::new(),
        open: Vec::new(),
        keys: [Value::NIL; CACHED_KEYS],
        hashes: [0; CACHED_KEYS],
    };
    let result = parser.run(ec);
    asterism_heap::keep_alive(parser.finished.far.bits());
    result
}

impl Parser<'_> {
    fn run(&mut self, ec: &mut Ec) -> Res {
        let mut step = Step::Value;
        loop {
            step = match step {
                Step::Value => self.value(ec)?,
                Step::FirstKey => {
                    self.space(ec)?;
                    if self.peek() == b'}' { self.close(ec)? } else { self.key(ec, true)? }
                }
                Step::Key => self.key(ec, false)?,
                Step::Next => self.next(ec)?,
                Step::Done => break,
            };
        }
        self.space(ec)?;
        if self.at < self.text.len() {
            return Err(self.error(ec, b"unexpected token at end of stream %s"));
        }
        Ok(self.finished.at(0).unwrap_or(Value::NIL))
    }

    /// The byte under way; 0 at the end.
    #[inline(always)]
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn push(&mut self, ec: &mut Ec, v: Value) -> Res<()> {
        let v = if self.handles_values { self.handled(ec, v)? } else { v };
        self.finished.push(ec, v)
    }

    #[cold]
    fn handled(&self, ec: &mut Ec, v: Value) -> Res {
        let mut v = v;
        if self.options.freeze {
            v = if v.is_type(Type::String) { dedup(ec, v)? } else { ec.freeze(v)? };
        }
        if !self.options.on_load.is_nil() {
            v = ec.call(self.options.on_load, intern("call"), &[v])?;
        }
        Ok(v)
    }

    /// Skips whitespace and comments.
    #[inline]
    fn space(&mut self, ec: &mut Ec) -> Res<()> {
        while let Some(&b) = self.text.get(self.at) {
            match b {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                b'/' => self.comment(ec)?,
                _ => break,
            }
        }
        Ok(())
    }

    #[cold]
    fn comment(&mut self, ec: &mut Ec) -> Res<()> {
        if !self.options.comments {
            return Err(self.error(ec, b"unexpected token %s"));
        }
        let rest = self.text.get(self.at + 2..).unwrap_or(&[]);
        match self.text.get(self.at + 1) {
            Some(b'/') => {
                self.at = match rest.iter().position(|&b| b == b'\n') {
                    Some(n) => self.at + n + 3,
                    None => self.text.len(),
                };
                Ok(())
            }
            Some(b'*') => match rest.windows(2).position(|w| w == b"*/") {
                Some(n) => {
                    self.at += n + 4;
                    Ok(())
                }
                None => Err(self.error(ec, b"unterminated comment, expected closing '*/'")),
            },
            _ => Err(self.error(ec, b"unexpected token %s")),
        }
    }

    /// After a value.
    fn step_after(&self) -> Step {
        if self.open.is_empty() { Step::Done } else { Step::Next }
    }

    fn value(&mut self, ec: &mut Ec) -> Res<Step> {
        ec.poll()?;
        self.space(ec)?;
        let start = self.at;
        let v = match self.peek() {
            b'"' => match self.string(ec, false)? {
                Some(v) => v,
                None => {
                    self.at = self.text.len();
                    return Err(self.error(ec, b"unexpected end of input, expected closing \""));
                }
            },
            b'-' | b'0'..=b'9' => self.number(ec)?,
            b'{' => {
                self.begin(ec, true)?;
                return Ok(Step::FirstKey);
            }
            b'[' => {
                self.begin(ec, false)?;
                self.space(ec)?;
                return if self.peek() == b']' { self.close(ec) } else { Ok(Step::Value) };
            }
            b']' if self.options.trailing_comma && self.open.last().is_some_and(|o| !o.object) => {
                return self.close(ec);
            }
            b'n' => self.keyword(ec, b"null", Value::NIL)?,
            b't' => self.keyword(ec, b"true", Value::TRUE)?,
            b'f' => self.keyword(ec, b"false", Value::FALSE)?,
            b'N' if self.options.allow_nan => {
                let v = ec.float(f64::NAN)?;
                self.keyword(ec, b"NaN", v)?
            }
            b'I' if self.options.allow_nan => {
                let v = ec.float(f64::INFINITY)?;
                self.keyword(ec, b"Infinity", v)?
            }
            b'N' | b'I' => return Err(self.error(ec, b"unexpected token %s")),
            _ if start >= self.text.len() => return Err(self.error(ec, b"unexpected end of input")),
            0 => return Err(self.error(ec, b"unexpected NULL byte: %s")),
            _ => return Err(self.error(ec, b"unexpected character: %s")),
        };
        self.push(ec, v)?;
        Ok(self.step_after())
    }

    fn keyword(&mut self, ec: &mut Ec, word: &[u8], v: Value) -> Res {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            return Ok(v);
        }
        Err(self.error(ec, b"unexpected token %s"))
    }

    fn begin(&mut self, ec: &mut Ec, object: bool) -> Res<()> {
        let depth = self.open.len() as i64 + 1;
        if self.options.max_nesting > 0 && depth > self.options.max_nesting {
            let class = super::constant(ec, "NestingError")?;
            return Err(ec.raise_class(class, format!("nesting of {depth} is too deep").as_bytes()));
        }
        self.open.push(Open { object, base: self.finished.len(), start: self.at });
        self.at += 1;
        Ok(())
    }

    fn key(&mut self, ec: &mut Ec, first: bool) -> Res<Step> {
        self.space(ec)?;
        if self.peek() != b'"' {
            if self.peek() == b'}' && !first && self.options.trailing_comma {
                return self.close(ec);
            }
            let format: &[u8] = if first { b"expected object key, got %s" } else { b"expected object key, got: %s" };
            return Err(self.error(ec, format));
        }
        let Some(key) = self.string(ec, true)? else {
            self.at = self.text.len();
            return Err(self.error(ec, b"unexpected end of input, expected closing \""));
        };
        self.push(ec, key)?;
        self.space(ec)?;
        if self.peek() == b':' {
            self.at += 1;
            return Ok(Step::Value);
        }
        let format: &[u8] =
            if first { b"expected ':' after object key" } else { b"expected ':' after object key, got: %s" };
        Err(self.error(ec, format))
    }

    fn next(&mut self, ec: &mut Ec) -> Res<Step> {
        self.space(ec)?;
        let object = self.open.last().is_some_and(|o| o.object);
        match (self.peek(), object) {
            (b',', _) => {
                self.at += 1;
                Ok(if object { Step::Key } else { Step::Value })
            }
            (b'}', true) | (b']', false) => self.close(ec),
            (_, true) => Err(self.error(ec, b"expected ',' or '}' after object value, got: %s")),
            (_, false) => Err(self.error(ec, b"expected ',' or ']' after array value")),
        }
    }

    /// At the closing bracket of what was opened last: its values become one.
    fn close(&mut self, ec: &mut Ec) -> Res<Step> {
        self.at += 1;
        let Some(open) = self.open.pop() else {
            return Err(ec.fatal("a JSON document closes what is not open"));
        };
        let v = if open.object {
            let h = self.object(ec, &open)?;
            self.finished.truncate(ec, open.base)?;
            h
        } else {
            self.finished.take(ec, open.base)?
        };
        self.push(ec, v)?;
        Ok(self.step_after())
    }

    /// A Hash of the finished keys and values of an object.
    fn object(&mut self, ec: &mut Ec, open: &Open) -> Res {
        let count = self.finished.len().saturating_sub(open.base);
        let class = ec.known(WellKnown::Hash).0;
        let made = hash::new_in(ec, class, count / 2);
        let h = ec.check(Value::NIL, made)?;
        if let Some(hashes) = self.distinct(open.base, count) {
            let entries = self.finished.near[open.base..].chunks_exact(2);
            hash::fill_distinct(h, hashes.iter().zip(entries).take(count / 2).map(|(&hash, e)| (hash, e[0], e[1])));
            return Ok(h);
        }
        let mut i = open.base;
        while let (Some(key), Some(value)) = (self.finished.at(i), self.finished.at(i + 1)) {
            ec.hash_set(h, key, value)?;
            i += 2;
        }
        if !self.options.duplicate_keys && hash::len(h) * 2 != count {
            return Err(self.duplicate(ec, open));
        }
        Ok(h)
    }

    /// The hashes of keys, if they are few, all kept ones, and different.
    fn distinct(&self, base: usize, count: usize) -> Option<[u64; FEW]> {
        if count > 2 * FEW || !self.finished.far.is_nil() || self.handles_values || self.options.symbolize {
            return None;
        }
        let mut hashes = [0; FEW];
        for n in 0..count / 2 {
            let slot = usize::from(self.finished.slots[base + 2 * n]);
            if self.keys[slot] != self.finished.near[base + 2 * n] {
                return None;
            }
            let hash = self.hashes[slot];
            if hashes[..n].contains(&hash) {
                return None;
            }
            hashes[n] = hash;
        }
        Some(hashes)
    }

    #[cold]
    fn duplicate(&mut self, ec: &mut Ec, open: &Open) -> Raised {
        let found = (|| {
            let seen = ec.new_hash()?;
            let mut i = open.base;
            while let Some(key) = self.finished.at(i) {
                if ec.hash_get(seen, key)?.is_some() {
                    return ec.inspect_for_error(key);
                }
                ec.hash_set(seen, key, Value::TRUE)?;
                i += 2;
            }
            Ok(Vec::new())
        })();
        match found {
            Ok(shown) => {
                self.at = open.start;
                let message = [b"duplicate key ", &shown[..]].concat();
                self.error(ec, &message)
            }
            Err(raised) => raised,
        }
    }

    /// The String at the quote; `None` if it has no end.
    fn string(&mut self, ec: &mut Ec, key: bool) -> Res<Option<Value>> {
        self.at += 1;
        let start = self.at;
        let Some(mut end) = self.scan(start) else {
            return Ok(None);
        };
        if self.text[end] == b'"' {
            self.at = end + 1;
            let text = self.text;
            return self.finish_string(ec, &text[start..end], key).map(Some);
        }
        let mut out = Vec::with_capacity(end - start + 32);
        let mut from = start;
        loop {
            out.extend_from_slice(&self.text[from..end]);
            match self.text[end] {
                b'"' => break,
                b'\\' => from = self.escape(ec, end, from, &mut out)?,
                b => {
                    if !self.options.control_characters {
                        self.at = end;
                        return Err(self.error(ec, b"invalid ASCII control character in string: %s"));
                    }
                    out.push(b);
                    from = end + 1;
                }
            }
            match self.scan(from) {
                Some(at) => end = at,
                None => return Ok(None),
            }
        }
        self.at = end + 1;
        self.finish_string(ec, &out, key).map(Some)
    }

    /// The next byte that is not plain text of a string.
    #[inline]
    fn scan(&self, from: usize) -> Option<usize> {
        let rest = self.text.get(from..)?;
        let (words, _) = rest.as_chunks::<8>();
        for (n, word) in words.iter().enumerate() {
            let special = special_bytes(u64::from_le_bytes(*word));
            if special != 0 {
                return Some(from + 8 * n + special.trailing_zeros() as usize / 8);
            }
        }
        let done = 8 * words.len();
        rest[done..].iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).map(|n| from + done + n)
    }

    fn finish_string(&mut self, ec: &mut Ec, bytes: &[u8], key: bool) -> Res {
        if !key {
            return ec.str(bytes);
        }
        if self.options.symbolize {
            let s = ec.str(bytes)?;
            return ec.intern(s);
        }
        if bytes.len() > CACHED_LENGTH {
            return ec.str(bytes);
        }
        let slot = slot_of(bytes);
        let cached = self.keys[slot];
        if let Some(place) = self.finished.slots.get_mut(self.finished.count) {
            *place = slot as u8;
        }
        if cached.is_heap() && string::with_bytes(ec, cached, |held, _| held == bytes) {
            return Ok(cached);
        }
        let made = string::frozen(ec, bytes, UTF_8);
        let made = ec.check(Value::NIL, made)?;
        self.keys[slot] = made;
        self.hashes[slot] = string::hash(ec, made);
        Ok(made)
    }

    /// Appends what the escape at `at` means, behind text that begins at `from`; where the text goes on.
    fn escape(&mut self, ec: &mut Ec, at: usize, from: usize, out: &mut Vec<u8>) -> Res<usize> {
        let plain = match self.text.get(at + 1) {
            Some(b'"') => b'"',
            Some(b'\\') => b'\\',
            Some(b'/') => b'/',
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => return self.unicode(ec, at, from, out),
            // The string has no end: the scan that follows says so.
            None => return Ok(at + 1),
            Some(&b) => {
                self.at = at;
                if b < 0x20 && !self.options.control_characters {
                    self.at = at + 1;
                    return Err(self.error(ec, b"invalid ASCII control character in string: %s"));
                }
                if !self.options.invalid_escapes {
                    return Err(self.error(ec, b"invalid escape character in string: %s"));
                }
                b
            }
        };
        out.push(plain);
        Ok(at + 2)
    }

    /// `\uXXXX`, a pair of surrogates as one character; the second one alone is encoded as it is.
    fn unicode(&mut self, ec: &mut Ec, at: usize, from: usize, out: &mut Vec<u8>) -> Res<usize> {
        let unit = |at: usize| -> Option<u32> {
            let digits = self.text.get(at + 2..at + 6)?;
            digits.iter().try_fold(0, |n, &b| Some(n * 16 + char::from(b).to_digit(16)?))
        };
        let incomplete: &[u8] = b"incomplete unicode character escape sequence at %s";
        let read = match unit(at) {
            Some(high @ 0xd800..0xdc00) => match (self.text.get(at + 6..at + 8), unit(at + 6)) {
                (Some(b"\\u"), Some(low @ 0xdc00..0xe000)) => {
                    Ok((0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), at + 12))
                }
                (Some(b"\\u"), Some(_)) => Err(&b"invalid surrogate pair at %s"[..]),
                (Some(b"\\u"), None) => Err(incomplete),
                _ => Err(&b"incomplete surrogate pair at %s"[..]),
            },
            Some(code) => Ok((code, at + 6)),
            None => Err(incomplete),
        };
        let (code, end) = match read {
            Ok(read) => read,
            Err(message) => {
                self.at = from;
                return Err(self.error(ec, message));
            }
        };
        match char::from_u32(code) {
            Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            None => out.extend_from_slice(&[
                0xe0 | (code >> 12) as u8,
                0x80 | (code >> 6 & 0x3f) as u8,
                0x80 | (code & 0x3f) as u8,
            ]),
        }
        Ok(end)
    }

    /// How many digits follow from `at`.
    fn digits(&self, at: usize) -> usize {
        self.text.get(at..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count())
    }

    fn number(&mut self, ec: &mut Ec) -> Res {
        let start = self.at;
        let negative = self.peek() == b'-';
        let mut at = start + usize::from(negative);
        let whole = self.digits(at);
        if negative && self.options.allow_nan && self.text[at..].starts_with(b"Infinity") {
            self.at = at + 8;
            return ec.float(f64::NEG_INFINITY);
        }
        if negative && self.text[at..].starts_with(b"Infinity") {
            return Err(self.error(ec, b"unexpected token %s"));
        }
        if whole == 0 || whole > 1 && self.text.get(at) == Some(&b'0') {
            return Err(self.error(ec, b"invalid number: %s"));
        }
        at += whole;
        let mut integer = true;
        if self.text.get(at) == Some(&b'.') {
            integer = false;
            let count = self.digits(at + 1);
            if count == 0 {
                return Err(self.error(ec, b"invalid number: %s"));
            }
            at += 1 + count;
        }
        if matches!(self.text.get(at), Some(b'e' | b'E')) {
            integer = false;
            at += 1;
            if matches!(self.text.get(at), Some(b'+' | b'-')) {
                at += 1;
            }
            let count = self.digits(at);
            if count == 0 {
                return Err(self.error(ec, b"invalid number: %s"));
            }
            at += count;
        }
        self.at = at;
        let text = &self.text[start..at];
        if integer {
            if whole <= 18 {
                let n = text[usize::from(negative)..].iter().fold(0i64, |n, &b| n * 10 + i64::from(b - b'0'));
                return ec.int(if negative { -n } else { n });
            }
            return match BigInt::parse_bytes(text, 10) {
                Some(n) => ec.bigint(n),
                None => Err(ec.fatal("digits that are no number")),
            };
        }
        if self.options.decimal.is_type(Type::Array) {
            let (receiver, name) = (array::get(self.options.decimal, 0), array::get(self.options.decimal, 1));
            let text = ec.str(text)?;
            return match name.as_sym() {
                Some(name) => ec.call(receiver, name, &[text]),
                None => Err(ec.type_error("decimal_class has no constructor")),
            };
        }
        match std::str::from_utf8(text).ok().and_then(|t| t.parse::<f64>().ok()) {
            Some(f) => ec.float(f),
            None => Err(ec.fatal("digits that are no number")),
        }
    }

    /// A ParserError: `%s` in the format is what stands at the place.
    #[cold]
    fn error(&mut self, ec: &mut Ec, format: &[u8]) -> Raised {
        let at = self.at.min(self.text.len());
        let rest = &self.text[at..];
        let stop = rest.iter().take(FRAGMENT).position(|b| matches!(b, 0 | b'\n' | b' ' | b'\t' | b'\r'));
        let mut len = stop.unwrap_or(rest.len().min(FRAGMENT));
        let shown = if rest.is_empty() {
            b"EOF".to_vec()
        } else if len == 0 {
            rest.to_vec()
        } else {
            if len < rest.len() {
                // Not half a character.
                while len > 0 && (0x80..0xc0).contains(&rest[len]) {
                    len -= 1;
                }
            }
            [b"'", &rest[..len], b"'"].concat()
        };
        let mut message = match format.windows(2).position(|w| w == b"%s") {
            Some(place) => [&format[..place], &shown, &format[place + 2..]].concat(),
            None => format.to_vec(),
        };
        let before = &self.text[..at];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = at - before.iter().rposition(|&b| b == b'\n').map_or(0, |n| n + 1) + 1;
        message.extend_from_slice(format!(" at line {line} column {column}").as_bytes());
        let made = super::constant(ec, "ParserError").and_then(|class| {
            let e = ec.new_exception(class, &message)?;
            ec.ivar_put(e, intern("@line"), Value::fixnum(line as i64))?;
            ec.ivar_put(e, intern("@column"), Value::fixnum(column as i64))?;
            Ok(e)
        });
        match made {
            Ok(e) => ec.raise_exception(e),
            Err(raised) => raised,
        }
    }
}
