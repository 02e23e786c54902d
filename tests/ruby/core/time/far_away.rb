# Seconds at the ends of what a machine word holds give a Time or an error.
[-2**63, 2**63 - 1, -2**64, 2**64, -2**63 + 1].each do |seconds|
  answer = begin
    Time.at(seconds).to_i == seconds
  rescue RangeError, ArgumentError
    true
  end
  p answer
end
# => true
# => true
# => true
# => true
# => true

# Beyond them the calendar goes on.
p Time.utc(2**70, 2, 29), Time.utc(-2**66, 12, 31).wday # => 1180591620717411303424-02-29 00:00:00 UTC
# => 4
p Time.utc(2**70).to_i # => 37255873106581554004241356800
p Time.at(2**90).year # => 39228758192026287490
p Time.at(2**90).utc == Time.at(2**90), Time.at(2**90) <=> Time.at(2**91) # => true
# => -1
p Time.utc(2**70) - Time.utc(2**69) # => 1.8627936553290777e+28
p (Time.utc(2**70) + 86_400).yday, Time.utc(2**70).round(3).hash == Time.utc(2**70).hash # => 2
# => true
puts Time.utc(2**70, 3).strftime("%Y %C %y %G %s %F") # => 1180591620717411303424 11805916207174113034 24 1180591620717411303424 37255873106581554004246540800 1180591620717411303424-03-01
p Time.at(10**22).strftime("%24s|%_24s") # => "010000000000000000000000| 10000000000000000000000"
p Marshal.load(Marshal.dump(Time.utc(2**70))) == Time.utc(2**70) # => true
p Time.new(2**64, 8, 1, in: "+09:00").to_a[0..6] # => [0, 0, 0, 1, 8, 18446744073709551616, 1]
zone = Object.new
def zone.utc_to_local(t) = t + 3600
def zone.local_to_utc(t) = t - 3600
p Time.new(2**64, 1, 1, 0, 0, 0, zone).utc.year, Time.at(2**80, in: zone).utc_offset # => 18446744073709551615
# => 3600
# Within limits.
p((Time.utc(1 << 100_000) rescue $!), (Time.at(1 << 100_000) rescue $!)) # => #<ArgumentError: argument out of range>
# => #<ArgumentError: argument out of range>
p((Time.utc(2000, 1, 1, 0, 0, 1e19) rescue $!)) # => #<RangeError: bignum too big to convert into 'long'>
# Digits behind the nanoseconds.
p Time.at(0, 1/3r).strftime("%20N %6N %L") # => "00000033333333333333 000000 000"
# Months behind December are of the next year.
p Marshal.load("\x04\x08u:\tTime\r\x20\x7c\x1e\xc0\x00\x00\x00\x00".b) # => 2022-04-01 00:00:00 UTC
