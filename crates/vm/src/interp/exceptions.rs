//! `$!`, `rescue` lists, and going on with what unwinds.

use asterism_compiler::ops;
use asterism_object::class::Class;
use asterism_object::{Value, array};
use asterism_symbol::sym;

use super::quick::quick_class_match;
use super::state::{Execute, Interp, Next};
use crate::ec::{Ec, Res};

impl<'i> Execute<'i> for ops::GetErrInfo<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let v = at.ec.fiber.errinfo;
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::SetErrInfo<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        at.ec.fiber.errinfo = at.get(self.value());
        at.next()
    }
}

impl<'i> Execute<'i> for ops::RescueMatch<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (exception, class) = (at.get(self.exception()), at.get(self.class()));
        let matches = rescue_match(at.ec, exception, class, self.splat())?;
        at.store(self.dst(), Value::bool(matches))
    }
}

impl<'i> Execute<'i> for ops::Rethrow<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let token = at.get(self.token());
        Err(at.ec.rethrow(token))
    }
}

/// Does a `rescue` list's entry match the exception?
fn rescue_match(ec: &mut Ec, e: Value, class: Value, splat: bool) -> Res<bool> {
    if splat {
        let list = ec.to_ary(class)?;
        for i in 0..array::len(list) {
            if let Some(class) = array::at(list, i)
                && rescue_match(ec, e, class, false)?
            {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    if Class::from_value(class).is_none() {
        return Err(ec.type_error("class or module required for rescue clause"));
    }
    match quick_class_match(ec, class, e) {
        Some(answer) if !ec.thread.is_traced() => Ok(answer),
        _ => Ok(ec.call(class, sym::EQQ, &[e])?.truthy()),
    }
}
