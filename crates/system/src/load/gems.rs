//! Installed gems, as `require` and `gem` find them before RubyGems is loaded.

use std::sync::Arc;

use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_symbol::intern;
use asterism_vm::vm::Root;
use asterism_vm::{Args, Ec, Res};

use asterism_core::errno;

use super::{LoadState, autoload, load_error_with, require_feature, search};
use crate::env::environ;

/// The gems that are installed, looked for once.
pub(super) fn installed(ec: &mut Ec) -> Arc<[search::Gem]> {
    let [home, path, user] = [&b"GEM_HOME"[..], b"GEM_PATH", b"HOME"].map(|name| environ::get(ec, name));
    if let Some(gems) = ec.vm().part::<LoadState>().gems.get() {
        return Arc::clone(gems);
    }
    // Not within the cell: a process that another thread forks meanwhile would wait for ever. Two threads may search: the first
    // one's counts.
    let gems = ec.blocking(|| search::gems(&search::gem_roots(home, path, user)));
    Arc::clone(asterism_lock::once::get_or_init(&ec.vm().part::<LoadState>().gems, || gems.into()))
}

/// What the standard library has the Ruby part of, or had, and a gem the native one.
const OF_GEMS: &[&[u8]] = &[b"fiddle", b"nkf", b"openssl", b"syslog"];

/// Puts the gem that a feature of `OF_GEMS` belongs to on the load path, if it is installed: as for all default gems in CRuby, it
/// comes before what lies in the standard library.
pub(super) fn prefer(ec: &mut Ec, name: &[u8]) -> Res<()> {
    let first = name.split(|&b| b == b'/' || b == b'.').next().unwrap_or(name);
    if OF_GEMS.contains(&first)
        && let Some(gem) = installed(ec).iter().find(|gem| gem.name == first)
    {
        activate(ec, gem)?;
    }
    Ok(())
}

/// Puts a gem on the load path, in front of the standard library; `false`: it is or was there already.
pub(super) fn activate(ec: &mut Ec, gem: &search::Gem) -> Res<bool> {
    if !ec.vm().part::<LoadState>().activated.lock().insert(gem.name.clone()) {
        return Ok(false);
    }
    let list = ec.vm().root(Root::LoadPath);
    let library = ec.vm().part::<LoadState>().library.get().cloned().unwrap_or_default();
    let is_one_of = |ec: &mut Ec, dir: Value, dirs: &[Vec<u8>]| {
        dir.is_type(Type::String) && string::with_bytes(ec, dir, |bytes, _| dirs.iter().any(|one| bytes == one))
    };
    let mut place = None;
    let mut i = 0;
    while let Some(dir) = array::at(list, i) {
        if is_one_of(ec, dir, &gem.libs) {
            return Ok(false);
        }
        if place.is_none() && is_one_of(ec, dir, &library) {
            place = Some(i);
        }
        i += 1;
    }
    let mut insert = vec![Value::fixnum(place.unwrap_or(i) as i64)];
    for lib in &gem.libs {
        insert.push(ec.str(lib)?);
    }
    ec.call(list, intern("insert"), &insert)?;
    Ok(true)
}

/// `gem "name", …`: puts the newest installed gem of that name on the load path; the versions asked for are not compared.
pub(super) fn activate_named(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = errno::path_arg(ec, args[0])?;
    let gems = installed(ec);
    let Some(gem) = gems.iter().find(|g| g.name == name) else {
        // RubyGems knows the default gems too, and puts its own method in the place of this one.
        if autoload::is_promised(ec, "Gem") && search::find_feature(ec, b"rubygems")?.is_some() {
            require_feature(ec, b"rubygems")?;
            return ec.call(this, intern("gem"), args.slice());
        }
        let message = [b"Could not find '", &name[..], b"' among the installed gems"].concat();
        return Err(load_error_with(ec, &message, &name));
    };
    Ok(Value::bool(activate(ec, gem)?))
}
