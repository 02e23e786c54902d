//! Tests of the comparison of manifests with the table of crates.

use super::Manifests;
use crate::tidy::report::Report;

const TABLE: &str = "\
| crate | what it is | may know |
|---|---|---|
| `crates/top` | all | low, middle |
| `crates/middle` | some | low |
| `crates/low` | little | nothing |

| other | table |
";

fn faults(middle: &str) -> Vec<String> {
    let mut manifests = Manifests::default();
    manifests.add(
        "crates/top/Cargo.toml",
        "[dependencies]\nasterism-low.workspace = true\n[dependencies.asterism-middle]\n",
    );
    manifests.add("crates/middle/Cargo.toml", middle);
    manifests.add("crates/low/Cargo.toml", "[dependencies]\nlibc = \"1\"\n");
    let mut report = Report::default();
    manifests.check(TABLE, &mut report);
    report.faults
}

#[test]
fn agrees_with_the_table() {
    assert_eq!(faults("[dependencies]\nasterism-low = { path = \"x\" }\n"), Vec::<String>::new());
}

#[test]
fn finds_what_differs() {
    assert_eq!(faults("[dependencies]\n"), ["docs/ARCHITECTURE.md:4: `middle` depends on: "]);
    let found = faults("[dependencies]\nasterism-low.workspace = true\n[build-dependencies]\nasterism-top = \"1\"\n");
    assert_eq!(
        found,
        [
            "docs/ARCHITECTURE.md:4: `middle` depends on: low, top",
            "docs/ARCHITECTURE.md:4: `middle` depends on `top`, which does not lie below it"
        ]
    );
}

#[test]
fn finds_a_crate_that_is_not_listed() {
    let mut manifests = Manifests::default();
    manifests.add("crates/new/Cargo.toml", "");
    let mut report = Report::default();
    manifests.check("", &mut report);
    assert_eq!(report.faults, ["docs/ARCHITECTURE.md: the table of crates lacks `new`"]);
}
