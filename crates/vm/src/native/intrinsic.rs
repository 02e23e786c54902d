//! Which native methods compiled code executes itself.

/// Native methods that compiled code executes itself where their operands allow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    /// None of them.
    None,
    /// A member of a Struct.
    StructGet(u8),
    /// Sets a member of a Struct.
    StructSet(u8),
    /// `Integer#succ`
    Succ,
    /// `Integer#pred`
    Pred,
    /// `Integer#even?`
    Even,
    /// `Integer#odd?`
    Odd,
    /// `Integer#zero?`
    Zero,
    /// `Integer#positive?`
    Positive,
    /// `Integer#negative?`
    Negative,
    /// `Integer#~`
    Complement,
    /// `Integer#abs`
    Abs,
    /// `Integer#to_f`
    ToF,
    /// `Integer#<=>`
    Compare,
    /// `Math.sqrt`
    Sqrt,
    /// `Array#first` without an argument, of one that is not empty.
    First,
    /// `Array#last` without an argument, of one that is not empty.
    Last,
    /// `Array#push` with one argument.
    Push,
    /// `Array#pop` without an argument, of one that is not empty.
    Pop,
    /// `Array#shift`, the same.
    Shift,
    /// `String#getbyte`
    GetByte,
    /// `is_a?`
    IsA,
    /// `instance_of?`
    InstanceOf,
    /// `respond_to?` of a Symbol alone.
    RespondTo,
    /// `instance_variable_get` of a variable that is there.
    IvarGet,
}
