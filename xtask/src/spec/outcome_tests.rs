//! Reports and what is read from them.

use super::{Outcome, Status};

#[test]
fn a_report_with_every_ending() {
    let report = "begin\tA works\nend\t\nbegin\tA\\nworks\nfailure\tExpected 1\\nto be 2\nend\t\n\
                  begin\tA skips\nskip\t\nend\t\noutside\tAn exception occurred during: loading /x/y_spec.rb\n\
                  error\tNameError: no\ndone\t\n";
    let outcome = Outcome::parse("y_spec.rb", report, Status::Crashed, "");
    let seen: Vec<_> = outcome.examples.iter().map(|e| (e.description.as_str(), e.status)).collect();
    assert_eq!(
        seen,
        [
            ("A works", Status::Passed),
            ("A works #2", Status::Failed),
            ("(outside) An exception occurred during: loading y_spec.rb", Status::Errored),
        ]
    );
    assert_eq!(outcome.examples[1].message, "Expected 1\nto be 2\n");
    assert!(outcome.complete);
}

#[test]
fn a_report_that_breaks_off() {
    let outcome = Outcome::parse("y_spec.rb", "begin\tA dies\n", Status::Hung, "last words");
    assert!(!outcome.complete);
    assert_eq!(outcome.examples[0].description, "A dies");
    assert_eq!(outcome.examples[0].status, Status::Hung);
    let outcome = Outcome::parse("y_spec.rb", "", Status::Crashed, "");
    assert_eq!(outcome.count(Status::Crashed), 1);
}
