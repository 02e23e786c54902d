//! The two ends of a conversion: bytes to Unicode and back, with the state that some encodings have.

use std::collections::HashMap;

use unicode_normalization::char::{compose, decompose_canonical};

use crate::encoding::chars::{CharLen, char_len, push_code_point};
use crate::encoding::transcode::{Next, encode_char, next_char};
use crate::encoding::{Encoding, Kind};

/// The character sets that ISO-2022-JP switches between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Jis {
    Ascii,
    Roman,
    Kanji,
    Kana,
}

/// Which of the ISO-2022-JP family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    Iso,
    /// CP50221: half-width katakana as they are.
    Vendor,
    /// CP50220: half-width katakana become full-width ones.
    VendorWide,
}

impl Family {
    fn of(enc: Encoding) -> Option<Family> {
        match enc.name() {
            "ISO-2022-JP" | "ISO-2022-JP-KDDI" => Some(Family::Iso),
            "CP50221" => Some(Family::Vendor),
            "CP50220" => Some(Family::VendorWide),
            _ => None,
        }
    }

    fn table(self) -> Encoding {
        match self {
            Family::Iso => Encoding::EUC_JP,
            _ => Encoding::find(b"CP51932").unwrap_or(Encoding::EUC_JP),
        }
    }
}

/// What stands at the front of the input.
pub(super) enum Decoded {
    Char(u32, usize),
    /// Bytes that only change the state.
    Skip(usize),
    /// A character that Unicode lacks.
    NoMeaning(usize),
    /// No character, or not a whole one; how long its good beginning is, and if more input could complete it.
    Broken {
        begun: usize,
        more: bool,
    },
}

/// Bytes to Unicode.
#[derive(Clone, Debug)]
pub(super) enum Decoder {
    /// Nothing is converted; each byte stands for itself.
    Bytes,
    Plain(Encoding),
    /// UTF-16 or UTF-32 with a byte order mark; the encoding that it told.
    Marked {
        wide: bool,
        order: Option<Encoding>,
    },
    Jis {
        family: Family,
        set: Jis,
    },
    Ebcdic,
    /// UTF8-MAC: composed again; the character that may still take a mark.
    Mac,
}

impl Decoder {
    pub(super) fn new(enc: Encoding) -> Decoder {
        if let Some(family) = Family::of(enc) {
            return Decoder::Jis { family, set: Jis::Ascii };
        }
        match enc {
            Encoding::UTF_16 => Decoder::Marked { wide: false, order: None },
            Encoding::UTF_32 => Decoder::Marked { wide: true, order: None },
            _ if enc.name() == "IBM037" => Decoder::Ebcdic,
            _ if enc.name() == "UTF8-MAC" => Decoder::Mac,
            _ => Decoder::Plain(enc),
        }
    }

    /// The smallest unit of the bytes: how many an error takes at least.
    pub(super) fn unit(&self) -> usize {
        match self {
            Decoder::Plain(enc) => enc.min_len(),
            Decoder::Marked { wide, .. } => 2 << usize::from(*wide),
            _ => 1,
        }
    }

    /// What stands for a place of the Japanese character sets where Unicode has no character; encoders of those sets
    /// write it.
    pub(super) fn place(&self, bytes: &[u8]) -> Option<u32> {
        let graphic = |b: u8| matches!(b, 0xa1..=0xfe);
        let (a, b) = match (self, bytes) {
            (Decoder::Plain(enc), &[0x8e, b]) if enc.kind() == Kind::EucJp => (0, b),
            (Decoder::Plain(enc), &[a, b]) if enc.kind() == Kind::EucJp => (a, b),
            (Decoder::Plain(enc), &[0x90 | 0x92, a, b]) if enc.kind() == Kind::EmacsMule => (a, b),
            (Decoder::Jis { set: Jis::Kanji, .. }, &[a, b]) => (a | 0x80, b | 0x80),
            (Decoder::Plain(enc), &[a @ (0x81..=0x9f | 0xe0..=0xef), b]) if enc.kind() == Kind::Sjis => {
                let row = 2 * (a - if a < 0xa0 { 0x81 } else { 0xc1 });
                if b >= 0x9f { (row + 0xa2, b + 2) } else { (row + 0xa1, b + 0x61 - u8::from(b > 0x7f)) }
            }
            _ => return None,
        };
        ((a == 0 || graphic(a)) && graphic(b)).then(|| PLACE | u32::from(a) << 8 | u32::from(b))
    }

    /// Decodes one character of `rest`, which is not empty.
    pub(super) fn next(&mut self, rest: &[u8]) -> Decoded {
        let first = rest.first().copied().unwrap_or(0);
        match self {
            Decoder::Bytes => Decoded::Char(u32::from(first), 1),
            Decoder::Ebcdic => Decoded::Char(u32::from(EBCDIC[usize::from(first)]), 1),
            Decoder::Plain(enc) => plain(*enc, rest),
            Decoder::Mac => plain(Encoding::UTF_8, rest),
            Decoder::Marked { order: Some(enc), .. } => plain(*enc, rest),
            Decoder::Marked { wide, order } => {
                let marks: [(&[u8], Encoding); 2] = if *wide {
                    [(b"\0\0\xfe\xff", Encoding::UTF_32BE), (b"\xff\xfe\0\0", Encoding::UTF_32LE)]
                } else {
                    [(b"\xfe\xff", Encoding::UTF_16BE), (b"\xff\xfe", Encoding::UTF_16LE)]
                };
                for (mark, enc) in marks {
                    if rest.starts_with(mark) {
                        *order = Some(enc);
                        return Decoded::Skip(mark.len());
                    }
                }
                let begun = marks
                    .iter()
                    .map(|(mark, _)| mark.iter().zip(rest).take_while(|(a, b)| a == b).count())
                    .max()
                    .unwrap_or(0);
                Decoded::Broken { begun, more: begun == rest.len() }
            }
            Decoder::Jis { family, set } => jis(*family, set, rest),
        }
    }
}

/// What no code point has.
const PLACE: u32 = 1 << 31;

/// Is it what `Decoder::place` made?
pub(super) fn is_place(code: u32) -> bool {
    code & PLACE != 0
}

/// Writes what `Decoder::place` made.
fn encode_place(encoder: &mut Encoder, code: u32, out: &mut Vec<u8>) -> bool {
    let (a, b) = ((code >> 8) as u8, code as u8);
    let kind = match encoder {
        Encoder::EucJp { .. } => Kind::EucJp,
        Encoder::Plain(enc) => enc.kind(),
        Encoder::Jis { family: Family::Vendor | Family::VendorWide, set } if a == 0 => {
            switch(set, Jis::Kana, out);
            out.push(b & 0x7f);
            return true;
        }
        Encoder::Jis { set, .. } if a != 0 => {
            switch(set, Jis::Kanji, out);
            out.extend_from_slice(&[a & 0x7f, b & 0x7f]);
            return true;
        }
        _ => return false,
    };
    match kind {
        Kind::EucJp => out.extend_from_slice(&[if a == 0 { 0x8e } else { a }, b]),
        Kind::EmacsMule if a != 0 => out.extend_from_slice(&[0x92, a, b]),
        Kind::Sjis if a != 0 => {
            let row = (a - 0xa1) / 2;
            let lead = row + if row < 0x1f { 0x81 } else { 0xc1 };
            let trail = if a % 2 == 0 { b - 2 } else { b - 0x61 + u8::from(b >= 0xe0) };
            out.extend_from_slice(&[lead, trail]);
        }
        _ => return false,
    }
    true
}

fn plain(enc: Encoding, rest: &[u8]) -> Decoded {
    // The first byte of the second half of a pair tells already that it is none.
    if enc == Encoding::UTF_16BE && matches!(*rest, [0xd8..=0xdb, _, other, ..] if !matches!(other, 0xdc..=0xdf)) {
        return Decoded::Broken { begun: 2, more: false };
    }
    match next_char(enc, rest) {
        Next::Char(code, len) => Decoded::Char(code, len),
        Next::NoMeaning(len) => Decoded::NoMeaning(len),
        Next::Broken => {
            if matches!(char_len(enc, rest), CharLen::NeedMore(_)) {
                return Decoded::Broken { begun: rest.len(), more: true };
            }
            let longest = enc.max_len().min(rest.len());
            let begun = (1..longest).rev().find(|&n| matches!(char_len(enc, &rest[..n]), CharLen::NeedMore(_)));
            Decoded::Broken { begun: begun.unwrap_or(0), more: false }
        }
    }
}

fn jis(family: Family, set: &mut Jis, rest: &[u8]) -> Decoded {
    let first = rest.first().copied().unwrap_or(0);
    if first == 0x1b {
        let known: [(&[u8], Jis); 5] = [
            (b"\x1b(B", Jis::Ascii),
            (b"\x1b(J", Jis::Roman),
            (b"\x1b$B", Jis::Kanji),
            (b"\x1b$@", Jis::Kanji),
            (b"\x1b(I", Jis::Kana),
        ];
        let known = if family == Family::Iso { &known[..4] } else { &known[..] };
        let mut begun = 1;
        for (escape, to) in known {
            if rest.starts_with(escape) {
                *set = *to;
                return Decoded::Skip(escape.len());
            }
            begun = begun.max(escape.iter().zip(rest).take_while(|(a, b)| a == b).count());
        }
        return Decoded::Broken { begun, more: begun == rest.len() };
    }
    let graphic = |b: u8| matches!(b, 0x21..=0x7e);
    if family != Family::Iso {
        match first {
            0x0e | 0x0f => {
                *set = if first == 0x0e { Jis::Kana } else { Jis::Ascii };
                return Decoded::Skip(1);
            }
            0xa1..=0xdf => return Decoded::Char(0xff61 + u32::from(first - 0xa1), 1),
            _ => {}
        }
    }
    match set {
        Jis::Ascii | Jis::Roman if first < 0x80 && !matches!(first, 0x0e | 0x0f) => Decoded::Char(u32::from(first), 1),
        Jis::Kana if matches!(first, 0x21..=0x5f) => Decoded::Char(0xff61 + u32::from(first - 0x21), 1),
        Jis::Kanji if graphic(first) => match rest.get(1) {
            None => Decoded::Broken { begun: 1, more: true },
            Some(&second) if graphic(second) => match plain(family.table(), &[first | 0x80, second | 0x80]) {
                Decoded::Char(code, _) => Decoded::Char(code, 2),
                _ => Decoded::NoMeaning(2),
            },
            Some(_) => Decoded::Broken { begun: 1, more: false },
        },
        _ => Decoded::Broken { begun: 0, more: false },
    }
}

/// The composition of two characters that follow each other in UTF8-MAC.
pub(super) fn mac_compose(first: u32, second: u32) -> Option<u32> {
    compose(char::from_u32(first)?, char::from_u32(second)?).map(|c| c as u32)
}

/// Unicode to bytes.
#[derive(Clone, Debug)]
pub(super) enum Encoder {
    Bytes,
    Plain(Encoding),
    /// UTF-16 or UTF-32 with a byte order mark, and if it was written.
    Marked {
        wide: bool,
        begun: bool,
    },
    Jis {
        family: Family,
        set: Jis,
    },
    Ebcdic,
    Mac,
    /// EUC-JP with the characters of JIS X 0212, found by decoding them all when one is first asked for.
    EucJp {
        more: Option<HashMap<u32, [u8; 3]>>,
    },
}

impl Encoder {
    pub(super) fn new(enc: Encoding) -> Encoder {
        if let Some(family) = Family::of(enc) {
            return Encoder::Jis { family, set: Jis::Ascii };
        }
        match enc {
            Encoding::UTF_16 => Encoder::Marked { wide: false, begun: false },
            Encoding::UTF_32 => Encoder::Marked { wide: true, begun: false },
            Encoding::EUC_JP => Encoder::EucJp { more: None },
            _ if enc.name() == "IBM037" => Encoder::Ebcdic,
            _ if enc.name() == "UTF8-MAC" => Encoder::Mac,
            _ => Encoder::Plain(enc),
        }
    }

    /// Appends a character; false if the encoding lacks it.
    pub(super) fn encode(&mut self, code: u32, out: &mut Vec<u8>) -> bool {
        if is_place(code) {
            return encode_place(self, code, out);
        }
        match self {
            Encoder::Bytes => {
                out.push(code as u8);
                true
            }
            Encoder::Plain(enc) => encode_char(*enc, code, out),
            Encoder::Marked { wide, begun } => {
                let (mark, enc): (&[u8], _) =
                    if *wide { (b"\0\0\xfe\xff", Encoding::UTF_32BE) } else { (b"\xfe\xff", Encoding::UTF_16BE) };
                let before = out.len();
                if !*begun {
                    out.extend_from_slice(mark);
                }
                let done = push_code_point(enc, code, out).is_ok();
                if done {
                    *begun = true;
                } else {
                    out.truncate(before);
                }
                done
            }
            Encoder::Jis { family, set } => encode_jis(*family, set, code, out),
            Encoder::Ebcdic => match EBCDIC.iter().position(|&b| u32::from(b) == code) {
                Some(at) => {
                    out.push(at as u8);
                    true
                }
                None => false,
            },
            Encoder::Mac => encode_mac(code, out),
            Encoder::EucJp { more } => {
                if encode_char(Encoding::EUC_JP, code, out) {
                    return true;
                }
                match more.get_or_insert_with(jis_x_0212).get(&code) {
                    Some(bytes) => {
                        out.extend_from_slice(bytes);
                        true
                    }
                    None => false,
                }
            }
        }
    }

    /// What the encoding puts at the end of the text.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if let Encoder::Jis { set, .. } = self {
            switch(set, Jis::Ascii, out);
        }
    }
}

fn jis_x_0212() -> HashMap<u32, [u8; 3]> {
    let mut found = HashMap::new();
    for a in 0xa1..=0xfe {
        for b in 0xa1..=0xfe {
            if let Next::Char(code, 3) = next_char(Encoding::EUC_JP, &[0x8f, a, b]) {
                found.entry(code).or_insert([0x8f, a, b]);
            }
        }
    }
    found
}

fn encode_mac(code: u32, out: &mut Vec<u8>) -> bool {
    let Some(c) = char::from_u32(code) else { return false };
    // The file system leaves these as they are.
    let kept = matches!(code, 0x2000..=0x2fff | 0xf900..=0xfaff | 0x2f800..=0x2faff);
    let mut put = |c: char| {
        let mut buf = [0; 4];
        out.extend_from_slice(c.encode_utf8(&mut buf).as_bytes());
    };
    if kept {
        put(c)
    } else {
        decompose_canonical(c, put)
    }
    true
}

fn switch(set: &mut Jis, to: Jis, out: &mut Vec<u8>) {
    if *set == to {
        return;
    }
    *set = to;
    out.extend_from_slice(match to {
        Jis::Ascii => b"\x1b(B",
        Jis::Roman => b"\x1b(J",
        Jis::Kanji => b"\x1b$B",
        Jis::Kana => b"\x1b(I",
    });
}

fn encode_jis(family: Family, set: &mut Jis, code: u32, out: &mut Vec<u8>) -> bool {
    if let Ok(b @ 0..=0x7f) = u8::try_from(code) {
        switch(set, Jis::Ascii, out);
        out.push(b);
        return true;
    }
    let mut code = code;
    if matches!(code, 0xff61..=0xff9f) {
        match family {
            Family::Iso => return false,
            Family::Vendor => {
                switch(set, Jis::Kana, out);
                out.push((code - 0xff61) as u8 + 0x21);
                return true;
            }
            Family::VendorWide => code = full_width(code),
        }
    }
    let mut bytes = Vec::new();
    if !encode_char(family.table(), code, &mut bytes) {
        return false;
    }
    match bytes[..] {
        [a @ 0xa1..=0xff, b @ 0xa1..=0xff] => {
            switch(set, Jis::Kanji, out);
            out.extend_from_slice(&[a & 0x7f, b & 0x7f]);
            true
        }
        _ => false,
    }
}

/// The full-width katakana of a half-width one.
fn full_width(code: u32) -> u32 {
    match code {
        0xff9e => 0x309b,
        0xff9f => 0x309c,
        _ => {
            let mut wide = code;
            if let Some(c) = char::from_u32(code) {
                unicode_normalization::char::decompose_compatible(c, |c| wide = c as u32);
            }
            wide
        }
    }
}

/// A half-width katakana and the sound mark behind it as one full-width character.
pub(super) fn voiced(first: u32, mark: u32) -> Option<u32> {
    let mark = match mark {
        0xff9e => '\u{3099}',
        0xff9f => '\u{309a}',
        _ => return None,
    };
    if !matches!(first, 0xff61..=0xff9d) {
        return None;
    }
    compose(char::from_u32(full_width(first))?, mark).map(|c| c as u32)
}

/// Would `enc`, one of those a conversion passes, have the character?
pub(super) fn character(enc: Encoding, code: u32) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut encoder = Encoder::new(enc);
    let fits = match enc.kind() {
        Kind::Single if matches!(encoder, Encoder::Plain(_)) && enc.is_dummy() => false,
        _ => encoder.encode(code, &mut out),
    };
    fits.then_some(out)
}

/// IBM037 (EBCDIC) to ISO-8859-1.
#[rustfmt::skip]
static EBCDIC: [u8; 256] = [
    0, 1, 2, 3, 156, 9, 134, 127, 151, 141, 142, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 157, 133, 8, 135, 24, 25, 146, 143, 28, 29, 30, 31,
    128, 129, 130, 131, 132, 10, 23, 27, 136, 137, 138, 139, 140, 5, 6, 7,
    144, 145, 22, 147, 148, 149, 150, 4, 152, 153, 154, 155, 20, 21, 158, 26,
    32, 160, 226, 228, 224, 225, 227, 229, 231, 241, 162, 46, 60, 40, 43, 124,
    38, 233, 234, 235, 232, 237, 238, 239, 236, 223, 33, 36, 42, 41, 59, 172,
    45, 47, 194, 196, 192, 193, 195, 197, 199, 209, 166, 44, 37, 95, 62, 63,
    248, 201, 202, 203, 200, 205, 206, 207, 204, 96, 58, 35, 64, 39, 61, 34,
    216, 97, 98, 99, 100, 101, 102, 103, 104, 105, 171, 187, 240, 253, 254, 177,
    176, 106, 107, 108, 109, 110, 111, 112, 113, 114, 170, 186, 230, 184, 198, 164,
    181, 126, 115, 116, 117, 118, 119, 120, 121, 122, 161, 191, 208, 221, 222, 174,
    94, 163, 165, 183, 169, 167, 182, 188, 189, 190, 91, 93, 175, 168, 180, 215,
    123, 65, 66, 67, 68, 69, 70, 71, 72, 73, 173, 244, 246, 242, 243, 245,
    125, 74, 75, 76, 77, 78, 79, 80, 81, 82, 185, 251, 252, 249, 250, 255,
    92, 247, 83, 84, 85, 86, 87, 88, 89, 90, 178, 212, 214, 210, 211, 213,
    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 179, 219, 220, 217, 218, 159,
];
