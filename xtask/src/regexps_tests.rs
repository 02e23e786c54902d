//! What two reports differ in, and what explains it.

use super::known::Known;
use super::report::compare;

const THEIRS: &[u8] = b"P UTF-8 0 2e2a\nK true .\nS 6162 0-2 nil 0-2\nM 6162 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\nP UTF-8 0 61\nK true .\n";
const OURS: &[u8] = b"P UTF-8 0 2e2a\nK true .\nS 6162 0-2 2-2 0-2\nM 6162 1,0,3,4,5,6,7,8,9,10,11,12,13,14,15\nP UTF-8 0 61\nK true .\n";

#[test]
fn what_differs_is_named() {
    let differences = compare(THEIRS, OURS);
    assert_eq!((differences.patterns, differences.subjects), (2, 1));
    assert_eq!(differences.all.len(), 1);
    assert_eq!(differences.all[0].fields, ["last", "rindex"]);
    assert_eq!(differences.all[0].source, ".*");
    assert!(compare(OURS, OURS).all.is_empty());
}

#[test]
fn a_report_that_ends_early_is_compared_as_far_as_it_goes() {
    let differences = compare(THEIRS, &OURS[..60]);
    assert_eq!(differences.patterns, 0);
    let differences = compare(&THEIRS[..THEIRS.len() - 9], OURS);
    assert_eq!(differences.patterns, 2);
}

#[test]
fn only_all_of_what_is_known_explains() {
    let differences = compare(THEIRS, OURS);
    let known = |text: &str| Known::parse(text).is_ok_and(|known| known.explains(&differences.all[0]));
    assert!(known("last rindex\tUTF-8\t^.*\ta reason"));
    assert!(known("last\t*\t*\tone\nrindex\t*\t(?~ OR .*\tanother"));
    assert!(!known("last\tUTF-8\t^.*\ta reason"));
    assert!(!known("last rindex\tUTF-16LE\t^.*\ta reason"));
    assert!(!known("last rindex\tUTF-8\t^*\ta reason"));
    assert!(!known("last rindex\tUTF-8\t.* (?~\ta reason"));
    assert!(Known::parse("last\tUTF-8\t.*\t ").is_err());
    assert!(Known::parse("last\tUTF-8\t.*").is_err());
}
