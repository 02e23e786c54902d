//! Array: sorting. A stable merge sort over a private copy, with direct comparisons where all elements are
//! Integers, Floats or Strings; the receiver changes in one step at the end.

use std::cmp::Ordering;

use asterism_object::types::Type;
use asterism_object::{Value, array, float, string};
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use super::compare::{order, order_redefined};
use super::update::{reorder_by, reorder_seen};

pub(super) static LIST: &[NativeDef] = &[NativeDef::new("sort", sort, 0, 0), NativeDef::new("sort!", sort_bang, 0, 0)];

/// Runs up to this long are sorted by insertion.
const RUN: usize = 8;
/// Sorting more numbers than this is a blocking region.
const MANY: usize = 1 << 12;
/// Comparisons between two looks at what other threads want.
const POLL_EVERY: u32 = 256;

/// Memory for `n` items, or NoMemoryError.
pub(super) fn room<T>(ec: &mut Ec, n: usize) -> Res<Vec<T>> {
    let mut list = Vec::new();
    match list.try_reserve_exact(n) {
        Ok(()) => Ok(list),
        Err(_) => Err(ec.no_memory()),
    }
}

/// Sorts `items` by `compare`, which may call Ruby: an inconsistent order gives some order, never a fault.
///
/// # Errors
/// What `compare` raises; what is raised into the thread; NoMemoryError.
fn merge_sort<T: Copy>(
    ec: &mut Ec,
    items: &mut Vec<T>,
    mut compare: impl FnMut(&mut Ec, T, T) -> Res<Ordering>,
) -> Res<()> {
    let n = items.len();
    let mut compared = 0u32;
    let mut compare = |ec: &mut Ec, a, b| {
        compared = compared.wrapping_add(1);
        if compared.is_multiple_of(POLL_EVERY) {
            ec.poll()?;
        }
        compare(ec, a, b)
    };
    for start in (0..n).step_by(RUN) {
        for i in start + 1..n.min(start + RUN) {
            let x = items[i];
            let mut at = i;
            while at > start && compare(ec, items[at - 1], x)? == Ordering::Greater {
                items[at] = items[at - 1];
                at -= 1;
            }
            items[at] = x;
        }
    }
    let mut other = room(ec, n)?;
    let mut width = RUN;
    while width < n {
        other.clear();
        let mut low = 0;
        while low < n {
            let (middle, high) = (n.min(low + width), n.min(low + 2 * width));
            let (mut a, mut b) = (low, middle);
            // Neighbouring runs that are in order already are taken as they are.
            if middle >= high || compare(ec, items[middle - 1], items[middle])? != Ordering::Greater {
                other.extend_from_slice(&items[low..high]);
                low = high;
                continue;
            }
            while a < middle && b < high {
                if compare(ec, items[a], items[b])? == Ordering::Greater {
                    other.push(items[b]);
                    b += 1;
                } else {
                    other.push(items[a]);
                    a += 1;
                }
            }
            other.extend_from_slice(&items[a..middle]);
            other.extend_from_slice(&items[b..high]);
            low = high;
        }
        std::mem::swap(items, &mut other);
        width *= 2;
    }
    Ok(())
}

/// Which direct comparison suits all of `values`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fixnum,
    Float,
    String,
    Other,
}

/// Looks at all of `values`, which nobody changes: as a blocking region if they are many.
fn kind_of(ec: &mut Ec, values: &[Value]) -> Kind {
    let mut kind = Kind::Other;
    if !order_redefined(ec) {
        apart(ec, values.len(), || kind = kind_of_elements(values));
    }
    kind
}

fn kind_of_elements(values: &[Value]) -> Kind {
    if values.iter().all(|v| v.is_fixnum()) {
        Kind::Fixnum
    } else if values.iter().all(|v| float::is_float(*v)) {
        Kind::Float
    } else if values.iter().all(|v| v.is_type(Type::String)) {
        Kind::String
    } else {
        Kind::Other
    }
}

/// The elements of the private Array `keep`, in order; `keep` keeps them alive meanwhile.
fn sorted(ec: &mut Ec, mut keep: Value, args: Args<'_>) -> Res {
    // The collector does not look at what is no reference: such elements are moved where they are.
    if args.block().is_none() && !array::has_held_references(keep) {
        let kind = kind_of(ec, array::private_slice(&keep));
        // SAFETY: the Array is private, and no other slice of it lives.
        let items = unsafe { array::private_slice_mut(&mut keep) };
        match kind {
            Kind::Fixnum => apart(ec, items.len(), || items.sort_unstable_by_key(|v| v.bits() as i64)),
            Kind::Float => sort_floats(ec, items)?,
            Kind::String | Kind::Other => return sorted_copy(ec, keep, args),
        }
        return Ok(keep);
    }
    sorted_copy(ec, keep, args)
}

/// The same in a new Array.
fn sorted_copy(ec: &mut Ec, keep: Value, args: Args<'_>) -> Res {
    let values = array::private_slice(&keep);
    let mut items = room(ec, values.len())?;
    items.extend_from_slice(values);
    if let Some(block) = args.block() {
        merge_sort(ec, &mut items, |ec, a, b| {
            let answer = ec.yield_block(block, &[a, b])?;
            ec.compare_result(answer, a, b)
        })?;
    } else {
        match kind_of(ec, &items) {
            // Tagging keeps the order.
            Kind::Fixnum => apart(ec, values.len(), || items.sort_unstable_by_key(|v| v.bits() as i64)),
            Kind::Float => sort_floats(ec, &mut items)?,
            Kind::String => {
                let mut keyed = room(ec, items.len())?;
                for &v in &items {
                    ec.poll()?;
                    keyed.push((prefix(ec, v), v));
                }
                merge_sort(ec, &mut keyed, |ec, a, b| Ok(compare_strings(ec, a, b)))?;
                items.clear();
                items.extend(keyed.iter().map(|(_, v)| *v));
            }
            Kind::Other => merge_sort(ec, &mut items, order)?,
        }
    }
    let result = ec.array(&items);
    asterism_heap::keep_alive(keep.bits());
    result
}

/// A String's first eight bytes as a number that is ordered as they are. May be a safepoint.
fn prefix(ec: &mut Ec, v: Value) -> u64 {
    string::with_bytes(ec, v, |bytes, _| {
        let mut first = [0; 8];
        let n = bytes.len().min(8);
        first[..n].copy_from_slice(&bytes[..n]);
        u64::from_be_bytes(first)
    })
}

/// Compares Strings with their prefixes: few need a look at the Strings themselves.
fn compare_strings(ec: &mut Ec, a: (u64, Value), b: (u64, Value)) -> Ordering {
    match a.0.cmp(&b.0) {
        Ordering::Equal => string::cmp(ec, a.1, b.1),
        different => different,
    }
}

/// Runs work on `n` numbers, which no collection changes: as a blocking region if they are many.
fn apart(ec: &mut Ec, n: usize, work: impl FnOnce()) {
    if n > MANY { ec.computing(work) } else { work() }
}

fn sort_floats(ec: &mut Ec, items: &mut [Value]) -> Res<()> {
    if items.len() > 1
        && let Some(&nan) = items.iter().find(|v| float::get(**v).is_nan())
    {
        let other = items.iter().find(|v| **v != nan).copied().unwrap_or(nan);
        return Err(ec.compare_error(other, nan));
    }
    // Floats never change, and the Array that the items came from keeps them.
    apart(ec, items.len(), || {
        items.sort_by(|a, b| float::get(*a).partial_cmp(&float::get(*b)).unwrap_or(Ordering::Equal));
    });
    Ok(())
}

fn sort(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let copy = array::snapshot(ec, this);
    let copy = ec.check(this, copy)?;
    if array::len(copy) < 2 {
        return Ok(copy);
    }
    sorted(ec, copy, args)
}

fn sort_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    if array::len(this) < 2 {
        return Ok(this);
    }
    if args.block().is_none() {
        reorder_by(ec, this, |ec, copy| sorted(ec, copy, args))?;
        return Ok(this);
    }
    let seen = array::snapshot(ec, this);
    let seen = ec.check(this, seen)?;
    let ordered = sorted_copy(ec, seen, args)?;
    reorder_seen(ec, this, seen, ordered)?;
    Ok(this)
}

/// `Primitive.sort_by_keys(keys, values)`: the values in the order of the keys at the same positions.
pub(crate) fn sort_by_keys(ec: &mut Ec, args: &[Value]) -> Res {
    let [keys, values] = args else {
        return Err(ec.fatal("sort_by_keys takes two arrays"));
    };
    let keys = array::snapshot(ec, *keys).map_err(|e| ec.object_error(*keys, e))?;
    let values = array::snapshot(ec, *values).map_err(|e| ec.object_error(*values, e))?;
    let (key, value) = (array::private_slice(&keys), array::private_slice(&values));
    if key.len() != value.len() {
        return Err(ec.raise(Exc::RuntimeError, "sort_by reentered"));
    }
    let mut items: Vec<(Value, u32)> = room(ec, key.len())?;
    items.extend(key.iter().copied().zip(0..));
    match kind_of(ec, key) {
        Kind::Fixnum => apart(ec, key.len(), || items.sort_unstable_by_key(|(v, i)| (v.bits() as i64, *i))),
        Kind::String => {
            let mut keyed: Vec<((u64, Value), u32)> = room(ec, items.len())?;
            for &(v, i) in &items {
                ec.poll()?;
                keyed.push(((prefix(ec, v), v), i));
            }
            merge_sort(ec, &mut keyed, |ec, a, b| Ok(compare_strings(ec, a.0, b.0)))?;
            items.clear();
            items.extend(keyed.iter().map(|((_, v), i)| (*v, *i)));
        }
        Kind::Float | Kind::Other => merge_sort(ec, &mut items, |ec, a, b| order(ec, a.0, b.0))?,
    }
    let out = ec.array_with_capacity(items.len())?;
    for (_, i) in items {
        ec.poll()?;
        ec.array_push(out, value[i as usize])?;
    }
    asterism_heap::keep_alive(keys.bits());
    asterism_heap::keep_alive(values.bits());
    Ok(out)
}
