# Which days there are: those that a walk over the Julian day numbers meets, in each calendar.
require "date"

[Date::ITALY, Date::ENGLAND, Date::JULIAN, Date::GREGORIAN, 2_361_223].each do |sg|
  wrong = []
  count = 0
  [-1, 4, 1500, 1582, 1752, 1900, 2000, 2023, 2024].each do |year|
    first = Date.new(year, 1, 1, sg).jd
    there = (first - 3..first + 369).map { |jd| date = Date.jd(jd, sg); [date.year, date.month, date.day] }
    there = there.select { |y, *| y == year }.to_h { |civil| [civil, true] }
    (1..12).each do |month|
      (1..31).each do |day|
        found = Date.valid_civil?(year, month, day, sg)
        wrong << [year, month, day] if found != there.key?([year, month, day])
        next unless found
        count += 1
        date = Date.new(year, month, day, sg)
        wrong << date unless [date.year, date.month, date.day] == [year, month, day]
      end
    end
  end
  p count, wrong
end
# => 3280
# => []
# => 3279
# => []
# => 3291
# => []
# => 3289
# => []
# => 3279
# => []
p Date.new(2024.0, 2, 29), Date.new(2024, -1, -1) # => #<Date: 2024-02-29 ((2460370j,0s,0n),+0s,2299161j)>
# => #<Date: 2024-12-31 ((2460676j,0s,0n),+0s,2299161j)>
def t = (yield; nil) rescue p($!.class, $!.message)
t { Date.new(2023, 2, 29) } # => Date::Error
# => "invalid date"
t { Date.new("2023") } # => TypeError
# => "invalid year (not numeric)"
t { Date.new(2023, 1, nil) } # => TypeError
# => "invalid day (not numeric)"
