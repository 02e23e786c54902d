//! What methods of the core do to their receivers.

use asterism_object::Sym;
use asterism_object::class::Class;
use asterism_object::types::Type;

use crate::ec::Ec;
use crate::method::Body;
use asterism_races::actions::Action;

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
