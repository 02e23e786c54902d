//! Our own C extensions: compiled against the headers, loaded by the command.

use std::path::PathBuf;
use std::process::Command;

/// Compiles the extension of that name and runs its program, which has to say `said`.
fn check(name: &str, said: &str) {
    check_beside(name, &[], said);
}

/// The folder in which the extension of that name is built.
fn built(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// As `check`, with others, already compiled, on the load path.
fn check_beside(name: &str, others: &[&str], said: &str) {
    let tree = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = tree.join("tests/extensions").join(name);
    let out = built(name);
    std::fs::create_dir_all(&out).expect("a folder to build in");
    let compiled = Command::new("cc")
        .args(["-O2", "-fPIC", "-shared", "-std=gnu17", "-Werror=implicit-function-declaration", "-I"])
        .arg(tree.join("include"))
        .arg("-I")
        .arg(&source)
        .arg(source.join(format!("{name}.c")))
        .arg("-o")
        .arg(out.join(format!("{name}.so")))
        .status()
        .expect("a C compiler");
    assert!(compiled.success(), "{name}.c does not compile");
    for options in [&[][..], &["--verify-heap"]] {
        let ran = Command::new(env!("CARGO_BIN_EXE_asterism"))
            .args(options)
            .arg("-I")
            .arg(&out)
            .args(others.iter().flat_map(|other| ["-I".into(), built(other)]))
            .arg(source.join("test.rb"))
            .output()
            .expect("the command runs");
        let (stdout, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success() && stdout == said, "{options:?}: {}: {stdout}{err}", ran.status);
    }
}

#[test]
fn an_extension_is_compiled_and_does_what_it_should() {
    check("basic", "ok\n");
}

#[test]
fn io_waiting_threads_and_ractors_from_c() {
    check("pieces", "ok\nend of the VM\n");
}

#[test]
fn sizes_frames_memory_views_postponed_jobs_and_digests_from_c() {
    check("looking", "ok\n");
}

#[test]
fn structs_blocks_modes_and_room_of_others() {
    check("lent", "ok\n");
}

#[test]
fn what_the_macros_find_and_loops_that_stay_in_c() {
    check("macros", "ok\n");
}

#[test]
fn what_extconf_found_tables_events_flags_and_coverage() {
    check("various", "ok\n");
    check_beside("beside", &["various"], "ok\n");
}

#[test]
fn headers_of_the_system_may_come_first_in_standard_c() {
    let tree = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("standard.c");
    std::fs::write(&source, "#include <stdlib.h>\n#include <ruby.h>\n").expect("a source");
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Werror", "-fsyntax-only", "-I"])
        .arg(tree.join("include"))
        .arg(source)
        .status();
    assert!(compiled.expect("a C compiler").success());
}

#[test]
fn nobody_waits_for_a_thread_in_c() {
    check("computing", "ok\n");
}

#[test]
fn who_is_in_c_with_whom() {
    check("racing", "ok\nf");
}
