# Where seconds, nanoseconds, years and zones go over into the next: with what is small and with what is not.

ENV["TZ"] = "UTC"

# Nanoseconds run over into seconds, and back.
t = Time.at(0, 999_999_999, :nsec).utc
p t + Rational(1, 10**9) # => 1970-01-01 00:00:01 UTC
p Time.at(0).utc - Rational(1, 10**9) # => 1969-12-31 23:59:59.999999999 UTC
p (t + t.subsec).to_r == 2 * t.to_r # => true
p Time.at(-1, 1_500_000, :usec).utc, Time.at(1, -1, :nsec).utc # => 1970-01-01 00:00:00.5 UTC
# => 1970-01-01 00:00:00.999999999 UTC
p Time.at(-1.5).utc, Time.at(-1.5).nsec, Time.at(-1.5).to_r, Time.at(-1.5).to_i # => 1969-12-31 23:59:58.5 UTC
# => 500000000
# => (-3/2)
# => -2
p Time.at(-0.25) - Time.at(0.25), Time.at(-0.25) <=> Time.at(-0.5) # => -0.5
# => 1
p Time.at(0.1).subsec, Time.at(Rational(1, 3)).nsec # => (3602879701896397/36028797018963968)
# => 333333333
p Time.at(1, Rational(1, 3), :nsec).to_r, Time.at(1, 0.5, :nsec).to_r # => (3000000001/3000000000)
# => (2000000001/2000000000)
p Time.at(2**61) + 2**61 == Time.at(2**62), (Time.at(2**61) - 2**62).to_i == -2**61 # => true
# => true

# Halves are rounded up, before the epoch too.
p Time.at(-1.5).utc.round, Time.at(-0.25).utc.round(1), Time.at(1.5).utc.round # => 1969-12-31 23:59:59 UTC
# => 1969-12-31 23:59:59.8 UTC
# => 1970-01-01 00:00:02 UTC
p Time.at(Rational(-3, 2) - Rational(1, 10**12)).utc.round # => 1969-12-31 23:59:58 UTC
p Time.at(Rational(-5, 10**11)).utc.round(10) # => 1970-01-01 00:00:00 UTC
p t.round(8), t.floor(8), t.ceil(3), t.round(9) == t, t.ceil(12) == t # => 1970-01-01 00:00:01 UTC
# => 1970-01-01 00:00:00.99999999 UTC
# => 1970-01-01 00:00:01 UTC
# => true
# => true

# Years beyond four digits.
u = Time.utc(9999, 12, 31, 23, 59, 59, 999_999)
p u, u + 1, (u + 1).xmlschema, (u + 1).to_s # => 9999-12-31 23:59:59.999999 UTC
# => 10000-01-01 00:00:00.999999 UTC
# => "10000-01-01T00:00:00Z"
# => "10000-01-01 00:00:00 UTC"
p Time.utc(0).xmlschema, Time.utc(-1).xmlschema(2), Time.utc(0) - 1, Time.utc(7).to_s # => "0000-01-01T00:00:00Z"
# => "-0001-01-01T00:00:00.00Z"
# => -0001-12-31 23:59:59 UTC
# => "0007-01-01 00:00:00 UTC"
p Time.utc(9569), Time.utc(9571), Time.utc(-5631), Time.utc(2**40).year == 2**40 # => 9569-01-01 00:00:00 UTC
# => 9571-01-01 00:00:00 UTC
# => -5631-01-01 00:00:00 UTC
# => true

# Digits of the fraction.
v = Time.new("2026-11-26 12:34:56.1234567891234", in: "UTC")
p v, v.nsec, v.xmlschema(9) # => 2026-11-26 12:34:56.123456789 UTC
# => 123456789
# => "2026-11-26T12:34:56.123456789Z"
w = Time.new("2026-11-26 12:34:56.1234567891234", in: "UTC", precision: 12)
p w.subsec, w.xmlschema(12), w.xmlschema(14) # => (123456789123/1000000000000)
# => "2026-11-26T12:34:56.123456789123Z"
# => "2026-11-26T12:34:56.12345678912300Z"
p v.xmlschema(1), v.xmlschema(10), Time.new("2026-11-26 12:34:56.5 +01:00").xmlschema(3) # => "2026-11-26T12:34:56.1Z"
# => "2026-11-26T12:34:56.1234567890Z"
# => "2026-11-26T12:34:56.500+01:00"
p Time.utc(2000, 1, 1, 0, 0, Rational(59 * 10**12 + 1, 10**12)).subsec # => (1/1000000000000)
begin
  Time.utc(2000, 1, 1, 0, 0, 0, 1_000_000)
rescue ArgumentError => e
  puts e.message # => subsecx out of range
end

# Offsets with seconds are shown by inspect only.
p Time.at(0, in: "-01:02:03"), Time.at(0, in: "-01:02:03").to_s # => 1969-12-31 22:57:57 -010203
# => "1969-12-31 22:57:57 -0102"

# A Time that is shown in another zone while others read it shows one of the two, and is the same instant.
a = Time.at(Rational(10, 3), in: "+01:00")
b = Time.at(10, 5, :nsec, in: "+01:00")
done = false
reader = Thread.new do
  bad = 0
  until done
    bad += 1 unless ["1970-01-01 00:00:03 1/3 UTC", "1970-01-01 01:00:03 1/3 +0100"].include?(a.inspect)
    bad += 1 unless ["1970-01-01 00:00:10.000000005 UTC", "1970-01-01 01:00:10.000000005 +0100"].include?(b.inspect)
  end
  bad
end
300.times do
  [a, b].each { |time| time.utc }
  [a, b].each { |time| time.localtime("+01:00") }
end
done = true
p reader.value # => 0

# It has its instant once and for all.
p a.send(:initialize_copy, a).equal?(a) # => true
[-> { a.send(:initialize_copy, b) }, -> { a.send(:initialize, 2000) }, -> { Time.allocate.year }].each do |again|
  again.call
rescue TypeError => e
  puts e.message
end
# => already initialized Time
# => already initialized Time
# => uninitialized Time
