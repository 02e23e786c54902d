//! Keyword arguments of natives.

use asterism_object::{Value, hash};
use asterism_vm::{Ec, Res};

/// The values of the keywords `names` in the Hash; nil where one is missing.
///
/// # Errors
/// ArgumentError for a keyword that is not among them.
pub fn take<const N: usize>(ec: &mut Ec, keywords: Value, names: [&str; N]) -> Res<[Value; N]> {
    let mut found = [Value::NIL; N];
    let mut taken = 0;
    for (slot, name) in found.iter_mut().zip(names) {
        let key = Value::sym(asterism_symbol::intern(name));
        if let Some(v) = ec.hash_get(keywords, key)? {
            *slot = v;
            taken += 1;
        }
    }
    if hash::len(keywords) > taken {
        return unknown(ec, keywords, &names).map(|()| found);
    }
    Ok(found)
}

#[cold]
fn unknown(ec: &mut Ec, keywords: Value, names: &[&str]) -> Res<()> {
    let mut rest = Vec::new();
    let mut pos = 0;
    while let Some((next, key, _)) = hash::iter_next(keywords, pos) {
        pos = next;
        if key.as_sym().is_some_and(|s| names.iter().any(|n| n.as_bytes() == s.bytes())) {
            continue;
        }
        let shown = ec.inspect_for_error(key)?;
        rest.push(String::from_utf8_lossy(&shown).into_owned());
    }
    if rest.is_empty() {
        return Ok(());
    }
    let plural = if rest.len() > 1 { "s" } else { "" };
    Err(ec.arg_error(format!("unknown keyword{plural}: {}", rest.join(", "))))
}
