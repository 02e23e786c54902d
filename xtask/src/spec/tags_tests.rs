//! Tags and what a run says about them.

use super::super::outcome::{Outcome, Status};
use super::{compare, parse};

#[test]
fn passes_and_failures_that_nobody_expected() {
    let tags = parse("A is wrong ## reason\nB ## is odd ## another\nC is gone ## third\n").unwrap();
    assert_eq!(tags["B ## is odd"], "another");
    let report =
        "begin\tA is wrong\nend\t\nbegin\tB ## is odd\nfailure\tno\nend\t\nbegin\tD\nerror\tno\nend\t\ndone\t\n";
    let outcome = Outcome::parse("x_spec.rb", report, Status::Crashed, "");
    assert_eq!(
        compare(&tags, &outcome, false),
        ["unexpected pass: A is wrong", "errored: D", "tagged, but not in the suite: C is gone"]
    );
    assert_eq!(compare(&tags, &outcome, true).len(), 2);
}

#[test]
fn a_line_without_a_reason_is_refused() {
    assert!(parse("A is wrong\n").is_err());
}
