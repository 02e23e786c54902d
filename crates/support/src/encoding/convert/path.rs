//! Which converters there are, and by way of which encodings they go.

use crate::encoding::{Encoding, Kind};

fn named(name: &str) -> Option<Encoding> {
    Encoding::find(name.as_bytes())
}

/// The encoding that leads from `enc` towards UTF-8; `None` for UTF-8 itself and for what has no converter.
fn towards_utf8(enc: Encoding) -> Option<Encoding> {
    match enc.name() {
        "UTF-8" => None,
        "IBM037" => Some(Encoding::ISO_8859_1),
        "stateless-ISO-2022-JP" => Some(Encoding::EUC_JP),
        "ISO-2022-JP" => named("stateless-ISO-2022-JP"),
        "CP50220" | "CP50221" => named("CP51932"),
        "SJIS-DoCoMo" => named("UTF8-DoCoMo"),
        "SJIS-KDDI" | "stateless-ISO-2022-JP-KDDI" => named("UTF8-KDDI"),
        "ISO-2022-JP-KDDI" => named("stateless-ISO-2022-JP-KDDI"),
        "SJIS-SoftBank" => named("UTF8-SoftBank"),
        "IBM864" | "Windows-1258" | "GB1988" | "macCentEuro" | "macThai" | "ISO-2022-JP-2" | "MacJapanese"
        | "UTF-7" | "Emacs-Mule" => None,
        _ if enc.kind() == Kind::EucTw => None,
        _ => Some(Encoding::UTF_8),
    }
}

/// `enc` and what lies between it and UTF-8, UTF-8 included.
fn chain(enc: Encoding) -> Option<Vec<Encoding>> {
    let mut found = vec![enc];
    let mut at = enc;
    while let Some(next) = towards_utf8(at) {
        found.push(next);
        at = next;
    }
    (at == Encoding::UTF_8).then_some(found)
}

/// Neighbours that need not meet in UTF-8.
fn neighbours(a: Encoding, b: Encoding) -> bool {
    let phone = |e: Encoding| matches!(e.name(), "UTF8-DoCoMo" | "UTF8-KDDI" | "UTF8-SoftBank");
    let pair = (a, b);
    pair == (Encoding::EUC_JP, Encoding::SHIFT_JIS)
        || pair == (Encoding::SHIFT_JIS, Encoding::EUC_JP)
        || phone(a) && phone(b) && a != b
}

/// The encodings a conversion passes, both ends included; `None` if there is no converter.
pub fn path(from: Encoding, to: Encoding) -> Option<Vec<Encoding>> {
    if from == to {
        return None;
    }
    let (up, down) = (chain(from)?, chain(to)?);
    for (i, &a) in up.iter().enumerate() {
        let meet = down.iter().position(|&b| a == b || neighbours(a, b));
        if let Some(j) = meet {
            let mut found = up[..=i].to_vec();
            found.extend(down[..=j].iter().rev().filter(|&&b| b != a));
            return Some(found);
        }
    }
    None
}

/// `Encoding::Converter.asciicompat_encoding`: the ASCII compatible encoding that holds the same characters.
pub fn ascii_compatible_twin(enc: Encoding) -> Option<Encoding> {
    if enc.is_ascii_compatible() && enc.kind() != Kind::Cesu8 {
        return None;
    }
    chain(enc).and_then(|c| c.get(1).copied())
}
