//! What becomes of damaged files, and how copies are called.

use std::fs::File;
use std::io::{Read, Write};

use super::{Headers, in_memory, make_private, path_of};

/// A shared object: the program that runs is one.
fn shared_object() -> Vec<u8> {
    let mut bytes = Vec::new();
    File::open("/proc/self/exe").expect("this program").read_to_end(&mut bytes).expect("its bytes");
    bytes
}

#[test]
fn what_is_damaged_is_refused() {
    let mut whole = shared_object();
    let headers = Headers::read(&whole).expect("headers");
    assert!(headers.dynamic_size > 0 && !headers.loaded.is_empty());
    for length in (0..4096).chain((4096..whole.len()).step_by(whole.len() / 10)) {
        // None, or what lies before that is all that was looked at.
        let _ = make_private(&mut whole[..length].to_vec()[..], |_| Some(7));
    }
    for at in 4..2048 {
        let before = std::mem::replace(&mut whole[at], 0xff);
        let mut few = whole[..65_536].to_vec();
        let _ = make_private(&mut few, |_| Some(7));
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
