# TracePoint: which events there are, in which order, with which lines.
# parallel: no, it compares line numbers of a file that several threads of one process load

def twice(n)
  yield n * 2
end

class Shape
  attr_reader :side
  def initialize(side)
    @side = side
  end
end

seen, told = [], []
point = TracePoint.new(:line, :call, :return, :b_call, :b_return, :class, :end, :raise, :rescue) { |t| seen << [t.event, t.lineno, t.method_id] }
show = -> { told.concat(seen) << :end; seen.clear }

point.enable do
  twice(4) { |v|
    v + 1
  }
end
show.call

point.enable do
  begin
    raise "a"
  rescue
    1
  ensure
    Shape.new(2)
  end
end
show.call

point.enable do
  class Shape
    def area = side * side
  end
  if seen.nil?
    1
  elsif seen
    x = 1; y = 2
  end
end
show.call

# A method that is a block, and one that is left by break.
Shape.define_method(:left) { |&b| [1].each(&b); break 5 }
shape = Shape.new(3)
TracePoint.new(:call, :return, :b_call, :b_return) { |t| seen << [t.event, t.method_id] }.enable { shape.left }
show.call

# Native methods, attributes, and methods of the core that are written in Ruby.
TracePoint.new(:c_call, :c_return) { |t| seen << [t.event, t.method_id, t.defined_class, (t.return_value if t.event == :c_return)] }.enable { shape.side; [3].each { |e| e.succ } }
show.call

told.each { |e| p e }
# => [:b_call, 19, nil]
# => [:line, 20, nil]
# => [:call, 4, :twice]
# => [:line, 5, :twice]
# => [:b_call, 20, nil]
# => [:line, 21, nil]
# => [:b_return, 22, nil]
# => [:return, 6, :twice]
# => [:b_return, 23, nil]
# => :end
# => [:b_call, 26, nil]
# => [:line, 28, nil]
# => [:raise, 28, nil]
# => [:rescue, 30, nil]
# => [:line, 30, nil]
# => [:line, 32, nil]
# => [:call, 10, :initialize]
# => [:line, 11, :initialize]
# => [:return, 12, :initialize]
# => [:b_return, 34, nil]
# => :end
# => [:b_call, 37, nil]
# => [:line, 38, nil]
# => [:class, 38, nil]
# => [:line, 39, nil]
# => [:end, 40, nil]
# => [:line, 41, nil]
# => [:line, 43, nil]
# => [:line, 44, nil]
# => [:b_return, 46, nil]
# => :end
# => [:b_call, nil]
# => [:call, :left]
# => [:b_call, :left]
# => [:b_return, :left]
# => [:return, :left]
# => [:b_return, nil]
# => :end
# => [:c_call, :side, Shape, nil]
# => [:c_return, :side, Shape, 3]
# => [:c_call, :each, Array, nil]
# => [:c_call, :succ, Integer, nil]
# => [:c_return, :succ, Integer, 4]
# => [:c_return, :each, Array, [3]]
# => :end
