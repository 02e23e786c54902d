//! Arrays.

use std::ffi::{c_int, c_long};

use asterism_object::{Value, array, ownership};
use asterism_vm::{Ec, Res};

use crate::call::named;
use crate::demand::an_array;
use crate::types::{In, Out};
use crate::views;

fn capacity(ec: &mut Ec, n: c_long) -> Res {
    let Ok(n) = usize::try_from(n) else {
        return Err(ec.arg_error("negative array size (or size too big)"));
    };
    if n > array::MAX_LEN {
        return Err(ec.arg_error("array size too big"));
    }
    ec.array_with_capacity(n)
}

/// The address of the elements, which stay there until the thread goes back to Ruby.
fn elements(ec: &mut Ec, v: Value) -> Res<Out<Value>> {
    an_array(ec, v)?;
    let place = array::foreign::elements(ec, v);
    let place = ec.check(v, place)?;
    views::hold(ec, v);
    Ok(Out(place))
}

fn store(ec: &mut Ec, v: Value, i: c_long, x: Value) -> Res<()> {
    let len = array::len(v) as c_long;
    let at = if i < 0 { i + len } else { i };
    if at < 0 {
        return Err(ec.index_error(format!("index {i} too small for array; minimum: -{len}")));
    }
    if at >= array::MAX_LEN as c_long {
        return Err(ec.index_error(format!("index {at} too big")));
    }
    let done = array::set(ec, v, at as usize, x);
    ec.check(v, done)
}

/// The element; also for functions in C that mark. The header's macro finds that of most Arrays without a call.
///
/// # Safety
/// Called by a function in C, with an Array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_ary_entry(v: Value, i: c_long) -> Value {
    if crate::entry::is_marking() {
        return array::get(v, i);
    }
    let body = move |ec: &mut Ec| an_array(ec, v).map(|()| array::get(v, i));
    // SAFETY: the caller's contract.
    unsafe { crate::entry::enter(body) }
}

api! {
    fn rb_ary_new(ec) -> Value {
        ec.array(&[])
    }

    fn rb_ary_new_capa(ec, n: c_long) -> Value {
        capacity(ec, n)
    }

    fn rb_ary_new_from_values(ec, n: c_long, values: In<Value>) -> Value {
        if values.is_null() {
            return capacity(ec, n);
        }
        ec.array(values.slice(n))
    }

    fn rb_ary_hidden_new(ec, n: c_long) -> Value {
        capacity(ec, n)
    }

    fn rb_ary_tmp_new(ec, n: c_long) -> Value {
        capacity(ec, n)
    }

    fn rb_ary_free(_ec, _v: Value) {
        Ok(())
    }

    fn rb_assoc_new(ec, a: Value, b: Value) -> Value {
        ec.array(&[a, b])
    }

    fn rb_ary_push(ec, v: Value, x: Value) -> Value {
        an_array(ec, v)?;
        ec.array_push(v, x)?;
        Ok(v)
    }

    fn rb_ary_cat(ec, v: Value, values: In<Value>, n: c_long) -> Value {
        an_array(ec, v)?;
        let done = array::extend(ec, v, values.slice(n));
        ec.check(v, done)?;
        Ok(v)
    }

    fn rb_ary_pop(ec, v: Value) -> Value {
        an_array(ec, v)?;
        let done = array::pop(ec, v);
        Ok(ec.check(v, done)?.unwrap_or(Value::NIL))
    }

    fn rb_ary_shift(ec, v: Value) -> Value {
        an_array(ec, v)?;
        let done = array::shift(ec, v);
        Ok(ec.check(v, done)?.unwrap_or(Value::NIL))
    }

    fn rb_ary_unshift(ec, v: Value, x: Value) -> Value {
        an_array(ec, v)?;
        let done = array::unshift(ec, v, x);
        ec.check(v, done)?;
        Ok(v)
    }

    fn rb_ary_store(ec, v: Value, i: c_long, x: Value) {
        an_array(ec, v)?;
        store(ec, v, i, x)
    }

    fn rb_ary_dup(ec, v: Value) -> Value {
        an_array(ec, v)?;
        let done = array::dup(ec, v);
        ec.check(v, done)
    }

    fn rb_ary_resurrect(ec, v: Value) -> Value {
        an_array(ec, v)?;
        let done = array::dup(ec, v);
        ec.check(v, done)
    }

    fn rb_ary_clear(ec, v: Value) -> Value {
        an_array(ec, v)?;
        let done = array::clear(ec, v);
        ec.check(v, done)?;
        Ok(v)
    }

    fn rb_ary_subseq(ec, v: Value, at: c_long, n: c_long) -> Value {
        an_array(ec, v)?;
        let len = array::len(v) as c_long;
        if at > len || at < 0 || n < 0 {
            return Ok(Value::NIL);
        }
        let done = array::sub(ec, v, at as usize, n.min(len - at) as usize);
        ec.check(v, done)
    }

    fn rb_ary_delete_at(ec, v: Value, i: c_long) -> Value {
        an_array(ec, v)?;
        let done = array::delete_at(ec, v, i);
        Ok(ec.check(v, done)?.unwrap_or(Value::UNDEF))
    }

    fn rb_ary_resize(ec, v: Value, n: c_long) -> Value {
        an_array(ec, v)?;
        let Ok(n) = usize::try_from(n) else {
            return Err(ec.index_error("negative array size"));
        };
        let len = array::len(v);
        let done = if n < len { array::truncate(ec, v, n) } else { array::fill(ec, v, len, n - len, Value::NIL) };
        ec.check(v, done)?;
        Ok(v)
    }

    fn rb_ary_to_ary(ec, v: Value) -> Value {
        match crate::lock::in_ruby(ec, |ec| ec.check_array(v))? {
            Some(list) => Ok(list),
            None => ec.array(&[v]),
        }
    }

    fn rb_Array(ec, v: Value) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "Array", &[v])
    }

    fn rb_check_array_type(ec, v: Value) -> Value {
        Ok(crate::lock::in_ruby(ec, |ec| ec.check_array(v))?.unwrap_or(Value::NIL))
    }

    fn rb_ary_aref(ec, argc: c_int, argv: In<Value>, v: Value) -> Value {
        named(ec, v, "[]", argv.slice(i64::from(argc)))
    }

    fn rb_ary_each(ec, v: Value) -> Value {
        an_array(ec, v)?;
        let mut i = 0;
        let block = crate::call::current_block(ec);
        while let Some(x) = array::at(v, i) {
            crate::lock::in_ruby(ec, |ec| ec.yield1(block, x))?;
            i += 1;
        }
        Ok(v)
    }

    fn rb_ary_freeze(ec, v: Value) -> Value {
        an_array(ec, v)?;
        ec.freeze(v)
    }

    fn rb_ary_shared_with_p(_ec, _a: Value, _b: Value) -> Value {
        Ok(Value::FALSE)
    }

    fn rb_ary_modify(ec, v: Value) {
        an_array(ec, v)?;
        ec.check_frozen(v)
    }

    fn rb_ary_detransient(_ec, _v: Value) {
        Ok(())
    }

    fn rb_ary_splice(ec, v: Value, at: c_long, n: c_long, values: In<Value>, count: c_long) {
        an_array(ec, v)?;
        let done = array::splice(ec, v, at.max(0) as usize, n.max(0) as usize, values.slice(count));
        ec.check(v, done)
    }

    fn rb_get_values_at(ec, v: Value, _len: c_long, argc: c_int, argv: In<Value>, _func: crate::types::Func) -> Value {
        named(ec, v, "values_at", argv.slice(i64::from(argc)))
    }

    /// Where the elements are, to be read or written.
    fn rb_asterism_ary_ptr(ec, v: Value) -> Out<Value> {
        elements(ec, v)
    }

    /// Where the elements are, to be read.
    fn rb_asterism_ary_const_ptr(ec, v: Value) -> In<Value> {
        let place = if ownership::is_frozen(v) { array::private_slice(&v).as_ptr() } else { elements(ec, v)?.0 };
        Ok(In(place))
    }

    fn rb_ary_rotate(ec, v: Value, count: c_long) -> Value {
        an_array(ec, v)?;
        let count = ec.int(count)?;
        named(ec, v, "rotate!", &[count])
    }
}

methods! {
    fn rb_ary_concat(recv, other) = "concat";
    fn rb_ary_plus(recv, other) = "+";
    fn rb_ary_join(recv, separator) = "join";
    fn rb_ary_reverse(recv) = "reverse!";
    fn rb_ary_sort(recv) = "sort";
    fn rb_ary_sort_bang(recv) = "sort!";
    fn rb_ary_includes(recv, item) = "include?";
    fn rb_ary_delete(recv, item) = "delete";
    fn rb_ary_to_s(recv) = "to_s";
    fn rb_ary_assoc(recv, key) = "assoc";
    fn rb_ary_rassoc(recv, value) = "rassoc";
    fn rb_ary_cmp(recv, other) = "<=>";
    fn rb_ary_replace(recv, other) = "replace";
}
