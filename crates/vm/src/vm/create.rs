//! How a VM is made.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use asterism_heap::{Config, Heap, OutOfMemory};
use asterism_lock::{Mutex, RwLock};
use asterism_object::space::Space;
use asterism_object::{AtomicValue, Value};

use super::heap_hooks::HOOKS;
use super::{AtFork, CoreHooks, Options, Root, Vm};
use crate::basic_ops::BasicOps;
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::gvar::Gvars;
use crate::image;
use crate::keep::Parts;

impl Vm {
    /// Makes a VM and its first thread's context (for the calling native thread), boots the core classes.
    ///
    /// # Errors
    /// OutOfMemory: there is no address space for a heap or a stack. In the pair: what the prelude raises, with the Ec to look at it.
    pub fn create(options: Options, hooks: &'static CoreHooks) -> Result<(Box<Ec>, Res<()>), OutOfMemory> {
        let stack = crate::stack::Stack::reserve().map_err(|_| OutOfMemory)?;
        let image = image::get(hooks);
        let vm = Arc::new(Vm {
            space: image.map_or_else(|| Space::new(crate::random_seed()), image::Image::space),
            heap: OnceLock::new(),
            hooks,
            serials: AtomicU64::new(0),
            const_serial: AtomicU64::new(1),
            class_lock: Mutex::new(()),
            exceptions: [const { AtomicValue::new(Value::NIL) }; Exc::COUNT],
            gvars: Gvars::default(),
            gvar_aliases: AtomicU64::new(0),
            roots: [const { AtomicValue::new(Value::NIL) }; Root::Count as usize],
            primitives: RwLock::default(),
            classes: Mutex::default(),
            basic_ops: BasicOps::new(),
            gate: crate::jit::Gate::new(options.profile.is_some()),
            class_changes: AtomicU64::new(0),
            booting: AtomicBool::new(true),
            autoloads: Mutex::default(),
            const_locations: Mutex::default(),
            stacks: OnceLock::new(),
            threads: crate::thread::Threads::default(),
            finalizers_wait: AtomicBool::new(false),
            verbose: AtomicU64::new(1),
            warns_of_deprecated: AtomicBool::new(false),
            strict_unused_block: AtomicBool::new(false),
            debug: AtomicBool::new(false),
            from_image: OnceLock::new(),
            parts: Parts::default(),
            profiler: Arc::default(),
            tracer: Mutex::default(),
            races: asterism_races::detector::Races::default(),
            at_fork: AtFork::default(),
            options: options.clone(),
        });
        if let (Some(memory), Some(_)) = (options.memory, options.memory_limit) {
            (memory.limited)();
        }
        let config = Config {
            gc_stress: false,
            verify: options.verify_heap,
            lock_stats: options.lock_stats,
            no_parallel: options.no_parallel,
            memory_limit: options.memory_limit,
            family: options.family.clone(),
            shortage: options.memory.map(|memory| memory.shortage),
            ..Config::default()
        };
        let heap = Heap::new(config, &HOOKS, Arc::as_ptr(&vm).cast())?;
        // The cell is empty: the VM was made a moment ago.
        let _ = vm.heap.set(heap);
        let thread = vm.threads.make();
        let mut ec = Ec::new(vm.clone(), thread, stack);
        // What boot makes is there whatever a limit says.
        ec.suspend_limit();
        let booted = match image {
            Some(image) => image.install(&mut ec),
            None => crate::class_ops::boot(&mut ec)
                .and_then(|()| crate::thread::adopt_main(&mut ec))
                .and_then(|()| (hooks.boot)(&mut ec)),
        };
        vm.booting.store(false, Ordering::Release);
        ec.resume_limit();
        if booted.is_ok() && image.is_none() {
            image::booted(&mut ec);
        }
        if options.race_report {
            ec.await_threads_for_races();
        }
        if options.gc_stress {
            vm.heap().set_gc_stress(true);
        }
        Ok((ec, booted))
    }
}
