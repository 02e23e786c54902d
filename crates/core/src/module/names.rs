//! Names of methods.

use std::collections::HashSet;

use asterism_object::class::Class;
use asterism_object::{Sym, Value, symbol_table};
use asterism_vm::Ec;
use asterism_vm::method::{Body, Method, Visibility};

/// Which methods a list names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Public and protected ones.
    Visible,
    /// Those of one visibility.
    Only(Visibility),
    /// Entries that undefine.
    Undefined,
}

/// Is it what the core library has for itself, which no list names?
fn is_helper(method: Method, name: Sym) -> bool {
    const ANYBODYS: [&[u8]; 5] = [b"__send__", b"__id__", b"__method__", b"__dir__", b"__callee__"];
    name.bytes().starts_with(b"__") && method.is_core() && !ANYBODYS.contains(&name.bytes())
}

/// Collects the names in `table` that `which` names; names seen before (in `seen`) are hidden by earlier tables.
pub(crate) fn collect(table: Value, which: Which, seen: &mut HashSet<Sym>, out: &mut Vec<Sym>) {
    symbol_table::for_each(table, |name, word| {
        let Some(method) = Method::from_value(word) else {
            return;
        };
        if !seen.insert(name) {
            return;
        }
        let undefined = matches!(method.body(), Body::Undefined);
        let wanted = match which {
            Which::Undefined => undefined,
            _ if undefined => false,
            Which::Visible => method.visibility() != Visibility::Private,
            Which::Only(v) => method.visibility() == v,
        };
        if wanted && !is_helper(method, name) {
            out.push(name);
        }
    });
}

/// Names of methods along the chain from `class`: its own only, or with `inherit` also those of all ancestors.
pub fn method_names(ec: &mut Ec, class: Class, which: Which, inherit: bool) -> Vec<Sym> {
    let (mut seen, mut out) = (HashSet::new(), Vec::new());
    if !inherit {
        ec.settle(class);
        collect(class.methods(), which, &mut seen, &mut out);
        return out;
    }
    for link in class.chain() {
        collect(ec.lookup_table(link), which, &mut seen, &mut out);
    }
    if class.flags() & asterism_object::class::REFINEMENT != 0
        && let Some(refined) = Class::from_value(class.module())
    {
        for link in refined.chain() {
            collect(ec.lookup_table(link), which, &mut seen, &mut out);
        }
    }
    out
}
