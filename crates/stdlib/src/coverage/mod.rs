//! `Coverage`: which lines, branches and methods a program runs. What is counted is made by `asterism_vm::coverage`; here it becomes objects.

use asterism_object::{Value, string};
use asterism_symbol::intern;
use asterism_vm::coverage::{self, File, Place, Session, Targets};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};
use std::sync::Arc;

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("coverage_setup", setup),
    ("coverage_run", run),
    ("coverage_end", end),
    ("coverage_files", files),
    ("coverage_methods", methods),
    ("coverage_line_stub", line_stub),
];

/// The Ruby part.
pub static SOURCES: &[(&str, &str)] = &[("<internal:coverage>", include_str!("coverage.rb"))];

/// Registers the primitives.
///
/// # Errors
/// None: the signature is that of what loads a feature.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// `Primitive.coverage_setup(lines, oneshot, branches, methods, eval)`: begins a measurement that does not count yet.
fn setup(ec: &mut Ec, args: &[Value]) -> Res {
    let is = |n: usize| args.get(n).is_some_and(|v| v.truthy());
    let targets = Targets { lines: is(0), oneshot: is(1), branches: is(2), methods: is(3), eval: is(4) };
    coverage::set_session(ec, Some(Arc::new(Session::new(targets))));
    Ok(Value::NIL)
}

/// `Primitive.coverage_run(on)`
fn run(ec: &mut Ec, args: &[Value]) -> Res {
    if let Some(session) = coverage::session(ec) {
        session.run(args[0].truthy());
    }
    Ok(Value::NIL)
}

/// `Primitive.coverage_end`
fn end(ec: &mut Ec, _args: &[Value]) -> Res {
    coverage::set_session(ec, None);
    Ok(Value::NIL)
}

/// `Primitive.coverage_files(clear)`: an Array `[path, lines, branches]` for each file; nil for what is not measured.
fn files(ec: &mut Ec, args: &[Value]) -> Res {
    let clear = args[0].truthy();
    let list = ec.array(&[])?;
    let Some(session) = coverage::session(ec) else { return Ok(list) };
    let targets = session.targets();
    for file in session.files() {
        let path = ec.str(file.path())?;
        let lines = match targets {
            Targets { lines: false, .. } => Value::NIL,
            Targets { oneshot: true, .. } => begun(ec, &file, clear)?,
            _ => lines(ec, &file.lines(clear))?,
        };
        let branches = if targets.branches { branches(ec, &file, clear)? } else { Value::NIL };
        let entry = ec.array(&[path, lines, branches])?;
        ec.array_push(list, entry)?;
    }
    Ok(list)
}

fn begun(ec: &mut Ec, file: &File, clear: bool) -> Res {
    let begun: Vec<Value> = file.begun(clear).into_iter().map(|line| Value::fixnum(i64::from(line))).collect();
    ec.array(&begun)
}

fn lines(ec: &mut Ec, counts: &[Option<i64>]) -> Res {
    let counts: Vec<Value> = counts.iter().map(|count| count.map_or(Value::NIL, Value::fixnum)).collect();
    ec.array(&counts)
}

/// `[kind, number, line, column, line, column]`
fn key(ec: &mut Ec, kind: &str, number: i64, place: Place) -> Res {
    let mut values = vec![Value::sym(intern(kind)), Value::fixnum(number)];
    values.extend(place.map(Value::fixnum));
    ec.array(&values)
}

/// A Hash of the conditions of a file, each with a Hash of its ways.
fn branches(ec: &mut Ec, file: &File, clear: bool) -> Res {
    let result = ec.new_hash()?;
    let mut number = 0;
    for condition in file.conditions(clear) {
        let ways = ec.new_hash()?;
        let whole = key(ec, condition.spot.0, number, condition.spot.1)?;
        ec.hash_set(result, whole, ways)?;
        number += 1;
        for ((kind, place), count) in condition.ways {
            let way = key(ec, kind, number, place)?;
            let count = ec.int(i64::try_from(count).unwrap_or(i64::MAX))?;
            ec.hash_set(ways, way, count)?;
            number += 1;
        }
    }
    Ok(result)
}

/// `Primitive.coverage_methods(clear)`: an Array `[path, key, count]` for each method.
fn methods(ec: &mut Ec, args: &[Value]) -> Res {
    let list = ec.array(&[])?;
    let Some(session) = coverage::session(ec) else { return Ok(list) };
    // The classes lie in this Array, since the list of calls is not traced.
    let (calls, owners) = ec.measured_calls(&session, args[0].truthy())?;
    for (n, call) in calls.into_iter().enumerate() {
        let path = ec.str(&*call.path)?;
        let owner = asterism_object::array::at(owners, n).unwrap_or(Value::NIL);
        let mut values = vec![owner, Value::sym(call.name)];
        values.extend(call.place.map(Value::fixnum));
        let key = ec.array(&values)?;
        let count = ec.int(i64::try_from(call.count).unwrap_or(i64::MAX))?;
        let entry = ec.array(&[path, key, count])?;
        ec.array_push(list, entry)?;
    }
    Ok(list)
}

/// `Primitive.coverage_line_stub(source, file)`: 0 for each line on which a statement begins, else nil.
fn line_stub(ec: &mut Ec, args: &[Value]) -> Res {
    let source = string::to_vec(ec, args[0]);
    let file = string::to_vec(ec, args[1]);
    let counts = ec.lines_of(&source, &String::from_utf8_lossy(&file))?;
    lines(ec, &counts)
}
