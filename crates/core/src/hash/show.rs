//! Hash: `inspect`, in the style of 3.4: `{name: 1, "a" => 2}`.

use asterism_object::{Value, array, hash};
use asterism_support::Encoding;
use asterism_support::inspect::{inspect as inspect_text, symbol_key_is_simple};
use asterism_symbol::US_ASCII;
use asterism_vm::{Args, Ec, NativeDef, Res};

use crate::array::show::Builder;
use asterism_vm::recursion::{Tag, guard};

pub(super) static LIST: &[NativeDef] =
    &[NativeDef::new("inspect", inspect, 0, 0), NativeDef::new("to_s", inspect, 0, 0)];

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    if hash::is_empty(this) {
        return ec.str_enc(b"{}", US_ASCII);
    }
    let shown = guard(ec, Tag::Inspect, this, |ec| {
        let list = hash::to_pairs(ec, this);
        let list = ec.check(this, list)?;
        let mut text = Builder::new(ec, US_ASCII);
        text.ascii(ec, b"{")?;
        let mut i = 0;
        while let (Some(k), Some(v)) = (array::at(list, i), array::at(list, i + 1)) {
            if i > 0 {
                text.ascii(ec, b", ")?;
            }
            match k.as_symbol() {
                Some(name) => {
                    let label = name.with_name(symbol_key);
                    let label = ec.str(&label)?;
                    if i == 0 {
                        text.begin_as(label);
                    }
                    text.string(ec, label)?;
                    text.ascii(ec, b": ")?;
                }
                None => {
                    let s = ec.inspect(k)?;
                    if i == 0 {
                        text.begin_as(s);
                    }
                    text.string(ec, s)?;
                    text.ascii(ec, b" => ")?;
                }
            }
            let s = ec.inspect(v)?;
            text.string(ec, s)?;
            i += 2;
        }
        text.ascii(ec, b"}")?;
        text.finish(ec)
    })?;
    match shown {
        Some(s) => Ok(s),
        None => ec.str("{...}"),
    }
}

/// A Symbol as a key, without the colon behind it; quoted where the syntax needs it.
pub(crate) fn symbol_key(name: &[u8], encoding: u8) -> Vec<u8> {
    let encoding = Encoding::from_index(usize::from(encoding)).unwrap_or(Encoding::UTF_8);
    if symbol_key_is_simple(encoding, name) { name.to_vec() } else { inspect_text(encoding, name) }
}
