//! require, load, autoload and the load path.
//!
//! `$LOADED_FEATURES` is the truth about what is loaded; an index of it is kept to answer quickly. A file that one
//! thread loads is waited for by others that require it, unless that would be a deadlock, which counts as a
//! circular require.

mod autoload;
mod feature;
mod gems;
mod search;
mod source;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use asterism_compiler::CodeKind;
use asterism_lock::{Mutex, RwLock};
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_symbol::{intern, sym};
use asterism_vm::ec::Raised;
use asterism_vm::fiber::scheduler::Parked;
use asterism_vm::image::{Recording, Word};
use asterism_vm::keep::Recorded;
use asterism_vm::thread::Sleep;
use asterism_vm::vm::Root;
use asterism_vm::{Args, Ec, Exc, Keep, NativeDef, Place, Res, Vm};

use asterism_core::errno;

pub use autoload::{AT_FIRST_USE, autoload_at_first_use, load_constant};
pub use feature::{Define, Feature};
pub use search::library_dirs;

/// What a VM knows of loading. Each field protects itself.
#[derive(Default)]
pub struct LoadState {
    /// Files being loaded and who waits for them.
    busy: Mutex<Busy>,
    /// The features that need no file. Written at boot.
    features: RwLock<Vec<&'static [Feature]>>,
    /// What `$LOADED_FEATURES` held when it had this length.
    index: Mutex<Index>,
    /// The files that were loaded, by their paths without links, and their names in `$LOADED_FEATURES`.
    files: Mutex<HashMap<Vec<u8>, Vec<u8>>>,
    /// Where the standard library is, for VMs that this one makes.
    library: std::sync::OnceLock<Arc<[Vec<u8>]>>,
    /// What gems are installed; read when a feature is in none of the directories of the load path.
    gems: std::sync::OnceLock<Arc<[search::Gem]>>,
    /// The names of those that were put on the load path, which happens once: a program may take their folders off again.
    activated: Mutex<HashSet<Vec<u8>>>,
}

impl Keep for LoadState {
    const PLACE: Place = Place::Load;

    fn after_fork(&self, ec: &mut Ec) {
        let me = ec.thread.number();
        let mut busy = self.busy.lock();
        busy.loading.retain(|(_, loader)| loader.thread == me);
        busy.waiting.clear();
        busy.parked.clear();
    }

    fn record(&self, _vm: &Vm, _recording: &mut Recording<'_>) -> Option<Box<Recorded>> {
        Some(Box::new(self.features.read().clone()))
    }

    fn replay(&self, ec: &mut Ec, recorded: &Recorded, _word: &dyn Fn(Word) -> Value) -> Res<()> {
        let Some(features) = recorded.downcast_ref::<Vec<&'static [Feature]>>() else {
            return Err(ec.fatal("an image of something else"));
        };
        self.features.write().clone_from(features);
        Ok(())
    }
}

/// Lets `require` find features that need no file; at boot.
pub fn provide(ec: &Ec, features: &'static [Feature]) {
    ec.vm().part::<LoadState>().features.write().push(features);
}

/// The feature of this name, with or without extension, that needs no file.
fn built_in(ec: &Ec, name: &[u8]) -> Option<&'static Feature> {
    feature::find(&ec.vm().part::<LoadState>().features.read(), name)
}

/// Is there an extension of that name on the load path?
fn is_installed(ec: &mut Ec, name: &[u8]) -> Res<bool> {
    Ok(search::find_feature(ec, name)?.is_some_and(|path| path.ends_with(b".so")))
}

#[derive(Default)]
struct Busy {
    /// Feature and who loads it.
    loading: Vec<(Vec<u8>, Loader)>,
    /// Fiber and the feature it waits for.
    waiting: Vec<(u64, Vec<u8>)>,
    /// Threads that wait, fibers that wait by their schedulers, and for what.
    parked: Vec<(Vec<u8>, Parked)>,
}

/// A fiber that loads, by `RunningFiber::id`, and its thread's number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Loader {
    fiber: u64,
    thread: usize,
}

impl Loader {
    fn running(ec: &Ec) -> Loader {
        Loader { fiber: ec.fiber.id, thread: ec.thread.number() }
    }
}

#[derive(Default)]
struct Index {
    len: usize,
    features: HashSet<Vec<u8>>,
}

static KERNEL: &[NativeDef] = &[
    NativeDef::new("require", require, 1, 1),
    NativeDef::new("require_relative", require_relative, 1, 1),
    NativeDef::new("load", load, 1, 2),
    NativeDef::new("autoload", autoload::kernel_autoload, 2, 2),
    NativeDef::new("autoload?", autoload::kernel_autoload_p, 1, 2),
];

// No function of the module itself: RubyGems, once it is loaded, puts its own in the place of this and calls that by `Kernel.send`.
static GEM: &[NativeDef] = &[NativeDef::new("gem", gems::activate_named, 1, asterism_vm::ANY).private()];

static MODULE: &[NativeDef] = &[
    NativeDef::new("autoload", autoload::module_autoload, 2, 2),
    NativeDef::new("autoload?", autoload::module_autoload_p, 1, 2),
];

/// Defines the functions and the load path variables.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    provide(ec, feature::PRESENT);
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, KERNEL)?;
    ec.define_natives(kernel, GEM)?;
    let module = ec.known(WellKnown::Module);
    ec.define_natives(module, MODULE)?;
    let path = ec.array(&[])?;
    ec.vm().set_root(Root::LoadPath, path);
    let single = ec.singleton_class(path)?;
    ec.define_natives(single, LOAD_PATH)?;
    let features = ec.array(&[])?;
    ec.vm().set_root(Root::LoadedFeatures, features);
    for name in feature::ALWAYS {
        let name = ec.str(name)?;
        ec.array_push(features, name)?;
    }
    let gvars = &ec.vm().gvars;
    for name in ["$LOAD_PATH", "$:", "$-I"] {
        gvars.define(intern(name), Some(get_load_path), Some(asterism_vm::gvar::read_only), Value::NIL);
    }
    for name in ["$LOADED_FEATURES", "$\""] {
        gvars.define(intern(name), Some(get_features), Some(asterism_vm::gvar::read_only), Value::NIL);
    }
    Ok(())
}

static LOAD_PATH: &[NativeDef] = &[NativeDef::new("resolve_feature_path", resolve_feature_path, 1, 1)];

/// `$LOAD_PATH.resolve_feature_path`: what `require` would load.
fn resolve_feature_path(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = errno::path_arg(ec, args[0])?;
    let (kind, path) = match built_in(ec, &name) {
        Some(feature) => (if feature.file.ends_with(".so") { "so" } else { "rb" }, feature.file.as_bytes().to_vec()),
        None => match search::find_feature(ec, &name)? {
            Some(path) if path.ends_with(b".so") => ("so", path),
            Some(path) => ("rb", path),
            None => return Ok(Value::NIL),
        },
    };
    let path = ec.str(path)?;
    ec.array(&[Value::sym(intern(kind)), path])
}

fn get_load_path(ec: &mut Ec, _name: asterism_object::Sym) -> Res {
    Ok(ec.vm().root(Root::LoadPath))
}

fn get_features(ec: &mut Ec, _name: asterism_object::Sym) -> Res {
    Ok(ec.vm().root(Root::LoadedFeatures))
}

/// Sets the load path: `first` (from `-I` and `RUBYLIB`), then the directories of an installed standard library.
///
/// # Errors
/// NoMemoryError.
pub fn set_load_path(ec: &mut Ec, first: &[Vec<u8>], library: Option<Arc<[Vec<u8>]>>) -> Res<()> {
    let path = ec.vm().root(Root::LoadPath);
    let dirs = library.unwrap_or_else(|| ec.blocking(search::library_dirs).into());
    // Once a VM: the cell is empty.
    let _ = ec.vm().part::<LoadState>().library.set(dirs.clone());
    for dir in first.iter().chain(&*dirs) {
        let dir = ec.str(dir)?;
        ec.array_push(path, dir)?;
    }
    Ok(())
}

/// Where the standard library is.
pub fn library(ec: &Ec) -> Option<Arc<[Vec<u8>]>> {
    ec.vm().part::<LoadState>().library.get().cloned()
}

/// `cannot load such file -- foo`
#[cold]
fn load_error(ec: &mut Ec, path: &[u8]) -> Raised {
    let message = [b"cannot load such file -- ", path].concat();
    load_error_with(ec, &message, path)
}

/// A LoadError with this message for `path`.
#[cold]
pub fn load_error_with(ec: &mut Ec, message: &[u8], path: &[u8]) -> Raised {
    let class = ec.exc_class(Exc::LoadError);
    let made = ec.new_exception(class, message).and_then(|e| {
        let path = ec.str(path)?;
        ec.ivar_put(e, intern("@path"), path)?;
        Ok(e)
    });
    match made {
        Ok(e) => ec.raise_exception(e),
        Err(raised) => raised,
    }
}

fn require(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = errno::path_arg(ec, args[0])?;
    Ok(Value::bool(require_feature(ec, &name)?))
}

fn require_relative(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = errno::path_arg(ec, args[0])?;
    let Some((file, _)) = ec.caller_location() else {
        return Err(ec.raise(Exc::LoadError, "cannot infer basepath"));
    };
    if file.starts_with("(eval") {
        return Err(ec.raise(Exc::LoadError, "cannot infer basepath"));
    }
    let file = asterism_core::source::absolute_source(ec, &file);
    let real = std::fs::canonicalize(&file).map(|p| p.into_os_string().into_encoded_bytes());
    let base = real.unwrap_or_else(|_| file.into_bytes());
    let dir = crate::io::path::dirname(&base).to_vec();
    let full = expand(ec, &name, Some(&dir))?;
    Ok(Value::bool(require_feature(ec, &full)?))
}

fn expand(ec: &mut Ec, path: &[u8], base: Option<&[u8]>) -> Res<Vec<u8>> {
    crate::io::path::expand(ec, path, base, true)
}

/// Is a feature neither loaded nor being loaded? For `defined?` of what `autoload` promised.
///
/// # Errors
/// TypeError for what does not belong on the load path.
pub fn can_load(ec: &mut Ec, name: &[u8]) -> Res<bool> {
    let path = resolve(ec, name)?;
    if is_loaded(ec, &path)? {
        return Ok(false);
    }
    let busy = ec.vm().part::<LoadState>().busy.lock();
    Ok(!busy.loading.iter().any(|(feature, _)| *feature == path))
}

/// Does the running fiber load what has this name in `$LOADED_FEATURES`?
fn is_loaded_here(ec: &mut Ec, path: &[u8]) -> bool {
    let me = Loader::running(ec);
    let busy = ec.vm().part::<LoadState>().busy.lock();
    busy.loading.iter().any(|(feature, loader)| *feature == path && *loader == me)
}

/// The name in `$LOADED_FEATURES` of what `require` would load, or the name itself.
fn resolve(ec: &mut Ec, name: &[u8]) -> Res<Vec<u8>> {
    if let Some(feature) = built_in(ec, name)
        && !(feature.yields() && is_installed(ec, name)?)
    {
        return Ok(feature.file.as_bytes().to_vec());
    }
    Ok(search::find_feature(ec, name)?.unwrap_or_else(|| name.to_vec()))
}

/// Loads a feature unless it is loaded: `Kernel#require`.
///
/// # Errors
/// LoadError; what the file raises.
pub fn require_feature(ec: &mut Ec, name: &[u8]) -> Res<bool> {
    // What a Ractor requires is everybody's: it is loaded as in the main Ractor.
    let ractor = ec.thread.ractor.take();
    let loaded = require_unrestricted(ec, name);
    // What one thread loads is there for all that require it.
    ec.race_use();
    ec.thread.ractor = ractor;
    loaded
}

fn require_unrestricted(ec: &mut Ec, name: &[u8]) -> Res<bool> {
    if let Some(feature) = built_in(ec, name)
        && !(feature.yields() && is_installed(ec, name)?)
    {
        return load_once(ec, feature.file.as_bytes(), |ec| feature.load(ec));
    }
    if name.starts_with(b"rubygems/") && autoload::is_promised(ec, "Gem") {
        // Its parts expect that RubyGems as a whole came first, which in CRuby it always has.
        if let Some(path) = search::find_feature(ec, b"rubygems")?
            && !is_loaded_here(ec, &path)
        {
            require_unrestricted(ec, b"rubygems")?;
        }
    }
    if autoload::is_promised(ec, "Gem") && !is_loaded(ec, name)? {
        gems::prefer(ec, name)?;
    }
    let mut path = search::find_feature(ec, name)?;
    if path.is_none() && !is_loaded(ec, name)? {
        let installed = gems::installed(ec);
        if let Some(gem) = ec.blocking(|| search::gem_of_feature(&installed, name))
            && gems::activate(ec, gem)?
        {
            path = search::find_feature(ec, name)?;
        }
    }
    let Some(path) = path else {
        if is_loaded(ec, name)? {
            return Ok(false);
        }
        return Err(load_error(ec, name));
    };
    if is_loaded(ec, &path)? || is_provided(ec, name, &path)? {
        return Ok(false);
    }
    let real = real_path(ec, &path);
    let known = ec.vm().part::<LoadState>().files.lock().get(&real).cloned();
    if let Some(feature) = known
        && is_loaded(ec, &feature)?
    {
        return Ok(false);
    }
    let loaded = if path.ends_with(b".so") {
        load_once(ec, &path, |ec| (ec.vm().hooks.load_extension)(ec, &path))?
    } else {
        load_once(ec, &path, |ec| load_file(ec, &path, None, Value::NIL))?
    };
    if loaded {
        ec.vm().part::<LoadState>().files.lock().insert(real, path);
    }
    Ok(loaded)
}

/// Runs `body` for a feature that is not loaded yet; whether it ran.
fn load_once(ec: &mut Ec, feature: &[u8], body: impl FnOnce(&mut Ec) -> Res<()>) -> Res<bool> {
    let Some(loading) = begin_loading(ec, feature)? else {
        return Ok(false);
    };
    if asterism_object::ownership::is_frozen(ec.vm().root(Root::LoadedFeatures)) {
        let message = "$LOADED_FEATURES is frozen; cannot append feature";
        return Err(ec.raise(Exc::RuntimeError, message));
    }
    let result = body(ec).and_then(|()| {
        ec.race_define();
        let list = ec.vm().root(Root::LoadedFeatures);
        let name = ec.str(feature)?;
        ec.freeze(name)?;
        ec.array_push(list, name)
    });
    drop(loading);
    if result.is_err() {
        ec.wake_fibers_quietly();
    } else {
        ec.wake_fibers()?;
    }
    result.map(|_| true)
}

/// A fiber's claim on a feature that it loads, until this is dropped. Fibers that wait for it are woken by the next `wake_fibers`.
struct Loading<'a> {
    vm: Arc<Vm>,
    feature: &'a [u8],
    loader: Loader,
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        let mut busy = self.vm.part::<LoadState>().busy.lock();
        if let Some(at) = busy.loading.iter().rposition(|(f, loader)| f == self.feature && *loader == self.loader) {
            busy.loading.remove(at);
        }
        for (_, parked) in busy.parked.iter().filter(|(f, _)| f == self.feature) {
            parked.unpark();
        }
    }
}

/// Claims a feature for loading; `None` if it is loaded or this fiber is loading it already.
fn begin_loading<'a>(ec: &mut Ec, feature: &'a [u8]) -> Res<Option<Loading<'a>>> {
    loop {
        if is_loaded(ec, feature)? {
            return Ok(None);
        }
        match take_turn(ec, feature)? {
            Turn::Mine(claim) => {
                // It may have been finished between the first look and the claim.
                if is_loaded(ec, feature)? {
                    drop(claim);
                    ec.wake_fibers()?;
                    return Ok(None);
                }
                return Ok(Some(claim));
            }
            Turn::Circular => {
                if ec.vm().verbose.load(std::sync::atomic::Ordering::Relaxed) == 2 {
                    let text = String::from_utf8_lossy(feature).into_owned();
                    asterism_vm::load::warn(
                        ec,
                        &format!("loading in progress, circular require considered harmful - {text}"),
                    )?;
                }
                return Ok(None);
            }
            Turn::Over => {}
        }
    }
}

/// What came of asking for a turn at loading something.
enum Turn<'a> {
    /// The running fiber has it.
    Mine(Loading<'a>),
    /// The running fiber has it already, or who has it waits for the running one.
    Circular,
    /// Another fiber had it, and has ended.
    Over,
}

/// Asks for the turn at loading `feature` and waits for whoever has it.
fn take_turn<'a>(ec: &mut Ec, feature: &'a [u8]) -> Res<Turn<'a>> {
    let me = Loader::running(ec);
    let vm = ec.vm_arc();
    let mut busy = vm.part::<LoadState>().busy.lock();
    let Some(owner) = busy.loading.iter().find(|(f, _)| f == feature).map(|(_, loader)| *loader) else {
        busy.loading.push((feature.to_vec(), me));
        drop(busy);
        return Ok(Turn::Mine(Loading { vm: ec.vm_arc(), feature, loader: me }));
    };
    if owner.fiber == me.fiber || waits_for(&busy, owner.fiber, me.fiber) {
        return Ok(Turn::Circular);
    }
    let scheduler = ec.scheduler();
    if scheduler.is_none() && owner.thread == me.thread {
        drop(busy);
        let message = "deadlock; lock already owned by another fiber belonging to the same thread";
        return Err(ec.raise(Exc::ThreadError, message));
    }
    busy.waiting.push((me.fiber, feature.to_vec()));
    drop(busy);
    let waiting = WaitingFor { vm: ec.vm_arc(), fiber: me.fiber };
    match scheduler {
        Some(scheduler) => wait_by(ec, scheduler, feature)?,
        None => wait_for(ec, feature)?,
    }
    drop(waiting);
    Ok(Turn::Over)
}

/// A fiber's entry in `Busy::waiting`, until this is dropped.
struct WaitingFor {
    vm: Arc<Vm>,
    fiber: u64,
}

impl Drop for WaitingFor {
    fn drop(&mut self) {
        self.vm.part::<LoadState>().busy.lock().waiting.retain(|(fiber, _)| *fiber != self.fiber);
    }
}

/// Does `fiber` wait, directly or through others, for something that `me` loads?
fn waits_for(busy: &Busy, fiber: u64, me: u64) -> bool {
    let mut at = fiber;
    for _ in 0..=busy.waiting.len() {
        let Some((_, feature)) = busy.waiting.iter().find(|(waiter, _)| *waiter == at) else {
            return false;
        };
        let Some((_, owner)) = busy.loading.iter().find(|(f, _)| f == feature) else {
            return false;
        };
        if owner.fiber == me {
            return true;
        }
        at = owner.fiber;
    }
    false
}

/// A thread's or fiber's place among those that wait, until this is dropped.
struct Queued(Arc<Vm>, Parked);

impl Queued {
    /// Goes there, unless nobody loads the feature. `prepare` is called under the lock of those that wait.
    fn take(ec: &Ec, feature: &[u8], who: Parked, prepare: impl FnOnce()) -> Option<Queued> {
        let mut busy = ec.vm().part::<LoadState>().busy.lock();
        if !busy.loading.iter().any(|(f, _)| f == feature) {
            return None;
        }
        prepare();
        busy.parked.push((feature.to_vec(), who.clone()));
        Some(Queued(ec.vm_arc(), who))
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        self.0.part::<LoadState>().busy.lock().parked.retain(|(_, parked)| !parked.is(&self.1));
    }
}

fn wait_for(ec: &mut Ec, feature: &[u8]) -> Res<()> {
    let thread = ec.thread.handle.clone();
    loop {
        ec.check_blocking()?;
        let who = Parked::Thread(thread.clone());
        let Some(place) = Queued::take(ec, feature, who, || thread.prepare_wait(true)) else { return Ok(()) };
        ec.park(Sleep::Deadly);
        drop(place);
    }
}

/// As `wait_for`, by a fiber: its thread does something else meanwhile.
fn wait_by(ec: &mut Ec, scheduler: Value, feature: &[u8]) -> Res<()> {
    let blocker = ec.str(feature)?;
    let wait = ec.begin_fiber_wait(scheduler, blocker)?;
    loop {
        let who = Parked::Fiber(Arc::clone(&wait));
        let Some(place) = Queued::take(ec, feature, who, || wait.prepare()) else { return Ok(()) };
        ec.block_fiber(scheduler, blocker, Value::NIL)?;
        drop(place);
    }
}

/// Is the feature in `$LOADED_FEATURES`?
fn is_loaded(ec: &mut Ec, feature: &[u8]) -> Res<bool> {
    let list = ec.vm().root(Root::LoadedFeatures);
    let len = array::len(list);
    let vm = ec.vm_arc();
    let state = vm.part::<LoadState>();
    {
        let index = state.index.lock();
        if index.len == len {
            return Ok(index.features.contains(feature));
        }
    }
    let snapshot = array::snapshot(ec, list);
    let snapshot = ec.check(list, snapshot)?;
    let mut features = HashSet::new();
    let mut i = 0;
    while let Some(entry) = array::at(snapshot, i) {
        if entry.is_type(Type::String) {
            features.insert(string::to_vec(ec, entry));
        }
        i += 1;
    }
    let found = features.contains(feature);
    *state.index.lock() = Index { len: i, features };
    Ok(found)
}

/// Has a program put the feature on the list without its folder? That stands for what the load path has of the name.
fn is_provided(ec: &mut Ec, name: &[u8], path: &[u8]) -> Res<bool> {
    if name.starts_with(b"/") || name.starts_with(b".") || name.starts_with(b"~") || !path.ends_with(b".rb") {
        return Ok(false);
    }
    let file = if name.ends_with(b".rb") { name.to_vec() } else { [name, b".rb"].concat() };
    is_loaded(ec, &file)
}

/// A path without links in it.
fn real_path(ec: &mut Ec, path: &[u8]) -> Vec<u8> {
    let os_path = crate::io::path::os(path).to_owned();
    match ec.blocking(|| std::fs::canonicalize(os_path)) {
        Ok(real) => real.into_os_string().into_encoded_bytes(),
        Err(_) => path.to_vec(),
    }
}

/// Compiles and runs a file, and what follows it. `name`: what it is called if not by its path; `wrap`: nil, or the module to run it in.
fn load_file(ec: &mut Ec, path: &[u8], name: Option<&[u8]>, wrap: Value) -> Res<()> {
    let file = String::from_utf8_lossy(name.unwrap_or(path)).into_owned();
    if name.is_some() {
        asterism_core::source::set_script(ec, &file, &String::from_utf8_lossy(path));
    }
    let Some(source) = source::read(ec, path)? else {
        return Err(load_error(ec, path));
    };
    let code = ec.compile_file(&source, &file, CodeKind::File, false)?;
    let (mut main, mut cref) = (ec.vm().root(Root::MainObject), ec.vm().root(Root::TopCref));
    if let Some(module) = Class::from_value(wrap) {
        main = ec.call(main, sym::clone, &[])?;
        ec.call(main, intern("extend"), &[module.0])?;
        cref = ec.new_cref(module, cref)?;
    }
    if wrap.is_nil() {
        ec.run_top(&code, main, cref)?;
    } else {
        ec.run_wrapped(&code, main, cref)?;
    }
    let follows = feature::after(&ec.vm().part::<LoadState>().features.read(), path);
    follows.map_or(Ok(()), |feature| feature.load(ec))
}

fn load(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = errno::path_arg(ec, args[0])?;
    let wrap = match args.get(1) {
        None | Some(Value::NIL | Value::FALSE) => Value::NIL,
        Some(m) if Class::from_value(m).is_some_and(|c| c.is_module()) => m,
        Some(_) => ec.new_module()?.0,
    };
    let Some((path, called_by_path)) = search::find_file(ec, &name)? else {
        return Err(load_error(ec, &name));
    };
    load_file(ec, &path, (!called_by_path).then_some(&*name), wrap)?;
    Ok(Value::TRUE)
}

/// `-r`: requires a feature before the script.
///
/// # Errors
/// LoadError if there is none; what its code raises; NoMemoryError; what a `require` raises that the program has put in
/// its place.
pub fn require_named(ec: &mut Ec, name: &str) -> Res<()> {
    // Through the method, which programs may have replaced.
    let name = ec.str(name)?;
    let main = ec.vm().root(Root::MainObject);
    ec.call(main, sym::require, &[name])?;
    Ok(())
}
