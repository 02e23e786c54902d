//! The binary properties of Unicode by name and alias.

use icu_properties::props;

use crate::property::{binary_set, property};
use crate::set::CodeSet;
use asterism_support::encoding::Encoding;

macro_rules! binary_properties {
    ($($($name:literal)|+ => $ident:ident),* $(,)?) => {
        fn direct(name: &str) -> Option<CodeSet> {
            Some(match name {
                $($($name)|+ => binary_set::<props::$ident>(),)*
                _ => return None,
            })
        }
    };
}

binary_properties! {
    "asciihexdigit" | "ahex" => AsciiHexDigit,
    "alphabetic" => Alphabetic,
    "bidicontrol" | "bidic" => BidiControl,
    "cased" => Cased,
    "caseignorable" | "ci" => CaseIgnorable,
    "changeswhencasefolded" | "cwcf" => ChangesWhenCasefolded,
    "changeswhencasemapped" | "cwcm" => ChangesWhenCasemapped,
    "changeswhenlowercased" | "cwl" => ChangesWhenLowercased,
    "changeswhentitlecased" | "cwt" => ChangesWhenTitlecased,
    "changeswhenuppercased" | "cwu" => ChangesWhenUppercased,
    "dash" => Dash,
    "deprecated" | "dep" => Deprecated,
    "defaultignorablecodepoint" | "di" => DefaultIgnorableCodePoint,
    "diacritic" | "dia" => Diacritic,
    "emojimodifierbase" | "ebase" => EmojiModifierBase,
    "emojicomponent" | "ecomp" => EmojiComponent,
    "emojimodifier" | "emod" => EmojiModifier,
    "emoji" => Emoji,
    "emojipresentation" | "epres" => EmojiPresentation,
    "extender" | "ext" => Extender,
    "extendedpictographic" | "extpict" => ExtendedPictographic,
    "graphemebase" | "grbase" => GraphemeBase,
    "graphemeextend" | "grext" => GraphemeExtend,
    "graphemelink" | "grlink" => GraphemeLink,
    "hexdigit" | "hex" => HexDigit,
    "hyphen" => Hyphen,
    "idcompatmathcontinue" => IdCompatMathContinue,
    "idcompatmathstart" => IdCompatMathStart,
    "idcontinue" | "idc" => IdContinue,
    "ideographic" | "ideo" => Ideographic,
    "idstart" | "ids" => IdStart,
    "idsbinaryoperator" | "idsb" => IdsBinaryOperator,
    "idstrinaryoperator" | "idst" => IdsTrinaryOperator,
    "idsunaryoperator" | "idsu" => IdsUnaryOperator,
    "joincontrol" | "joinc" => JoinControl,
    "logicalorderexception" | "loe" => LogicalOrderException,
    "lowercase" => Lowercase,
    "math" => Math,
    "modifiercombiningmark" | "mcm" => ModifierCombiningMark,
    "noncharactercodepoint" | "nchar" => NoncharacterCodePoint,
    "patternsyntax" | "patsyn" => PatternSyntax,
    "patternwhitespace" | "patws" => PatternWhiteSpace,
    "prependedconcatenationmark" | "pcm" => PrependedConcatenationMark,
    "quotationmark" | "qmark" => QuotationMark,
    "radical" => Radical,
    "regionalindicator" | "ri" => RegionalIndicator,
    "softdotted" | "sd" => SoftDotted,
    "sentenceterminal" | "sterm" => SentenceTerminal,
    "terminalpunctuation" | "term" => TerminalPunctuation,
    "unifiedideograph" | "uideo" => UnifiedIdeograph,
    "uppercase" => Uppercase,
    "variationselector" | "vs" => VariationSelector,
    "whitespace" | "wspace" => WhiteSpace,
    "xidcontinue" | "xidc" => XidContinue,
    "xidstart" | "xids" => XidStart,
}

/// The members of `of` that are in none of `without`: what Unicode's derivations add by hand.
fn rest(of: &str, without: &[&str]) -> Option<CodeSet> {
    let mut set = property(Encoding::UTF_8, of.as_bytes())?;
    for name in without {
        set.intersect(&property(Encoding::UTF_8, name.as_bytes())?.negated());
    }
    Some(set)
}

/// The members of a binary property; `name` in lower case without separators.
pub fn binary_property(name: &str) -> Option<CodeSet> {
    match name {
        "otheralphabetic" | "oalpha" => rest("alphabetic", &["l", "nl"]),
        "otherlowercase" | "olower" => rest("lowercase", &["ll"]),
        "otheruppercase" | "oupper" => rest("uppercase", &["lu"]),
        "othermath" | "omath" => rest("math", &["sm"]),
        "othergraphemeextend" | "ogrext" => rest("graphemeextend", &["mn", "me"]),
        "otheridstart" | "oids" => rest("idstart", &["l", "nl"]),
        "otheridcontinue" | "oidc" => rest("idcontinue", &["idstart", "mn", "mc", "nd", "pc"]),
        "otherdefaultignorablecodepoint" | "odi" => rest("defaultignorablecodepoint", &["cf", "variationselector"]),
        _ => direct(name),
    }
}
