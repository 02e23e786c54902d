# args: --jit=always
# Methods of so many instructions that their registers are given out in one pass, or that they are not compiled at all: with plain numbers of
# Floats, and values that live long.
def vast(name, count)
  lines = (0...count).map do |i|
    "a#{i % 20} = b#{i % 7} * 1.5 + a#{(i + 3) % 20}
    b#{i % 7} = a#{i % 20} > 1e9 ? b#{(i + 1) % 7} - #{i}.0 : b#{i % 7} + list[#{i % 5}]"
  end
  names = (0...20).map { |i| "a#{i}" } + (0...7).map { |i| "b#{i}" }
  eval "def #{name}(list)
    #{names.each_with_index.map { |variable, i| "#{variable} = #{i}.25" }.join("; ")}
    #{lines.join("\n")}
    [#{names.join(", ")}]
  end"
end

[[:large, 15], [:too_large, 120]].each do |name, count|
  vast(name, count)
  first = send(name, [1, 2.5, 3, 4, 5])
  p 100.times.all? { send(name, [1, 2.5, 3, 4, 5]) == first }
  p first.sum.round(3)
end
# => true
# => 1002.375
# => true
# => 10720.375
p RubyVM::JIT.stats[:refused_units] > 0 # => true
