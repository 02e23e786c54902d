//! Which accesses an instruction makes, noted before it is executed.

use asterism_compiler::opcode::Op;
use asterism_compiler::operand::Words;
use asterism_compiler::ops::{self, Instruction};
use asterism_object::types::{Type, type_of};
use asterism_object::{Sym, Value, array, hash, ownership, string};
use asterism_symbol::sym;

use super::methods;
use super::{noted_stacks, tell};
use crate::block::{Block, Env};
use crate::ec::Ec;
use crate::frame::Frame;
use crate::iseq::Iseq;
use asterism_races::actions::Action;
use asterism_races::detector::SHARDS;
use asterism_races::objects::page_of;
use asterism_races::shadow::{Access, Kind, Part, mix, slot};

/// Stands for the global variables among objects. No address is odd.
const GLOBALS: u64 = 1;
/// Marks slots of an object's instance variables, which Arrays and Hashes may have besides.
const IVAR: u64 = 1 << 63;
/// Marks slots of class variables.
const CVAR: u64 = 3 << 62;
/// Marks slots of constants.
const CONSTANT: u64 = 1 << 62;

/// Is an instruction with this opcode looked at before it is executed?
pub(crate) const fn is_noted(op: Op) -> bool {
    matches!(
        op,
        Op::GetIvar
            | Op::SetIvar
            | Op::GetUp
            | Op::SetUp
            | Op::GetGlobal
            | Op::SetGlobal
            | Op::GetCvar
            | Op::SetCvar
            | Op::GetConst
            | Op::GetConstFrom
            | Op::SetConst
            | Op::DefMethod
            | Op::DefSingleton
            | Op::DefClass
            | Op::DefModule
            | Op::ToS
            | Op::Add
            | Op::Mul
            | Op::Mod
            | Op::Shl
            | Op::And
            | Op::Or
            | Op::Sub
            | Op::Lt
            | Op::Eq
            | Op::Ne
            | Op::JmpEq
            | Op::JmpNe
            | Op::Aref
            | Op::ArefI
            | Op::Aset
            | Op::Size
            | Op::EmptyP
            | Op::Call
            | Op::CallSelf
    )
}

/// Can the instruction at `pc`, of opcode `op`, access anything? Operators mostly meet numbers, which have nothing that is noted.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame of verified code, in which an instruction of this opcode begins at `pc`.
#[inline(always)]
pub(crate) unsafe fn may_access(op: Op, frame: *mut Frame, pc: *const u64) -> bool {
    let at = At { frame, pc };
    macro_rules! left {
        ($($name:ident)*) => {
            match op {
                // SAFETY: the caller's contract.
                $(Op::$name => at.get(unsafe { at.op::<ops::$name<'_>>() }.left().index()).is_heap(),)*
                _ => true,
            }
        };
    }
    left!(Add Sub Mul Mod And Or Shl Lt Eq Ne Aref ArefI JmpEq JmpNe)
}

/// What is accessed, for the report.
#[derive(Clone, Copy)]
enum What {
    Ivar(Sym, Value),
    Global(Sym),
    Cvar(Sym, Value),
    Constant(Sym),
    Local(Sym),
    Element(i64, Value),
    Key(Value, Value),
    Object(Value),
}

impl What {
    /// The object that it is a part of.
    fn whole(self) -> What {
        match self {
            What::Element(_, object) | What::Key(_, object) => What::Object(object),
            what => what,
        }
    }

    fn text(self, ec: &mut Ec) -> String {
        let mut a = |object: Value| {
            let name = ec.class_name_of(object);
            let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
            format!("{article} {name}")
        };
        match self {
            What::Ivar(name, object) => format!("{} of {}", name.text(), a(object)),
            What::Global(name) | What::Constant(name) => name.text().into_owned(),
            What::Cvar(name, class) => match asterism_object::class::Class::from_value(class) {
                Some(class) => format!("{} of {}", name.text(), ec.class_name(class)),
                None => name.text().into_owned(),
            },
            What::Local(name) => format!("local variable {}", name.text()),
            What::Element(i, object) => format!("element {i} of {}", a(object)),
            What::Key(key, object) => {
                let object = a(object);
                format!("key {} of {object}", tell::key_text(ec, key))
            }
            What::Object(object) => a(object),
        }
    }
}

/// An instruction that is about to be executed.
struct At {
    frame: *mut Frame,
    pc: *const u64,
}

impl At {
    /// A register of the frame.
    #[inline(always)]
    fn get(&self, register: usize) -> Value {
        // SAFETY: the verifier has checked that the frame has the registers which its instructions name.
        unsafe { *Frame::regs(self.frame).add(register) }
    }

    /// # Safety
    /// The instruction is one of opcode `O`.
    #[inline(always)]
    unsafe fn op<'i, O: Instruction<'i>>(&self) -> O {
        // SAFETY: the caller's contract; the code lives as long as the frame.
        unsafe { O::at(Words::at(self.pc)) }
    }
}

/// Notes the accesses that the instruction at `pc` makes. It is not executed yet.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame of verified code, in which an instruction begins at `pc`.
#[inline(never)]
pub(crate) unsafe fn note(ec: &mut Ec, frame: *mut Frame, pc: *const u64) {
    // SAFETY: the caller's contract; the frame keeps its code alive, and operands are read as what the opcode says.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        if iseq.code.internal || !ec.thread.notes_races {
            return;
        }
        let Some(races) = ec.races() else { return };
        races.end_update();
        if races.muted != 0 {
            return;
        }
        let Some(op) = Op::from_u8(*pc as u8) else { return };
        // As the handler will do before anything that needs it.
        (*frame).pc = pc.add(op.words());
        let at = At { frame, pc };
        match op {
            Op::GetIvar => {
                let name = iseq.code.ivar_sites[at.op::<ops::GetIvar<'_>>().ivar().index()].name;
                ivar(ec, &at, (*frame).self_val, name, Kind::Read);
            }
            Op::SetIvar => {
                let name = iseq.code.ivar_sites[at.op::<ops::SetIvar<'_>>().ivar().index()].name;
                ivar(ec, &at, (*frame).self_val, name, Kind::Write);
            }
            Op::GetUp => {
                let op: ops::GetUp<'_> = at.op();
                local(ec, &at, op.slot(), op.depth(), Kind::Read);
            }
            Op::SetUp => {
                let op: ops::SetUp<'_> = at.op();
                local(ec, &at, op.slot(), op.depth(), Kind::Write);
            }
            Op::GetGlobal => global(ec, &at, iseq.sym(at.op::<ops::GetGlobal<'_>>().name().index()), Kind::Read),
            Op::SetGlobal => global(ec, &at, iseq.sym(at.op::<ops::SetGlobal<'_>>().name().index()), Kind::Write),
            Op::GetCvar => cvar(ec, &at, iseq.sym(at.op::<ops::GetCvar<'_>>().name().index()), Kind::Read),
            Op::SetCvar => cvar(ec, &at, iseq.sym(at.op::<ops::SetCvar<'_>>().name().index()), Kind::Write),
            Op::GetConst | Op::GetConstFrom => ec.race_use(),
            Op::SetConst => {
                let op: ops::SetConst<'_> = at.op();
                let (scope, name) = (at.get(op.scope().index()), iseq.sym(op.name().index()));
                if scope.is_heap() {
                    let part = Part::Variable(CONSTANT | u64::from(name.0));
                    access(ec, &at, scope.bits(), part, Kind::Write, What::Constant(name));
                }
                ec.race_define();
            }
            Op::DefMethod | Op::DefSingleton | Op::DefClass | Op::DefModule => ec.race_define(),
            _ => call(ec, &at, iseq, op),
        }
    }
}

#[inline(always)]
fn ivar(ec: &mut Ec, at: &At, object: Value, name: Sym, kind: Kind) {
    if !object.is_heap() || ownership::is_frozen(object) {
        return;
    }
    access(ec, at, object.bits(), Part::Variable(IVAR | u64::from(name.0)), kind, What::Ivar(name, object));
}

/// # Safety
/// The instruction names a slot of a scope around the frame.
unsafe fn local(ec: &mut Ec, at: &At, slot: usize, depth: usize, kind: Kind) {
    // SAFETY: the caller's contract; creators on the stack are active as long as their blocks' frames.
    let env = unsafe {
        let (mut frame, mut depth) = (at.frame, depth);
        loop {
            if depth == 0 {
                // Locals in registers are this thread's own.
                let Some(env) = (*frame).env() else { return };
                break env;
            }
            depth -= 1;
            match Block((*frame).around()).frame() {
                Some(outer) => frame = outer,
                None => {
                    let mut env = Env(Value::from_bits((*frame).around()));
                    for _ in 0..depth {
                        env = Env(env.parent());
                    }
                    break env;
                }
            }
        }
    };
    let name = match Iseq::from_value(env.iseq()) {
        // SAFETY: the Env keeps its code alive.
        Some(iseq) => unsafe { (&*iseq).code.locals.get(slot).map(|local| local.name) },
        None => None,
    };
    // Those without a name are the compiler's.
    let Some(name) = name.filter(|name| *name != sym::EMPTY) else { return };
    access(ec, at, env.0.bits(), Part::Variable(slot as u64), kind, What::Local(name));
}

fn global(ec: &mut Ec, at: &At, name: Sym, kind: Kind) {
    // Special ones are the implementation's, or the thread's.
    let gvar = ec.vm().gvars.get(name);
    if gvar.getter.is_some() || gvar.setter.is_some() {
        return;
    }
    // Names of one variable lead to one place.
    let part = Part::Variable(std::sync::Arc::as_ptr(&gvar) as u64 >> 3);
    access(ec, at, GLOBALS, part, kind, What::Global(name));
}

fn cvar(ec: &mut Ec, at: &At, name: Sym, kind: Kind) {
    let mut cref = ec.cref();
    while cref.class().is_singleton() {
        match cref.outer() {
            Some(outer) => cref = outer,
            None => break,
        }
    }
    let class = cref.class();
    let owner = ec.cvar_owner(class, name).unwrap_or(class).0;
    access(ec, at, owner.bits(), Part::Variable(CVAR | u64::from(name.0)), kind, What::Cvar(name, owner));
}

/// A call, or an operator that may be one.
///
/// # Safety
/// As for `note`.
unsafe fn call(ec: &mut Ec, at: &At, iseq: &Iseq, op: Op) {
    // SAFETY: the caller's contract.
    unsafe {
        macro_rules! binary {
            ($($name:ident)*) => {
                match op {
                    $(Op::$name => {
                        let op: ops::$name<'_> = at.op();
                        Some((at.get(op.left().index()), [at.get(op.right().index()), Value::NIL], op.site().index()))
                    })*
                    _ => None,
                }
            };
        }
        let operator = binary!(Add Sub Mul Mod And Or Shl Lt Eq Ne Aref JmpEq JmpNe);
        let (recv, args, site) = match (operator, op) {
            (Some(operator), _) => operator,
            (None, Op::ArefI) => {
                let op: ops::ArefI<'_> = at.op();
                (at.get(op.left().index()), [Value::fixnum(op.imm()), Value::NIL], op.site().index())
            }
            (None, Op::Aset) => {
                let op: ops::Aset<'_> = at.op();
                let args = [at.get(op.key().index()), at.get(op.value().index())];
                (at.get(op.recv().index()), args, op.site().index())
            }
            (None, Op::ToS) => {
                let op: ops::ToS<'_> = at.op();
                let v = at.get(op.value().index());
                if v.is_type(Type::String) && !ownership::is_frozen(v) {
                    access(ec, at, v.bits(), Part::Whole, Kind::Read, What::Object(v));
                }
                return;
            }
            (None, Op::Size) => {
                let op: ops::Size<'_> = at.op();
                (at.get(op.recv().index()), [Value::NIL; 2], op.site().index())
            }
            (None, Op::EmptyP) => {
                let op: ops::EmptyP<'_> = at.op();
                (at.get(op.recv().index()), [Value::NIL; 2], op.site().index())
            }
            (None, Op::Call) => {
                let op: ops::Call<'_> = at.op();
                let (base, site) = (op.base().index(), op.site().index());
                (at.get(base), arguments(at, base, iseq, site), site)
            }
            (None, Op::CallSelf) => {
                let op: ops::CallSelf<'_> = at.op();
                let (base, site) = (op.base().index(), op.site().index());
                ((*at.frame).self_val, arguments(at, base, iseq, site), site)
            }
            _ => return,
        };
        if recv.is_heap() && !ownership::is_frozen(recv) {
            let site = &iseq.code.call_sites[site];
            let plain = site.flags & asterism_compiler::code::flags::SPLAT == 0;
            method(ec, at, recv, site.name, args, if plain { usize::from(site.argc) } else { usize::MAX });
        }
    }
}

/// The first two arguments.
///
/// # Safety
/// As for `note`; the call's operands begin at `base`.
unsafe fn arguments(at: &At, base: usize, iseq: &Iseq, site: usize) -> [Value; 2] {
    match iseq.code.call_sites[site].argc {
        0 => [Value::NIL; 2],
        1 => [at.get(base + 1), Value::NIL],
        _ => [at.get(base + 1), at.get(base + 2)],
    }
}

/// A call of a method of an object that is not frozen.
#[inline(always)]
fn method(ec: &mut Ec, at: &At, recv: Value, name: Sym, args: [Value; 2], argc: usize) {
    let Some(cell) = recv.cell() else { return };
    let ty = type_of(cell);
    let class = ec.class_of(recv);
    let serial = class.serial();
    let known = ec.thread.races.as_deref_mut().and_then(|races| races.actions.get(serial, name, argc));
    let action = match known {
        Some(action) => action,
        None => {
            let action = methods::find(ec, class, ty, name, argc);
            let serial = class.serial();
            if let Some(races) = ec.thread.races.as_deref_mut() {
                races.actions.insert(serial, name, argc, action);
            }
            action
        }
    };
    perform(ec, at, recv, ty, action, args, argc);
}

fn perform(ec: &mut Ec, at: &At, recv: Value, ty: Type, action: Action, args: [Value; 2], argc: usize) {
    let whole = What::Object(recv);
    let object = recv.bits();
    // A String is one thing; so is what has elements that nobody can tell from each other.
    let single = ty == Type::String || argc == usize::MAX;
    let (kind, part) = match action {
        Action::Nothing => return,
        Action::ReadIvar(name) => return ivar(ec, at, recv, name, Kind::Read),
        Action::WriteIvar(name) => return ivar(ec, at, recv, name, Kind::Write),
        Action::GetIvar | Action::GetMember | Action::SetIvar | Action::SetMember => {
            let Some(name) = args[0].as_sym() else { return };
            let reads = matches!(action, Action::GetIvar | Action::GetMember);
            return ivar(ec, at, recv, name, if reads { Kind::Read } else { Kind::Write });
        }
        Action::Read => (Kind::Read, Part::Whole),
        Action::Length => (Kind::Read, Part::Length),
        Action::Update => (Kind::Update, Part::Whole),
        Action::Append if single => (Kind::Update, Part::Whole),
        Action::Append => (Kind::Update, Part::Next(array::len(recv) as u64)),
        Action::First => return element(ec, at, recv, ty, Value::fixnum(0), Kind::Read),
        Action::ReadElement if single || argc != 1 && ty == Type::Array => (Kind::Read, Part::Whole),
        Action::ReadElement => return element(ec, at, recv, ty, args[0], Kind::Read),
        Action::WriteElement if single => (Kind::Write, Part::Whole),
        Action::WriteElement => return element(ec, at, recv, ty, args[0], Kind::Write),
        Action::UpdateElement if single => (Kind::Update, Part::Whole),
        Action::UpdateElement => return element(ec, at, recv, ty, args[0], Kind::Update),
    };
    access(ec, at, object, part, kind, whole);
}

/// An element of an Array, or the value of a key of a Hash or Set.
fn element(ec: &mut Ec, at: &At, recv: Value, ty: Type, key: Value, kind: Kind) {
    let object = recv.bits();
    if ty == Type::Array {
        let Some(i) = key.fixnum_value() else {
            return access(ec, at, object, Part::Whole, kind, What::Object(recv));
        };
        let len = array::len(recv) as i64;
        let index = if i < 0 { i + len } else { i };
        if index < 0 {
            return access(ec, at, object, Part::Length, Kind::Read, What::Object(recv));
        }
        let part = match index as u64 {
            n if i < 0 => Part::FromEnd(n),
            n if i >= len => Part::Beyond(n),
            n => Part::Element(n),
        };
        return access(ec, at, object, part, kind, What::Element(index, recv));
    }
    let word = if let Some(sym) = key.as_sym() {
        // By its text: the number of a Symbol that is collected comes to belong to another one.
        sym.text().bytes().fold(1, |hash, byte| mix(hash ^ u64::from(byte)))
    } else if !key.is_heap() {
        mix(key.bits())
    } else if key.is_type(Type::String) && !(ty == Type::Hash && hash::is_identity(recv)) {
        string::hash(ec, key)
    } else if ty == Type::Hash && hash::is_identity(recv) {
        mix(key.bits())
    } else {
        // Which key it is only its methods can tell: it is an element that is unlike all others.
        slot::ELEMENT_LIMIT
    };
    let at_slot = if word == slot::ELEMENT_LIMIT { slot::ELEMENT_LIMIT } else { word % slot::ELEMENT_LIMIT };
    let what = What::Key(key, recv);
    if at_slot == slot::ELEMENT_LIMIT {
        // Two such keys may be different ones: only what concerns the whole is looked for.
        return access(ec, at, object, Part::Unknown, kind, what);
    }
    access(ec, at, object, Part::Element(at_slot), kind, what);
}

/// Notes an access.
#[inline(always)]
fn access(ec: &mut Ec, at: &At, object: u64, part: Part, kind: Kind, what: What) {
    if ec.thread.races.as_deref_mut().is_some_and(|races| races.is_news(object, part, kind)) {
        access_anew(ec, at, object, part, kind, what);
    }
}

/// Notes an access that is not among those that the thread has noted last.
#[inline(never)]
fn access_anew(ec: &mut Ec, at: &At, object: u64, part: Part, kind: Kind, what: What) {
    let Some(races) = ec.thread.races.as_deref_mut() else { return };
    let Some(thread) = races.number else { return };
    let time = races.time();
    // SAFETY: the instruction's frame is the current one, its pc was saved.
    let Some(stack) = (unsafe { noted_stacks::number(ec, at.frame) }) else { return };
    let Some(races) = ec.thread.races.as_deref_mut() else { return };
    let now = Access { thread, time, stack, kind };
    let race = {
        let mut shard = races.detector.objects[mix(page_of(object)) as usize % SHARDS].lock();
        let (shadow, accesses) = shard.shadow(object);
        if shadow.knows(part, &now) {
            return;
        }
        let (race, more) = shadow.access(part, now, &races.clock);
        *accesses += more;
        race
    };
    if kind == Kind::Update {
        // An atomic step orders: what the thread has done is before the steps that come after this one.
        races.detector.release(object, &races.clock);
        races.tick();
        races.updating = Some(object);
    }
    if let Some(race) = race {
        let what = if race.of_whole { what.whole() } else { what };
        tell::tell(ec, &|ec| what.text(ec), &now, &race.before);
    }
}
