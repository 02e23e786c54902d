//! Native methods that are executed in place where their operands allow it.

use asterism_compiler::opcode::Op;
use asterism_object::structs;
use asterism_object::types::Type;
use asterism_vm::jit::layout::{self, cell};
use asterism_vm::jit::{Definition, UNKNOWN, helpers};
use asterism_vm::native::Intrinsic;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::{Emitter, bits};

/// `1` and `0` as words.
const ONE: i64 = 3;
const ZERO: i64 = 1;

impl Emitter<'_, '_> {
    /// Call `i` of the native method `def`, with `argc` arguments behind register `base`, if that is still what the site's entry leads to
    /// (`target`) and its operands allow it, in place; else the method is called.
    pub(super) fn intrinsic(
        &mut self,
        i: usize,
        (base, argc): (usize, usize),
        recv: Value,
        (method, target): (Value, Value),
        def: Definition,
        bad: Block,
    ) -> Value {
        let other = self.cold();
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, target, def.address as i64);
        let same = self.perhaps(same);
        self.expect_or(same, other);
        let v = self.of_intrinsic(def.intrinsic, base, recv, other);
        self.or_aside(v, other, |e, on| {
            e.regs.clone_from(&e.before);
            let v = match def.leaf {
                true => e.call_leaf(i, (base, argc), recv, method, target),
                false => e.call_framed(i, recv, method, target, bad),
            };
            e.b.ins().jump(on, &[v.into()]);
        })
    }

    /// The value of what takes the place of a method; on in `other` for other operands, with nothing done.
    fn of_intrinsic(&mut self, which: Intrinsic, base: usize, recv: Value, other: Block) -> Value {
        match which {
            Intrinsic::StructGet(n) => {
                self.is_cell_of(recv, Type::Struct, other);
                let at = self.member(recv, n, other);
                self.load(recv, at)
            }
            Intrinsic::StructSet(n) => {
                let v = self.get(base + 1);
                self.own_struct(recv, other);
                let at = self.member(recv, n, other);
                self.store(recv, at, v);
                v
            }
            Intrinsic::Succ | Intrinsic::Pred => {
                self.is_fixnum(recv, other);
                let one = self.int(ONE);
                self.of_fixnums(if which == Intrinsic::Succ { Op::Add } else { Op::Sub }, recv, one, other)
            }
            Intrinsic::Even | Intrinsic::Odd => {
                self.is_fixnum(recv, other);
                let low = self.b.ins().band_imm_s(recv, 2);
                let how = if which == Intrinsic::Even { IntCC::Equal } else { IntCC::NotEqual };
                let met = self.b.ins().icmp_imm_s(how, low, 0);
                self.boolean(met)
            }
            Intrinsic::Zero | Intrinsic::Positive | Intrinsic::Negative => {
                self.is_fixnum(recv, other);
                let how = match which {
                    Intrinsic::Zero => IntCC::Equal,
                    Intrinsic::Positive => IntCC::SignedGreaterThan,
                    _ => IntCC::SignedLessThan,
                };
                let met = self.b.ins().icmp_imm_s(how, recv, ZERO);
                self.boolean(met)
            }
            Intrinsic::Complement => {
                self.is_fixnum(recv, other);
                // `2n + 1` becomes `2(-n - 1) + 1`.
                self.b.ins().ineg(recv)
            }
            Intrinsic::Abs => {
                self.is_fixnum(recv, other);
                let zero = self.int(ZERO);
                let negated = self.of_fixnums(Op::Sub, zero, recv, other);
                let below = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, recv, ZERO);
                self.b.ins().select(below, negated, recv)
            }
            Intrinsic::ToF => {
                self.is_fixnum(recv, other);
                let n = self.b.ins().sshr_imm_s(recv, 1);
                let number = self.b.ins().fcvt_from_sint(types::F64, n);
                self.float_value(number)
            }
            Intrinsic::Compare => {
                let v = self.get(base + 1);
                let both = self.b.ins().band(recv, v);
                self.is_fixnum(both, other);
                let above = self.b.ins().icmp(IntCC::SignedGreaterThan, recv, v);
                let below = self.b.ins().icmp(IntCC::SignedLessThan, recv, v);
                let (above, below) = (self.b.ins().uextend(types::I64, above), self.b.ins().uextend(types::I64, below));
                let order = self.b.ins().isub(above, below);
                let twice = self.b.ins().ishl_imm_s(order, 1);
                self.b.ins().bor_imm_s(twice, 1)
            }
            Intrinsic::Sqrt => {
                let number = match self.number(base + 1) {
                    Some(number) => number,
                    None => {
                        let v = self.get(base + 1);
                        self.number_of(v, other)
                    }
                };
                let zero = self.b.ins().f64const(0.0);
                let positive = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, number, zero);
                self.expect_or(positive, other);
                // -0.0 gives 0.0.
                let number = self.b.ins().fadd(number, zero);
                let root = self.b.ins().sqrt(number);
                self.float_value(root)
            }
            Intrinsic::First | Intrinsic::Last => {
                self.is_cell_of(recv, Type::Array, other);
                let (body, start, len) = self.bounds(recv);
                self.expect_or(len, other);
                let index = match which {
                    Intrinsic::First => self.int(0),
                    _ => self.b.ins().iadd_imm_s(len, -1),
                };
                self.load_element(body, start, index)
            }
            Intrinsic::Push => {
                let v = self.get(base + 1);
                self.is_cell_of(recv, Type::Array, other);
                self.push_to(self.at, recv, base + 1, v);
                recv
            }
            Intrinsic::Pop | Intrinsic::Shift => self.taken_from(which, recv, other),
            Intrinsic::GetByte => self.pure(helpers::get_byte as *const () as usize, base, recv, other),
            Intrinsic::IsA => self.is_instance(base, recv, other),
            Intrinsic::InstanceOf => self.pure(helpers::instance_of as *const () as usize, base, recv, other),
            Intrinsic::RespondTo => {
                let (ec, name, frame) = (self.ec, self.get(base + 1), self.frame);
                self.known_by(helpers::respond_to as *const () as usize, &[ec, recv, name, frame], other)
            }
            Intrinsic::IvarGet => self.pure(helpers::ivar_get as *const () as usize, base, recv, other),
            Intrinsic::None => {
                self.jump(other);
                let never = self.fresh();
                self.b.switch_to_block(never);
                self.int(bits::NIL)
            }
        }
    }

    /// The last or the first element of an Array, which is taken from it.
    fn taken_from(&mut self, which: Intrinsic, array: Value, other: Block) -> Value {
        self.is_cell_of(array, Type::Array, other);
        self.is_ours(array, other);
        let (body, start, len) = self.bounds(array);
        self.expect_or(len, other);
        let (index, by) = match which {
            Intrinsic::Shift => (self.int(0), 1 - (1 << 32)),
            _ => (self.b.ins().iadd_imm_s(len, -1), -(1 << 32)),
        };
        let v = self.load_element(body, start, index);
        let bounds = self.load(body, 0);
        let bounds = self.b.ins().iadd_imm_s(bounds, by);
        self.store(body, 0, bounds);
        v
    }

    /// What a helper answers that neither allocates, raises nor calls, of the receiver and an argument; on in `other` if it does not know.
    fn pure(&mut self, helper: usize, base: usize, recv: Value, other: Block) -> Value {
        let (ec, v) = (self.ec, self.get(base + 1));
        self.known_by(helper, &[ec, recv, v], other)
    }

    /// The answer of such a helper, if it knows.
    fn known_by(&mut self, helper: usize, args: &[Value], other: Block) -> Value {
        let answer = self.call_pure(helper, args);
        let known = self.b.ins().icmp_imm_s(IntCC::NotEqual, answer, UNKNOWN as i64);
        self.expect_or(known, other);
        answer
    }

    fn is_fixnum(&mut self, v: Value, other: Block) {
        let tag = self.b.ins().band_imm_s(v, 1);
        let tag = self.perhaps(tag);
        self.expect_or(tag, other);
    }

    /// Where member `n` of a Struct lies, if it has one; else on in `other`.
    fn member(&mut self, object: Value, n: u8, other: Block) -> i32 {
        let len = self.load(object, cell::PAYLOAD + 8 * structs::LENGTH as i32);
        let has = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, len, i64::from(n) << 1 | 1);
        self.expect_or(has, other);
        cell::PAYLOAD + 8 * (structs::SLOTS as i32 + i32::from(n))
    }

    /// Goes on if `v` is a Struct that this thread may write to at once, else in `other`.
    fn own_struct(&mut self, v: Value, other: Block) {
        let ec = self.ec;
        self.is_heap(v, other);
        let head = self.load(v, 0);
        let compared = self.b.ins().band_imm_s(head, (layout::WRITABLE_MASK & !layout::SHAPE_MASK) as i64);
        let mutator = self.load_fixed(ec, layout::ec::MUTATOR);
        let owner = self.load(mutator, layout::ec::OWNER_BITS);
        let wanted = self.b.ins().iadd_imm_s(owner, Type::Struct as i64);
        let own = self.b.ins().icmp(IntCC::Equal, compared, wanted);
        self.expect_or(own, other);
    }

    /// `is_a?`: the class itself is seen here.
    fn is_instance(&mut self, base: usize, recv: Value, other: Block) -> Value {
        let (own, asked) = (self.class_of(recv), self.get(base + 1));
        let (on, ask) = (self.fresh(), self.fresh());
        let answer = self.b.append_block_param(on, types::I64);
        let same = self.b.ins().icmp(IntCC::Equal, own, asked);
        let yes = self.int(bits::TRUE);
        self.b.ins().brif(same, on, &[yes.into()], ask, &[]);
        self.b.switch_to_block(ask);
        let slow = self.cold();
        let none = self.int(0);
        self.is_class(asked, slow);
        let v = self.known_instance(own, asked, none, slow);
        self.b.ins().jump(on, &[v.into()]);
        self.aside(slow, |e| {
            let v = e.pure(helpers::is_a as *const () as usize, base, recv, other);
            e.b.ins().jump(on, &[v.into()]);
        });
        self.b.switch_to_block(on);
        answer
    }
}
