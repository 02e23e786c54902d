//! Tests of what counts as a path of the repository.

use super::{links, repository_path};

#[test]
fn recognises_paths() {
    let path = |text| repository_path(text);
    assert_eq!(path("crates/heap/src/lib.rs"), Some("crates/heap/src/lib.rs".to_owned()));
    assert_eq!(path("./bin/demo"), Some("bin/demo".to_owned()));
    assert_eq!(path("crates/vm/src/call.rs:17"), Some("crates/vm/src/call.rs".to_owned()));
    assert_eq!(path("benches/programs/*.rb"), Some("benches/programs".to_owned()));
    assert_eq!(path("benches/expected/<name>.txt"), Some("benches/expected".to_owned()));
    assert_eq!(path("README.md"), Some("README.md".to_owned()));
    assert_eq!(path("doc/NEWS"), None);
    assert_eq!(path("a / b"), None);
    assert_eq!(path("tests/x y"), None);
}

#[test]
fn recognises_links() {
    let line = "[a](docs/A.md#part), [b](https://example.org), [c](#here), [d](x.rs)";
    assert_eq!(links(line).collect::<Vec<_>>(), ["docs/A.md", "x.rs"]);
}
