//! What a C function takes and gives, in terms that [`super::call`] can check and carry out. A row that says something else than the
//! library's headers is a mistake that no check finds: memory is read or written that is not the function's.

use super::kinds::Kind;

/// One parameter, or some that belong together, in the function's order.
#[derive(Clone, Copy, Debug)]
pub enum Arg {
    /// `const T *`: an object that the function reads.
    Ref(Kind),
    /// `T *`: an object that the function changes.
    Mut(Kind),
    /// The same as `Ref`, or nil for a null pointer.
    Opt(Kind),
    /// `T *`: a new object, made by the function of that name, which this one fills in. It is a result.
    Made(Kind, &'static str),
    /// `T *`: a reference that is the function's from then on, if it succeeds.
    Give(Kind),
    /// `T *`: a copy of the object, or another reference where there is nothing to change, which the function may keep a reference to.
    Copy(Kind),
    /// The same, or nil for a null pointer.
    OptCopy(Kind),
    /// `STACK_OF(T) *`: an Array of such objects, which the function only reads; nil for a null pointer.
    Stack(Kind),
    /// `int`
    Int,
    /// `long`, `int64_t`, `time_t`
    Long,
    /// `size_t`, `unsigned long`, `uint64_t`
    Word,
    /// `const char *`: a String without NUL.
    Text,
    /// The same, or nil for a null pointer.
    OptText,
    /// `const unsigned char *, size_t` (or `int`): a String's bytes and how many.
    Bytes,
    /// The same, or nil for a null pointer and 0.
    OptBytes,
    /// `int, const void *`: how many bytes a String has, and they.
    LengthBytes,
    /// `const unsigned char *`: so many bytes, or nil for a null pointer.
    Octets(usize),
    /// `const unsigned char **, long`: a String that the function reads an object from, to its end.
    Der,
    /// `BIO *`: a String that the function reads.
    Source,
    /// The same, or nil for a null pointer.
    OptSource,
    /// `BIO *`: what the function writes there is a result.
    Sink,
    /// `unsigned char **`: where the function puts its bytes, as `i2d_…` does, whose number it returns. They are a result.
    DerOut,
    /// `unsigned char *, size_t *`: room for bytes whose number the function tells when the first is null. They are a result.
    Room,
    /// `unsigned char *, unsigned int *`: room for as many bytes as is told here, at most. They are a result.
    Upto(usize),
    /// `unsigned char *`: room for as many bytes as the function always writes. They are a result.
    Exactly(usize),
    /// `int, void *`: an Integer, 64 at most, and room for as many bytes. They are a result.
    LengthRoom,
    /// `unsigned char *, size_t`: room for as many bytes as an Integer says, and it. They are a result.
    RoomLength,
    /// `const char **`: where the function puts a C string that is not the caller's. It is a result.
    TextOut,
    /// `int *`: an Integer that is a result.
    IntOut,
    /// `T **`: an object that is a result, and the caller's; nil for a null pointer.
    Out(Kind),
    /// `T **`: an object that is a result and stays another's, of which another reference is made; nil for a null pointer.
    Lent(Kind),
    /// `STACK_OF(T) **`: an Array of objects that is a result, and the caller's; nil for a null pointer.
    OutStack(Kind),
    /// `BIO **`: what can be read from a BIO that is the caller's; nil for a null pointer.
    OutSource,
    /// `pem_password_cb *, void *`: a String; a Proc that is given whether it is for writing; nil: the terminal is asked.
    Password,
    /// A pointer that is null.
    Null,
    /// `BN_CTX *`: room for the function to work in.
    BnContext,
    /// `BN_GENCB *`: what asks for interrupts while a long search goes on.
    Progress,
    /// A function of ours that the library calls back.
    Callback(Ours),
    /// A number that is always the same.
    Const(i64),
}

/// What is returned.
#[derive(Clone, Copy, Debug)]
pub enum Ret {
    /// Nothing: nil, or what was written.
    Void,
    /// `int` that is above 0 for success: true or what was written.
    Status,
    /// `int` that is 1 for true, 0 for false and less for failure.
    Bool,
    /// `int`
    Int,
    /// `long`, `size_t`
    Long,
    /// `uint64_t`, `unsigned long`
    Word,
    /// `const char *`, not the caller's; null is a failure.
    Text,
    /// `const char *`, not the caller's; nil for a null pointer.
    OptText,
    /// `const ASN1_STRING *`, not the caller's: its bytes; null is nil.
    Octets,
    /// `T *`, which stays where it is and nobody asks for; null is a failure.
    Kept,
    /// `T *`, the caller's; null is a failure.
    New(Kind),
    /// `const T *`, not the caller's, of which another reference is made; null is nil.
    Get(Kind),
    /// A pointer: true unless it is null.
    Present,
    /// `STACK_OF(T) *`, not the caller's: an Array of references to what is in it; null is nil.
    GetStack(Kind),
    /// `STACK_OF(T) *`, the caller's, with what is in it: an Array; null is a failure.
    NewStack(Kind),
}

/// How a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// As a core method is: others wait for it before a collection.
    Quick,
    /// It may take long: the world may stop and collect meanwhile.
    Slow,
}

/// How much there is to do for a function of big numbers, in products of words, by the largest of its numbers.
#[derive(Clone, Copy)]
pub enum Cost {
    /// Little, or it can be interrupted.
    Small,
    /// Its words, squared.
    Square,
    /// As much for each of its bits.
    Power,
    /// The words of the result, squared: the first number as often as the second one says.
    Raised,
}

/// A function of this crate with C's calling convention, which calls several of the library's.
#[derive(Clone, Copy, Debug)]
pub struct Ours(pub *const ());

// SAFETY: the address of a function.
unsafe impl Sync for Ours {}

/// A C function.
pub struct Row {
    /// What Ruby calls it.
    pub name: &'static str,
    /// What the library calls it, if that is something else.
    function: Option<&'static str>,
    /// Not the library's, but ours.
    pub ours: Option<Ours>,
    pub args: &'static [Arg],
    pub ret: Ret,
    pub mode: Mode,
    pub cost: Cost,
}

impl Row {
    /// A function that does not take long.
    pub const fn new(name: &'static str, args: &'static [Arg], ret: Ret) -> Row {
        Row { name, function: None, ours: None, args, ret, mode: Mode::Quick, cost: Cost::Small }
    }

    /// One that may.
    pub const fn slow(name: &'static str, args: &'static [Arg], ret: Ret) -> Row {
        Row { name, function: None, ours: None, args, ret, mode: Mode::Slow, cost: Cost::Small }
    }

    /// A function that has another name in the library: a macro's.
    pub const fn of(name: &'static str, function: &'static str, args: &'static [Arg], ret: Ret) -> Row {
        Row { name, function: Some(function), ours: None, args, ret, mode: Mode::Quick, cost: Cost::Small }
    }

    /// A function of ours, `extern "C"`, whose parameters are those that the library's would have.
    pub const fn ours(name: &'static str, ours: Ours, args: &'static [Arg], ret: Ret) -> Row {
        Row { name, function: None, ours: Some(ours), args, ret, mode: Mode::Quick, cost: Cost::Small }
    }

    /// The same, which may take long.
    pub const fn slowly(self) -> Row {
        Row { mode: Mode::Slow, ..self }
    }

    /// The same, which gives `:large` instead of doing more than takes some hundredths of a second.
    pub const fn costs(self, cost: Cost) -> Row {
        Row { cost, ..self }
    }

    /// What the library calls it.
    pub fn function(&self) -> &'static str {
        self.function.unwrap_or(self.name)
    }
}
