# What Array#join meets in elements that convert, and slices by arithmetic sequences that count down.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

own = Object.new
def own.to_ary = [self]
t { [own].join } # => ArgumentError: recursive array join
t { [1, [own]].join("-") } # => ArgumentError: recursive array join
holder = Object.new
def holder.to_ary = [1, [2, "x"]]
t { [holder, holder].join(",") } # => "1,2,x,1,2,x"
t { [[].to_s, [].join, [].inspect].map(&:encoding) } # => [#<Encoding:US-ASCII>, #<Encoding:US-ASCII>, #<Encoding:US-ASCII>]
a = [0, 1, 2, 3, 4, 5]
t { [a[(...0) % -1], a[(...-1) % -2], a[(...2) % -1], a[(4...1) % -1], a[(-1...1) % -2], a[(1...-1) % -7]] } # => [[5, 4, 3, 2, 1], [5, 3, 1], [5, 4, 3], [4, 3, 2], [5, 3], [1]]
t { a[(..9) % 2] } # => RangeError: ((..9).%(2)) out of range
t { a[(7..) % -2] } # => RangeError: ((7..).%(-2)) out of range
t { a[(-9..) % -2] } # => []
t { a[(7..) % -1] } # => [5, 4, 3, 2, 1, 0]
t { [0, 1].sample(random: Object.new) } # => NoMethodError: private method 'rand' called for an instance of Object
t { [0, 1].shuffle(random: Object.new) } # => NoMethodError: private method 'rand' called for an instance of Object
t { [].hash == false.hash || [].hash == nil.hash } # => false
