//! The methods that generated programs call with arguments of the right kind, and often enough of another one.
//!
//! A word is a method and what it takes, a letter an argument; `?` makes those behind it optional, `&` takes a
//! block, `^` one that compares.
//! Nothing is here whose result differs between CRuby 3.1 and 4.0, is an address, or is chosen at random.
//!
//! | letter | argument |
//! |---|---|
//! | `i` | an Integer, of any size |
//! | `d` | a number of digits |
//! | `k` | a small Integer, whatever happens: others would take too long or too much memory |
//! | `f` | a number |
//! | `s` `y` `a` `h` `r` `x` | a String, Symbol, Array, Hash, Range, Regexp |
//! | `o` | anything |
//! | `w` | anything that converts to a number in one way at most |
//! | `p` | a String or a Regexp |

use crate::grammar::Type::{self, Bool, Float, Int, List, Ratio, Span, Str, Sym, Table};

/// By the receiver's type.
pub const METHODS: &[(Type, &str)] = &[
    (
        Int,
        "+:f -:f *:f /:f %:f &:i |:i ^:i <=>:o ==:o ===:o >:f <:f >=:f <=:f -@ +@ ~ <<:k >>:k []:k []:kk **:d abs allbits?:i \
         anybits?:i nobits?:i bit_length ceil:?d chr:?o coerce:?f denominator digits:?i div:?f divmod:?f even? fdiv:?f \
         floor:?d gcd:?i gcdlcm:?i integer? lcm:?i magnitude modulo:?f next numerator odd? ord pow:?d pow:ki pred \
         rationalize remainder:?f round:?d size succ to_c to_f to_i to_int to_r to_s:?i truncate:?d zero? positive? \
         negative? nonzero? finite? infinite? clamp:?ff clamp:?r between?:ff eql?:o equal?:o real? imaginary abs2 arg polar \
         rect dup inspect instance_of?:o",
    ),
    (
        Float,
        "+:f -:f *:f /:f %:f **:d <=>:o ==:o >:f <:f >=:f <=:f -@ abs ceil:?d coerce:?f denominator divmod:?f eql?:o fdiv:?f \
         finite? floor:?d infinite? magnitude modulo:?f nan? negative? next_float numerator positive? prev_float quo:?f \
         rationalize:?f round:?d to_c to_i to_r to_s truncate:?d zero? nonzero? clamp:?ff between?:ff div:?f remainder:?f \
         inspect",
    ),
    (
        Ratio,
        "+:f -:f *:f /:f **:k <=>:o ==:o >:f <:f -@ abs ceil:?d coerce:?f denominator fdiv:?f floor:?d magnitude negative? \
         numerator positive? rationalize:?f round:?d to_f to_i to_r to_s truncate:?d zero? inspect divmod:?f %:f div:?f \
         clamp:?ff quo:?f",
    ),
    (
        Str,
        "%:o *:k +:s -@ +@ <=>:o ==:o ===:o []:o []:oo []=:oo []=:ooo ascii_only? b between?:ss bytes bytesize \
         byteslice:?i byteslice:?ii capitalize capitalize! casecmp?:o casecmp?:?o center:?ks chars chomp:?s chomp!:?s chop \
         chop! chr codepoints concat:?s concat:?ss count:?s delete:?s delete!:?s delete_prefix:?s \
         delete_prefix!:?s delete_suffix:?s delete_suffix!:?s downcase:?y downcase!:?y dump each_byte:& each_char:& \
         each_grapheme_cluster:& each_line:?s& empty? encode:?s encoding end_with?:?ss eql?:o force_encoding:?s getbyte:?i \
         gsub:?pp gsub:?p& gsub!:?pp gsub!:?p& gsub:?ph hex include?:?s index:?pi insert:?is inspect intern length lines:?s \
         ljust:?ks lstrip lstrip! match?:pi match?:?pi next next! oct ord partition:?p prepend:?s prepend:?ss replace:?s \
         reverse reverse! rindex:?pi rjust:?ks rpartition:?p rstrip rstrip! scan:?p scan:?p& scrub setbyte:?ii size \
         slice:?o slice:?ii slice!:?o slice!:?ii split:?pi split:?p& squeeze:?s squeeze!:?s start_with?:?pp strip strip! \
         sub:?pp sub:?p& sub!:?pp sub!:?p& succ succ! sum:?k swapcase swapcase! to_c to_f to_i:?i to_r to_s to_str to_sym \
         tr:?ss tr!:?ss tr_s:?ss tr_s!:?ss undump unicode_normalize:?y unicode_normalized? upcase:?y \
         upcase!:?y upto:?s& valid_encoding? clear each_codepoint:& freeze frozen? dup clone grapheme_clusters \
         <<:o",
    ),
    (
        Sym,
        "<=>:o ==:o []:o []:oo capitalize casecmp?:o casecmp?:?o downcase empty? encoding end_with?:?s id2name inspect \
         length match?:p match?:?p name next size slice:?o slice:?ii start_with?:?p succ swapcase to_proc to_s to_sym upcase",
    ),
    (
        List,
        "&:a *:o +:a -:a <<:o <=>:o ==:o []:o []:oo []=:oo []=:ooo all?:?o& any?:?o& append:?oo assoc:?o at:?i \
         chunk:& chunk_while:& clear collect:& collect!:& combination:?k compact compact! concat:?aa \
         count:?o& cycle:?k& deconstruct delete:?o& delete_at:?i delete_if:& difference:?aa dig:?io drop:?i drop_while:& \
         each:& each_cons:?k each_entry:& each_index:& each_slice:?k& each_with_index:& each_with_object:?o& empty? entries \
         eql?:a fetch:?io fetch:?i& fill:?o fill:?okk fill:?k& filter:& filter!:& filter_map:& find:& find_all:& \
         find_index:?o& first:?i flat_map:& flatten:?i flatten!:?i group_by:& include?:?o index:?o& inject:?oy inject:?y \
         inject:& insert:?ko insert:?koo intersect?:?a intersection:?aa join:?s keep_if:& last:?i lazy length map:& map!:& \
         max:?k^ max_by:& member?:?o min:?k^ min_by:& minmax minmax_by:& none?:?o& one?:?o& partition:& \
         permutation:?k pop:?i prepend:?oo product:?a push:?oo rassoc:?o reduce:?oy reject:& reject!:& \
         repeated_combination:?k replace:?a reverse reverse! reverse_each:& rindex:?o& rotate:?i rotate!:?i select:& \
         select!:& shift:?i size slice:?o slice:?ii slice!:?o slice!:?ii slice_after:?o& slice_before:& slice_when:& \
         sort:^ sort_by:& sum:?d& take:?i take_while:& tally to_a to_h:& transpose union:?aa uniq:& \
         uniq!:& unshift:?oo values_at:?ii values_at:?ir zip:?aa zip:?a& |:a each_with_index zip:?ra freeze frozen? minmax",
    ),
    (
        Table,
        "<:h <=:h ==:o >:h >=:h []:o []=:oo any?:?o& all?:?o& assoc:?o clear compact compact! compare_by_identity default:?o \
         default=:o delete:?o& delete_if:& dig:?oo each:& each_key:& each_pair:& each_value:& empty? eql?:h except:?oo \
         fetch:?oo fetch:?o& fetch_values:?oo& filter:& filter!:& filter_map:& find:& find_all:& first:?i flat_map:& \
         group_by:& has_key?:?o has_value?:?o include?:?o invert keep_if:& key?:o key?:?o keys length map:& max_by:& \
         member?:?o merge:?hh merge:?h& merge!:?hh merge!:?h& min_by:& none?:& partition:& rassoc:?o reduce:?oy rehash \
         reject:& reject!:& replace:?h select:& select!:& size slice:?oo sort sort_by:& store:?oo sum:?k& take:?i to_a \
         to_h:& to_proc transform_keys:?h& transform_keys!:?h& transform_values:& transform_values!:& update:?h& value?:?o \
         values values_at:?oo zip:?a each_with_index:& each_with_object:?o& inject:& count:?o& uniq:& min:^ tally \
         each_slice:?k each_cons:?k drop:?i each_entry:& cycle:?k& compare_by_identity? deconstruct_keys:?o",
    ),
    (
        Span,
        "==:o ===:o begin cover?:?o end entries eql?:o exclude_end? first include?:?o inspect last:?k max:& \
         min:?k member?:?o minmax sum to_s to_a each_slice:?k& count:?o first:?k each_with_index:& map:& select:& \
         take:?k inject:?y partition:& zip:?a find:& any?:& lazy",
    ),
    (Bool, "! to_s inspect === nil?"),
];

/// Called as functions of modules and classes.
pub const FUNCTIONS: &str = "\
    Integer:?wk Float:?w Array:?o Rational:?ww Complex:?ww Math.sqrt:?f Math.atan2:?ff Math.cbrt:?f \
    Math.log:?f Math.hypot:?ff Math.ldexp:?fk Math.frexp:?f Math.gamma:?f Math.sin:?f Math.acos:?f \
    Math.log2:?f Math.exp:?f Integer.sqrt:?i format:?so format:?soo sprintf:?so Array.new:?k Array.new:?ko \
    Array.new:?a Array.try_convert:?o Hash.try_convert:?o String.try_convert:?o String.new:?s Hash.new:?o \
    Range.new:?oo Range.new:?ooo Regexp.escape:?s Regexp.union:?pp Regexp.try_convert:?o \
    Comparable.instance_method:?y Hash.[]:?a Hash.[]:?oo Array.[]:?oo Time.at:?k Enumerator.new:& \
    Enumerator::Lazy.new:?a& String.new Encoding.find:?s Encoding.compatible?:?ss \
    Proc.new:& Random.new(3).rand:?k Random.new(3).bytes:?k Kernel.catch:y& \
    loop:&";

/// What is called with a block. `r` is the receiver.
pub const BLOCKS: &[&str] = &[
    "{ |x| x }",
    "{ |x, y| y }",
    "{ |x, y| [y, x] }",
    "{ |x| x.to_s }",
    "{ |x| x.is_a?(Integer) }",
    "{ nil }",
    "{ true }",
    "{ |*x| x }",
    "{ |x,| x }",
    "{ |x, (y, *z), k: 1| [x, y, z, k] }",
    "{ |a, b| b <=> a }",
    "{ |x| next 5 if x; 6 }",
    "{ |x| break [x] }",
    "{ raise IndexError }",
    "{ _1 }",
    "{ [_2, _1] }",
    "{ |x| x.frozen? }",
    "{ |x| x.to_s <=> '2' }",
    "{ |x| x ? 1 : 0 }",
    "{ |x; y| y = x; y.inspect.size }",
];

/// Blocks that compare, always in the same way: what others lead to is nowhere written.
pub const COMPARISONS: &[&str] = &[
    "{ |x, y| y <=> x }",
    "{ |x, y| x.to_s <=> y.to_s }",
    "{ |x, y| (y <=> x).to_f }",
    "{ |x, y| x.hash; (x <=> y) * 2**65 }",
    "{ nil }",
    "{ raise IndexError }",
    "{ |x, y| break [x].size }",
];

/// `&` and an expression, in place of a block.
pub const BLOCK_ARGUMENTS: &[&str] =
    &["&:to_s", "&:succ", "&:size", "&nil", "&method(:f)", "&->(x) { x }", "&{ 1 => 2 }", "&proc { |x, y| [x, y] }"];

/// Arguments of any kind.
pub const ODD: &[&str] = &[
    "nil",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "-7",
    "255",
    "(2**62)",
    "(2**64)",
    "(-2**63)",
    "(2**62 - 1)",
    "0.0",
    "-0.0",
    "1.5",
    "-2.5",
    "1e20",
    "Float::NAN",
    "Float::INFINITY",
    "-Float::INFINITY",
    "(1/3r)",
    "2i",
    "''",
    "'a'",
    "'abc'",
    "'é'",
    "'b-d'",
    "'^a'",
    "'1.5'",
    "'0x1f'",
    "' 12 '",
    "'C*'",
    "'U2'",
    "'UTF-8'",
    "'ASCII-8BIT'",
    "\"\\xff\"",
    "\"a\\0b\"",
    "'%d %s'",
    "'%-5.2f|%+x'",
    "'\\\\1'",
    "'\\\\0<\\\\k<n>>'",
    ":a",
    ":abc",
    ":+",
    ":size",
    ":upcase",
    ":ascii",
    "[]",
    "[1]",
    "[1, 2]",
    "[nil]",
    "[[1, 2]]",
    "['a', 1]",
    "{}",
    "{ a: 1 }",
    "{ 'a' => 'X' }",
    "(1..3)",
    "(1...3)",
    "(-2..)",
    "(..2)",
    "(0..-1)",
    "('a'..'c')",
    "(1.0..2.5)",
    "/a/",
    "/(?<n>.)/",
    "/b*/",
    "/(a)|(b)/i",
    "/\\s/",
    "//",
    "Integer",
    "String",
    "Object",
    "Comparable",
    "f(1, 2).method(:+)",
    "->(x) { x }",
    "Object.new",
    "T.new(3)",
    "T.new('b')",
    "T.new([4])",
    "T.new(nil)",
    "C.new(2)",
];
