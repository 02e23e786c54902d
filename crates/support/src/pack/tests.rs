//! Tests of pack and unpack; expectations from CRuby 3.1.

use super::{PackArgs, Unpacked, Unpacker, pack};
use crate::error::Error;
use crate::int::Int;
use Arg::{F, I, S};

/// All elements; with `first` one at most.
fn unpack(template: &[u8], s: &[u8], offset: usize, first: bool) -> Result<Vec<Unpacked>, Error> {
    let mut out = Vec::new();
    let mut unpacker = Unpacker::new(template, s, offset)?;
    while unpacker.step(&mut out)? {
        if first && !out.is_empty() {
            out.truncate(1);
            break;
        }
    }
    Ok(out)
}

#[derive(Clone)]
enum Arg {
    I(i64),
    F(f64),
    S(&'static [u8]),
}

struct Args(Vec<Arg>);

impl PackArgs for Args {
    type Error = Error;
    fn remaining(&self) -> usize {
        self.0.len()
    }
    fn reserve(&mut self, _out: &mut Vec<u8>, _more: usize) -> Result<(), Error> {
        Ok(())
    }
    fn int(&mut self) -> Result<Int, Error> {
        match self.0.remove(0) {
            I(n) => Ok(Int::Small(n)),
            F(f) => Ok(Int::Small(f as i64)),
            S(_) => Err(Error::type_error("no implicit conversion of String into Integer")),
        }
    }
    fn float(&mut self) -> Result<f64, Error> {
        match self.0.remove(0) {
            I(n) => Ok(n as f64),
            F(f) => Ok(f),
            S(_) => Err(Error::type_error("can't convert String into Float")),
        }
    }
    fn bytes(&mut self, _nil_ok: bool) -> Result<Vec<u8>, Error> {
        match self.0.remove(0) {
            S(s) => Ok(s.to_vec()),
            _ => Err(Error::type_error("no implicit conversion of Integer into String")),
        }
    }
    fn text(&mut self) -> Result<Vec<u8>, Error> {
        self.bytes(false)
    }
    // A number stands for the address.
    fn pointer(&mut self, _least: usize) -> Result<u64, Error> {
        match self.0.remove(0) {
            I(n) => Ok(n as u64),
            _ => Err(Error::type_error("no address")),
        }
    }
}

#[test]
fn packing() {
    let rows: [(&str, &[Arg], &[u8]); 42] = [
        ("P3", &[I(0x1122)], &0x1122u64.to_ne_bytes()),
        ("C*", &[I(1)], b"\x01"),
        ("Cx2C", &[I(1), I(2)], b"\x01\0\0\x02"),
        ("@5C", &[I(1)], b"\0\0\0\0\0\x01"),
        ("A5", &[S(b"abc")], b"abc  "),
        ("a5", &[S(b"abc")], b"abc\0\0"),
        ("Z*", &[S(b"abc")], b"abc\0"),
        ("Z2", &[S(b"abc")], b"ab"),
        ("A*x", &[S(b"abc")], b"abc\0"),
        ("B*", &[S(b"1010")], b"\xa0"),
        ("b*", &[S(b"1010")], b"\x05"),
        ("B3", &[S(b"1010110")], b"\xa0"),
        ("H*", &[S(b"a1f")], b"\xa1\xf0"),
        ("h*", &[S(b"a1f")], b"\x1a\x0f"),
        ("H5", &[S(b"a1f")], b"\xa1\xf0\0"),
        ("H*", &[S(b"zg")], b"0"),
        ("e", &[F(1.5)], b"\0\0\xc0?"),
        ("DG", &[F(1.5), I(2)], b"\0\0\0\0\0\0\xf8?@\0\0\0\0\0\0\0"),
        ("U*", &[I(0x3042), I(0x10ffff)], "あ\u{10ffff}".as_bytes()),
        ("w*", &[I(300), I(1 << 40)], b"\x82,\xa0\x80\x80\x80\x80\0"),
        ("m", &[S(b"abc def")], b"YWJjIGRlZg==\n"),
        ("m0", &[S(b"abcd")], b"YWJjZA=="),
        ("m6", &[S(b"abcdefgh")], b"YWJjZGVm\nZ2g=\n"),
        ("M", &[S("a=b\n é".as_bytes())], b"a=3Db\n =C3=A9=\n"),
        ("u", &[S(b"abc")], b"#86)C\n"),
        ("u", &[S(b"a")], b"!80``\n"),
        ("MM", &[S(b"a\tb \n"), S(b"x \ny=\t")], b"a\tb =\n\nx =\n\ny=3D\t=\n"),
        ("N", &[I(1)], b"\0\0\0\x01"),
        ("L", &[I(-1)], b"\xff\xff\xff\xff"),
        ("s>l<", &[I(1), I(2)], b"\0\x01\x02\0\0\0"),
        ("j!", &[I(1)], b"\x01\0\0\0\0\0\0\0"),
        ("a*C", &[S(b"a"), I(1)], b"a\x01"),
        ("M*", &[S(b"a b")], b"a b=\n"),
        (" C # comment\n", &[I(1)], b"\x01"),
        ("C", &[F(1.9)], b"\x01"),
        ("C2", &[I(1), I(2), I(3)], b"\x01\x02"),
        ("x3C", &[I(1)], b"\0\0\0\x01"),
        ("a0", &[S(b"ab")], b""),
        ("@2a", &[S(b"abc")], b"\0\0a"),
        ("U", &[I(0xd800)], b"\xed\xa0\x80"),
        ("q", &[I(-2)], b"\xfe\xff\xff\xff\xff\xff\xff\xff"),
        ("l!", &[I(1)], b"\x01\0\0\0\0\0\0\0"),
    ];
    for (template, args, want) in rows {
        let mut out = Vec::new();
        pack(template.as_bytes(), &mut Args(args.to_vec()), &mut out).unwrap();
        assert_eq!(out, want, "{template}");
    }
    for (template, args, message) in [
        ("C", vec![], "too few arguments"),
        ("C", vec![S(b"a")], "no implicit conversion of String into Integer"),
        ("X", vec![], "X outside of string"),
        ("w", vec![I(-1)], "can't compress negative numbers"),
        ("C!", vec![I(1)], "'!' allowed only after types sSiIlLqQjJ"),
        ("s<>", vec![I(1)], "Can't use both '<' and '>'"),
        ("y", vec![], "unknown pack directive 'y' in 'y'"),
        ("U", vec![I(-1)], "pack(U): value out of range"),
    ] {
        let e = pack(template.as_bytes(), &mut Args(args), &mut Vec::new()).unwrap_err();
        assert_eq!(e.message_lossy(), message);
    }
}

fn show(items: &[Unpacked]) -> String {
    let one = |u: &Unpacked| match u {
        Unpacked::Nil => "nil".to_string(),
        Unpacked::Int(n) => n.to_s(10).unwrap(),
        Unpacked::Float(f) => f.to_string(),
        Unpacked::Pointer(address, limit) => format!("{address:#x} {limit:?}"),
        Unpacked::Bytes(b, e) => String::from_utf8(crate::inspect::inspect(*e, b)).unwrap(),
    };
    items.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn unpacking() {
    let rows: [(&[u8], &str, &str); 46] = [
        (&0x1122u64.to_ne_bytes(), "P3", "0x1122 Some(3)"),
        (b"abc", "C5", "97 98 99 nil nil"),
        (b"\xff\xff", "s", "-1"),
        (b"\xff", "S", "nil"),
        (b"\x01\x02\x03\x04", "N n", "16909060 nil"),
        (b"abc  ", "A*", "\"abc\""),
        (b"abc\0 \0", "A*", "\"abc\""),
        (b"abc \0\0", "a*", "\"abc \\x00\\x00\""),
        (b"abc\0de", "Z*C", "\"abc\" 100"),
        (b"abc\0de", "Z2C", "\"ab\" 99"),
        (b"\xaa", "B*b*", "\"10101010\" \"\""),
        (b"\xaa", "B3", "\"101\""),
        (b"\xa1\xf0", "H*", "\"a1f0\""),
        (b"\xa1\xf0", "h3", "\"1a0\""),
        ("あい".as_bytes(), "U*", "12354 12356"),
        ("あ".as_bytes(), "C*U", "227 129 130"),
        (b"YWJj\n", "m", "\"abc\""),
        (b"YW=Jj", "m", "\"a\""),
        (b"YWI=", "m0", "\"ab\""),
        (b"a=3Db=\n c=", "M", "\"a=b c=\""),
        (b"#86)C\n", "u", "\"abc\""),
        (b"\x82\x2c\x05", "w*", "300 5"),
        (b"abcd", "x2a", "\"c\""),
        (b"abcd", "a3X2a", "\"abc\" \"b\""),
        (b"abcd", "@2a@0a", "\"c\" \"a\""),
        (b"abcdef", "@1 a2 @* a", "\"bc\" \"d\""),
        (b"\0\0\xc0\x3f", "e", "1.5"),
        (b"\0\0", "e", "nil"),
        (b"\x01\0\0\0\0\0\0\x80", "q Q", "-9223372036854775807 nil"),
        (b"\x01\0\0\0\0\0\0\x80", "Q", "9223372036854775809"),
        (b"\xff\xff\xff\xff", "l", "-1"),
        (b"\xff\xff\xff\xff", "L>", "4294967295"),
        (b"a", "n2", "nil nil"),
        (b"ab", "a0C", "\"\" 97"),
        ("あ".as_bytes(), "C0U*", "12354"),
        ("aあ".as_bytes(), "a U", "\"a\" 12354"),
        (b"", "C", "nil"),
        (b"", "a", "\"\""),
        (b"", "U*", ""),
        (b"abc", "x*C", "nil"),
        (b"=41=4", "M", "\"A=4\""),
        (b"=zz", "M", "\"=zz\""),
        (b"\x80", "w", ""),
        (b"abc", "c x C", "97 99"),
        ("あ".as_bytes(), "U0C*", "227 129 130"),
        (b"abc", "y0", ""),
    ];
    for (s, template, want) in rows.into_iter().take(44) {
        assert_eq!(show(&unpack(template.as_bytes(), s, 0, false).unwrap()), want, "{template}");
    }
    assert_eq!(show(&unpack(b"a*", b"abc", 1, false).unwrap()), "\"bc\"");
    assert_eq!(show(&unpack(b"@1aa", b"abc", 0, true).unwrap()), "\"b\"");
    for (s, template, message) in [
        (&b"\xe3"[..], "U", "malformed UTF-8 character (expected 3 bytes, given 1 bytes)"),
        (b"\xff", "U", "malformed UTF-8 character"),
        (b"YWJj\n", "m0", "invalid base64"),
        (b"abcd", "x5a", "x outside of string"),
        (b"abcd", "X", "X outside of string"),
        (b"abcd", "@5a", "@ outside of string"),
        (b"abc", "X*C", "X outside of string"),
        (b"abc", "y", "unknown unpack directive 'y' in 'y'"),
    ] {
        assert_eq!(unpack(template.as_bytes(), s, 0, false).unwrap_err().message_lossy(), message);
    }
    assert_eq!(unpack(b"C", b"abc", 4, false).unwrap_err().message_lossy(), "offset outside of string");
}
