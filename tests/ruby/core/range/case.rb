# Ranges of numbers in `case`, by the quick way and by calls.
def kind(v)
  case v
  when 1..3 then :small
  when 4...10 then :middle
  when 10.5..20 then :float
  when 100.. then :endless
  when ..-5 then :beginless
  else :none
  end
end
p [1, 3, 3.5, 4, 9, 9.99, 10, 10.5, 20, 20.0, 21, 100, 1e30, -5, -4, 2**70, -(2**70), 3r, "x", nil].map { |v| kind(v) }
# => [:small, :small, :none, :middle, :middle, :middle, :none, :float, :float, :float, :none, :endless, :endless, :beginless, :none, :endless, :beginless, :small, :none, :none]
p (1..) === Float::NAN, (..1) === Float::NAN, (nil..nil) === 5, (nil..nil) === "x", (3..1) === 2, (1..1) === 1, (1...1) === 1
# => false
# => false
# => true
# => true
# => false
# => true
# => false
p (1..10).cover?(5.5), (1..10).include?(11), (1...10).member?(10), ("a".."c") === "b"
# => true
# => false
# => false
# => true

class Odd < Range
  def ===(value) = value.odd? && super
end
p Odd.new(1, 9) === 4, Odd.new(1, 9) === 5 # => false
# => true

module Never
  def ===(_) = false
end
Range.prepend(Never)
p (1..3) === 2, kind(2) # => false
# => :none
