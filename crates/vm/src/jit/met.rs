//! What a call site has met, by its inline cache.

use super::{Definition, Met};
use crate::cache::InlineCache;
use crate::interp::calls::blocks::{PROC_CALL, PROC_SPREAD};
use crate::interp::calls::{NEW_BOUND, NEW_OBJECT, NEW_STRUCT, plain};
use crate::native::{Intrinsic, NativeDef};

impl Definition {
    fn of(def: &'static NativeDef) -> Definition {
        let address = std::ptr::from_ref(def) as usize;
        Definition { address, name: def.name, leaf: def.leaf, intrinsic: def.intrinsic }
    }
}

impl Met {
    /// What a call site with this cache has met first.
    pub(super) fn of(cache: InlineCache) -> Met {
        let kind = cache.first_kind();
        if kind.is(plain::RUBY) || kind.is(plain::RUBY_BLOCK) {
            Met::Ruby
        } else if kind.is(plain::BOUND) {
            Met::Bound
        } else if kind.is(plain::SPREAD) {
            Met::Spread
        } else if kind.is(plain::BLOCK_METHOD) {
            Met::BlockMethod
        } else if kind.is(plain::LEAF) || kind.is(plain::NATIVE) {
            // SAFETY: the target of these kinds is a definition, which is static.
            let def: &'static NativeDef = unsafe { &*(cache.first_target() as *const NativeDef) };
            match def.intrinsic {
                Intrinsic::None if kind.is(plain::LEAF) => Met::Leaf,
                Intrinsic::None => Met::Native,
                _ => Met::Intrinsic(Definition::of(def)),
            }
        } else if kind.is(NEW_OBJECT) {
            Met::New
        } else if kind.is(NEW_BOUND) {
            Met::NewBound
        } else if kind.is(PROC_CALL) {
            Met::Proc
        } else if kind.is(PROC_SPREAD) {
            Met::ProcSpread
        } else if kind.is(NEW_STRUCT) {
            Met::NewStruct
        } else if kind.is(plain::READER) {
            Met::Reader
        } else if kind.is(plain::WRITER) {
            Met::Writer
        } else if kind.is(plain::PROTECTED_RUBY) {
            Met::ProtectedRuby
        } else if kind.is(plain::PROTECTED_READER) {
            Met::ProtectedReader
        } else {
            Met::Other
        }
    }
}
