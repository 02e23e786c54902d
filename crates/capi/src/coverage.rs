//! What `Coverage` has counted so far, for C.

use asterism_object::Value;
use asterism_vm::coverage;

api! {
    /// false, or a Hash that has an Array for each path, of which the first element is the counts of the lines. They are as they
    /// are now, and what is counted of branches is nil.
    fn rb_get_coverages(ec) -> Value {
        let Some(session) = coverage::session(ec) else { return Ok(Value::FALSE) };
        let measured = session.targets().lines;
        let all = ec.new_hash()?;
        for file in session.files() {
            let lines = if measured {
                let counts: Vec<_> = file.lines(false).into_iter().map(|n| n.map_or(Value::NIL, Value::fixnum)).collect();
                ec.array(&counts)?
            } else {
                Value::NIL
            };
            let path = ec.str(file.path())?;
            let entry = ec.array(&[lines, Value::NIL])?;
            ec.hash_set(all, path, entry)?;
        }
        Ok(all)
    }
}
