//! Random bytes into everything that takes bytes, in every encoding: nothing may panic.

use asterism_support::case::{CaseOp, CaseOptions, map_case};
use asterism_support::encoding::convert::{Converter, Decorators, Stop};
use asterism_support::encoding::{Encoding, chars, scan};
use asterism_support::random::Rng;
use asterism_support::strutil::{CharSet, charset, search, succ};
use asterism_support::{Int, float_fmt, inspect, int_parse, pack, sprintf, time_fmt};

fn noise(r: &mut Rng) -> Vec<u8> {
    let len = r.limited(12) as usize;
    let pool: &[u8] = match r.limited(4) {
        0 => return r.bytes(len),
        1 => b"%0123456789.*$-+# <>{}abdfgsxXeEcpN:^_zYmdB",
        2 => b"aZz09-^\\ xyz_.eE+0x\"#{$@u",
        3 => b"aAcCsSlLqQjJnNvVUwmMuxX@AZBbHhDdFfEeGg*!<>_ 0123456789",
        _ => b"\xe3\x81\x82\xff\x80a\xc3\xa9\xf0\x9f\x98\x80\x8e\xd8\x00\x82\xa0\x81\x30",
    };
    (0..len).map(|_| pool[r.limited(pool.len() as u64 - 1) as usize]).collect()
}

#[test]
fn strings_in_every_encoding() {
    let mut r = Rng::new(&Int::Small(1));
    for enc in Encoding::all() {
        for _ in 0..150 {
            let (s, t) = (noise(&mut r), noise(&mut r));
            let range = scan::code_range(enc, &s);
            let n = scan::char_count(enc, &s, Some(range));
            assert_eq!(n, scan::chars(enc, &s).count(), "{} {s:?}", enc.name());
            assert_eq!(scan::char_offset(enc, &s, n, Some(range)), Some(s.len()));
            for at in 0..=s.len() {
                assert!(scan::char_start(enc, &s, at) <= at);
            }
            if let Some((code, len)) = chars::code_point(enc, &s) {
                let mut back = Vec::new();
                chars::push_code_point(enc, code, &mut back).unwrap();
                assert_eq!(back, s[..len], "{}", enc.name());
            }
            let fixed = scan::scrub(enc, &s, |_| scan::default_replacement(enc).to_vec());
            assert!(scan::is_valid(enc, &fixed.unwrap_or(s.clone())), "{} {s:?}", enc.name());
            inspect::inspect(enc, &s);
            inspect::inspect_symbol(enc, &s);
            let _ = inspect::undump(enc, &s);
            // As in CRuby, a dump with both \x and \u escapes cannot be read back.
            if let Ok((bytes, _)) = inspect::undump(enc, &inspect::dump(enc, &s)) {
                assert_eq!(bytes, s);
            }
            succ(enc, &s);
            for op in [CaseOp::Up, CaseOp::Down, CaseOp::Swap, CaseOp::Capitalize, CaseOp::Fold] {
                let options = CaseOptions { ascii: false, turkic: r.limited(1) == 1 };
                map_case(enc, &s, op, options);
            }
            let _ = charset::tr(enc, &s, &t, &s, true);
            let _ = charset::squeeze(enc, None, &s);
            if let Ok(set) = CharSet::new(&[(enc, &t)]) {
                let _ = (charset::count(&set, &s), charset::delete(&set, &s));
            }
            search::find(enc, &s, &t, 0);
            search::rindex(enc, &s, &t, s.len());
            search::lstrip_len(enc, &s);
            search::rstrip_len(enc, &s);
            search::split_awk(enc, &s, 2).count();
            let to = Encoding::from_index(r.limited(102) as usize).unwrap();
            if let Some(mut converter) = Converter::new(enc, to, Decorators::default()) {
                let mut out = Vec::new();
                let limit = if s.len() % 2 == 0 { None } else { Some(r.limited(4) as usize) };
                let mut rest = &s[..];
                for _ in 0..s.len() * 9 {
                    let (taken, stop) = converter.run(rest, &mut out, limit, s.len() % 3 == 0, s.len() % 5 == 0);
                    rest = &rest[taken..];
                    match stop {
                        Stop::Failed(failure) => drop(converter.message(&failure)),
                        Stop::Finished => break,
                        _ => {}
                    }
                }
            }
        }
    }
}

#[test]
fn parsers_and_formatters() {
    let mut r = Rng::new(&Int::Small(2));
    for _ in 0..20_000 {
        let s = noise(&mut r);
        float_fmt::parse_float_prefix(&s);
        let _ = float_fmt::parse_float_strict(&s);
        let _ = int_parse::parse_int_strict(&s, r.limited(80) as i64 - 40);
        let _ = int_parse::parse_int_prefix(&s, r.limited(40) as i64 - 1);
        let _ = time_fmt::parse_utc_offset(&s);
        let (text, mut out) = (r.bytes(9), Vec::new());
        if let Ok(mut unpacker) = pack::Unpacker::new(&s, &text, 0) {
            while unpacker.step(&mut out).unwrap_or(false) && out.len() < 100_000 {}
        }
        let f = f64::from_bits(r.limited(u64::MAX));
        let n = Int::Small(r.limited(u64::MAX) as i64);
        let time = time_fmt::TimeParts {
            civil: time_fmt::Civil::from_seconds(n.to_i64().unwrap()),
            nsec: 5,
            rest: None,
            epoch: 0,
            cycles: None,
            offset: -7,
            utc: false,
            zone: b"X",
        };
        let _ = time_fmt::strftime(&s, &time);
        for piece in sprintf::parse(&s).pieces {
            let sprintf::Piece::Directive(d) = piece else {
                continue;
            };
            let spec = d.resolve(Some(-9), Some(3));
            if spec.width.unwrap_or(0) > 9999 || spec.precision.unwrap_or(0) > 9999 {
                continue;
            }
            let mut out = Vec::new();
            let _ = sprintf::format_int(&spec, &n, &mut out);
            let _ = sprintf::format_float(&spec, f, &mut out);
            let _ = sprintf::format_ratio(&spec, &n.to_big(), &7.into(), &mut out);
            let _ = sprintf::format_str(&spec, Encoding::UTF_8, &s, &mut out);
            let _ = sprintf::format_char(&spec, Encoding::UTF_8, &s, &mut out);
        }
    }
}

/// The spigot of the benchmark: 1,000 digits must take well under a second even unoptimised.
#[test]
fn thousand_digits_of_pi() {
    let int = Int::Small;
    let (mut k, mut a, mut b, mut a1, mut b1) = (int(2), int(4), int(1), int(12), int(4));
    let mut digits = String::new();
    while digits.len() < 1000 {
        let p = k.mul(&k);
        let q = k.mul(&int(2)).add(&int(1));
        k = k.add(&int(1));
        let (na, nb) = (p.mul(&a).add(&q.mul(&a1)), p.mul(&b).add(&q.mul(&b1)));
        (a, b, a1, b1) = (a1, b1, na, nb);
        let (mut d, mut d1) = (a.div(&b).unwrap(), a1.div(&b1).unwrap());
        while d == d1 {
            digits.push_str(&d.to_s(10).unwrap());
            a = a.modulo(&b).unwrap().mul(&int(10));
            a1 = a1.modulo(&b1).unwrap().mul(&int(10));
            (d, d1) = (a.div(&b).unwrap(), a1.div(&b1).unwrap());
        }
    }
    assert!(digits.starts_with("31415926535897932384626433832795"));
}
