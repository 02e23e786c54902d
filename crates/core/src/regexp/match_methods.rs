//! The methods of MatchData.

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, builtin, string};
use asterism_symbol::intern;
use asterism_vm::{ANY, Args, Arguments, Ec, Exc, NativeDef, Raised, Res};

use super::match_data::{self, MatchBox};
use super::pattern::{self, Pattern};
use super::{methods, search};

static INSTANCE: &[NativeDef] = &[
    NativeDef::new("regexp", regexp, 0, 0).leaf(),
    NativeDef::new("string", subject, 0, 0).leaf(),
    NativeDef::new("to_a", to_a, 0, 0).leaf(),
    NativeDef::new("captures", captures, 0, 0).leaf(),
    NativeDef::new("deconstruct", captures, 0, 0).leaf(),
    NativeDef::new("named_captures", named_captures, 0, 0).keywords(&["symbolize_names"]),
    NativeDef::new("deconstruct_keys", deconstruct_keys, 1, 1),
    NativeDef::new("names", names, 0, 0).leaf(),
    NativeDef::new("size", size, 0, 0).leaf(),
    NativeDef::new("length", size, 0, 0).leaf(),
    NativeDef::new("to_s", to_s, 0, 0).leaf(),
    NativeDef::new("pre_match", pre_match, 0, 0).leaf(),
    NativeDef::new("post_match", post_match, 0, 0).leaf(),
    NativeDef::new("[]", aref, 1, 2),
    NativeDef::new("values_at", values_at, 0, ANY),
    NativeDef::new("begin", begin, 1, 1),
    NativeDef::new("end", end, 1, 1),
    NativeDef::new("offset", offset, 1, 1),
    NativeDef::new("bytebegin", bytebegin, 1, 1),
    NativeDef::new("byteend", byteend, 1, 1),
    NativeDef::new("byteoffset", byteoffset, 1, 1),
    NativeDef::new("match", match_group, 1, 1),
    NativeDef::new("match_length", match_length, 1, 1),
    NativeDef::new("inspect", inspect, 0, 0),
    NativeDef::new("==", equal, 1, 1),
    NativeDef::new("eql?", equal, 1, 1),
    NativeDef::new("hash", hash_code, 0, 0).leaf(),
];

/// Defines them.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::MatchData);
    ec.define_natives(class, INSTANCE)?;
    let meta = ec.singleton_class(class.0)?;
    for name in ["new", "allocate"] {
        let name = intern(name);
        if ec.find_method_for_definition(meta, name).is_some() {
            ec.undef_method(meta, name)?;
        }
    }
    Ok(())
}

fn regexp(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match_data::regexp(ec, &this)
}

fn subject(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(match_data::of(ec, &this)?.string())
}

fn groups_from(ec: &mut Ec, this: Value, first: usize) -> Res {
    let m = match_data::of(ec, &this)?;
    let list = ec.array_with_capacity(m.count())?;
    for i in first..m.count() {
        let s = match_data::group(ec, m, i)?;
        ec.array_push(list, s)?;
    }
    Ok(list)
}

fn to_a(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    groups_from(ec, this, 0)
}

fn captures(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    groups_from(ec, this, 1)
}

fn size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(match_data::of(ec, &this)?.count() as i64))
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = match_data::of(ec, &this)?;
    match_data::group(ec, m, 0)
}

fn pre_match(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    super::match_part(ec, this, 1)
}

fn post_match(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    super::match_part(ec, this, 2)
}

fn names(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let regexp = match_data::regexp(ec, &this)?;
    let pattern = pattern::of(ec, &regexp)?;
    methods::name_list(ec, pattern)
}

/// The group a name means: the last of its groups that took part.
fn named(m: &MatchBox, groups: &[usize]) -> usize {
    let taken = groups.iter().rev().find(|i| m.span(**i).is_some());
    taken.or(groups.last()).copied().unwrap_or(0)
}

/// A group is named that does not exist.
#[cold]
pub fn undefined_name(ec: &mut Ec, name: Value) -> Raised {
    let text = [b"undefined group name reference: ", &string::to_vec(ec, name)[..]].concat();
    let class = ec.exc_class(Exc::IndexError);
    match ec.str_enc(&text, string::encoding(name)).and_then(|message| ec.new_exception_value(class, message)) {
        Ok(exception) => ec.raise_exception(exception),
        Err(raised) => raised,
    }
}

/// Can text in this encoding be a name in the pattern?
fn may_name(pattern: &Pattern, encoding: u8, ascii: bool) -> bool {
    let encoding = search::encoding_of(encoding);
    encoding == pattern.encoding
        || encoding.is_ascii_compatible()
            && pattern.encoding.is_ascii_compatible()
            && (ascii || pattern.source.is_ascii())
}

/// The group of a name, if there is one.
pub fn group_of_name(ec: &mut Ec, m: &MatchBox, pattern: &Pattern, name: Value) -> Option<usize> {
    let ascii = string::is_ascii_only(ec, name);
    let bytes = string::read(ec, name);
    let groups = pattern.named(bytes.as_bytes()).filter(|_| may_name(pattern, bytes.encoding(), ascii));
    groups.map(|groups| named(m, groups))
}

/// A Symbol or a String as a String; `None` if it is neither.
///
/// # Errors
/// NoMemoryError.
pub fn name_of(ec: &mut Ec, v: Value) -> Res<Option<Value>> {
    match v.as_sym() {
        Some(s) => ec.str_enc(s.bytes(), s.name().encoding).map(Some),
        None => Ok(v.is_type(Type::String).then_some(v)),
    }
}

/// The group that a Symbol, String or number means: for a number any, even one that does not exist.
fn group_index(ec: &mut Ec, this: Value, m: &MatchBox, v: Value) -> Res<i64> {
    let Some(name) = name_of(ec, v)? else { return ec.to_i64(v) };
    if !pattern::is_regexp(m.searched_for()) {
        return Err(undefined_name(ec, name));
    }
    let regexp = match_data::regexp(ec, &this)?;
    let pattern = pattern::of(ec, &regexp)?;
    match group_of_name(ec, m, pattern, name) {
        Some(i) => Ok(i as i64),
        None => Err(undefined_name(ec, name)),
    }
}

/// `m[v]` of one argument.
///
/// # Errors
/// IndexError for a name that is none.
pub fn element(ec: &mut Ec, this: Value, v: Value) -> Res {
    let m = match_data::of(ec, &this)?;
    if v.is_fixnum() || v.is_sym() || v.is_type(Type::String) {
        let i = group_index(ec, this, m, v)?;
        // From the end the captures only: the whole match has no negative number.
        let counted = if i < 0 { i + m.count() as i64 } else { i };
        return match usize::try_from(counted) {
            Ok(n) if i >= 0 || n > 0 => match_data::group(ec, m, n),
            _ => Ok(Value::NIL),
        };
    }
    let all = to_a(ec, this, &Arguments::new(&[]))?;
    ec.call(all, asterism_symbol::sym::AREF, &[v])
}

fn aref(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.len() == 1 {
        return element(ec, this, args[0]);
    }
    let all = to_a(ec, this, &Arguments::new(&[]))?;
    ec.call(all, asterism_symbol::sym::AREF, args.slice())
}

fn values_at(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let list = ec.array_with_capacity(args.len())?;
    for v in args.slice() {
        if v.is_fixnum() || v.is_sym() || v.is_type(Type::String) {
            let s = element(ec, this, *v)?;
            ec.array_push(list, s)?;
        } else {
            let all = to_a(ec, this, &Arguments::new(&[]))?;
            let some = ec.call(all, intern("values_at"), &[*v])?;
            if some.is_type(Type::Array) {
                let done = array::concat(ec, list, some);
                ec.check(list, done)?;
            }
        }
    }
    Ok(list)
}

/// The group argument of `begin` and the like, checked.
fn checked_group(ec: &mut Ec, this: Value, m: &MatchBox, v: Value) -> Res<usize> {
    let i = group_index(ec, this, m, v)?;
    match usize::try_from(i) {
        Ok(i) if i < m.count() => Ok(i),
        _ => Err(ec.index_error(format!("index {i} out of matches"))),
    }
}

fn span(ec: &mut Ec, this: Value, v: Value, chars: bool) -> Res<Option<(Value, Value)>> {
    let m = match_data::of(ec, &this)?;
    let i = checked_group(ec, this, m, v)?;
    let Some((begin, end)) = m.span(i) else { return Ok(None) };
    let (begin, end) = if chars {
        let s = m.string();
        (match_data::char_index(ec, s, begin), match_data::char_index(ec, s, end))
    } else {
        (begin, end)
    };
    Ok(Some((Value::fixnum(begin as i64), Value::fixnum(end as i64))))
}

fn begin(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(span(ec, this, args[0], true)?.map_or(Value::NIL, |s| s.0))
}

fn end(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(span(ec, this, args[0], true)?.map_or(Value::NIL, |s| s.1))
}

fn offset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (a, b) = span(ec, this, args[0], true)?.unwrap_or((Value::NIL, Value::NIL));
    ec.array(&[a, b])
}

fn bytebegin(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(span(ec, this, args[0], false)?.map_or(Value::NIL, |s| s.0))
}

fn byteend(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    Ok(span(ec, this, args[0], false)?.map_or(Value::NIL, |s| s.1))
}

fn byteoffset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (a, b) = span(ec, this, args[0], false)?.unwrap_or((Value::NIL, Value::NIL));
    ec.array(&[a, b])
}

fn match_group(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let m = match_data::of(ec, &this)?;
    let i = checked_group(ec, this, m, args[0])?;
    match_data::group(ec, m, i)
}

fn match_length(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match span(ec, this, args[0], true)? {
        Some((a, b)) => Ok(Value::fixnum(b.as_fixnum() - a.as_fixnum())),
        None => Ok(Value::NIL),
    }
}

fn named_captures(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let [symbols] = ec.keyword_values(args.split_keywords().1, ["symbolize_names"])?;
    let symbols = symbols.truthy();
    let m = match_data::of(ec, &this)?;
    let regexp = match_data::regexp(ec, &this)?;
    let pattern = pattern::of(ec, &regexp)?;
    let h = ec.new_hash()?;
    for name in &pattern.names {
        let key = if symbols { Value::sym(name.sym) } else { ec.str_enc(&name.name, name.sym.name().encoding)? };
        let value = match_data::group(ec, m, named(m, &name.groups))?;
        ec.hash_set(h, key, value)?;
    }
    Ok(h)
}

fn deconstruct_keys(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let m = match_data::of(ec, &this)?;
    let regexp = match_data::regexp(ec, &this)?;
    let pattern = pattern::of(ec, &regexp)?;
    let h = ec.new_hash()?;
    let wanted = args[0];
    if wanted.is_nil() {
        for name in &pattern.names {
            let value = match_data::group(ec, m, named(m, &name.groups))?;
            ec.hash_set(h, Value::sym(name.sym), value)?;
        }
        return Ok(h);
    }
    if !wanted.is_type(Type::Array) {
        let name = ec.class_name_of(wanted);
        return Err(ec.type_error(format!("wrong argument type {name} (expected Array)")));
    }
    if array::len(wanted) > pattern.names.len() {
        return Ok(h);
    }
    for i in 0..array::len(wanted) {
        let key = array::get(wanted, i as i64);
        let Some(s) = key.as_sym() else {
            let name = ec.class_name_of(key);
            return Err(ec.type_error(format!("wrong argument type {name} (expected Symbol)")));
        };
        let Some(groups) = pattern.named(s.bytes()) else { break };
        let group = named(m, groups);
        let value = match_data::group(ec, m, group)?;
        ec.hash_set(h, key, value)?;
    }
    Ok(h)
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = match_data::of(ec, &this)?;
    let regexp = match_data::regexp(ec, &this)?;
    let pattern = pattern::of(ec, &regexp)?;
    let class = ec.class_name_of(this);
    let mut out = format!("#<{class}").into_bytes();
    for i in 0..m.count() {
        out.push(b' ');
        if i > 0 {
            match pattern.names.iter().find(|n| n.groups.contains(&i)) {
                Some(name) => out.extend_from_slice(&name.name),
                None => out.extend_from_slice(i.to_string().as_bytes()),
            }
            out.push(b':');
        }
        let s = match_data::group(ec, m, i)?;
        if s.is_nil() {
            out.extend_from_slice(b"nil");
        } else {
            out.extend_from_slice(&ec.inspect_for_error(s)?);
        }
    }
    out.push(b'>');
    ec.str(out)
}

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if this == args[0] {
        return Ok(Value::TRUE);
    }
    if !match_data::is_match(args[0]) {
        return Ok(Value::FALSE);
    }
    let a = match_data::of(ec, &this)?;
    let b = match_data::of(ec, &args[0])?;
    if a.count() != b.count()
        || (0..a.count()).any(|i| a.span(i) != b.span(i))
        || !string::eq(ec, a.string(), b.string())
    {
        return Ok(Value::FALSE);
    }
    let (x, y) = (match_data::regexp(ec, &this)?, match_data::regexp(ec, &args.slice()[0])?);
    let same = ec.eq(x, y)?;
    Ok(Value::bool(same))
}

fn hash_code(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let m = match_data::of(ec, &this)?;
    let mut h = string::hash(ec, m.string());
    for i in 0..m.count() {
        let (begin, end) = m.span(i).unwrap_or((usize::MAX, 0));
        h = builtin::mix(h ^ ((begin as u64) << 32 ^ end as u64));
    }
    Ok(Value::fixnum((h >> 2) as i64))
}
