//! The core classes. One folder a class: `<class>/mod.rs` is its Rust part, `<class>/<class>.rb` its Ruby part.
//!
//! [`HOOKS`] is what a VM is made with; its `boot` defines every class natively, then runs the Ruby part (`prelude`),
//! which builds on the natives and on the primitives of `primitives`.

pub mod allocators;
pub mod array;
pub mod date;
pub mod digest;
pub mod encoding;
pub mod env;
pub mod exception;
pub mod fiber;
pub mod float;
pub mod handles;
pub mod hash;
pub mod integer;
pub mod io;
pub mod io_buffer;
pub mod json;
pub mod kernel;
pub mod load;
pub mod marshal;
pub mod math;
pub mod module;
pub mod nil;
pub mod numeric;
pub mod object;
pub mod objspace;
pub mod primitives;
pub mod proc;
pub mod process;
pub mod psych;
pub mod random;
pub mod range;
pub mod recursion;
pub mod regexp;
pub mod rubyvm;
pub mod script;
pub mod socket;
pub mod string;
pub mod strscan;
pub mod structs;
pub mod support_error;
pub mod symbol;
pub mod text_escape;
pub mod thread;
pub mod time;
pub mod zlib;

use std::sync::{Arc, OnceLock};

use asterism_compiler::Code;
use asterism_compiler::image::Image;
use asterism_vm::{CoreHooks, Ec, Res};

/// What a VM needs of this crate.
pub static HOOKS: CoreHooks = CoreHooks {
    boot,
    new_regexp: regexp::new_regexp,
    intern_string: string::dedup::dedup,
    new_rational: numeric::new_rational,
    new_complex: numeric::new_complex,
    match_part: regexp::match_part,
    can_load: load::can_load,
    allocate: allocators::allocate,
    finalize: objspace::run_pending_finalizers,
};

/// Defines the core classes and runs the Ruby part.
fn boot(ec: &mut Ec) -> Res<()> {
    let vm = ec.vm();
    vm.add_part::<allocators::Allocators>();
    vm.add_part::<script::Script>();
    vm.add_part::<handles::Held>();
    object::init(ec)?;
    kernel::init(ec)?;
    module::init(ec)?;
    proc::init(ec)?;
    exception::init(ec)?;
    nil::init(ec)?;
    symbol::init(ec)?;
    string::init(ec)?;
    encoding::init(ec)?;
    integer::init(ec)?;
    float::init(ec)?;
    numeric::init(ec)?;
    math::init(ec)?;
    random::init(ec)?;
    array::init(ec)?;
    hash::init(ec)?;
    range::init(ec)?;
    structs::init(ec)?;
    regexp::init(ec)?;
    io::init(ec)?;
    io_buffer::init(ec)?;
    env::init(ec)?;
    load::init(ec)?;
    process::init(ec)?;
    time::init(ec)?;
    thread::init(ec)?;
    fiber::init(ec)?;
    objspace::init(ec)?;
    marshal::init(ec)?;
    rubyvm::init(ec)?;
    primitives::init(ec)?;
    let Some(codes) = prelude_codes() else {
        return Err(ec.fatal("the prelude's image is damaged"));
    };
    for code in codes {
        ec.run_prelude(code)?;
    }
    fiber::after_prelude(ec)
}

/// The Ruby part, compiled when the implementation was built (`build.rs`); read once a process, since code is
/// immutable and shared by all VMs. Methods are read when they are first called.
fn prelude_codes() -> Option<&'static Vec<Arc<Code>>> {
    static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/prelude.image"));
    static IMAGE: OnceLock<Option<Image>> = OnceLock::new();
    static CODES: OnceLock<Option<Vec<Arc<Code>>>> = OnceLock::new();
    let image = IMAGE.get_or_init(|| Image::open(BYTES)).as_ref()?;
    CODES.get_or_init(|| image.codes()).as_ref()
}
