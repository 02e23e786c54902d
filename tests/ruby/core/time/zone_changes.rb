# The local zone is that of TZ, at each call: nothing that is kept of another one counts.
# parallel: no, all threads have one ENV

# Another TZ counts at once.
def x = Time.at(1_700_000_000)
zones = { "UTC" => "+0000 UTC", "America/New_York" => "-0500 EST", "Asia/Kolkata" => "+0530 IST", nil => nil }
2.times do
  zones.each do |zone, expected|
    ENV["TZ"] = zone
    shown = x.strftime("%z %Z")
    p [zone, shown] if expected && shown != expected
  end
end
ENV["TZ"] = "America/New_York"
p x.hour, x.utc_offset, x.zone # => 17
# => -18000
# => "EST"
Thread.new { ENV["TZ"] = "Asia/Tokyo" }.join
p x.hour, x.utc_offset, x.zone, Time.local(2023, 11, 15, 7, 13, 20) == x # => 7
# => 32400
# => "JST"
# => true
ENV.update("TZ" => "Europe/Berlin")
p x.to_s # => "2023-11-14 23:13:20 +0100"
ENV.replace(ENV.to_h.merge("TZ" => "JST-9"))
p x.to_s # => "2023-11-15 07:13:20 +0900"
ENV.delete("TZ")
ENV["TZ"] = "America/New_York"

# Both sides of the transitions, in any order.
spring, autumn = Time.at(1_710_054_000), Time.at(1_730_613_600)
3.times do
  p [spring - 1, spring, autumn - 1, autumn].map { |at| [at.hour, at.utc_offset, at.dst?] } if _1 == 2
  Time.at(1_700_000_000).hour
end
# => [[1, -18000, false], [3, -14400, true], [1, -14400, true], [1, -18000, false]]
p Time.local(2024, 3, 10, 2, 30), Time.local(2024, 11, 3, 1, 30), Time.local(2024, 11, 3, 0, 59, 59) + 1 # => 2024-03-10 03:30:00 -0400
# => 2024-11-03 01:30:00 -0500
# => 2024-11-03 01:00:00 -0400
# The hour that comes twice is in it.
same = (4...24 * 366).step(7).count do |hour|
  at = Time.at(1_704_085_200 + hour * 3600)
  back = Time.local(at.year, at.month, at.day, at.hour, at.min, at.sec)
  back == at
end
p same # => 1254

# Threads that change TZ, and others that read: each reading is of one of the zones.
ENV["TZ"] = "UTC"
done = false
writer = Thread.new do
  500.times { |i| ENV["TZ"] = i.even? ? "Asia/Tokyo" : "UTC" }
  done = true
end
seen = 3.times.map do
  Thread.new do
    bad = 0
    loop do
      bad += 1 unless [0, 32_400].include?(x.utc_offset)
      break if done
    end
    bad
  end
end
writer.join
p seen.sum(&:value) # => 0
