//! What becomes of damaged files, and how copies are called.

use std::io::Write;

use super::{Headers, in_memory, make_private, path_of};

/// The smallest shared object that the program has been linked with.
fn shared_object() -> Vec<u8> {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("what is mapped");
    let paths = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
    let objects = paths.filter(|path| path.contains(".so")).filter_map(|path| std::fs::read(path).ok());
    objects.min_by_key(Vec::len).expect("a shared object")
}

#[test]
fn what_is_damaged_is_refused() {
    let mut whole = shared_object();
    let headers = Headers::read(&whole).expect("headers");
    assert!(headers.dynamic_size > 0 && !headers.loaded.is_empty());
    let last = headers.loaded.iter().map(|(_, offset, length)| offset + length).max().expect("segments") as usize;
    for length in (0..4096).chain((4096..last).step_by(last / 100)).chain([last - 1]) {
        assert!(make_private(&mut whole[..length].to_vec()[..], |_| Some(7)).is_none());
    }
    for at in 4..2048 {
        let before = std::mem::replace(&mut whole[at], 0xff);
        let _ = make_private(&mut whole.clone(), |_| Some(7));
        whole[at] = before;
    }
    assert!(make_private(&mut b"\x7fELF\x01\x01 of 32 bits".to_vec()[..], |_| None).is_none());
    assert!(make_private(&mut [], |_| None).is_none());
}

#[test]
fn no_two_files_are_called_the_same() {
    let mut paths = std::collections::HashSet::new();
    for i in 0..300 {
        let mut file = in_memory(c"copy").expect("a file in memory");
        write!(file, "{i}").expect("room");
        let path = path_of(&file).expect("a path");
        assert_eq!(std::fs::read_to_string(&path).expect("the path leads there"), i.to_string());
        assert!(paths.insert(path));
    }
}
