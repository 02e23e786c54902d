//! The core library as VMs are made with it: which parts there are, and in which order they boot.

use std::sync::{Arc, OnceLock};

use asterism_compiler::Code;
use asterism_compiler::image::Image;
use asterism_core::{allocators, numeric, objspace, regexp, string};
use asterism_vm::{CoreHooks, Ec, Res};

/// What a VM needs of the core library.
pub static HOOKS: CoreHooks = CoreHooks {
    boot,
    new_regexp: regexp::new_regexp,
    dynamic_regexp: regexp::literals::dynamic,
    check_regexp: regexp::literals::check,
    intern_string: string::dedup::dedup,
    new_rational: numeric::new_rational,
    new_complex: numeric::new_complex,
    match_part: regexp::match_part,
    autoload: asterism_system::load::load_constant,
    can_load: asterism_system::load::can_load,
    load_extension: asterism_capi::load,
    second_thread: asterism_capi::take_in_earnest,
    code_object: asterism_rubyvm::code_object,
    extension_size: asterism_capi::size_in_c,
    allocate: allocators::allocate,
    finalize,
    own_stream: asterism_system::ractor::own_stream,
    set_own_stream: asterism_system::ractor::set_own_stream,
    signal: asterism_system::process::handle_signal,
    end_process: crate::session::end_process,
};

/// What a collection has left to be done, at a poll.
fn finalize(ec: &mut Ec) -> Res<()> {
    asterism_capi::run_frees(ec)?;
    asterism_capi::run_jobs(ec)?;
    objspace::run_pending_finalizers(ec)
}

/// Defines every class natively, then runs the Ruby part, which builds on that.
fn boot(ec: &mut Ec) -> Res<()> {
    asterism_core::init(ec)?;
    asterism_marshal::init(ec)?;
    asterism_system::init(ec)?;
    asterism_rubyvm::init(ec)?;
    asterism_stdlib::init(ec);
    asterism_capi::init(ec)?;
    let Some(codes) = prelude_codes() else {
        return Err(ec.fatal("the prelude's image is damaged"));
    };
    for code in codes {
        ec.run_prelude(code)?;
    }
    asterism_system::fiber::after_prelude(ec)
}

/// The Ruby part, compiled when the implementation was built (`build.rs`); read once a process, since code is
/// immutable and shared by all VMs. Methods are read when they are first called.
fn prelude_codes() -> Option<&'static Vec<Arc<Code>>> {
    static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/prelude.image"));
    static IMAGE: OnceLock<Option<Image>> = OnceLock::new();
    static CODES: OnceLock<Option<Vec<Arc<Code>>>> = OnceLock::new();
    let image = asterism_lock::once::get_or_init(&IMAGE, || Image::open(BYTES)).as_ref()?;
    asterism_lock::once::get_or_init(&CODES, || image.codes()).as_ref()
}
