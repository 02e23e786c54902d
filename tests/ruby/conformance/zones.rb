# Zone objects of Time, repeated local times, generators that are dumped, addresses in packed Strings: a value a line.

class Zone
  attr_reader :name

  def initialize(name, winter, summer = winter)
    @name = name
    @winter = winter
    @summer = summer
  end

  def dst?(time) = @summer != @winter && (4..9).cover?(time.mon)
  def offset(time) = dst?(time) ? @summer : @winter
  def local_to_utc(time) = time - offset(time)
  def utc_to_local(time) = time + offset(time)
  def abbr(time) = dst?(time) ? "SUM" : "WIN"
end

class ZonedTime < Time
  def self.find_timezone(name) = name == "Here" ? Zone.new("Here", 3600, 7200) : nil
end

here = Zone.new("Here", 3600, 7200)
summer = Time.new(2018, 9, 1, 12, 0, 0, here)
puts summer # => 2018-09-01 12:00:00 +0200
p summer.zone.equal?(here), summer.dst?, summer.utc_offset # => true
# => true
# => 7200
puts summer.utc? # => false
puts Time.new(2018, 12, 1, in: here) # => 2018-12-01 00:00:00 +0100
puts summer + 86_400 * 60 # => 2018-10-31 11:00:00 +0100
puts Time.at(0, in: here) # => 1970-01-01 01:00:00 +0100
puts Time.utc(2018, 9, 1).getlocal(here) # => 2018-09-01 02:00:00 +0200
puts summer.strftime("%z %Z") # => +0200 SUM
p summer.to_a[8] # => true
p summer.localtime.zone.equal?(here) # => true
puts Time.now(in: here).zone.name # => Here
puts ZonedTime.new(2000, 1, 1, 0, 0, 0, "Here") # => 2000-01-01 00:00:00 +0100
puts ZonedTime.at(0, in: "Here") # => 1970-01-01 01:00:00 +0100
copy = Marshal.load(Marshal.dump(ZonedTime.new(2000, 7, 1, 0, 0, 0, "Here")))
puts copy, copy.zone.class # => 2000-07-01 00:00:00 +0200
# => Zone
begin
  ZonedTime.new(2000, 1, 1, 0, 0, 0, "There")
rescue ArgumentError => e
  puts e.message[0, 8] # => "+HH:MM"
end
begin
  Time.new(2000, 1, 1, 0, 0, 0, Object.new)
rescue TypeError => e
  puts e.message # => can't convert Object into an exact number
end
begin
  Time.at(0, in: Zone.new("far", 86_400))
rescue ArgumentError => e
  puts e.message # => utc_offset out of range
end

before = ENV["TZ"]
ENV["TZ"] = "America/New_York"
puts Time.local(2024, 11, 3, 1, 30) # => 2024-11-03 01:30:00 -0500
puts Time.local(0, 30, 1, 3, 11, 2024, nil, nil, true, nil) # => 2024-11-03 01:30:00 -0400
puts Time.new(2024, 11, 3, 1, 30, 0, :dst) # => 2024-11-03 01:30:00 -0400
puts Time.new(2024, 11, 3, 1, 30, 0, :std) # => 2024-11-03 01:30:00 -0500
puts Time.local(0, 30, 1, 3, 7, 2024, nil, nil, true, nil) # => 2024-07-03 01:30:00 -0400
ENV["TZ"] = before

random = Random.new(42)
random.rand
copy = Marshal.load(Marshal.dump(random))
p copy == random, copy.rand == random.rand, copy.seed # => true
# => true
# => 42
p random.__send__(:left) # => 621
p Random.new(0).__send__(:left) # => 1
p Random.new(1 << 32).rand(1000) == Random.new(0).rand(1000) # => false
[[0, 0, 1], [1], [1, -1, 1]].each do |dumped|
  Random.new.__send__(:marshal_load, dumped)
rescue ArgumentError => e
  puts e.message
end
# => wrong value
# => wrong dump data
# => wrong value
begin
  Random.new(0).freeze.__send__(:initialize, 1)
rescue FrozenError => e
  puts e.class # => FrozenError
end

packed = ["one", nil, "three"].pack("p*")
p packed.bytesize, packed.unpack("p*") # => 24
# => ["one", nil, "three"]
p ["text"].pack("P4").unpack("P2") # => ["te"]
p ".".unpack("p") # => []
begin
  (packed + "").unpack("p")
rescue ArgumentError => e
  puts e.message # => no associated pointer
end
begin
  ["text"].pack("P5")
rescue ArgumentError => e
  puts e.message # => too short buffer for P(4 for 5)
end
