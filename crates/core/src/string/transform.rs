//! Methods that make a changed String, and their `!` forms that change the receiver: case, padding,
//! `tr`, `delete`, `squeeze`, `succ`, `reverse`.

use asterism_object::string::CodeRange;
use asterism_object::{Value, string};
use asterism_support::case::{self, CaseOp, CaseOptions};
use asterism_support::encoding::scan;
use asterism_support::strutil::{self, CharSet};
use asterism_support::{Encoding, Result as Computed};
use asterism_vm::memory::Buffer;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

use super::{update, util};
use crate::support_error;

macro_rules! both {
    ($($plain:literal $bang:literal $min:literal $max:expr, $name:ident $name_bang:ident $f:path;)*) => {
        /// Methods in pairs.
        pub static PAIRS: &[NativeDef] = &[
            $(NativeDef::new($plain, $name, $min, $max).leaf(), NativeDef::new($bang, $name_bang, $min, $max).leaf(),)*
        ];
        $(
            fn $name(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
                match $f(ec, this, args)? {
                    Some((bytes, encoding)) => util::make(ec, &bytes, encoding),
                    None => {
                        let made = string::dup(ec, this);
                        ec.check(this, made)
                    }
                }
            }

            fn $name_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
                update::change(ec, this, args, |ec, this, args| match $f(ec, this, args)? {
                    Some((bytes, encoding)) => update::become_own(ec, this, &bytes, encoding),
                    None => Ok(Some(Value::NIL)),
                })
            }
        )*
    };
}

both! {
    "upcase" "upcase!" 0 ANY, upcase upcase_bang up;
    "downcase" "downcase!" 0 ANY, downcase downcase_bang down;
    "swapcase" "swapcase!" 0 ANY, swapcase swapcase_bang swap;
    "capitalize" "capitalize!" 0 ANY, capitalize capitalize_bang capital;
    "tr" "tr!" 2 2, tr tr_bang translated;
    "tr_s" "tr_s!" 2 2, tr_s tr_s_bang translated_squeezed;
    "delete" "delete!" 0 ANY, delete delete_bang deleted;
    "squeeze" "squeeze!" 0 ANY, squeeze squeeze_bang squeezed;
}

/// The other methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("succ", succ, 0, 0).leaf(),
    NativeDef::new("next", succ, 0, 0).leaf(),
    NativeDef::new("succ!", succ_bang, 0, 0).leaf(),
    NativeDef::new("next!", succ_bang, 0, 0).leaf(),
    NativeDef::new("reverse", reverse, 0, 0).leaf(),
    NativeDef::new("reverse!", reverse_bang, 0, 0).leaf(),
    NativeDef::new("count", count, 0, ANY).leaf(),
    NativeDef::new("center", center, 1, 2).leaf(),
    NativeDef::new("ljust", ljust, 1, 2).leaf(),
    NativeDef::new("rjust", rjust, 1, 2).leaf(),
    NativeDef::new("casecmp", casecmp, 1, 1).leaf(),
    NativeDef::new("casecmp?", casecmp_p, 1, 1).leaf(),
];

/// The new bytes and their encoding, `None` when nothing changes.
type Changed = Res<Option<(Vec<u8>, Encoding)>>;

/// Texts that are longer are worked on in parts.
const LONG: usize = 256 << 10;

/// Calls `work` with the parts of a text, cut between characters, in order. Between two of them the thread looks for what asks for
/// its attention.
fn each_part(ec: &mut Ec, this: Value, mut work: impl FnMut(&mut Ec, &[u8], Encoding) -> Res<()>) -> Res<()> {
    let source = string::read(ec, this);
    let encoding = util::of_index(source.encoding());
    let mut at = 0;
    while at < source.len() {
        let end = match source.len() - at {
            ..=LONG => source.len(),
            _ => scan::char_start(encoding, &source, at + LONG),
        };
        // A text whose characters cannot be told apart is one part.
        let end = if end > at { end } else { source.len() };
        work(ec, &source[at..end], encoding)?;
        at = end;
        util::outcall(ec, Ec::poll)?;
    }
    Ok(())
}

/// What `f` makes of the parts of a long text, one behind the other; what it makes nothing of stays as it is. `None` when nothing
/// changes.
fn change_parts(
    ec: &mut Ec,
    this: Value,
    mut f: impl FnMut(&[u8], Encoding) -> Computed<Option<Vec<u8>>>,
) -> Res<Option<Vec<u8>>> {
    let mut out = Buffer::new(ec);
    let mut changes = false;
    each_part(ec, this, |ec, part, encoding| {
        let changed = support_error::check(ec, f(part, encoding))?;
        changes |= changed.as_ref().is_some_and(|changed| changed != part);
        out.append(ec, changed.as_deref().unwrap_or(part))
    })?;
    Ok(changes.then(|| out.into_parts().0))
}

/// Calls `f` with the bytes; `None` when nothing changes.
fn change(ec: &mut Ec, this: Value, f: impl FnOnce(&[u8], Encoding) -> Option<Vec<u8>>) -> Changed {
    let _made = ec.charge(string::len(this))?;
    Ok(string::with_bytes(ec, this, |s, e| {
        let e = util::of_index(e);
        f(s, e).filter(|changed| changed != s).map(|changed| (changed, e))
    }))
}

/// The options of the case methods; `fold` says whether `:fold` is allowed.
///
/// # Errors
/// ArgumentError for options that are unknown or exclude each other.
pub fn case_options(ec: &mut Ec, args: Args<'_>, fold: bool) -> Res<(CaseOptions, bool)> {
    let mut options = CaseOptions::default();
    let names = args.slice();
    if names.len() > 2 {
        return Err(ec.arg_error("too many options"));
    }
    let mut folding = false;
    for (i, v) in names.iter().enumerate() {
        match v.as_sym().map_or(&b""[..], |name| name.bytes()) {
            b"turkic" if i == 0 || !options.turkic => options.turkic = true,
            b"lithuanian" if i == 0 || options.turkic => {}
            _ if i > 0 => return Err(ec.arg_error("invalid second option")),
            _ if names.len() > 1 => return Err(ec.arg_error("too many options")),
            b"fold" if !fold => return Err(ec.arg_error("option :fold only allowed for downcasing")),
            b"ascii" => options.ascii = true,
            b"fold" => folding = true,
            _ => return Err(ec.arg_error("invalid option")),
        }
    }
    Ok((options, folding))
}

/// Only what is text has a case.
fn check_mappable(ec: &mut Ec, this: Value) -> Res<()> {
    if string::coderange(ec, this) == CodeRange::Broken && !util::encoding(this).is_single_byte() {
        return Err(ec.arg_error("input string invalid"));
    }
    Ok(())
}

fn map_case(ec: &mut Ec, this: Value, args: Args<'_>, op: CaseOp) -> Changed {
    let (options, folding) = case_options(ec, args, op == CaseOp::Down)?;
    let op = if folding { CaseOp::Fold } else { op };
    if !options.ascii {
        check_mappable(ec, this)?;
    }
    // Only the first letter of the whole is what `capitalize` makes upper case.
    if string::len(this) > LONG && op != CaseOp::Capitalize {
        let changed = change_parts(ec, this, |s, e| Ok(Some(case::map_case(e, s, op, options))))?;
        return Ok(changed.map(|bytes| (bytes, util::encoding(this))));
    }
    // A character may become three, or a longer one.
    let _longer = ec.charge(string::len(this))?;
    change(ec, this, |s, e| Some(case::map_case(e, s, op, options)))
}

fn up(ec: &mut Ec, this: Value, args: Args<'_>) -> Changed {
    map_case(ec, this, args, CaseOp::Up)
}

fn down(ec: &mut Ec, this: Value, args: Args<'_>) -> Changed {
    map_case(ec, this, args, CaseOp::Down)
}

fn swap(ec: &mut Ec, this: Value, args: Args<'_>) -> Changed {
    map_case(ec, this, args, CaseOp::Swap)
}

fn capital(ec: &mut Ec, this: Value, args: Args<'_>) -> Changed {
    map_case(ec, this, args, CaseOp::Capitalize)
}

fn tr_with(ec: &mut Ec, this: Value, args: Args<'_>, squeeze: bool) -> Changed {
    let (from, to) = (util::to_str(ec, args[0])?, util::to_str(ec, args[1])?);
    // An empty String has nothing to translate: no other argument is an error.
    if string::is_empty(this) {
        return Ok(None);
    }
    let own = util::check_compatible(ec, this, from)?;
    let other = util::check_compatible(ec, this, to)?;
    let encoding = if own == other { own } else { util::check_compatible(ec, from, to)? };
    if string::is_empty(from) {
        let broken = string::coderange(ec, this) == CodeRange::Broken;
        return if broken { Err(super::basic::broken(ec, this)) } else { Ok(None) };
    }
    let (from, to) = (string::read(ec, from), string::read(ec, to));
    let changed = if string::len(this) > LONG && !squeeze {
        change_parts(ec, this, |s, _| strutil::tr(encoding, s, &from, &to, false))?
    } else {
        let widest = if to.is_ascii_only() { 1 } else { 4 };
        let _made = ec.charge(string::len(this) * widest)?;
        let changed = string::with_bytes(ec, this, |s, _| strutil::tr(encoding, s, &from, &to, squeeze));
        support_error::check(ec, changed)?
    };
    // Where the result has another encoding it counts as changed whatever was found.
    let changed = match changed {
        None if squeeze && encoding != own && !to.is_empty() => Some(string::to_vec(ec, this)),
        changed => changed,
    };
    Ok(changed.map(|bytes| (bytes, encoding)))
}

fn translated(ec: &mut Ec, this: Value, args: Args<'_>) -> Changed {
    tr_with(ec, this, args, false)
}

fn translated_squeezed(ec: &mut Ec, this: Value, args: Args<'_>) -> Changed {
    tr_with(ec, this, args, true)
}

/// The set that the arguments describe.
pub(super) fn char_set(ec: &mut Ec, this: Value, args: Args<'_>) -> Res<CharSet> {
    if let &[spec] = args.slice() {
        let spec = util::to_str(ec, spec)?;
        let encoding = util::check_compatible(ec, this, spec)?;
        // A code point and a range of them for each character.
        let _parsed = ec.charge(string::len(spec).saturating_mul(3 * size_of::<u32>()))?;
        let spec = string::read(ec, spec);
        return support_error::check(ec, CharSet::new(&[(encoding, &spec)]));
    }
    let mut specs: Vec<(Encoding, Buffer)> = Vec::with_capacity(args.len());
    for &v in args.slice() {
        let spec = util::to_str(ec, v)?;
        let encoding = util::check_compatible(ec, this, spec)?;
        specs.push((encoding, ec.bytes_of(spec)?));
    }
    let specs: Vec<_> = specs.iter().map(|(encoding, spec)| (*encoding, spec.as_slice())).collect();
    support_error::check(ec, CharSet::new(&specs))
}

/// Runs a computation on the bytes that can fail.
pub(super) fn compute<T>(ec: &mut Ec, this: Value, f: impl FnOnce(&[u8], Encoding) -> Computed<T>) -> Res<T> {
    let _made = ec.charge(string::len(this))?;
    let result = string::with_bytes(ec, this, |s, e| f(s, util::of_index(e)));
    support_error::check(ec, result)
}

fn deleted(ec: &mut Ec, this: Value, args: Args<'_>) -> Changed {
    // Where there is nothing to delete the arguments are not looked at, nor whether there are any.
    if string::is_empty(this) {
        return Ok(None);
    }
    if args.is_empty() {
        return Err(ec.arity_error(0, 1, None));
    }
    let set = char_set(ec, this, args)?;
    let changed = if string::len(this) > LONG {
        change_parts(ec, this, |s, _| strutil::delete(&set, s))?
    } else {
        compute(ec, this, |s, _| strutil::delete(&set, s))?
    };
    Ok(changed.map(|bytes| (bytes, util::encoding(this))))
}

fn squeezed(ec: &mut Ec, this: Value, args: Args<'_>) -> Changed {
    let set = if args.is_empty() { None } else { Some(char_set(ec, this, args)?) };
    let changed = if string::len(this) > LONG {
        squeezed_parts(ec, this, set.as_ref())?
    } else {
        compute(ec, this, |s, e| strutil::squeeze(e, set.as_ref(), s))?
    };
    Ok(changed.map(|bytes| (bytes, util::encoding(this))))
}

/// `squeeze` of a long text: a run may go on in the next part.
fn squeezed_parts(ec: &mut Ec, this: Value, set: Option<&CharSet>) -> Res<Option<Vec<u8>>> {
    let mut before: Vec<u8> = Vec::new();
    change_parts(ec, this, |part, e| {
        // With the last character of the part before in front, of which one is left.
        let kept = before.len();
        let joined = [&before[..], part].concat();
        before = part[scan::char_start(e, part, part.len() - 1)..].to_vec();
        let made = strutil::squeeze(e, set, &joined)?;
        Ok(made.map(|made| made[kept.min(made.len())..].to_vec()))
    })
}

fn count(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.is_empty() {
        return Err(ec.arity_error(0, 1, None));
    }
    let set = char_set(ec, this, args)?;
    let mut n = 0;
    if string::len(this) > LONG {
        each_part(ec, this, |ec, part, _| {
            n += support_error::check(ec, strutil::count(&set, part))?;
            Ok(())
        })?;
    } else {
        n = compute(ec, this, |s, _| strutil::count(&set, s))?;
    }
    ec.size(n)
}

fn succ(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let _made = ec.charge(string::len(this))?;
    let next = string::with_bytes(ec, this, |s, e| strutil::succ(util::of_index(e), s));
    util::make(ec, &next, util::encoding(this))
}

fn succ_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    update::change(ec, this, args, |ec, this, _| {
        let _made = ec.charge(string::len(this))?;
        let next = string::with_bytes(ec, this, |s, e| strutil::succ(util::of_index(e), s));
        update::become_own(ec, this, &next, util::encoding(this))
    })
}

fn reversed(ec: &mut Ec, this: Value) -> Res<Vec<u8>> {
    // Length, kind of characters and bytes of one moment.
    let this = util::settled(ec, this)?;
    let single = util::single_byte(ec, this);
    let mut out = vec![0; string::len(this)];
    let mut end = out.len();
    each_part(ec, this, |_, part, encoding| {
        if single {
            let start = end.saturating_sub(part.len());
            out[start..end].iter_mut().rev().zip(part).for_each(|(to, from)| *to = *from);
            end = start;
            return Ok(());
        }
        for c in scan::chars(encoding, part) {
            let start = end.saturating_sub(c.len());
            out[start..end].copy_from_slice(&c[..end - start]);
            end = start;
        }
        Ok(())
    })?;
    Ok(out)
}

fn reverse(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let _made = ec.charge(string::len(this))?;
    let bytes = reversed(ec, this)?;
    util::make(ec, &bytes, util::encoding(this))
}

fn reverse_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    update::change(ec, this, args, |ec, this, _| {
        let _made = ec.charge(string::len(this))?;
        let bytes = reversed(ec, this)?;
        update::become_own(ec, this, &bytes, util::encoding(this))
    })
}

/// Appends `n` characters of the padding.
fn pad(out: &mut Vec<u8>, pad: &[u8], encoding: Encoding, n: usize) {
    if let [byte] = pad {
        out.resize(out.len() + n, *byte);
        return;
    }
    let chars: Vec<&[u8]> = scan::chars(encoding, pad).collect();
    let whole = n / chars.len().max(1);
    for _ in 0..whole {
        out.extend_from_slice(pad);
    }
    for c in chars.iter().take(n - whole * chars.len()) {
        out.extend_from_slice(c);
    }
}

fn justify(ec: &mut Ec, this: Value, args: Args<'_>, split: fn(usize) -> (usize, usize)) -> Res {
    let this = util::settled(ec, this)?;
    let width = util::to_i64(ec, args[0])?;
    let mut encoding = util::encoding(this);
    let padding = match args.get(1) {
        Some(v) => {
            let s = util::to_str(ec, v)?;
            encoding = util::check_compatible(ec, this, s)?;
            if string::is_empty(s) {
                return Err(ec.arg_error("zero width padding"));
            }
            Some(s)
        }
        None => None,
    };
    let len = util::char_len(ec, this);
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(len);
    if missing == 0 {
        let made = string::dup(ec, this);
        return ec.check(this, made);
    }
    let padding = padding.map_or_else(|| vec![b' '], |s| string::to_vec(ec, s));
    let is_text = encoding.is_ascii_compatible()
        && string::coderange(ec, this) != CodeRange::Broken
        && string::scan(encoding.index(), &padding) != CodeRange::Broken;
    let (left, right) = split(missing);
    // The widest the result can be; beyond what a String may hold it is refused.
    let size = missing
        .checked_mul(padding.len())
        .and_then(|n| n.checked_add(string::len(this)))
        .filter(|&n| n <= string::MAX_LEN);
    let Some(size) = size else {
        return Err(ec.arg_error("argument too big"));
    };
    let mut out = Buffer::new(ec);
    out.reserve(ec, size)?;
    pad(&mut out, &padding, encoding, left);
    string::with_bytes(ec, this, |s, _| out.extend_from_slice(s));
    pad(&mut out, &padding, encoding, right);
    let made = util::make(ec, &out, encoding)?;
    if is_text {
        string::set_valid(ec, made);
    }
    Ok(made)
}

fn center(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    justify(ec, this, args, |n| (n / 2, n - n / 2))
}

fn ljust(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    justify(ec, this, args, |n| (0, n))
}

fn rjust(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    justify(ec, this, args, |n| (n, 0))
}

fn casecmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(other) = util::outcall(ec, |ec| ec.check_string(args[0]))? else {
        return Ok(Value::NIL);
    };
    if util::compatible(ec, this, other).is_none() {
        return Ok(Value::NIL);
    }
    let other = string::read(ec, other);
    let order = string::with_bytes(ec, this, |s, e| case::casecmp_in(util::of_index(e), s, &other));
    Ok(Value::fixnum(order as i64))
}

fn casecmp_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(other) = util::outcall(ec, |ec| ec.check_string(args[0]))? else {
        return Ok(Value::NIL);
    };
    if util::compatible(ec, this, other).is_none() {
        return Ok(Value::NIL);
    }
    let fold = |ec: &mut Ec, v: Value| {
        check_mappable(ec, v)?;
        let _folded = ec.charge(string::len(v) * 2)?;
        Ok(string::with_bytes(ec, v, |s, e| case::map_case(util::of_index(e), s, CaseOp::Fold, CaseOptions::default())))
    };
    let (a, b) = (fold(ec, this)?, fold(ec, other)?);
    Ok(Value::bool(a == b))
}
