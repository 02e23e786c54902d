//! Unicode normalization of UTF-8 text.

use unicode_normalization::UnicodeNormalization;

/// The normalization forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Canonical composition.
    Nfc,
    /// Canonical decomposition.
    Nfd,
    /// Compatibility composition.
    Nfkc,
    /// Compatibility decomposition.
    Nfkd,
}

/// The normalized text; `None` if `s` is that already, or no UTF-8.
pub fn normalize(form: Form, s: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(s).ok()?;
    let made: String = match form {
        Form::Nfc => text.nfc().collect(),
        Form::Nfd => text.nfd().collect(),
        Form::Nfkc => text.nfkc().collect(),
        Form::Nfkd => text.nfkd().collect(),
    };
    (made != text).then(|| made.into_bytes())
}
