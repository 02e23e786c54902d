//! `RubyVM.races`.

use asterism_object::Value;
use asterism_symbol::intern;
use asterism_vm::races::Side;
use asterism_vm::{Args, Ec, Exc, Res};

/// `__races`
pub fn start(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    if ec.start_races() {
        return Ok(Value::NIL);
    }
    Err(ec.raise(Exc::RuntimeError, "races are looked for already"))
}

/// `__raced`: the races that were found.
pub fn stop(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let reports = ec.stop_races();
    let list = ec.array(&[])?;
    for report in reports {
        let what = ec.str(&report.what)?;
        let sides = ec.array(&[])?;
        for one in &report.sides {
            let one = side(ec, one)?;
            ec.array_push(sides, one)?;
        }
        let hash = ec.new_hash()?;
        ec.hash_set(hash, Value::sym(intern("what")), what)?;
        ec.hash_set(hash, Value::sym(intern("accesses")), sides)?;
        ec.array_push(list, hash)?;
    }
    Ok(list)
}

/// One of the two accesses.
fn side(ec: &mut Ec, side: &Side) -> Res {
    let hash = ec.new_hash()?;
    ec.hash_set(hash, Value::sym(intern("kind")), Value::sym(intern(side.kind.name())))?;
    let thread = ec.str(side.thread.as_bytes())?;
    ec.hash_set(hash, Value::sym(intern("thread")), thread)?;
    let place = ec.str(&side.place)?;
    ec.hash_set(hash, Value::sym(intern("place")), place)?;
    let lines = ec.array(&[])?;
    for line in &side.backtrace {
        let line = ec.str(line)?;
        ec.array_push(lines, line)?;
    }
    ec.hash_set(hash, Value::sym(intern("backtrace")), lines)?;
    Ok(hash)
}
