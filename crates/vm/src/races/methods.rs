//! What methods of the core do to their receivers.

use std::collections::HashMap;

use asterism_object::Sym;
use asterism_object::address_hash::ByAddress;
use asterism_object::class::Class;
use asterism_object::types::Type;

use crate::ec::Ec;
use crate::method::Body;

/// What a call does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing that is noted.
    Nothing,
    /// Reads an instance variable.
    ReadIvar(Sym),
    /// Writes one.
    WriteIvar(Sym),
    /// Reads the instance variable that the first argument names.
    GetIvar,
    /// Writes it.
    SetIvar,
    /// Reads the member of a Struct that the first argument names.
    GetMember,
    /// Writes it.
    SetMember,
    /// Reads all of the receiver.
    Read,
    /// Asks for its length.
    Length,
    /// Reads the element or key that the first argument says.
    ReadElement,
    /// Writes it.
    WriteElement,
    /// Reads and writes it in one step.
    UpdateElement,
    /// Adds elements behind the last one, in one step.
    Append,
    /// Changes all of it in one step.
    Update,
    /// Reads the first element.
    First,
}

/// What calls do, of which a thread has found out.
pub struct Actions {
    /// Those that were looked for last, each in the place that its class and name lead to.
    last: Box<[(u64, u64, Action); LAST]>,
    /// All, by the serial of the receiver's class and the name.
    all: HashMap<(u64, u64), Action, ByAddress>,
}

/// So many calls are found without a search.
const LAST: usize = 1024;
/// So many are remembered.
const MOST: usize = 1 << 14;

impl Default for Actions {
    fn default() -> Actions {
        Actions { last: Box::new([(0, 0, Action::Nothing); LAST]), all: HashMap::default() }
    }
}

impl Actions {
    fn key(name: Sym, argc: usize) -> u64 {
        u64::from(name.0) << 8 | argc.min(3) as u64
    }

    #[inline]
    fn place(serial: u64, key: u64) -> usize {
        (serial.wrapping_mul(0x9e37_79b9) ^ key >> 8 ^ key << 4) as usize % LAST
    }

    /// What a call with so many arguments does of a class that has the serial.
    #[inline]
    pub fn get(&mut self, serial: u64, name: Sym, argc: usize) -> Option<Action> {
        let key = Actions::key(name, argc);
        let last = &mut self.last[Actions::place(serial, key)];
        if last.0 != serial || last.1 != key {
            *last = (serial, key, *self.all.get(&(serial, key))?);
        }
        // 0 is no serial.
        (serial != 0).then_some(last.2)
    }

    /// Remembers what it does.
    pub fn insert(&mut self, serial: u64, name: Sym, argc: usize, action: Action) {
        if serial == 0 {
            return;
        }
        if self.all.len() >= MOST {
            self.all.clear();
        }
        self.all.insert((serial, Actions::key(name, argc)), action);
    }
}

/// What a method of Array does that is asked for by name; those that are not here read all of it.
fn of_array(name: &str, argc: usize) -> Action {
    match name {
        "[]" | "slice" | "at" | "fetch" | "dig" => Action::ReadElement,
        "[]=" if argc == 2 => Action::WriteElement,
        "size" | "length" | "empty?" => Action::Length,
        "first" if argc == 0 => Action::First,
        "<<" | "push" | "append" | "concat" => Action::Append,
        "[]=" | "pop" | "shift" | "unshift" | "prepend" | "insert" | "delete" | "delete_at" | "delete_if"
        | "reject!" | "select!" | "filter!" | "keep_if" | "map!" | "collect!" | "compact!" | "flatten!" | "uniq!"
        | "reverse!" | "rotate!" | "shuffle!" | "sort!" | "sort_by!" | "clear" | "replace" | "fill" | "slice!" => {
            Action::Update
        }
        "freeze" | "frozen?" | "to_a" | "to_ary" | "entries" | "deconstruct" | "lazy" | "initialize" => Action::Nothing,
        _ => Action::Read,
    }
}

/// A method of Enumerable reads what it walks over.
fn of_enumerable(name: &str) -> Action {
    if name == "lazy" { Action::Nothing } else { Action::Read }
}

/// The same for Hash.
fn of_hash(name: &str) -> Action {
    match name {
        "[]" | "fetch" | "key?" | "has_key?" | "include?" | "member?" | "dig" => Action::ReadElement,
        "[]=" | "store" => Action::WriteElement,
        "delete" => Action::UpdateElement,
        "shift"
        | "clear"
        | "replace"
        | "merge!"
        | "update"
        | "delete_if"
        | "reject!"
        | "select!"
        | "filter!"
        | "keep_if"
        | "transform_values!"
        | "transform_keys!"
        | "compact!"
        | "rehash"
        | "compare_by_identity" => Action::Update,
        "freeze"
        | "frozen?"
        | "to_hash"
        | "default"
        | "default="
        | "default_proc"
        | "default_proc="
        | "compare_by_identity?"
        | "deconstruct_keys"
        | "lazy"
        | "initialize" => Action::Nothing,
        _ => Action::Read,
    }
}

/// The same for Set.
fn of_set(name: &str) -> Action {
    match name {
        "include?" | "member?" | "===" | "contain?" => Action::ReadElement,
        "add" | "<<" | "add?" | "delete" | "delete?" => Action::UpdateElement,
        "merge"
        | "subtract"
        | "clear"
        | "replace"
        | "map!"
        | "collect!"
        | "select!"
        | "filter!"
        | "reject!"
        | "delete_if"
        | "keep_if"
        | "flatten!"
        | "reset"
        | "compare_by_identity" => Action::Update,
        "freeze" | "frozen?" | "to_set" | "initialize" | "lazy" | "compare_by_identity?" => Action::Nothing,
        _ => Action::Read,
    }
}

/// The same for String, which is one thing.
fn of_string(name: &str) -> Action {
    match name {
        "<<" | "concat" | "[]=" | "insert" | "prepend" | "replace" | "clear" | "setbyte" | "force_encoding"
        | "append_as_bytes" | "bytesplice" => Action::Update,
        "freeze" | "frozen?" | "to_s" | "to_str" | "+@" | "-@" | "dedup" | "encoding" | "initialize" | "itself" => {
            Action::Nothing
        }
        // `succ!`, `sub!` and so on; `!=` and `!~` only ask.
        name if name.ends_with('!') && name.len() > 1 => Action::Update,
        _ => Action::Read,
    }
}

/// What the method `name` of a class with receivers of this type does, called with so many arguments.
pub fn find(ec: &mut Ec, class: Class, ty: Type, name: Sym, argc: usize) -> Action {
    let Some(found) = ec.find_method(class, name).1 else { return Action::Nothing };
    let method = found.method;
    match method.body() {
        Body::AttrReader(ivar) if argc == 0 => return Action::ReadIvar(ivar),
        Body::AttrWriter(ivar) if argc == 1 => return Action::WriteIvar(ivar),
        Body::Native(def) if def.name == "member" => {
            let text = method.original_name().text().into_owned();
            return match text.strip_suffix('=') {
                Some(text) => Action::WriteIvar(asterism_symbol::intern(text)),
                None => Action::ReadIvar(method.original_name()),
            };
        }
        Body::Ruby(_) | Body::Unread(..) | Body::Native(_) if method.is_core() => {}
        _ => return Action::Nothing,
    }
    let owner = ec.class_name(method.owner());
    let text = method.original_name().text().into_owned();
    match (ty, owner.as_str()) {
        (Type::Array, "Array") => of_array(&text, argc),
        (Type::Hash, "Hash") => of_hash(&text),
        (Type::String, "String") => of_string(&text),
        (Type::Array | Type::Hash, "Enumerable") => of_enumerable(&text),
        (_, "Set") => of_set(&text),
        (_, "Struct") => match (text.as_str(), argc) {
            ("[]", 1) => Action::GetMember,
            ("[]=", 2) => Action::SetMember,
            _ => Action::Nothing,
        },
        (_, "Kernel" | "Object" | "BasicObject") => match (text.as_str(), argc) {
            ("instance_variable_get", 1) => Action::GetIvar,
            ("instance_variable_set", 2) => Action::SetIvar,
            _ => Action::Nothing,
        },
        _ => Action::Nothing,
    }
}
