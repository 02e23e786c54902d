# What CRuby's own tests of the library ask for beyond date.rb.
require "date"
def kind = (yield; nil) rescue $!.class
p kind { Date._parse(:"2001-02-03") }, kind { Date._strptime(:"2001-02-03", "%F") }, kind { Date.julian_leap?(Object.new) } # => TypeError
# => TypeError
# => TypeError
p Date._iso8601("--0203T040506Z"), Date._iso8601("---03T040506Z"), Date._iso8601("-w-4T0102") # => {mday: 3, mon: 2, hour: 4, min: 5, sec: 6, zone: "Z", offset: 0}
# => {mday: 3, hour: 4, min: 5, sec: 6, zone: "Z", offset: 0}
# => {cwday: 4, hour: 1, min: 2}
p Date._iso8601("2001--03"), Date._iso8601("0102"), Date._iso8601("-w123") # => {mday: 3, year: 2001}
# => {hour: 1, min: 2}
# => {cweek: 12, cwday: 3}
p Date._parse("10:00 AEST")[:offset], Date._parse("10:00 E.  Australia Standard Time")[:offset], Date._parse("10:00 est dst")[:offset] # => 36000
# => 36000
# => -14400
p Date._parse("10:00 -2400")[:offset], Date._parse("10:00 +1.25")[:offset], Date._parse("10:00 +1.123")[:offset] # => -86400
# => 4500
# => (20214/5)
p Date._parse("2000-01-02 23")[:hour] # => 23
p Date._strptime("Saturday", "%EA"), Date._strptime("%EA", "%EA"), Date._strptime("01", "%Oy"), Date._strptime(" 32425", "%k%M%S") # => nil
# => {}
# => {year: 2001}
# => {hour: 3, min: 24, sec: 25}
p DateTime.respond_to?(:today), DateTime.parse("2001-02-03T04:05:06.123456").iso8601(3.5) # => false
# => "2001-02-03T04:05:06.123+00:00"
class Odd < Numeric
  def to_r = self
end
p kind { Date.today + Odd.new }, kind { DateTime.now.new_offset(Odd.new) }, kind { Date.today.step(Date.today, Object.new) { } } # => TypeError
# => TypeError
# => ArgumentError
day = Date.new(2004, 9, 19) + Rational(1, 2)
p day.to_date.equal?(day), Date.new(2001, 2, 3, 1000).start # => true
# => 2299161.0
p [Date.today.to_s, Date.today.inspect, DateTime.now.zone, DateTime.now.strftime, Date::MONTHNAMES[1]].map(&:encoding).uniq # => [#<Encoding:US-ASCII>]
p kind { Date.new(1 << 10000).strftime("%Y") } # => Errno::ERANGE
p Date.new(10**9, 1, 1).marshal_dump, Marshal.load(Marshal.dump(Date.new(-10**9, 1, 1))).year # => [1711, 35177273, 0, 0, 0, 2299161.0]
# => -1000000000
# Dates that Ruby 1.6 and 1.8 have dumped.
p Marshal.load("\x04\x06u:\tDate\x0F\x04\x06[\ai\x03\xE8i%T".b).ajd # => (4903887/2)
p Marshal.load("\x04\bu:\tDateP\x04\b[\bo:\rRational\a:\x0F@numeratori\x03\xCF\xD3J:\x11@denominatori\ai\x00o:\x13Date::Infinity\x06:\a@di\xFA".b).start # => -Infinity
