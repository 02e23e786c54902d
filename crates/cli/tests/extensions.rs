//! Our own C extensions: compiled against the headers, loaded by the command.

use std::path::PathBuf;
use std::process::Command;

#[test]
fn an_extension_is_compiled_and_does_what_it_should() {
    let tree = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = tree.join("tests/extensions/basic");
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("basic");
    std::fs::create_dir_all(&out).expect("a folder to build in");
    let compiled = Command::new("cc")
        .args(["-O2", "-fPIC", "-shared", "-std=gnu17", "-Werror=implicit-function-declaration", "-I"])
        .arg(tree.join("include"))
        .arg(source.join("basic.c"))
        .arg("-o")
        .arg(out.join("basic.so"))
        .status()
        .expect("a C compiler");
    assert!(compiled.success(), "basic.c does not compile");
    for options in [&[][..], &["--verify-heap"]] {
        let ran = Command::new(env!("CARGO_BIN_EXE_asterism"))
            .args(options)
            .arg("-I")
            .arg(&out)
            .arg(source.join("test.rb"))
            .output()
            .expect("the command runs");
        let (said, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success() && said == "ok\n", "{options:?}: {}: {said}{err}", ran.status);
    }
}
