# Time in patterns, from text and as ISO 8601 (3.2 and later).

p Time.utc(2000).deconstruct_keys([:year, :zone]) # => {year: 2000, zone: "UTC"}
case Time.utc(2000, 5)
in {year:, month: 5} then p year # => 2000
end
p Time.new("2000-01-02 03:04:05.123 +09:00") # => 2000-01-02 03:04:05.123 +0900
p Time.new("2000-01-02T03:04:05Z") # => 2000-01-02 03:04:05 UTC
begin
  Time.new("2000-01-02")
rescue ArgumentError => e
  puts e.message # => no time information in "2000-01-02"
end
p Time.utc(2000, 1, 2, 3, 4, 5.678r).xmlschema(2) # => "2000-01-02T03:04:05.67Z"
p Time.at(0, in: "+09:00").iso8601 # => "1970-01-01T09:00:00+09:00"
