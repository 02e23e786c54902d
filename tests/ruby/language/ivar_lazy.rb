# A variable set on first use by the method that reads it, in cells that were something else before.
class Lazy
  def initialize
    @a = 1
    @b = 2
  end

  def count = @count ||= [7]

  def calls
    @calls ||= 0
  end

  def called
    @calls = calls + 1
  end
end

seen = Array.new(3) do
  2000.times { "#{:junk}" + "x" * 40 }
  GC.start
  objects = Array.new(500) { Lazy.new }
  objects.each(&:count)
  objects.each_with_index { |o, i| o.called if i.even? }
  [objects.map(&:calls).tally.to_a, objects.map(&:count).uniq, objects[1].instance_variables]
end
p seen.uniq # => [[[[1, 250], [0, 250]], [[7]], [:@a, :@b, :@count, :@calls]]]
