//! Tests of time; the strftime table and the other expectations are CRuby 3.1's.

use super::calendar::{civil_from_days, days_from_civil};
use super::{Civil, TimeParts, UtcOffset, Zone, parse_utc_offset, strftime};
use crate::encoding::Encoding;
use crate::inspect::undump;

#[test]
fn strftime_table() {
    for line in include_str!("../../tests/data/strftime.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let (epoch, offset): (i64, i32) = (cells[0].parse().unwrap(), cells[2].parse().unwrap());
        let t = TimeParts {
            civil: Civil::from_seconds(epoch + i64::from(offset)),
            nsec: cells[1].parse().unwrap(),
            rest: None,
            epoch,
            cycles: None,
            offset,
            utc: cells[3] == "UTC",
            zone: cells[3].as_bytes(),
        };
        let want = undump(Encoding::UTF_8, cells[5].as_bytes()).unwrap().0;
        let got = strftime(cells[4].as_bytes(), &t).unwrap();
        assert_eq!(got, want, "{line}");
    }
}

#[test]
fn calendar() {
    for days in (-1_000_000..1_000_000).step_by(97).chain([i64::MAX / 86_400, i64::MIN / 86_400]) {
        let (y, m, d) = civil_from_days(days);
        if let Some(back) = days_from_civil(y, m, d) {
            assert_eq!(back, days);
        }
    }
    assert_eq!(civil_from_days(19_782), (2024, 2, 29));
    let c = Civil { year: 2024, month: 2, day: 29, hour: 3, min: 4, sec: 5 };
    assert_eq!(Civil::from_seconds(c.to_seconds().unwrap()), c);
    assert_eq!((c.wday(), c.yday(), c.iso_week()), (4, 60, (2024, 9)));
    civil_from_days(i64::MAX);
    civil_from_days(i64::MIN);
    // Each day has a date, and the date is that day's: near, at both ends of what is counted in 32 bits, and far.
    for middle in [0, 536_870_912 - 292_913_468, -292_913_468, 1_000_000_000_000, -1_000_000_000_000] {
        for day in middle - 150_000..middle + 150_000 {
            let (year, month, in_month) = civil_from_days(day);
            assert_eq!(days_from_civil(year, month, in_month), Some(day));
            assert!((1..=super::calendar::days_in_month(year, month)).contains(&in_month));
        }
    }
    Civil::from_seconds(i64::MIN);
}

#[test]
fn zones() {
    let ny = Zone::local(Some("America/New_York"));
    let at = |month, day, hour| Civil { year: 2024, month, day, hour, min: 30, sec: 0 };
    assert_eq!(ny.instant(&at(3, 10, 2), false), Some(1_710_055_800));
    assert_eq!(ny.instant(&at(11, 3, 1), false), Some(1_730_615_400));
    assert_eq!(ny.instant(&at(11, 3, 1), true), Some(1_730_611_800));
    assert_eq!(ny.instant(&at(7, 1, 12), false), Some(1_719_851_400));
    let info = ny.at(1_719_851_400);
    assert_eq!((info.offset, info.dst, ny.abbreviation(1_719_851_400).as_str()), (-14_400, true, "EDT"));
    let summer = ny.span(1_719_851_400);
    assert_eq!((summer.from, summer.until, summer.info), (1_710_054_000, 1_730_613_600, info));
    assert_eq!(ny.span(summer.from), summer);
    assert_eq!(ny.span(summer.until - 1), summer);
    assert_eq!(ny.span(summer.until).from, summer.until);
    assert_eq!(ny.span(summer.from - 1).until, summer.from);
    let utc = Zone::local(Some("UTC")).span(i64::MAX);
    assert_eq!((utc.from, utc.until), (i64::MIN, i64::MAX));
    assert_eq!(ny.span(i64::MIN).from, i64::MIN);
    assert_eq!(ny.span(i64::MAX).until, i64::MAX);
    assert_eq!(ny.civil(1_719_851_400), at(7, 1, 12));
    assert_eq!(Zone::local(Some("JST-9")).at(0).offset, 32_400);
    assert_eq!(Zone::local(Some("")).abbreviation(0), "UTC");
    ny.at(i64::MAX);
    Zone::local(None).civil(i64::MIN);
}

#[test]
fn offsets() {
    for (text, offset) in [
        ("+09:00", 32400),
        ("-0930", -34200),
        ("A", 3600),
        ("+09:00:30", 32430),
        ("+23:59", 86340),
        ("X", -39600),
        ("Y", -43200),
        ("M", 43200),
        ("N", -3600),
        ("+09", 32400),
        ("+090030", 32430),
    ] {
        assert_eq!(parse_utc_offset(text.as_bytes()), Ok(UtcOffset::Fixed(offset)), "{text}");
    }
    for text in ["UTC", "utc", "Z", "-00:00"] {
        assert_eq!(parse_utc_offset(text.as_bytes()), Ok(UtcOffset::Utc));
    }
    for text in ["J", "z", "+9", "+9:00", "+09:60", "Asia/Tokyo", ""] {
        let message = parse_utc_offset(text.as_bytes()).unwrap_err().message_lossy();
        assert_eq!(
            message,
            format!("\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {text}")
        );
    }
    assert_eq!(parse_utc_offset(b"+24:00").unwrap_err().message_lossy(), "utc_offset out of range");
}
