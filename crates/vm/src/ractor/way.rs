//! The way from an object to the part of it that is not shareable, as errors tell it: `[:a][1].@x`.

use std::collections::HashSet;

use asterism_heap::Mutator;
use asterism_object::address_hash::ByAddress;
use asterism_object::class::Class;
use asterism_object::types::{Type, type_of};
use asterism_object::{
    Sym, Value, array, class_field, data, hash, ivars, numeric, range, string, structs, symbol_table,
};
use asterism_symbol::sym;

/// How a program comes from an object to a part of it.
#[derive(Clone, Copy)]
pub enum Step {
    /// The element of an Array, or the member of a Struct, with this number.
    Element(usize),
    /// The key of a Hash with this number.
    Key(usize),
    /// The value of this key.
    At(Value),
    /// `default` or `default_proc` of a Hash.
    Default,
    /// The beginning of a Range.
    Begin,
    /// The end of a Range.
    End,
    /// An instance variable.
    Ivar(Sym),
    /// Something that a native object refers to.
    Inside,
}

/// Calls `f` with each object that a program reaches from `v` in one step, and that step.
pub(super) fn each_step(m: &mut Mutator, v: Value, f: &mut dyn FnMut(Step, Value)) {
    let Some(cell) = v.cell() else { return };
    match type_of(cell) {
        Type::Array if array::has_held_references(v) => {
            (0..array::len(v))
                .filter_map(|i| Some((i, array::at(v, i)?)))
                .for_each(|(i, part)| f(Step::Element(i), part));
        }
        Type::Hash => {
            let mut at = 0;
            let mut number = 0;
            while let Some((next, key, value)) = hash::iter_next(v, at) {
                f(Step::Key(number), key);
                f(Step::At(key), value);
                at = next;
                number += 1;
            }
            f(Step::Default, hash::default_value(v));
        }
        Type::Struct => {
            let members = (0..structs::len(v)).filter_map(|i| Some((i, structs::get(v, i)?)));
            members.for_each(|(i, part)| f(Step::Element(i), part));
        }
        Type::Range => {
            f(Step::Begin, range::begin(v));
            f(Step::End, range::end(v));
        }
        Type::Rational | Type::Complex => {
            let (a, b) = numeric::parts(v);
            f(Step::Inside, a);
            f(Step::Inside, b);
        }
        Type::Data => data::each_part(&v, &mut |part| f(Step::Inside, part)),
        _ => {}
    }
    if type_of(cell) == Type::Object || ivars::may_have_some(v) {
        for name in ivars::names(m, v) {
            if let Some(value) = ivars::get(m, v, name) {
                f(Step::Ivar(name), value);
            }
        }
    }
}

/// So many objects are looked at: an error is told in reasonable time.
const MOST: usize = 100_000;

/// A step from one of the objects that were found before.
struct Found {
    from: usize,
    step: Step,
    v: Value,
}

/// The shortest way from `whole` to a part that is meant, and that part; `None` if there is none, or it is the whole. There is no
/// safepoint on the way.
pub(super) fn search(m: &mut Mutator, whole: Value, is_meant: &dyn Fn(Value) -> bool) -> Option<(String, Value)> {
    let mut seen: HashSet<u64, ByAddress> = HashSet::default();
    seen.insert(whole.bits());
    let mut found = vec![Found { from: 0, step: Step::Inside, v: whole }];
    let mut at = 0;
    while at < found.len().min(MOST) {
        let v = found[at].v;
        if is_meant(v) {
            let mut steps = Vec::new();
            while at > 0 {
                let Found { from, step, .. } = found[at];
                steps.push(step_text(m, found[from].v, step));
                at = from;
            }
            steps.reverse();
            return (!steps.is_empty()).then(|| (steps.concat(), v));
        }
        if Class::from_value(v).is_none() {
            each_step(m, v, &mut |step, part| {
                if part.is_heap() && seen.insert(part.bits()) {
                    found.push(Found { from: at, step, v: part });
                }
            });
        }
        at += 1;
    }
    None
}

fn step_text(m: &mut Mutator, from: Value, step: Step) -> String {
    match step {
        Step::Element(i) => match member(from, i) {
            Some(name) => format!(".{name}"),
            None => format!("[{i}]"),
        },
        Step::Key(i) => format!(".keys[{i}]"),
        Step::At(key) => format!("[{}]", key_text(m, key)),
        Step::Default => ".default".to_owned(),
        Step::Begin => ".begin".to_owned(),
        Step::End => ".end".to_owned(),
        Step::Ivar(name) => format!(".{}", name.text()),
        Step::Inside => ".…".to_owned(),
    }
}

/// The name of a member of a Struct or Data.
fn member(v: Value, i: usize) -> Option<String> {
    if !v.is_type(Type::Struct) {
        return None;
    }
    let class = Class(class_field(v.cell()?));
    let members = class
        .chain()
        .find_map(|c| if c.is_include() { None } else { symbol_table::get(c.ivars(), sym::members_ivar) })?;
    Some(array::at(members, i)?.as_sym()?.text().into_owned())
}

/// A key as `inspect` shows it, without calling anything of the program's.
fn key_text(m: &mut Mutator, key: Value) -> String {
    if let Some(name) = key.as_sym() {
        return format!(":{}", name.text());
    }
    if let Some(n) = key.fixnum_value() {
        return n.to_string();
    }
    if key.is_type(Type::String) {
        return format!("{:?}", string::to_string_lossy(m, key));
    }
    "…".to_owned()
}
