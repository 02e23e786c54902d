//! Tests of `format` against a table made by CRuby 3.1, and of its error messages.

use super::{
    Amount, ArgRef, Format, Piece, format_char, format_float, format_int, format_ratio, format_str, key_not_found,
    parse,
};
use crate::encoding::Encoding;
use crate::int_parse::parse_int_prefix;

enum Arg {
    Int(i64),
    Float(f64),
    Big(crate::Int),
    Str(&'static str),
    Ratio(i64, i64),
}

/// A stand-in for the VM: formats with positional arguments only.
fn run(fmt: &str, args: &[Arg]) -> Result<String, String> {
    let mut out = Vec::new();
    let Format { pieces, .. } = parse(fmt.as_bytes());
    for piece in pieces {
        let d = match piece {
            Piece::Literal(l) => {
                out.extend(l);
                continue;
            }
            Piece::Fail(e) => return Err(e.message_lossy()),
            Piece::Directive(d) => d,
        };
        let star = |a: Amount| match a {
            Amount::Arg(i) => match args.get(i) {
                Some(Arg::Int(n)) => Ok(Some(*n as i32)),
                _ => Err("too few arguments".to_string()),
            },
            _ => Ok(None),
        };
        let spec = d.resolve(star(d.width)?, star(d.precision)?);
        let value = match &d.arg {
            ArgRef::Index(i) => args.get(*i).ok_or("too few arguments")?,
            named => return Err(key_not_found(named).message_lossy()),
        };
        let done = match value {
            Arg::Int(n) => format_int(&spec, &crate::Int::Small(*n), &mut out),
            Arg::Big(n) => format_int(&spec, n, &mut out),
            Arg::Float(f) => format_float(&spec, *f, &mut out),
            Arg::Ratio(a, b) => format_ratio(&spec, &(*a).into(), &(*b).into(), &mut out),
            Arg::Str(s) if spec.conv == super::Conv::Char => {
                format_char(&spec, Encoding::UTF_8, s.as_bytes(), &mut out)
            }
            Arg::Str(s) => format_str(&spec, Encoding::UTF_8, s.as_bytes(), &mut out),
        };
        done.map_err(|e| e.message_lossy())?;
    }
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn table() {
    for line in include_str!("../../tests/data/sprintf.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let arg = match cells[1].split_at(1) {
            ("f", hex) => Arg::Float(f64::from_bits(u64::from_str_radix(hex, 16).unwrap())),
            (_, n) => Arg::Big(parse_int_prefix(n.as_bytes(), 10).unwrap()),
        };
        assert_eq!(run(cells[0], &[arg]).unwrap(), cells[2], "{line}");
    }
}

#[test]
fn strings_stars_and_ratios() {
    let ok = |fmt: &str, args: &[Arg], want: &str| assert_eq!(run(fmt, args).as_deref(), Ok(want), "{fmt}");
    ok("%5s|%-5s|%.2s", &[Arg::Str("abc"), Arg::Str("abc"), Arg::Str("abc")], "  abc|abc  |ab");
    ok("%5.1s|", &[Arg::Str("あいう")], "    あ|");
    ok("%c%3c|%-3c|", &[Arg::Str("AB"), Arg::Str("あ"), Arg::Str("x")], "A  あ|x  |");
    ok(
        "%*d|%-*d|%*d|",
        &[Arg::Int(5), Arg::Int(3), Arg::Int(5), Arg::Int(3), Arg::Int(-5), Arg::Int(3)],
        "    3|3    |3    |",
    );
    ok("%.*f %.*f", &[Arg::Int(2), Arg::Float(1.234), Arg::Int(-2), Arg::Float(1.234)], "1.23 1.234000");
    ok("%1$*2$d %2$*1$d", &[Arg::Int(3), Arg::Int(5)], "    3   5");
    ok("%% %1$s %1$s", &[Arg::Str("x")], "% x x");
    ok(
        "%.30f %.3f %f",
        &[Arg::Ratio(1, 3), Arg::Ratio(1 << 62, 1), Arg::Ratio(-1, 3)],
        "0.333333333333333333333333333333 4611686018427387904.000 -0.333333",
    );
    ok(
        "%10.3f|%+010.3f|%.0f %#.0f",
        &[Arg::Ratio(1, 3), Arg::Ratio(-1, 3), Arg::Ratio(5, 2), Arg::Ratio(2, 1)],
        "     0.333|-00000.333|3 2.",
    );
}

#[test]
fn errors() {
    let one = || [Arg::Int(1)];
    for (fmt, message) in [
        ("%d %d", "too few arguments"),
        ("%y", "malformed format string - %y"),
        ("%", "incomplete format specifier; use %% (double %) instead"),
        ("% ", "malformed format string"),
        ("%\n", "malformed format string"),
        ("%1$", "malformed format string"),
        ("%5", "malformed format string - %*[0-9]"),
        ("%1$d %d", "unnumbered(1) mixed with numbered"),
        ("%d %1$d", "numbered(1) after unnumbered(1)"),
        ("%5%", "invalid format character - %"),
        ("%<a", "malformed name - unmatched parenthesis"),
        ("%0$d", "malformed format string - %$"),
        ("%99999999999d", "width too big"),
        ("%.99999999999d", "precision too big"),
        ("%5 d", "flag after width"),
        ("%.5.5d", "precision given twice"),
        ("%5*d", "width given twice"),
        ("%1$1$d", "value given twice - 1$"),
        ("%<a><b>d", "named<b> after <a>"),
        ("%<a>{b}", "named{b} after <a>"),
        ("%1$<a>d", "named<a> after numbered"),
        ("%d%<a>d", "named<a> after unnumbered(1)"),
        ("%{a}", "key{a} not found"),
        ("%<a>d", "key<a> not found"),
        ("%ld", "malformed format string - %l"),
        ("%1$*d", "unnumbered(1) mixed with numbered"),
    ] {
        assert_eq!(run(fmt, &one()).unwrap_err(), message, "{fmt}");
    }
    assert_eq!(parse(b"%d %d").consumed, Some(2));
    assert_eq!(parse(b"%<a>d %d").pieces.len(), 3);
}

#[test]
fn what_is_nearly_half_goes_to_the_even_digit() {
    for (fmt, f, expected) in [
        ("%.2f", 2.675, "2.68"),
        ("%.2f", 8.345, "8.34"),
        ("%.1f", 0.35, "0.4"),
        ("%.2f", -1.115, "-1.12"),
        ("%.2f", 0.285, "0.28"),
        ("%.1f", 0.05, "0.1"),
        ("%.2e", 8.345, "8.34e+00"),
        ("%.3g", 2.675, "2.68"),
        ("%.1f", 99.95, "100.0"),
    ] {
        assert_eq!(run(fmt, &[Arg::Float(f)]).as_deref(), Ok(expected), "{fmt} of {f}");
    }
}
