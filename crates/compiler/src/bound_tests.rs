//! What the parameters get from calls that are written so.

use asterism_symbol::Sym;

use super::Bound::{self, Missing, NoKeywords, Rest, Value};
use crate::code::{CallSite, KeywordParam, KeywordRest, Params, flags};

fn site(argc: u16, keywords: &[u32]) -> CallSite {
    let keywords = keywords.iter().map(|&n| Sym(n)).collect();
    CallSite { name: Sym(0), argc, flags: 0, keywords, block: None, symbol: None }
}

fn bound(params: &Params, argc: u16, keywords: &[u32]) -> Option<Vec<Bound>> {
    params.bound_by(&site(argc, keywords))
}

#[test]
fn positional_arguments_fill_required_then_optional_parameters() {
    let params = Params { required: 1, optional: 2, post: 1, ..Params::default() };
    assert_eq!(bound(&params, 1, &[]), None);
    assert_eq!(bound(&params, 2, &[]), Some(vec![Value(0), Missing, Missing, Value(1)]));
    assert_eq!(bound(&params, 3, &[]), Some(vec![Value(0), Value(1), Missing, Value(2)]));
    assert_eq!(bound(&params, 4, &[]), Some(vec![Value(0), Value(1), Value(2), Value(3)]));
    assert_eq!(bound(&params, 5, &[]), None);
}

#[test]
fn a_rest_parameter_takes_what_is_left_between() {
    let params = Params { required: 1, optional: 1, rest: true, post: 1, block: true, ..Params::default() };
    assert_eq!(bound(&params, 2, &[]), Some(vec![Value(0), Missing, Rest(1..1), Value(1), Missing]));
    assert_eq!(bound(&params, 5, &[]), Some(vec![Value(0), Value(1), Rest(2..4), Value(4), Missing]));
}

#[test]
fn keywords_go_to_their_parameters_in_any_order() {
    let keywords =
        [(7, true), (8, false), (9, false)].map(|(name, required)| KeywordParam { name: Sym(name), required });
    let params = Params { required: 1, keywords: Box::new(keywords), ..Params::default() };
    assert_eq!(bound(&params, 1, &[9, 7]), Some(vec![Value(0), Value(2), Missing, Value(1)]));
    assert_eq!(bound(&params, 1, &[8]), None, "a required one is missing");
    assert_eq!(bound(&params, 1, &[7, 5]), None, "an unknown one");
    assert_eq!(bound(&params, 1, &[7, 7]), None, "one twice");
    assert_eq!(bound(&Params::default(), 0, &[7]), None, "they are a Hash then");
    let collects = Params { keyword_rest: KeywordRest::Collect, ..Params::default() };
    assert_eq!(bound(&collects, 0, &[]), None);
    let forwards = Params { forwarding: true, rest: true, block: true, ..collects };
    assert_eq!(bound(&forwards, 2, &[]), Some(vec![Rest(0..2), NoKeywords, Missing]));
    assert_eq!(bound(&forwards, 2, &[7]), None);
}

#[test]
fn splats_depend_on_values() {
    let params = Params { rest: true, ..Params::default() };
    assert_eq!(params.bound_by(&CallSite { flags: flags::SPLAT, ..site(1, &[]) }), None);
    assert_eq!(params.bound_by(&CallSite { flags: flags::KW_SPLAT, ..site(1, &[]) }), None);
    assert!(params.bound_by(&CallSite { flags: flags::BLOCK_ARG, ..site(1, &[]) }).is_some());
}
