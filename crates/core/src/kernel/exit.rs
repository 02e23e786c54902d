//! `exit`, `abort`, `at_exit`. What happens at the end of a program is the embedder's: see the crate `asterism`.

use asterism_object::{Value, string};
use asterism_symbol::{intern, sym};
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use crate::exception::report::report_uncaught;
use crate::exception::status_of;

/// Functions of Kernel that Process has too.
pub static KERNEL: &[NativeDef] = &[
    NativeDef::new("exit", exit, 0, 1),
    NativeDef::new("exit!", exit_now, 0, 1),
    NativeDef::new("abort", abort, 0, 1),
    NativeDef::new("at_exit", at_exit, 0, 0),
];

fn status(ec: &mut Ec, given: Option<Value>, default: i64) -> Res<i64> {
    match given {
        None => Ok(default),
        Some(v) => match status_of(ec, v)? {
            Some(n) => Ok(n),
            None => ec.to_i64(v),
        },
    }
}

fn exit_exception(ec: &mut Ec, status: i64, message: &[u8]) -> Res {
    let class = ec.exc_class(Exc::SystemExit);
    let e = ec.new_exception(class, message)?;
    ec.ivar_put(e, sym::status, Value::fixnum(status))?;
    Ok(e)
}

fn exit(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let status = status(ec, args.get(0), 0)?;
    let e = exit_exception(ec, status, b"exit")?;
    Err(ec.raise_exception(e))
}

fn exit_now(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let status = status(ec, args.get(0), 0)?;
    ec.check_process("exit!")?;
    std::process::exit(status as i32)
}

fn abort(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    match args.get(0) {
        None => {
            // The exception at hand is reported as if nobody had rescued it.
            let at_hand = ec.fiber.errinfo;
            if !at_hand.is_nil() {
                let text = report_uncaught(ec, at_hand);
                write_stderr(ec, &text);
            }
            let e = exit_exception(ec, 1, b"exit")?;
            Err(ec.raise_exception(e))
        }
        Some(v) => {
            let text = ec.to_str(v)?;
            let bytes = string::to_vec(ec, text);
            let mut line = bytes.clone();
            line.push(b'\n');
            write_stderr(ec, &line);
            let e = exit_exception(ec, 1, &bytes)?;
            Err(ec.raise_exception(e))
        }
    }
}

fn at_exit(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    ec.check_main_ractor("can not call at_exit from non-main Ractors")?;
    let Some(block) = args.block() else {
        return Err(ec.arg_error("called without a block"));
    };
    let proc = ec.block_to_proc(block)?;
    asterism_vm::load::at_exit(ec, proc)?;
    Ok(proc)
}

/// Writes to `$stderr`, or to the process's if that fails: this is used where nothing can be raised any more.
pub fn write_stderr(ec: &mut Ec, text: &[u8]) {
    let written = (|| {
        let stderr = ec.gvar_get(intern("$stderr"))?;
        if stderr.is_nil() {
            return Ok(false);
        }
        let s = ec.str(text)?;
        ec.call(stderr, sym::write, &[s])?;
        Ok::<bool, asterism_vm::Raised>(true)
    })();
    if !matches!(written, Ok(true)) {
        if written.is_err() {
            ec.take_pending();
        }
        use std::io::Write;
        // A closed stderr leaves nobody to tell.
        let _ = std::io::stderr().write_all(text);
    }
}
