//! Methods that take something from the ends of a String, and their `!` forms: `strip`, `chomp`, `chop`.

use asterism_object::string::CodeRange;
use asterism_object::{Value, string};
use asterism_support::encoding::chars::code_point;
use asterism_support::encoding::scan;
use asterism_support::{Encoding, strutil};
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

use super::transform::{char_set, compute};
use super::{update, util};

/// Where what is left begins and how many bytes it has; `None` when it is the whole.
type Kept = Res<Option<(usize, usize)>>;

macro_rules! both {
    (@or $f:path) => { $f };
    (@or $f:path, $g:path) => { $g };
    ($($plain:literal $bang:literal $min:literal $max:expr, $name:ident $name_bang:ident $f:path $(, $g:path)?;)*) => {
        /// Methods in pairs.
        pub static PAIRS: &[NativeDef] = &[
            $(NativeDef::new($plain, $name, $min, $max).leaf(), NativeDef::new($bang, $name_bang, $min, $max).leaf(),)*
        ];
        $(
            fn $name(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
                let this = util::settled(ec, this)?;
                let (start, len) = $f(ec, this, args)?.unwrap_or((0, usize::MAX));
                let made = string::substr(ec, this, start, len);
                ec.check(this, made)
            }

            fn $name_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
                update::change(ec, this, args, |ec, this, args| match both!(@or $f $(, $g)?)(ec, this, args)? {
                    Some((start, len)) => {
                        let done = string::crop_own(ec, this, start, len);
                        Ok(ec.check(this, done)?.then_some(this))
                    }
                    None => Ok(Some(Value::NIL)),
                })
            }
        )*
    };
}

both! {
    "strip" "strip!" 0 ANY, strip strip_bang strip_both;
    "lstrip" "lstrip!" 0 ANY, lstrip lstrip_bang strip_left;
    "rstrip" "rstrip!" 0 ANY, rstrip rstrip_bang strip_right;
    "chomp" "chomp!" 0 1, chomp chomp_bang chomped, chomped_bang;
    "chop" "chop!" 0 0, chop chop_bang chopped;
}

/// What is left between two places, if that is not the whole.
fn part_of(s: &[u8], from: usize, to: usize) -> Option<(usize, usize)> {
    let from = from.min(s.len());
    let len = to.min(s.len()).saturating_sub(from);
    (len < s.len()).then_some((from, len))
}

/// Calls `f` with the bytes.
fn look(ec: &mut Ec, this: Value, f: impl FnOnce(&[u8], Encoding) -> Option<(usize, usize)>) -> Kept {
    Ok(string::with_bytes(ec, this, |s, e| f(s, util::of_index(e))))
}

/// The first or the last of what trimming leaves must be a character.
fn check_trim(ec: &mut Ec, this: Value, left: bool, right: bool) -> Res<()> {
    // Where the characters of a text with shift states end cannot be told from its end.
    if right && util::encoding(this).is_dummy() {
        return Err(util::not_with_encoding(ec, this));
    }
    if string::coderange(ec, this) != CodeRange::Broken || util::encoding(this).is_single_byte() {
        return Ok(());
    }
    let (first, last) = string::with_bytes(ec, this, |s, e| {
        let e = util::of_index(e);
        let is_char = |at: usize| s.get(at..).is_none_or(|rest| rest.is_empty() || code_point(e, rest).is_some());
        let end = strutil::rstrip_len(e, s);
        let last = || end == 0 || is_char(scan::char_start(e, s, end - 1));
        (!left || is_char(strutil::lstrip_len(e, s)), !right || last())
    });
    match (first, last) {
        (true, true) => Ok(()),
        (false, _) => Err(super::basic::broken(ec, this)),
        (true, false) => Err(super::basic::incompatible_bytes(ec, this)),
    }
}

/// Takes the characters of a set from the ends.
fn strip_set(ec: &mut Ec, this: Value, args: Args<'_>, left: bool, right: bool) -> Kept {
    let set = char_set(ec, this, args)?;
    let (start, end) = compute(ec, this, |s, _| strutil::trim(&set, s, left, right))?;
    look(ec, this, |s, _| part_of(s, start.min(s.len()), end.min(s.len())))
}

fn strip_both(ec: &mut Ec, this: Value, args: Args<'_>) -> Kept {
    if !args.is_empty() {
        return strip_set(ec, this, args, true, true);
    }
    check_trim(ec, this, true, true)?;
    look(ec, this, |s, e| part_of(s, strutil::lstrip_len(e, s), strutil::rstrip_len(e, s)))
}

fn strip_left(ec: &mut Ec, this: Value, args: Args<'_>) -> Kept {
    if !args.is_empty() {
        return strip_set(ec, this, args, true, false);
    }
    check_trim(ec, this, true, false)?;
    look(ec, this, |s, e| part_of(s, strutil::lstrip_len(e, s), s.len()))
}

fn strip_right(ec: &mut Ec, this: Value, args: Args<'_>) -> Kept {
    if !args.is_empty() {
        return strip_set(ec, this, args, false, true);
    }
    check_trim(ec, this, false, true)?;
    look(ec, this, |s, e| part_of(s, 0, strutil::rstrip_len(e, s)))
}

/// The length without one line end.
pub fn without_newline(s: &[u8]) -> usize {
    match s {
        [.., b'\r', b'\n'] => s.len() - 2,
        [.., b'\n' | b'\r'] => s.len() - 1,
        _ => s.len(),
    }
}

/// `chomp!` of an empty String does not look at its argument.
fn chomped_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Kept {
    if string::is_empty(this) { Ok(None) } else { chomped(ec, this, args) }
}

fn chomped(ec: &mut Ec, this: Value, args: Args<'_>) -> Kept {
    let separator = match args.get(0) {
        None => match ec.gvar_get(asterism_symbol::intern("$/"))? {
            Value::NIL => return Ok(None),
            default => default,
        },
        Some(Value::NIL) => return Ok(None),
        Some(v) => util::to_str(ec, v)?,
    };
    if string::is_empty(this) {
        return Ok(None);
    }
    if string::len(separator) > string::len(this) {
        return Ok(None);
    }
    let given = separator;
    let separator = string::read(ec, separator);
    let is_newline = matches!(
        asterism_support::encoding::chars::code_point(util::encoding(given), &separator),
        Some((0x0a, len)) if len == separator.len()
    );
    if !is_newline && !separator.is_empty() {
        util::check_compatible(ec, this, given)?;
        if string::coderange(ec, given) == CodeRange::Broken {
            return Ok(None);
        }
    }
    match separator.as_bytes() {
        _ if is_newline => look(ec, this, |s, e| part_of(s, 0, chomp_newline(e, s))),
        b"" => look(ec, this, |s, e| {
            let mut end = s.len();
            let unit = e.min_len();
            if unit > 1 {
                let is_newline = |end: usize| s[..end].len() >= unit && chomp_newline(e, &s[..end]) < end;
                while is_newline(end) && !ends_with_return(e, &s[..end]) {
                    end = chomp_newline(e, &s[..end]);
                }
                return part_of(s, 0, end);
            }
            while s[..end].ends_with(b"\n") {
                end -= if s[..end].ends_with(b"\r\n") { 2 } else { 1 };
            }
            part_of(s, 0, end)
        }),
        separator => look(ec, this, |s, e| {
            let at = s.len().checked_sub(separator.len())?;
            if !s.ends_with(separator) || scan::char_start(e, s, at) != at {
                return None;
            }
            part_of(s, 0, at)
        }),
    }
}

/// The length without one line end, in any encoding.
fn chomp_newline(e: Encoding, s: &[u8]) -> usize {
    let unit = e.min_len();
    if unit == 1 {
        return without_newline(s);
    }
    let char_at = |end: usize| {
        let from = end.checked_sub(unit)?;
        let (code, _) = asterism_support::encoding::chars::code_point(e, s.get(from..end)?)?;
        Some(code)
    };
    match char_at(s.len()) {
        Some(0x0a) if char_at(s.len() - unit) == Some(0x0d) => s.len() - 2 * unit,
        Some(0x0a | 0x0d) => s.len() - unit,
        _ => s.len(),
    }
}

/// Does text in an encoding of wide units end with a carriage return?
fn ends_with_return(e: Encoding, s: &[u8]) -> bool {
    let last = s.len().checked_sub(e.min_len()).and_then(|from| s.get(from..));
    matches!(last.and_then(|last| asterism_support::encoding::chars::code_point(e, last)), Some((0x0d, _)))
}

fn chopped(ec: &mut Ec, this: Value, _args: Args<'_>) -> Kept {
    look(ec, this, |s, e| {
        if s.is_empty() {
            return None;
        }
        if s.ends_with(b"\r\n") && e.min_len() == 1 {
            return part_of(s, 0, s.len() - 2);
        }
        let last = s.len() - 1;
        let start = if s[last] < 0x80 && e.kind() == asterism_support::encoding::Kind::Utf8 {
            last
        } else {
            scan::char_start(e, s, last)
        };
        part_of(s, 0, start)
    })
}
