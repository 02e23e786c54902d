//! Tests of what counts as a reference between files.

use super::Graph;

fn circles(files: &[(&str, &str)]) -> Vec<Vec<usize>> {
    let files: Vec<_> = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    Graph::new(&files).circles()
}

#[test]
fn a_door_with_rooms_is_no_circle() {
    let files =
        [("lib.rs", "mod a; mod b; fn f() { a::f(); }"), ("a.rs", "use crate::b::g;"), ("b.rs", "pub fn g() {}")];
    assert_eq!(circles(&files), Vec::<Vec<usize>>::new());
}

#[test]
fn imports_and_paths_make_circles() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::{b::{self, X}, c};"),
        ("b.rs", "fn f() { super::c::g() }"),
        ("c/mod.rs", "mod d; use crate::a::h as i;"),
        ("c/d.rs", "fn f() { super::super::b::f() }"),
    ];
    // Nothing is taken from the module that `a` imports.
    assert_eq!(circles(&files), vec![vec![1, 2, 3]]);
}

#[test]
fn a_parent_is_part_of_the_circle_when_both_name_each_other() {
    let files = [("lib.rs", "mod a;"), ("a/mod.rs", "mod b; fn f() { b::g() }"), ("a/b.rs", "use super::f;")];
    assert_eq!(circles(&files), vec![vec![1, 2]]);
}

#[test]
fn what_is_reexported_belongs_to_its_file() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a/mod.rs", "mod x; mod y; pub use x::X; pub(crate) use y::Y;"),
        ("a/x.rs", "pub struct X;"),
        ("a/y.rs", "use crate::b::f;"),
        ("b.rs", "use crate::a::X; fn f() { let _ = crate::a::X; }"),
    ];
    assert_eq!(circles(&files), Vec::<Vec<usize>>::new());
}

#[test]
fn other_crates_are_no_references() {
    let files = [("lib.rs", "use std::sync::a::B; use heap::b;"), ("a.rs", "use crate::f; fn g() { std::a::b() }")];
    assert_eq!(circles(&files), Vec::<Vec<usize>>::new());
}
