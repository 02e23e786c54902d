//! Named classes: `\w`, `[[:alpha:]]`, `\p{Greek}`, as sets of an encoding's codes.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use asterism_lock::{RwLock, once};
use asterism_support::encoding::{Encoding, Kind};
use icu_properties::props::{
    BinaryProperty, EnumeratedProperty, GeneralCategory, GeneralCategoryGroup, GraphemeClusterBreak,
    IndicConjunctBreak, NoncharacterCodePoint, Script,
};
use icu_properties::{CodePointMapData, CodePointSetData, PropertyParser, props};

use crate::set::{CodeSet, MAX_CODE, Range, SharedSet};
use crate::single;

const DIGIT: Range = (0x30, 0x39);
const UPPER: Range = (0x41, 0x5a);
const LOWER: Range = (0x61, 0x7a);

/// The ASCII members of classes, in their order.
static ASCII: [SharedSet; 14] = [
    SharedSet::new(&[DIGIT, UPPER, LOWER]),
    SharedSet::new(&[UPPER, LOWER]),
    SharedSet::new(&[(0x09, 0x09), (0x20, 0x20)]),
    SharedSet::new(&[(0, 0x1f), (0x7f, 0x7f)]),
    SharedSet::new(&[DIGIT]),
    SharedSet::new(&[(0x21, 0x7e)]),
    SharedSet::new(&[LOWER]),
    SharedSet::new(&[(0x20, 0x7e)]),
    SharedSet::new(&[(0x21, 0x2f), (0x3a, 0x40), (0x5b, 0x60), (0x7b, 0x7e)]),
    SharedSet::new(&[(0x09, 0x0d), (0x20, 0x20)]),
    SharedSet::new(&[UPPER]),
    SharedSet::new(&[DIGIT, (0x41, 0x46), (0x61, 0x66)]),
    SharedSet::new(&[(0, 0x7f)]),
    SharedSet::new(&[DIGIT, UPPER, (0x5f, 0x5f), LOWER]),
];

/// The members of classes in Unicode, in their order, made at first use.
static UNICODE: [OnceLock<&'static SharedSet>; 14] = [const { OnceLock::new() }; 14];

/// Properties by name that patterns have asked for. There are only so many names.
static PROPERTIES: RwLock<BTreeMap<String, &'static SharedSet>> = RwLock::new(BTreeMap::new());

/// A property's members, which are worked out once.
fn known(name: &str, make: impl FnOnce() -> Option<CodeSet>) -> Option<CodeSet> {
    if let Some(set) = PROPERTIES.read().get(name) {
        return Some(CodeSet::of_shared(set));
    }
    let made = make()?;
    let mut known = PROPERTIES.write();
    let set = known.entry(name.into()).or_insert_with(|| made.share());
    Some(CodeSet::of_shared(set))
}

/// The classes that every encoding has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Class {
    Alnum,
    Alpha,
    Blank,
    Cntrl,
    Digit,
    Graph,
    Lower,
    Print,
    Punct,
    Space,
    Upper,
    Xdigit,
    Ascii,
    Word,
}

impl Class {
    /// The class of a POSIX bracket's name.
    pub fn of_name(name: &[u8]) -> Option<Class> {
        Some(match name {
            b"alnum" => Class::Alnum,
            b"alpha" => Class::Alpha,
            b"blank" => Class::Blank,
            b"cntrl" => Class::Cntrl,
            b"digit" => Class::Digit,
            b"graph" => Class::Graph,
            b"lower" => Class::Lower,
            b"print" => Class::Print,
            b"punct" => Class::Punct,
            b"space" => Class::Space,
            b"upper" => Class::Upper,
            b"xdigit" => Class::Xdigit,
            b"ascii" => Class::Ascii,
            b"word" => Class::Word,
            _ => return None,
        })
    }

    /// Its ASCII members.
    pub fn ascii(self) -> CodeSet {
        CodeSet::of_shared(&ASCII[self as usize])
    }

    /// Its members in an encoding.
    pub fn set(self, encoding: Encoding) -> CodeSet {
        match encoding.kind() {
            _ if matches!(self, Class::Ascii | Class::Xdigit) => self.ascii(),
            Kind::Binary | Kind::UsAscii => self.ascii(),
            _ if encoding.is_unicode() => self.unicode(),
            Kind::Single => single::class(self, encoding),
            kind => {
                let mut set = self.ascii();
                if matches!(self, Class::Word | Class::Graph | Class::Print) {
                    if kind == Kind::Sjis {
                        set.add(0xa1, 0xdf);
                    }
                    set.add(0x100, MAX_CODE);
                }
                set
            }
        }
    }

    fn unicode(self) -> CodeSet {
        let made: &&'static SharedSet = once::get_or_init(&UNICODE[self as usize], || self.make_unicode().share());
        CodeSet::of_shared(made)
    }

    fn make_unicode(self) -> CodeSet {
        let category = |group| of_group(group);
        match self {
            Class::Alpha => binary::<props::Alphabetic>(),
            Class::Alnum => join([binary::<props::Alphabetic>(), category(GeneralCategoryGroup::DecimalNumber)]),
            Class::Blank => join([category(GeneralCategoryGroup::SpaceSeparator), CodeSet::of_range(9, 9)]),
            Class::Cntrl => category(GeneralCategoryGroup::Control),
            Class::Digit => category(GeneralCategoryGroup::DecimalNumber),
            Class::Lower => binary::<props::Lowercase>(),
            Class::Upper => binary::<props::Uppercase>(),
            Class::Punct => join([category(GeneralCategoryGroup::Punctuation), Class::Punct.ascii()]),
            Class::Space => binary::<props::WhiteSpace>(),
            Class::Word => join([
                binary::<props::Alphabetic>(),
                category(GeneralCategoryGroup::Mark),
                category(GeneralCategoryGroup::DecimalNumber),
                category(GeneralCategoryGroup::ConnectorPunctuation),
                binary::<props::JoinControl>(),
            ]),
            Class::Graph | Class::Print => {
                let mut not = join([
                    binary::<props::WhiteSpace>(),
                    category(GeneralCategoryGroup::Control),
                    category(GeneralCategoryGroup::Surrogate),
                    category(GeneralCategoryGroup::Unassigned),
                ]);
                if self == Class::Print {
                    not.intersect(&category(GeneralCategoryGroup::SpaceSeparator).negated());
                }
                not.negate();
                not.intersect(&CodeSet::of_range(0, 0x10_ffff));
                not
            }
            Class::Ascii | Class::Xdigit => self.ascii(),
        }
    }
}

fn join<const N: usize>(sets: [CodeSet; N]) -> CodeSet {
    CodeSet::of_ranges(sets.iter().flat_map(|s| s.ranges().iter().copied()))
}

fn binary<P: BinaryProperty>() -> CodeSet {
    CodeSet::of_ranges(CodePointSetData::new::<P>().iter_ranges().map(|r| (*r.start(), *r.end())))
}

fn of_group(group: GeneralCategoryGroup) -> CodeSet {
    let map = CodePointMapData::<GeneralCategory>::new();
    CodeSet::of_ranges(map.iter_ranges_for_group(group).map(|r| (*r.start(), *r.end())))
}

fn valued<P: EnumeratedProperty>(value: P) -> CodeSet {
    let map = CodePointMapData::<P>::new();
    CodeSet::of_ranges(map.iter_ranges_for_value(value).map(|r| (*r.start(), *r.end())))
}

/// The members of a property in an encoding; `None` if the encoding has none of that name.
pub fn property(encoding: Encoding, name: &[u8]) -> Option<CodeSet> {
    if encoding.is_unicode() {
        let name: Vec<u8> =
            name.iter().filter(|c| !matches!(c, b' ' | b'-' | b'_')).map(u8::to_ascii_lowercase).collect();
        let name = std::str::from_utf8(&name).ok()?;
        return known(name, || unicode_property(name));
    }
    let lower = name.to_ascii_lowercase();
    if let Some(class) = Class::of_name(&lower) {
        return Some(class.set(encoding));
    }
    match encoding.kind() {
        Kind::EucJp => japanese(&lower, EUC),
        Kind::Sjis => japanese(&lower, SJIS),
        _ => None,
    }
}

type Named = [(&'static str, &'static [(u32, u32)]); 6];

/// Rows of JIS X 0208 (and 0201, 0212) by script.
const EUC: &Named = &[
    ("hiragana", &[(0xa4a1, 0xa4f3)]),
    ("katakana", &[(0x8ea6, 0x8eaf), (0x8eb1, 0x8edd), (0xa5a1, 0xa5f6)]),
    ("han", &[(0xa1b8, 0xa1b8), (0xb0a1, 0xcfd3), (0xd0a1, 0xf4a6), (0x8f_b0a1, 0x8f_edf3)]),
    ("latin", &[(0x41, 0x5a), (0x61, 0x7a), (0xa3c1, 0xa3da), (0xa3e1, 0xa3fa)]),
    ("greek", &[(0xa6a1, 0xa6b8), (0xa6c1, 0xa6d8)]),
    ("cyrillic", &[(0xa7a1, 0xa7c1), (0xa7d1, 0xa7f1)]),
];

const SJIS: &Named = &[
    ("hiragana", &[(0x829f, 0x82f1)]),
    ("katakana", &[(0xa6, 0xaf), (0xb1, 0xdd), (0x8340, 0x837e), (0x8380, 0x8396)]),
    ("han", &[(0x8156, 0x8156), (0x889f, 0x9872), (0x989f, 0x9ffc), (0xe040, 0xeaa4)]),
    ("latin", &[(0x41, 0x5a), (0x61, 0x7a), (0x8260, 0x8279), (0x8281, 0x829a)]),
    ("greek", &[(0x839f, 0x83b6), (0x83bf, 0x83d6)]),
    ("cyrillic", &[(0x8440, 0x8460), (0x8470, 0x847e), (0x8480, 0x8491)]),
];

fn japanese(name: &[u8], table: &Named) -> Option<CodeSet> {
    let found = table.iter().find(|(n, _)| n.as_bytes() == name)?;
    Some(CodeSet::of_ranges(found.1.iter().copied()))
}

/// `name` in lower case without spaces, hyphens and underscores.
fn unicode_property(name: &str) -> Option<CodeSet> {
    if let Some(class) = Class::of_name(name.as_bytes()) {
        return Some(if class == Class::Punct { of_group(GeneralCategoryGroup::Punctuation) } else { class.unicode() });
    }
    match name {
        "any" => return Some(CodeSet::of_range(0, 0x10_ffff)),
        "assigned" => {
            let mut set = of_group(GeneralCategoryGroup::Unassigned).negated();
            set.intersect(&CodeSet::of_range(0, 0x10_ffff));
            return Some(set);
        }
        "xposixpunct" => return Some(Class::Punct.unicode()),
        "newline" => return Some(CodeSet::of_range(10, 10)),
        _ => {}
    }
    if let Some(version) = name.strip_prefix("age=") {
        return age(version);
    }
    if let Some(value) = name.strip_prefix("graphemeclusterbreak=") {
        return grapheme_break(value);
    }
    if let Some(value) = name.strip_prefix("incb=") {
        return conjunct_break(value);
    }
    if let Some(group) = PropertyParser::<GeneralCategoryGroup>::new().get_loose(name) {
        return Some(of_group(group));
    }
    if let Some(script) = PropertyParser::<Script>::new().get_loose(name) {
        // Katakana_Or_Hiragana has no characters, and no name in Ruby.
        return (!matches!(name, "hrkt" | "katakanaorhiragana")).then(|| valued(script));
    }
    if let Some(set) = crate::property_tables::binary_property(name) {
        return Some(set);
    }
    if let Some(block) = name.strip_prefix("in") {
        return self::block(block);
    }
    None
}

/// What characters of a grapheme cluster are, by the value's name.
pub fn grapheme_break(value: &str) -> Option<CodeSet> {
    Some(match value {
        "extend" => valued(GraphemeClusterBreak::Extend),
        "regionalindicator" => valued(GraphemeClusterBreak::RegionalIndicator),
        "prepend" => valued(GraphemeClusterBreak::Prepend),
        "cr" => valued(GraphemeClusterBreak::CR),
        "lf" => valued(GraphemeClusterBreak::LF),
        "control" => valued(GraphemeClusterBreak::Control),
        "spacingmark" => valued(GraphemeClusterBreak::SpacingMark),
        "l" => valued(GraphemeClusterBreak::L),
        "v" => valued(GraphemeClusterBreak::V),
        "t" => valued(GraphemeClusterBreak::T),
        "lv" => valued(GraphemeClusterBreak::LV),
        "lvt" => valued(GraphemeClusterBreak::LVT),
        "zwj" => valued(GraphemeClusterBreak::ZWJ),
        _ => return None,
    })
}

/// `InCB`, by the value's name.
pub fn conjunct_break(value: &str) -> Option<CodeSet> {
    Some(match value {
        "linker" => valued(IndicConjunctBreak::Linker),
        "consonant" => valued(IndicConjunctBreak::Consonant),
        "extend" => valued(IndicConjunctBreak::Extend),
        _ => return None,
    })
}

/// `\p{Extended_Pictographic}`
pub fn pictographic() -> CodeSet {
    binary::<props::ExtendedPictographic>()
}

/// `\p{Regional_Indicator}`
pub fn regional() -> CodeSet {
    binary::<props::RegionalIndicator>()
}

/// A set of a binary property, for the table of names.
pub fn binary_set<P: BinaryProperty>() -> CodeSet {
    binary::<P>()
}

/// The versions of Unicode whose additions are known.
const AGES: &[&str] = &[
    "1.1", "2.0", "2.1", "3.0", "3.1", "3.2", "4.0", "4.1", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2", "6.3", "7.0",
    "8.0", "9.0", "10.0", "11.0", "12.0", "12.1", "13.0", "14.0", "15.0", "15.1", "16.0",
];

/// The characters of a version of Unicode and those before it.
fn age(version: &str) -> Option<CodeSet> {
    if version == "17.0" {
        let mut set = of_group(GeneralCategoryGroup::Unassigned).negated();
        set.intersect(&CodeSet::of_range(0, 0x10_ffff));
        set.union(&binary::<NoncharacterCodePoint>());
        return Some(set);
    }
    if !AGES.contains(&version) {
        return None;
    }
    let hir = regex_syntax::Parser::new().parse(&format!("\\p{{age={version}}}")).ok()?;
    let mut set = match hir.into_kind() {
        regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => {
            CodeSet::of_ranges(class.iter().map(|r| (u32::from(r.start()), u32::from(r.end()))))
        }
        _ => return None,
    };
    // Surrogates are no `char`s, but have an age.
    if version != "1.1" {
        set.add(0xd800, 0xdfff);
    }
    Some(set)
}

/// The members of a block, `name` in lower case without separators. Blocks begin at multiples of 16.
fn block(name: &str) -> Option<CodeSet> {
    match name {
        // No `char`s, so that the crate of blocks cannot be asked.
        "highsurrogates" => return Some(CodeSet::of_range(0xd800, 0xdb7f)),
        "highprivateusesurrogates" => return Some(CodeSet::of_range(0xdb80, 0xdbff)),
        "lowsurrogates" => return Some(CodeSet::of_range(0xdc00, 0xdfff)),
        _ => {}
    }
    let mut set = CodeSet::new();
    for first in (0..0x11_0000).step_by(16).filter(|first| !(0xd800..0xe000).contains(first)) {
        let found = char::from_u32(first).and_then(unicode_blocks::find_unicode_block);
        let here = match found {
            None => name == "noblock",
            Some(block) => {
                let plain = block.name().bytes().filter(|c| !matches!(c, b' ' | b'-' | b'_'));
                plain.map(|c| c.to_ascii_lowercase()).eq(name.bytes())
            }
        };
        if here {
            set.add(first, first + 15);
        }
    }
    (!set.is_empty()).then_some(set)
}

/// The classes of a word's characters; `ascii`: those of ASCII.
pub fn word_set(encoding: Encoding, ascii: bool) -> CodeSet {
    if ascii { Class::Word.ascii() } else { Class::Word.set(encoding) }
}
