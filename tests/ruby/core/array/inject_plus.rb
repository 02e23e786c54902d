# inject(:+) adds one element after the other, as `+` does, whatever they are.
p [1, 2, 3].inject(:+), [1, 2, 3].inject(10, :+), [].inject(:+), [].inject(5, :+), [7].inject(:+) # => 6
# => 16
# => nil
# => 5
# => 7
p [0.1, 0.2, 0.3].inject(:+), [0.1, 0.2, 0.3].sum # => 0.6000000000000001
# => 0.6
p [1, 2.5, 3].inject(:+), [2**62, 2**62, 1].inject(:+), [2**62 - 1, 2**62 - 1, 2**62 - 1, 0.5].inject(:+) # => 6.5
# => 9223372036854775809
# => 1.3835058055282164e+19
p [1, 2**80, 3].inject(:+), [1, 1r, 2].inject(:+), %w[a b c].inject(:+), [[1], [2]].inject([], :+) # => 1208925819614629174706180
# => (4/1)
# => "abc"
# => [1, 2]
p [Float::INFINITY, -Float::INFINITY].inject(:+).nan?, [-0.0, -0.0].inject(:+), [1, nil].inject(:+) rescue p $!.class # => TypeError
begin
  [1, 2, nil].inject(:+)
rescue TypeError => e
  puts e.message # => nil can't be coerced into Integer
end
class Integer
  alias plus +
  def +(other) = plus(other).plus(100)
end
p [1, 2, 3].inject(:+) # => 206
