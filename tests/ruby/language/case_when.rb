# case/when with ===, lists, splats, ranges and without a subject.
def kind(value)
  case value
  when Integer, Float then "number"
  when /^a(.)/ then "starts with a, then #{$1}"
  when "x", "y" then "x or y"
  when nil then "nil"
  when ->(v) { v.respond_to?(:each) } then "collection"
  else "unknown"
  end
end
[1, 2.5, "abc", "y", nil, [1], :sym].each { |value| puts kind(value) }
# => number
# => number
# => starts with a, then b
# => x or y
# => nil
# => collection
# => unknown

LOW = [1, 2, 3].freeze
HIGH = [8, 9].freeze
p (1..9).map { |n| # => [:low, :low, :low, :middle, :middle, :middle, :middle, :high, :high]
  case n
  when *LOW then :low
  when 4..7 then :middle
  when 0, *HIGH then :high
  end
}

temperature = 25
case
when temperature < 10 then puts "cold"
when temperature < 30 then puts "warm" # => warm
else puts "hot"
end

p(case 5 when 6 then 1 end) # => nil
result = case "b" when "a".."c" then :in_range end
p result # => :in_range

class Odd
  def self.===(number) = number.odd?
end
p [1, 2].map { |n| case n when Odd then :odd else :even end } # => [:odd, :even]

calls = []
check = ->(name, answer) { calls << name; answer }
case 1
when check.(:a, 2), check.(:b, 1) then calls << :body
when check.(:c, 1) then calls << :never
end
p calls # => [:a, :b, :body]

case [1, 2]
when Array
  x, y = 1, 2
  p x + y # => 3
end
p(case :a when :b then 1 when :a then end) # => nil
value = case when false then 1 else 2 end
p value # => 2
case "string"
when String, Symbol
  puts "text" # => text
end
p (case 1.0 when 1 then "equal" end) # => "equal"
