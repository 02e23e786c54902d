//! Which parameter gets what, where the call site alone decides that.

use std::ops::Range;

use crate::code::{CallSite, KeywordRest, Params, flags};

/// What a parameter's slot gets from a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value in the register that is so many behind the first argument's.
    Value(usize),
    /// None: it has a default, or is the block parameter of a method, which is read when it is needed.
    Missing,
    /// None of the keywords that `...` stands for.
    NoKeywords,
    /// An Array of the values in these registers, counted as for `Value`.
    Rest(Range<usize>),
}

impl Params {
    /// What a call at `site` gives a method with these parameters, slot by slot. `None`: that depends on values, or the call has not
    /// the arguments that the method takes.
    pub fn bound_by(&self, site: &CallSite) -> Option<Vec<Bound>> {
        let mut slots = Vec::new();
        self.bind(site, |bound| slots.push(bound)).then_some(slots)
    }

    /// `give` gets what `bound_by` says, slot by slot. `false`: that is nothing, whatever it has got.
    #[inline]
    pub fn bind(&self, site: &CallSite, mut give: impl FnMut(Bound)) -> bool {
        let (argc, required, post) = (usize::from(site.argc), usize::from(self.required), usize::from(self.post));
        let spread = site.flags & (flags::SPLAT | flags::KW_SPLAT) != 0;
        let collects = self.keyword_rest == KeywordRest::Collect;
        let hash = collects && !(self.forwarding && site.keywords.is_empty());
        if spread || hash || argc < required + post {
            return false;
        }
        let middle = argc - required - post;
        let defaults = usize::from(self.optional);
        if middle > defaults && !self.rest {
            return false;
        }
        (0..required).map(Bound::Value).for_each(&mut give);
        (0..defaults).for_each(|n| give(if n < middle { Bound::Value(required + n) } else { Bound::Missing }));
        if self.rest {
            give(Bound::Rest(required + middle.min(defaults)..required + middle));
        }
        (argc - post..argc).map(Bound::Value).for_each(&mut give);
        if !self.bind_keywords(site, &mut give) {
            return false;
        }
        if collects {
            give(Bound::NoKeywords);
        }
        if self.block {
            give(Bound::Missing);
        }
        true
    }

    /// The slots of keywords; `false` as in `bind`.
    fn bind_keywords(&self, site: &CallSite, give: &mut impl FnMut(Bound)) -> bool {
        let mut given = 0;
        for param in &self.keywords {
            let mut places = (0..site.keywords.len()).filter(|&n| site.keywords[n] == param.name);
            match (places.next(), places.next()) {
                (Some(n), None) => {
                    given += 1;
                    give(Bound::Value(usize::from(site.argc) + n));
                }
                (None, _) if !param.required => give(Bound::Missing),
                _ => return false,
            }
        }
        // Each of them has a parameter.
        given == site.keywords.len()
    }
}

#[cfg(test)]
#[path = "bound_tests.rs"]
mod tests;
