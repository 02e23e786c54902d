//! Replacements of `sub` and `gsub`, taken apart: text, and what stands for parts of the match.

use asterism_support::encoding::chars::{CharLen, char_len, code_point};
use asterism_support::encoding::{Encoding, Kind};

/// A piece of a replacement.
#[derive(Debug, PartialEq)]
pub enum Piece {
    /// As it stands.
    Text(Vec<u8>),
    /// A group; 0: the whole match.
    Group(usize),
    /// What comes before the match.
    Before,
    /// What comes behind it.
    Behind,
    /// The last group that took part.
    LastGroup,
    /// The last one of these groups that took part.
    Named(Vec<usize>),
}

/// What is wrong with a replacement.
#[derive(Debug, PartialEq)]
pub enum Wrong {
    /// A group that does not exist: its name.
    Name(Vec<u8>),
    /// A name without an end.
    Format,
}

/// The characters of a replacement: of each its byte, if it is ASCII, and where it begins.
struct Chars<'a> {
    bytes: &'a [u8],
    /// `None`: a byte is as good as a character, because none of ASCII is part of another character.
    list: Option<Vec<(u8, usize)>>,
}

impl Chars<'_> {
    fn new(bytes: &[u8], encoding: Encoding) -> Chars<'_> {
        let plain = encoding.is_single_byte() || matches!(encoding.kind(), Kind::Utf8 | Kind::EucJp | Kind::EucKr);
        if plain || bytes.is_ascii() && encoding.is_ascii_compatible() {
            return Chars { bytes, list: None };
        }
        let mut list = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let c = code_point(encoding, rest).map_or(0x80, |(code, _)| u8::try_from(code).unwrap_or(0x80));
            list.push((c, at));
            at += match char_len(encoding, rest) {
                CharLen::Valid(n) => n,
                _ => 1,
            };
        }
        Chars { bytes, list: Some(list) }
    }

    fn len(&self) -> usize {
        self.list.as_ref().map_or(self.bytes.len(), Vec::len)
    }

    fn get(&self, i: usize) -> Option<u8> {
        match &self.list {
            None => self.bytes.get(i).copied(),
            Some(list) => list.get(i).map(|c| c.0),
        }
    }

    /// The first one from `from` on that is `c`.
    fn find(&self, c: u8, from: usize) -> Option<usize> {
        match &self.list {
            None => self.bytes.get(from..)?.iter().position(|known| *known == c).map(|at| from + at),
            Some(list) => list.get(from..)?.iter().position(|known| known.0 == c).map(|at| from + at),
        }
    }

    /// The bytes from one to another.
    fn bytes(&self, from: usize, to: usize) -> &[u8] {
        let place = |i: usize| match &self.list {
            None => i,
            Some(list) => list.get(i).map_or(self.bytes.len(), |c| c.1),
        };
        self.bytes.get(place(from)..place(to)).unwrap_or_default()
    }
}

/// Takes a replacement apart; `has_names`: groups have names, of which `named` knows the numbers.
///
/// # Errors
/// `Wrong::Name` if it names a group that does not exist, `Wrong::Format` if a name has no end.
pub fn template<'a>(
    bytes: &[u8],
    encoding: Encoding,
    has_names: bool,
    named: impl Fn(&[u8]) -> Option<&'a [usize]>,
) -> Result<Vec<Piece>, Wrong> {
    let chars = Chars::new(bytes, encoding);
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut at = 0;
    while let Some(slash) = chars.find(b'\\', at) {
        text.extend_from_slice(chars.bytes(at, slash));
        at = slash;
        let Some(c) = chars.get(slash + 1) else { break };
        at = slash + 2;
        let piece = match c {
            // Where groups have names, numbers mean nothing.
            b'1'..=b'9' if has_names => None,
            b'0'..=b'9' => Some(Piece::Group(usize::from(c - b'0'))),
            b'&' => Some(Piece::Group(0)),
            b'`' => Some(Piece::Before),
            b'\'' => Some(Piece::Behind),
            b'+' => Some(Piece::LastGroup),
            b'k' if chars.get(at) == Some(b'<') => {
                let Some(close) = chars.find(b'>', at) else { return Err(Wrong::Format) };
                let name = chars.bytes(at + 1, close);
                at = close + 1;
                match named(name) {
                    Some(groups) => Some(Piece::Named(groups.to_vec())),
                    None => match std::str::from_utf8(name).ok().and_then(|n| n.parse().ok()) {
                        Some(n) if !has_names => Some(Piece::Group(n)),
                        _ => return Err(Wrong::Name(name.to_vec())),
                    },
                }
            }
            b'\\' => {
                text.extend_from_slice(chars.bytes(slash + 1, at));
                None
            }
            _ => {
                text.extend_from_slice(chars.bytes(slash, at));
                None
            }
        };
        if let Some(piece) = piece {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(piece);
        }
    }
    text.extend_from_slice(chars.bytes(at, chars.len()));
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}
