//! `RubyVM::JIT`: what is compiled to machine code.

use asterism_object::Value;
use asterism_object::class::Class;
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, NativeDef, Res};

static SINGLETON: &[NativeDef] = &[NativeDef::new("enabled?", is_enabled, 0, 0), NativeDef::new("stats", stats, 0, 0)];

/// Defines the module.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec, rubyvm: Class) -> Res<()> {
    let module = ec.define_module(rubyvm, "JIT")?;
    ec.define_singleton_natives(module, SINGLETON)
}

/// Is hot code of this VM compiled?
fn is_enabled(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(ec.vm().options.jit.is_some()))
}

/// What was compiled so far in this process, whose VMs share machine code; nil if nothing is compiled.
fn stats(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let Some(jit) = ec.vm().options.jit else { return Ok(Value::NIL) };
    let totals = jit.compiler.totals();
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let pairs = [
        ("compiled_units", count(totals.units)),
        ("code_bytes", count(totals.bytes)),
        ("compile_time_ns", i64::try_from(totals.time).unwrap_or(i64::MAX)),
        ("refused_units", count(totals.refused)),
        ("unexpected_operands", count(totals.left)),
        ("iterators_in_place", count(totals.in_place.methods)),
        ("blocks_in_place", count(totals.in_place.blocks)),
        ("methods_inlined", count(totals.in_place.inlined)),
    ];
    let stats = ec.new_hash()?;
    for (name, n) in pairs {
        let n = ec.int(n)?;
        ec.hash_set(stats, Value::sym(intern(name)), n)?;
    }
    Ok(stats)
}
