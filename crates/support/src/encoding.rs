//! Encodings: which exist, and how bytes make characters in each.
//!
//! An [`Encoding`] is one byte, an index into the static table, so the VM can keep it in an
//! object header.

pub mod chars;
pub mod convert;
mod rows;
pub mod scan;
mod single;
mod table;
pub mod transcode;

pub use chars::CharLen;
pub use scan::CodeRange;
pub use table::{ENCODINGS, Info};

#[cfg(test)]
mod tests;

/// How an encoding builds characters from bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every byte is a character; the high half has no meaning (`ASCII-8BIT`).
    Binary,
    /// Bytes below 0x80 only.
    UsAscii,
    /// Every byte is a character.
    Single,
    /// UTF-8 and its vendor variants.
    Utf8,
    /// UTF-16, big-endian.
    Utf16Be,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-32, big-endian.
    Utf32Be,
    /// UTF-32, little-endian.
    Utf32Le,
    /// UTF-8 with surrogate pairs of three bytes each.
    Cesu8,
    /// EUC-JP and relatives.
    EucJp,
    /// Shift_JIS and relatives.
    Sjis,
    /// EUC-KR, GB2312: two bytes 0xA1-0xFE.
    EucKr,
    /// EUC-TW.
    EucTw,
    /// CP949.
    Cp949,
    /// Big5 and its variants: lead bytes from 0xA1, as CRuby has it, in those too that have more.
    Big5,
    /// GBK.
    Gbk,
    /// GB18030.
    Gb18030,
    /// Emacs's internal code.
    EmacsMule,
}

/// An encoding, by its index in [`ENCODINGS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Encoding(u8);

impl Encoding {
    /// `ASCII-8BIT`, also called `BINARY`.
    pub const BINARY: Encoding = Encoding(0);
    /// `UTF-8`.
    pub const UTF_8: Encoding = Encoding(1);
    /// `US-ASCII`.
    pub const US_ASCII: Encoding = Encoding(2);
    /// `UTF-16BE`.
    pub const UTF_16BE: Encoding = Encoding(3);
    /// `UTF-16LE`.
    pub const UTF_16LE: Encoding = Encoding(4);
    /// `UTF-32BE`.
    pub const UTF_32BE: Encoding = Encoding(5);
    /// `UTF-32LE`.
    pub const UTF_32LE: Encoding = Encoding(6);
    /// `UTF-16` (dummy; with a byte order mark).
    pub const UTF_16: Encoding = Encoding(7);
    /// `UTF-32` (dummy; with a byte order mark).
    pub const UTF_32: Encoding = Encoding(8);
    /// `EUC-JP`.
    pub const EUC_JP: Encoding = Encoding(10);
    /// `Windows-31J`.
    pub const WINDOWS_31J: Encoding = Encoding(11);
    /// `ISO-8859-1`.
    pub const ISO_8859_1: Encoding = Encoding(22);
    /// `Shift_JIS`.
    pub const SHIFT_JIS: Encoding = Encoding(39);

    /// How many there are; indices are below this.
    pub const COUNT: usize = ENCODINGS.len();

    /// The encoding of an index, `None` if there is none.
    pub fn from_index(index: usize) -> Option<Encoding> {
        (index < ENCODINGS.len()).then_some(Encoding(index as u8))
    }

    /// The index in [`ENCODINGS`].
    pub fn index(self) -> u8 {
        self.0
    }

    /// All encodings in CRuby's order.
    pub fn all() -> impl Iterator<Item = Encoding> {
        (0..ENCODINGS.len()).map(|i| Encoding(i as u8))
    }

    /// `Encoding.find` without the special names `locale`, `external`, `internal`, `filesystem`.
    pub fn find(name: &[u8]) -> Option<Encoding> {
        let is = |n: &&str| n.as_bytes().eq_ignore_ascii_case(name);
        ENCODINGS.iter().position(|e| is(&e.name) || e.aliases.iter().any(is)).and_then(Encoding::from_index)
    }

    fn info(self) -> &'static Info {
        &ENCODINGS[usize::from(self.0)]
    }

    /// `Encoding#name`. (`Encoding#to_s` too.)
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The names beside [`Encoding::name`].
    pub fn aliases(self) -> &'static [&'static str] {
        self.info().aliases
    }

    /// `Encoding#inspect` of 3.4: `#<Encoding:UTF-8>`, `#<Encoding:BINARY (ASCII-8BIT)>`.
    pub fn inspect(self) -> String {
        if self == Encoding::BINARY {
            return "#<Encoding:BINARY (ASCII-8BIT)>".to_string();
        }
        let dummy = if self.is_dummy() { " (dummy)" } else { "" };
        format!("#<Encoding:{}{dummy}>", self.name())
    }

    /// How characters are built.
    pub fn kind(self) -> Kind {
        self.info().kind
    }

    /// `Encoding#dummy?`.
    pub fn is_dummy(self) -> bool {
        self.info().dummy
    }

    /// `Encoding#ascii_compatible?`.
    pub fn is_ascii_compatible(self) -> bool {
        !self.is_dummy() && !matches!(self.kind(), Kind::Utf16Be | Kind::Utf16Le | Kind::Utf32Be | Kind::Utf32Le)
    }

    /// Whether code points are Unicode's.
    pub fn is_unicode(self) -> bool {
        matches!(self.kind(), Kind::Utf8 | Kind::Cesu8 | Kind::Utf16Be | Kind::Utf16Le | Kind::Utf32Be | Kind::Utf32Le)
            || matches!(self, Encoding::UTF_16 | Encoding::UTF_32)
    }

    /// Whether every character is one byte.
    pub fn is_single_byte(self) -> bool {
        matches!(self.kind(), Kind::Binary | Kind::UsAscii | Kind::Single)
    }

    /// The fewest bytes a character has.
    pub fn min_len(self) -> usize {
        match self.kind() {
            Kind::Utf16Be | Kind::Utf16Le => 2,
            Kind::Utf32Be | Kind::Utf32Le => 4,
            _ => 1,
        }
    }

    /// The most bytes a character has.
    pub fn max_len(self) -> usize {
        match self.kind() {
            Kind::Binary | Kind::UsAscii | Kind::Single => 1,
            Kind::Sjis | Kind::EucKr | Kind::Cp949 | Kind::Big5 | Kind::Gbk => 2,
            Kind::EucJp => 3,
            Kind::Cesu8 => 6,
            _ => 4,
        }
    }
}
