//! Programs in C that Ruby is a part of: compiled against the headers, linked with the library, and run.

use std::path::PathBuf;
use std::process::{Command, Output};

use asterism_embed as _;

/// The library, which cargo has built for this test: the newest of that name beside it.
fn library() -> PathBuf {
    let own = std::env::current_exe().expect("the test's own file");
    let beside = std::fs::read_dir(own.parent().expect("a folder")).expect("a folder");
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libasterism_embed") && name.ends_with(".a")
    };
    let built = |path: &PathBuf| path.metadata().and_then(|of| of.modified()).expect("a file has a time");
    beside
        .map(|entry| entry.expect("a file").path())
        .filter(is_library)
        .max_by_key(built)
        .expect("the library was built")
}

fn run(name: &str, arguments: &[&str]) -> Output {
    let tree = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiled = Command::new("cc")
        .args(["-O1", "-std=gnu17", "-Werror=implicit-function-declaration", "-I"])
        .arg(tree.join("include"))
        .arg(tree.join("tests/embedding").join(format!("{name}.c")))
        .arg("-Wl,--whole-archive")
        .arg(library())
        .args(["-Wl,--no-whole-archive", "-rdynamic", "-lm", "-lpthread", "-ldl", "-o"])
        .arg(&program)
        .output()
        .expect("a C compiler");
    assert!(compiled.status.success(), "{name}.c: {}", String::from_utf8_lossy(&compiled.stderr));
    Command::new(&program).args(arguments).output().expect("the program runs")
}

#[test]
fn a_program_in_c_is_in_a_vm() {
    let ran = run("thread", &["a", "b"]);
    let round = |argv: &str| {
        format!(
            "[42, \"thread.c\", [{argv}]] 0\n1 IndexError: from Ruby\n1 ArgumentError\na local variable of C\nat_exit\n"
        )
    };
    let wanted = format!("{}{}3 3\nnode [\"x\", \"y\"]\n", round("\"a\", \"b\""), round(""));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), wanted, "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.status.code(), Some(4));
}

#[test]
fn four_vms_at_once() {
    let ran = run("vms", &[]);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "1 2 3 4, again -1\n".repeat(3), "{}", ran.status);
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "asterism: invalid option -Q (-h will show valid options)\n");
    assert_eq!(ran.status.code(), Some(0));
}
