# Date and DateTime.
begin
  require "date"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { [[2001, 2, 3], [1582, 10, 4], [1582, 10, 15], [-1, 1, 1], [2000, 2, 29], [-4712, 1, 1], [2001, -1, -1]].map { |a| d = Date.new(*a); [d.to_s, d.jd, d.yday, d.wday, d.cwyear, d.cweek, d.cwday] } } # => [["2001-02-03", 2451944, 34, 6, 2001, 5, 6], ["1582-10-04", 2299160, 277, 4, 1582, 40, 4], ["1582-10-15", 2299161, 278, 5, 1582, 40, 5], ["-0001-01-01", 1720693, 1, 3, -1, 1, 3], ["2000-02-29", 2451604, 60, 2, 2000, 9, 2], ["-4712-01-01", 0, 1, 1, -4712, 1, 1], ["2001-12-31", 2452275, 365, 1, 2002, 1, 1]]
t { Date.new(2001, 2, 3).then { |d| [d.mjd, d.ld, d.ajd, d.amjd, d.julian?, d.leap?, d.inspect] } } # => [51943, 152784, (4903887/2), (51943/1), false, false, "#<Date: 2001-02-03 ((2451944j,0s,0n),+0s,2299161j)>"]
t { Date.new(2001, 2, 29) } # => Date::Error: invalid date
t { Date.new(1582, 10, 10) } # => Date::Error: invalid date
t { [Date.valid_date?(2001, 2, 29), Date.valid_ordinal?(2001, 366), Date.valid_commercial?(2001, 53, 1)] } # => [false, false, false]
t { [Date.ordinal(2001, -1), Date.commercial(2001, 5, 6), Date.jd(2451944)].map(&:to_s) } # => ["2001-12-31", "2001-02-03", "2001-02-03"]
t { d = Date.new(2001, 1, 31); [d + 1, d - 1, d >> 1, d << 2, d.next_year, d.prev_month(3)].map(&:to_s) } # => ["2001-02-01", "2001-01-30", "2001-02-28", "2000-11-30", "2002-01-31", "2000-10-31"]
t { Date.new(2001, 3, 1) - Date.new(2000, 3, 1) } # => (365/1)
t { [Date.new(2001, 1, 1) <=> Date.new(2001, 1, 2), Date.new(2001) == DateTime.new(2001), { Date.new(2001) => 1 }[Date.new(2001)]] } # => [-1, true, 1]
t { [(Date.new(2001, 1, 1)..Date.new(2001, 1, 5)).map(&:day), Date.new(2001).step(Date.new(2001, 1, 10), 3).map(&:day)] } # => [[1, 2, 3, 4, 5], [1, 4, 7, 10]]
t { %w[%Y-%m-%d %a %A %b %B %c %C %D %e %g %G %H %I %j %L %N %p %P %Q %r %s %U %v %V %W %y %z %:z %::z %Z %+ %-d %_m %05d %^a %#p %10A %3N %Ey].map { |f| DateTime.new(2001, 2, 3, 4, 5, Rational(13, 2), "+09:00").strftime(f) } } # => ["2001-02-03", "Sat", "Saturday", "Feb", "February", "Sat Feb  3 04:05:06 2001", "20", "02/03/01", " 3", "01", "2001", "04", "04", "034", "500", "500000000", "AM", "am", "981140706500", "04:05:06 AM", "981140706", "04", " 3-FEB-2001", "05", "05", "01", "+0900", "+09:00", "+09:00:00", "+09:00", "Sat Feb  3 04:05:06 +09:00 2001", "3", " 2", "00003", "SAT", "am", "  Saturday", "500", "01"]
t { [DateTime.new(2001, 2, 3, 4, 5, 6, "+7"), DateTime.new(2001, 2, 3, 24), DateTime.new(2001, 2, 3, -1, -1, -1), DateTime.new(2001, 2, 3.5)].map(&:to_s) } # => ["2001-02-03T04:05:06+07:00", "2001-02-04T00:00:00+00:00", "2001-02-03T23:59:59+00:00", "2001-02-03T12:00:00+00:00"]
t { [DateTime.new(2001, 2, 3, 4, 5, 6).iso8601(3), DateTime.new(2001, 2, 3, 4, 5, 6, "+09:00").new_offset(0).to_s, DateTime.new(2001, 2, 3, 4, 5, 6, "+09:00").to_time.to_s] } # => ["2001-02-03T04:05:06.000+00:00", "2001-02-02T19:05:06+00:00", "2001-02-03 04:05:06 +0900"]
t { d = Date.new(2001, 2, 3); [d.httpdate, d.rfc2822, d.rfc3339, d.jisx0301, d.ctime] } # => ["Sat, 03 Feb 2001 00:00:00 GMT", "Sat, 3 Feb 2001 00:00:00 +0000", "2001-02-03T00:00:00+00:00", "H13.02.03", "Sat Feb  3 00:00:00 2001"]
t { ["2001-02-03", "20010203", "3rd Feb 2001", "Feb 3 2001", "Sat Aug 28 02:55:50 2000", "2001-W05-6", "2001-034", "H13.02.03", "3-Feb-2001", "2001/02/03", "10:20:30.5 pm", "20010203T040506Z", "jan 5 2003 13:10 pst", "'99 1 2", "Tuesday", "x"].map { |s| Date._parse(s) } } # => [{year: 2001, mon: 2, mday: 3}, {year: 2001, mon: 2, mday: 3}, {year: 2001, mon: 2, mday: 3}, {year: 2001, mon: 2, mday: 3}, {wday: 6, hour: 2, min: 55, sec: 50, year: 2000, mon: 8, mday: 28}, {cwyear: 2001, cweek: 5, cwday: 6}, {year: 2001, yday: 34}, {year: 2001, mon: 2, mday: 3}, {year: 2001, mon: 2, mday: 3}, {year: 2001, mon: 2, mday: 3}, {hour: 22, min: 20, sec: 30, sec_fraction: (1/2)}, {year: 2001, mon: 2, mday: 3, hour: 4, min: 5, sec: 6, zone: "Z", offset: 0}, {zone: "pst", hour: 13, min: 10, year: 2003, mon: 1, mday: 5, offset: -28800}, {year: 1999}, {wday: 2}, {}]
t { Date.parse("3rd Feb 2001").to_s } # => "2001-02-03"
t { Date.parse("x") } # => Date::Error: invalid date
t { Date.parse("x" * 200) } # => ArgumentError: string length (200) exceeds the limit 128
t { [["2001-02-03", "%Y-%m-%d"], ["3/2/01", "%d/%m/%y"], ["2001-034", "%Y-%j"], ["2001-W05-6", "%G-W%V-%u"], ["2001 04 6", "%Y %U %w"], ["1234567890", "%s"]].map { |a| DateTime.strptime(*a).to_s } } # => ["2001-02-03T00:00:00+00:00", "2001-02-03T00:00:00+00:00", "2001-02-03T00:00:00+00:00", "2001-02-03T00:00:00+00:00", "2001-02-03T00:00:00+00:00", "2009-02-13T23:31:30+00:00"]
t { Date.strptime("x", "%Y") } # => Date::Error: invalid date
t { Date._iso8601("2001-02-03T04:05:06+09:00") } # => {mday: 3, year: 2001, mon: 2, hour: 4, min: 5, sec: 6, zone: "+09:00", offset: 32400}
t { [Date._rfc2822("Sat, 3 Feb 2001 00:00:00 +0000"), Date._httpdate("Sat, 03 Feb 2001 00:00:00 GMT")] } # => [{wday: 6, mday: 3, mon: 2, year: 2001, hour: 0, min: 0, sec: 0, zone: "+0000", offset: 0}, {wday: 6, mday: 3, mon: 2, year: 2001, hour: 0, min: 0, sec: 0, zone: "GMT", offset: 0}]
t { [Marshal.dump(Date.new(2001, 2, 3)), Marshal.load(Marshal.dump(DateTime.new(2001, 2, 3, 4, 5, 6.5, "+09:00"))).to_s] } # => ["\x04\bU:\tDate[\vi\x00i\x03\xE8i%i\x00i\x00i\x00f\f2299161", "2001-02-03T04:05:06+09:00"]
t { [Date.new(1700, 1, 1).new_start(Date::ENGLAND).to_s, Date.new(2001, 2, 3) === DateTime.new(2001, 2, 3, 12), Date.new(2001, 2, 3).saturday?] } # => ["1699-12-22", true, true]
t { Date.new(2001, 2, 3) + "x" } # => TypeError: expected numeric
t { DateTime.new(2001, 2, 3, 1) - DateTime.new(2001, 2, 2) } # => (25/24)
t { [Time.at(0).utc.to_date.to_s, Time.at(0, 500_000_000, :nsec).utc.to_datetime.inspect] } # => ["1970-01-01", "#<DateTime: 1970-01-01T00:00:00+00:00 ((2440588j,0s,500000000n),+0s,2299161j)>"]
require "time"
t { [Time.parse("2001-02-03 04:05:06 UTC"), Time.iso8601("2001-02-03T04:05:06Z"), Time.rfc2822("Sat, 3 Feb 2001 00:00:00 +0000"), Time.httpdate("Sat, 03 Feb 2001 00:00:00 GMT")] } # => [2001-02-03 04:05:06 UTC, 2001-02-03 04:05:06 UTC, 2001-02-03 00:00:00 +0000, 2001-02-03 00:00:00 UTC]
t { u = Time.at(0).utc; [u.iso8601(3), u.httpdate, u.rfc2822, u.xmlschema] } # => ["1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 -0000", "1970-01-01T00:00:00Z"]
