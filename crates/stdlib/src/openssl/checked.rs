//! In builds with debug assertions: the tables, and a call of any row, for a test that tries all of them with all kinds of arguments.

use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::{Ec, Res};

use super::call::{self, takes_argument};
use super::rows;

/// `Primitive.openssl_rows`: [name, [what an argument is …], what is returned] of each row.
pub fn rows(ec: &mut Ec, _: &[Value]) -> Res {
    let list = ec.array_with_capacity(0)?;
    for row in rows::ALL.iter().copied().flatten() {
        let name = ec.str(row.name)?;
        let args = ec.array_with_capacity(row.args.len())?;
        for arg in row.args.iter().filter(|&&arg| takes_argument(arg)) {
            let arg = ec.str(format!("{arg:?}"))?;
            ec.array_push(args, arg)?;
        }
        let ret = ec.str(format!("{:?}", row.ret))?;
        let entry = ec.array_with_capacity(3)?;
        for part in [name, args, ret] {
            ec.array_push(entry, part)?;
        }
        ec.array_push(list, entry)?;
    }
    Ok(list)
}

/// `Primitive.openssl_row(error, name, arguments)`
pub fn row(ec: &mut Ec, args: &[Value]) -> Res {
    if !args[2].is_type(Type::Array) {
        return Err(ec.type_error("not an Array"));
    }
    let mut all = vec![args[0], args[1]];
    // They stay in the Array while they are used.
    all.extend((0..).map_while(|i| array::at(args[2], i)));
    call::call(ec, &all)
}
